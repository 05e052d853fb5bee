// Runs all checks in order (spec 2.2), so that `curlew doctor` and `GET /doctor` report the same.
//   K1. It is quick: programs are checked in parallel, and the records of a large
//       history are read only by `storeChecks`.

import type { Check } from "./check.ts";
import { historyChecks } from "./leftovers.ts";
import { diskChecks, homeChecks } from "./machine.ts";
import { certificateChecks, proxyChecks } from "./network.ts";
import { programChecks } from "./programs.ts";
import { settingsChecks } from "./settings.ts";

/** Programs are started first, so that they can respond while the other checks run. `history`: the checks of a history in a cluster. */
export async function allChecks(
  home: string,
  env: Readonly<Record<string, string | undefined>>,
  history?: Check[] | Promise<Check[]>,
): Promise<Check[]> {
  const answers = programChecks(env);
  return [
    ...((await history) ?? historyChecks(home)),
    ...homeChecks(home),
    ...diskChecks(home),
    ...(await settingsChecks(home, env)),
    ...(await answers),
    ...certificateChecks(env),
    ...proxyChecks(env),
  ];
}

// look: all that doctor looks at, one after the other (spec 2.2): `curlew doctor` and `GET /doctor` say the same.
//   K1. It is quick: programs are asked side by side, and a large history is read record by record only by `storeChecks`.

import type { Check } from "./check.ts";
import { historyChecks } from "./leftovers.ts";
import { clockChecks, diskChecks, homeChecks } from "./machine.ts";
import { certificateChecks, proxyChecks } from "./network.ts";
import { programChecks } from "./programs.ts";
import { settingsChecks } from "./settings.ts";

/** Programs begin to answer while the rest is looked at. */
export async function allChecks(
  home: string,
  env: Readonly<Record<string, string | undefined>>,
  nowMs: number,
): Promise<Check[]> {
  const answers = programChecks(env);
  // Before the history is opened, which closes a file of ours that is open to others.
  const looked = [...homeChecks(home), ...diskChecks(home), ...clockChecks(home, nowMs)];
  return [
    ...historyChecks(home),
    ...looked,
    ...(await settingsChecks(home, env)),
    ...(await answers),
    ...certificateChecks(env),
    ...proxyChecks(env),
  ];
}

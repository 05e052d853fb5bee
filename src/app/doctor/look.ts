// Runs all checks in order (spec 2.2), so that `curlew doctor` and `GET /doctor` report the same.
//   K1. It is quick: programs are checked in parallel, and the records of a large
//       history are read only by `storeChecks`.

import type { Check } from "./check.ts";
import { type ClusterLook, clusterChecks, historyChecks } from "./leftovers.ts";
import { diskChecks, homeChecks } from "./machine.ts";
import { certificateChecks, proxyChecks } from "./network.ts";
import { programChecks } from "./programs.ts";
import { settingsChecks } from "./settings.ts";

/** Programs are started first, so that they can respond while the other checks run. `cluster`: the history is there. */
export async function allChecks(
  home: string,
  env: Readonly<Record<string, string | undefined>>,
  cluster?: ClusterLook,
): Promise<Check[]> {
  const answers = programChecks(env);
  return [
    ...(cluster === undefined ? historyChecks(home) : await clusterChecks(cluster)),
    ...homeChecks(home),
    ...diskChecks(home),
    ...(await settingsChecks(home, env)),
    ...(await answers),
    ...certificateChecks(env),
    ...proxyChecks(env),
  ];
}

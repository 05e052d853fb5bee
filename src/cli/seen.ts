// seen: which commands of imported workflows a person has approved, for commands that check documents.
//   S1. They are in the cluster that the command works on, otherwise in the data directory. Neither is opened for a
//       document without such commands.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { seenIn } from "../app/documents/seen.ts";
import type { Store } from "../store/index.ts";
import type { SeenDeps } from "../workflow/unseen-findings.ts";
import { clusterFor } from "./cluster.ts";
import { type HomeOption, homeOf } from "./open.ts";
import type { Terminal } from "./terminal.ts";

export function seenBy(options: HomeOption, terminal: Terminal): Promise<SeenDeps> {
  return seenIn(homeOf(options, terminal), terminal.cwd, () => storeToRead(options, terminal));
}

/** Undefined: it does not exist, or can't be read. Then nothing counts as approved. */
async function storeToRead(options: HomeOption, terminal: Terminal): Promise<Store | undefined> {
  const home = homeOf(options, terminal);
  const cluster = await clusterFor(options, home, terminal);
  if (!cluster.ok) return undefined;
  if (cluster.value !== undefined) {
    const { openClusterStore } = await import("../app/cluster.ts");
    const opened = await openClusterStore(cluster.value, home);
    return opened.ok ? opened.value : undefined;
  }
  if (!existsSync(join(home, "curlew.db"))) return undefined;
  const { openStore } = await import("../store/index.ts");
  const opened = openStore(home);
  return opened.ok ? opened.value : undefined;
}

// sweep: what a program leaves behind that is killed after the end of a run was recorded and before it had cleared up (spec 4.2).
//   W1. The claim of a run is given back last. So an ended run that is still claimed by a process that is gone is one to clear up.
//      Files of runs whose removal was interrupted are removed too.
//   W2. What subflows sealed stays until the run they belong to has ended: their result may still be read.
// Deliberately absent: runs that have not ended. What they sealed is needed to go on, and a command of theirs may still be reading.

import { rmSync } from "node:fs";
import { leftAuth } from "../../nodes/curl.ts";
import { leftReports } from "../../nodes/http-observer/observe.ts";
import type { IsAlive, Owner, Store } from "../../store/index.ts";
import type { Graph } from "../../workflow/graph.ts";
import { removeSecretFiles } from "./files.ts";

/** When an engine opens. What cannot be removed now keeps its claim, and is tried again the next time. */
export function sweepEnded(store: Store, me: Owner, isAlive: IsAlive): void {
  store.sweepRemoved();
  const left = store.journal.leftRuns();
  if (!left.ok) return;
  for (const run of left.value) {
    const claimed = store.journal.claim(run, me, isAlive);
    if (claimed.ok && forget(run, claimed.value.parent === undefined, store)) store.journal.release(run);
  }
}

function forget(run: string, outermost: boolean, store: Store): boolean {
  const folder = store.outputs.folder(run);
  if (!folder.ok) return false;
  try {
    const reports = leftReports(folder.value).map(({ path }) => path);
    for (const path of [...leftAuth(folder.value), ...reports]) rmSync(path, { recursive: true, force: true });
    removeSecretFiles(folder.value, outermost);
    forgetChildren(run, store);
    return true;
  } catch (reason) {
    if ((reason as NodeJS.ErrnoException).syscall !== undefined) return false;
    throw reason;
  }
}

/** W2. `graph`: of the run, when it is at hand; one without subflows has nothing to look for. */
export function forgetChildren(run: string, store: Store, graph?: Graph): void {
  if (graph?.workflow.nodes.every((node) => node.type !== "subflow")) return;
  for (let cursor: string | undefined; ; ) {
    const page = store.journal.listRuns({ children: { of: run }, ...(cursor === undefined ? {} : { cursor }) });
    if (!page.ok) return;
    for (const child of page.value.runs) {
      const folder = store.outputs.folder(child.id);
      if (folder.ok) removeSecretFiles(folder.value, true);
    }
    if (page.value.next === undefined) return;
    cursor = page.value.next;
  }
}

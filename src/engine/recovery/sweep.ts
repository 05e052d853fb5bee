// sweep: removes what a program left that was killed between recording the end of a run and cleaning up (spec 4.2).
//   W1. A run's claim is released last, so an ended run with the claim of a dead process still needs cleaning up. Files
//       of runs whose removal was interrupted are removed too.
//   W2. Sealed values of subflow runs stay until the outermost run has ended, because their results may still be read.
// Deliberately absent: runs that have not ended. They need their sealed values to resume, and a command may still be
// reading them.

import { rmSync } from "node:fs";
import { leftAuth } from "../../kinds/cli/index.ts";
import { leftReports } from "../../process/http-observer/observe.ts";
import type { IsAlive, Owner, Store } from "../../store/index.ts";
import type { Graph } from "../../workflow/graph.ts";
import { removeSecretFiles } from "../run-files.ts";

/** Called when an engine opens. A run that cannot be cleaned up now keeps its claim and is tried again next time. */
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

/** W2. `graph`: the run's graph, if available. A run without subflows has no children to look for. */
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

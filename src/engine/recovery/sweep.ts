// sweep: removes what a program left that was killed between recording the end of a run and cleaning up (spec 4.2).
//   W1. A run's claim is released last, so an ended run with the claim of a dead process still needs cleaning up. Files
//       of runs whose removal was interrupted are removed too.
//   W2. Sealed values of subflow runs stay until the outermost run has ended, because their results may still be read.
// Runs that have not ended keep theirs. They need their sealed values to resume, and a command may still be reading
// them.

import { rmSync } from "node:fs";
import { authFilesIn } from "../../kinds/cli/index.ts";
import { reportsIn } from "../../process/http-observer/observe.ts";
import type { IsAlive, Owner, Store } from "../../store/index.ts";
import type { Graph } from "../../workflow/graph.ts";
import { removeSecretFiles } from "../run-files.ts";

/** Called when an engine opens. A run that cannot be cleaned up now keeps its claim and is tried again next time. */
export async function sweepEnded(store: Store, me: Owner, isAlive: IsAlive): Promise<void> {
  await store.sweepRemoved();
  const left = await store.journal.leftRuns();
  if (!left.ok) return;
  for (const run of left.value) {
    const claimed = await store.journal.claim(run, me, isAlive);
    if (claimed.ok && (await forget(run, claimed.value.parent === undefined, store))) await store.journal.release(run);
  }
}

async function forget(run: string, outermost: boolean, store: Store): Promise<boolean> {
  const folder = store.outputs.folder(run);
  if (!folder.ok) return false;
  try {
    const reports = reportsIn(folder.value).map(({ path }) => path);
    for (const path of [...authFilesIn(folder.value), ...reports]) rmSync(path, { recursive: true, force: true });
    removeSecretFiles(folder.value, outermost);
    await forgetChildren(run, store);
    return true;
  } catch (reason) {
    if ((reason as NodeJS.ErrnoException).syscall !== undefined) return false;
    throw reason;
  }
}

/** W2. `graph`: the run's graph, if available. A run without subflows has no children to look for. */
export async function forgetChildren(run: string, store: Store, graph?: Graph): Promise<void> {
  if (graph?.workflow.nodes.every((node) => node.type !== "subflow")) return;
  for (let cursor: string | undefined; ; ) {
    const page = await store.journal.listRuns({ children: { of: run }, cursor });
    if (!page.ok) return;
    for (const child of page.value.runs) {
      const folder = store.outputs.folder(child.id);
      if (folder.ok) removeSecretFiles(folder.value, true);
    }
    if (page.value.next === undefined) return;
    cursor = page.value.next;
  }
}

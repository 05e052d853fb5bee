// read-run: a recorded run as `runs show --json` and `GET /runs/{id}` return it (spec 2.7).
// It returns no output bytes, and no names of the files that hold them.

import { Writable } from "node:stream";
import { ok, type Result } from "../base/result.ts";
import type { RunEvent } from "../scheduler/event.ts";
import { evolve } from "../scheduler/evolve.ts";
import { initialState } from "../scheduler/state.ts";
import { type RunView, viewOf } from "../scheduler/view.ts";
import type { RunRow, Store, StoreError } from "../store/index.ts";
import { analyze } from "../workflow/graph.ts";
import { parseWorkflow } from "../workflow/parse.ts";
import { bringNamed } from "./bring.ts";
import type { RunOutcome } from "./contract.ts";
import { outcomeOf } from "./outcome.ts";
import { labelsOfStarted } from "./placed.ts";
import { runFiles } from "./run-files.ts";

/** Bytes. A larger result is not included; it is in the logs of its node. */
const RESULT_BYTES_MAX = 1_000_000;

export async function readRun(row: RunRow, store: Store): Promise<Result<RunView, StoreError>> {
  const events = await store.journal.read(row.id);
  if (!events.ok) return events;
  const [started] = events.value;
  const workflow =
    started?.type === "run.started" ? parseWorkflow(started.workflow.text, started.workflow.file).workflow : undefined;
  if (workflow === undefined)
    return {
      ok: false,
      error: {
        code: "record-damaged",
        run: row.id,
        message: `Curlew can no longer read the workflow of run ${row.id}.`,
      },
    };
  const { graph } = analyze(workflow);
  const view = viewOf(graph, events.value);
  for (const node of view.nodes)
    for (const attempt of node.attempts) {
      delete attempt.stdoutFile;
      delete attempt.stderrFile;
    }
  if (row.status === "queued" && started?.type === "run.started") {
    view.status = "queued";
    const needed = labelsOfStarted(started);
    if (needed.length > 0) view.runsOn = [...new Set(needed.map(({ label }) => label))];
  }
  if (view.status === "running") await markQueued(view, events.value, store);
  if (view.status === "succeeded") {
    let state = initialState(graph, { concurrencyDefault: 1 });
    for (const event of events.value) state = evolve(state, event);
    await bringNamed(row.id, events.value, store);
    const folder = store.outputs.folder(row.id);
    const only =
      started?.type === "run.started" && started.only !== undefined ? { started: { only: started.only } } : {};
    const kept = { run: row.id, state, seq: events.value.length, ...only };
    const text = folder.ok ? await resultText(kept, folder.value) : undefined;
    if (text !== undefined) view.result = text;
  }
  return ok(view);
}

/** Names the labels of subflows that no machine has taken yet. */
async function markQueued({ nodes }: RunView, events: readonly RunEvent[], store: Store): Promise<void> {
  if (store.bring === undefined) return;
  for (const node of nodes) {
    if (node.status !== "running") continue;
    const begun = events.findLast((event) => event.type === "attempt.started" && event.path === node.path);
    const child = begun?.type === "attempt.started" ? begun.detail.childRun : undefined;
    const row = child === undefined ? undefined : await store.journal.findRun(child);
    if (row?.ok !== true || row.value.status !== "queued") continue;
    const first = await store.journal.read(row.value.id, 1, 1);
    const [started] = first.ok ? first.value : [];
    if (started?.type === "run.started") node.runsOn = labelsOfStarted(started).map(({ label }) => label);
  }
}

/** Undefined if the result is larger. */
async function resultText(kept: Parameters<typeof outcomeOf>[0], folder: string): Promise<string | undefined> {
  const { result } = outcomeOf(
    kept,
    runFiles(folder, () => 0),
    (text) => text, // Only the result is used, so nothing needs to be masked here.
  );
  return result === undefined ? "" : textOfResult(result);
}

/** Undefined if the result is larger than is shown in one piece. Reading stops at the limit. */
export async function textOfResult(result: NonNullable<RunOutcome["result"]>): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  let enough: () => void;
  const tooLarge = new Promise<void>((resolve) => {
    enough = resolve;
  });
  // A sink that never calls `done` stops its writer, so nothing more is read.
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= RESULT_BYTES_MAX) done();
      else enough();
    },
  });
  await Promise.race([result.write(sink), tooLarge]);
  return size > RESULT_BYTES_MAX ? undefined : Buffer.concat(chunks).toString("utf8");
}

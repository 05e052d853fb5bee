// children: subflows as runs of their own, with journals of their own, that hand one value back (spec 1.2, 2.7).
//   C1. The child's document is the one that stood on disk when the outermost run started: a file changed meanwhile changes nothing.
//   C2. A child that waits for a person keeps its parent's attempt open, and the parent knows that only people are waited for.

import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { basename, resolve } from "node:path";
import type { Failure } from "../../base/failure.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Value } from "../../base/value.ts";
import type { Attempt, AttemptEnding } from "../../nodes/executor.ts";
import type { CheckedChild, ChildRuns } from "../../nodes/subflow.ts";
import { outputValue, type RunFiles } from "../../nodes/values.ts";
import { checkInputs } from "../../workflow/inputs.ts";
import type { Workflow } from "../../workflow/model.ts";
import { parseWorkflow } from "../../workflow/parse.ts";
import type { RunHandle, RunOutcome } from "./engine.ts";

export interface ChildGround {
  /** Texts of the documents, by absolute path. */
  documents: Readonly<Record<string, string>>;
  freshId(): string;
  /** Files of the parent. */
  files: RunFiles;
  begin(child: ChildRequest, id: string, parent: { run: string; path: string }): Result<RunHandle, Failure>;
}

export interface ChildRequest {
  file: string;
  text: string;
  workflow: Workflow;
  inputs: Record<string, unknown>;
}

export function childRuns(ground: ChildGround): ChildRuns {
  return {
    freshId: ground.freshId,
    check: (node, context, inputs) => check(resolve(context.folder, node.data.workflow), inputs, ground),
    start: (child, id, parent) => start(child, id, parent, ground),
  };
}

function check(file: string, inputs: Record<string, string>, ground: ChildGround): Result<CheckedChild, Failure> {
  const document = documentAt(file, ground);
  if (!document.ok) return document;
  const checked = checkInputs(document.value.workflow.inputs, inputs, "text");
  if (checked.ok) return ok({ file, inputs: checked.value });
  const [problem] = checked.error;
  return err({
    code: "subflow-inputs",
    message: `The inputs for ${basename(file)} do not fit: ${problem?.message ?? "unknown input"}`,
  });
}

function start(child: CheckedChild, id: string, parent: { run: string; path: string }, ground: ChildGround): Attempt {
  const document = documentAt(child.file, ground);
  const begun = document.ok
    ? ground.begin({ file: child.file, inputs: child.inputs, ...document.value }, id, parent)
    : document;
  const startedMs = performance.now();
  if (!begun.ok) {
    const ending: AttemptEnding = {
      status: "failed",
      failure: begun.error,
      value: { text: "" },
      facts: { durationMs: 0 },
    };
    return { done: Promise.resolve(ending), cancel: () => {}, kill: () => {} };
  }
  const handle = begun.value;
  let waits: () => void;
  const waiting = new Promise<void>((resolveWaiting) => {
    waits = resolveWaiting;
  });
  const done = handle.done.then((outcome) => {
    if (outcome.status !== "waiting")
      return endingOf(outcome, child.file, Math.round(performance.now() - startedMs), ground);
    waits();
    return new Promise<AttemptEnding>(() => {});
  });
  return { done, waiting, cancel: () => handle.cancel("the parent run"), kill: () => handle.kill() };
}

function documentAt(file: string, ground: ChildGround): Result<{ text: string; workflow: Workflow }, Failure> {
  const text = ground.documents[file];
  const workflow = text === undefined ? undefined : parseWorkflow(text, file).workflow;
  if (text !== undefined && workflow !== undefined) return ok({ text, workflow });
  return err({
    code: "subflow-missing",
    message: `The subflow's file ${file} was not there, or could not be read, when the run started.`,
  });
}

async function endingOf(
  outcome: RunOutcome,
  file: string,
  durationMs: number,
  ground: ChildGround,
): Promise<AttemptEnding> {
  const facts = { durationMs };
  if (outcome.status === "cancelled") return { status: "cancelled", facts };
  if (outcome.status === "succeeded") return { status: "succeeded", value: await resultOf(outcome, ground), facts };
  const inner = outcome.failure;
  const failure: Failure = {
    code: "subflow-failed",
    message:
      inner === undefined
        ? `The subflow ${basename(file)} reached its time limit.`
        : `The subflow ${basename(file)} failed at "${inner.path}": ${inner.failure.message}`,
    ...(inner?.failure.hint === undefined ? {} : { hint: inner.failure.hint }),
    ...(inner?.failure.stderr === undefined ? {} : { stderr: inner.failure.stderr }),
  };
  return { status: "failed", failure, value: { text: "" }, facts };
}

async function resultOf(outcome: RunOutcome, { files }: ChildGround): Promise<Value> {
  const name = files.fresh("val");
  const sink = createWriteStream(files.path(name), { mode: 0o600 });
  await outcome.result?.write(sink);
  sink.end("\n");
  await once(sink, "close");
  // The line break at the end is ours, and is what outputValue leaves off again.
  return outputValue(name, sink.bytesWritten, files);
}

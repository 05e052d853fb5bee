// child-runs: runs subflows as runs with their own journals that return one value (spec 1.2, 2.7).
//   C1. The child's workflow is the text that was on disk when the outermost run started. Later changes of the file
//       have no effect.
//   C2. While a child waits for approval, its parent's attempt stays open, suspended. The child's claim is released, so
//       that another process can record the answer.
//   C3. The child's journal says what has happened since: the child continues from there, or returns the end it has
//       reached.
//   C4. A child shares its parent's masker. A result that contains a secret is passed to the parent sealed.

import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { basename, resolve } from "node:path";
import { Writable } from "node:stream";
import { durationMs } from "../base/duration.ts";
import type { Failure } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { Value } from "../base/value.ts";
import type { NodeContext } from "../kinds/context.ts";
import type { Attempt, AttemptEnding, Suspension } from "../kinds/executor.ts";
import { patternsWithin } from "../kinds/pattern.ts";
import { sealText } from "../kinds/secret-values.ts";
import type { CheckedChild, ChildRuns } from "../kinds/subflow/index.ts";
import { outputValue, type RunFiles, store, withHash } from "../kinds/values.ts";
import type { EventBody } from "../scheduler/event.ts";
import { checkInputs } from "../workflow/inputs.ts";
import type { SubflowNode, Workflow } from "../workflow/model.ts";
import { parseWorkflow } from "../workflow/parse.ts";
import { inputSpecs } from "../workflow/triggers/index.ts";
import { timeLimit } from "./actions/subflow-timeout.ts";
import type { Clock } from "./clock.ts";
import type { RunHandle, RunOutcome } from "./contract.ts";

export interface ChildDeps {
  /** Texts of the workflow files, by absolute path. */
  documents: Readonly<Record<string, string>>;
  freshId(): string;
  /** Files of the parent. */
  files: RunFiles;
  begin(child: ChildRequest, id: string, parent: { run: string; path: string }): Promise<Result<RunHandle, Failure>>;
  /**
   * Resumes an earlier run after recording `news`, or returns its end. Failure `run-claimed` while another process is
   * driving it.
   */
  reopen(id: string, news: readonly EventBody[]): Promise<Result<RunHandle, Failure>>;
  /** Number of the last event of a run. */
  lastSeq(id: string): Promise<number>;
  clock: Clock;
}

interface ChildRequest {
  file: string;
  text: string;
  workflow: Workflow;
  inputs: Record<string, unknown>;
  handedOn: string[];
  runsOn?: string[] | undefined;
  /** A secret Variable of the parent takes its result. */
  resultIsSecret: boolean;
}

export interface Children extends ChildRuns {
  /** The attempt of a child run that an earlier process started. It is suspended until it is resumed. */
  attach(id: string, name: string, before: Before): Attempt;
}

/** The time since the attempt's start, and how much of its time limit is used up. */
export interface Before {
  beforeMs: number;
  limitMs: number | undefined;
  spentMs: number;
}

/** The name under which a subflow is cancelled. */
export const PARENT = "the parent run";

export function childRuns(deps: ChildDeps): Children {
  return {
    attach: (id, name, before) => attemptOf(id, name, before, deps),
    freshId: deps.freshId,
    check: (node, context, inputs) => check(resolve(context.folder, node.data.workflow), inputs, node, deps),
    start: (child, id, parent, context) => start(child, id, parent, context, deps),
  };
}

function check(
  file: string,
  inputs: Record<string, string>,
  node: SubflowNode,
  deps: ChildDeps,
): ReturnType<ChildRuns["check"]> {
  const document = documentAt(file, deps);
  if (!document.ok) return document;
  const checked = checkInputs(inputSpecs(document.value.workflow), inputs, "text", patternsWithin());
  if (checked.ok) return ok({ file, inputs: checked.value, limitMs: limitOf(node), runsOn: node.data.runsOn });
  const [problem] = checked.error;
  return err({
    code: "subflow-inputs",
    message: `The inputs for ${basename(file)} are not valid: ${problem?.message ?? "unknown input"}`,
  });
}

function start(
  child: CheckedChild,
  id: string,
  parent: { run: string; path: string },
  context: NodeContext,
  deps: ChildDeps,
): Attempt {
  const document = documentAt(child.file, deps);
  return attemptOf(id, child.file, { beforeMs: 0, limitMs: child.limitMs, spentMs: 0 }, deps, async () =>
    document.ok ? deps.begin({ ...document.value, ...child, resultIsSecret: context.isSecret }, id, parent) : document,
  );
}

/** The attempt of a child run. Without `begin` it is suspended until it is resumed or cancelled. */
function attemptOf(
  id: string,
  name: string,
  before: Before,
  deps: ChildDeps,
  begin?: () => Promise<Result<RunHandle, Failure>>,
): Attempt {
  const startedMs = performance.now() - before.beforeMs;
  const { promise: done, resolve: end, reject } = Promise.withResolvers<AttemptEnding>();
  const run = pendingHandle();
  let cancelled = false;
  let timedOut = false;
  let isLeft = false;
  let tries = 0;
  const limit = timeLimit(deps.clock, before, () => {
    timedOut = !cancelled;
    cancel();
  });
  let rests: (rest: Suspension) => void = () => {};
  let unwait = (): void => {};

  async function follow(opened: Promise<Result<RunHandle, Failure>>): Promise<void> {
    const begun = await run.open(opened);
    // Another process is driving it, to answer a request or to resume it. Try again when it is free.
    if (!begun.ok && begun.error.code === "run-claimed") {
      const waitMs = Math.min(limits.childRetryMs * 2 ** tries++, limits.childRetryMaxMs);
      if (!isLeft) unwait = deps.clock.at(deps.clock.nowMs() + waitMs, reopen);
      return;
    }
    tries = 0;
    if (begun.ok) begun.value.done.then(ended, reject);
    else end({ status: "failed", failure: begun.error, value: { text: "" }, facts: { durationMs: 0 } });
  }

  function reopen(): void {
    unwait();
    limit.go();
    // A run that only waits is suspended again before anyone could stop it, so the cancellation is recorded first.
    const news = cancelled ? [{ type: "run.cancel-requested" as const, by: PARENT }] : [];
    follow(deps.reopen(id, news)).catch(reject);
  }

  function ended(outcome: RunOutcome): void {
    run.close();
    limit.stop();
    const facts = { durationMs: Math.round(performance.now() - startedMs) };
    if (outcome.status === "cancelled" && timedOut)
      end({ status: "timed-out", failure: tooLong(name, before.limitMs), value: { text: "" }, facts });
    else if (outcome.status !== "waiting") endingOf(outcome, name, facts, deps).then(end, reject);
    else if (cancelled) reopen();
    else {
      const { waiting = [], seen = {}, wakeAtMs } = outcome;
      rests({ waiting: waiting.map(({ path }) => path), seen, wakeAtMs });
    }
  }

  function cancel(): void {
    if (cancelled) return;
    cancelled = true;
    if (!run.tell((handle) => handle.cancel(PARENT))) reopen();
  }

  if (begin !== undefined) {
    limit.go();
    follow(begin()).catch(reject);
  }
  return {
    done,
    pausing: {
      onRest: (listener) => {
        rests = listener;
      },
      hasPendingInput: async (seen) => {
        for (const [run, seq] of Object.entries(seen)) if ((await deps.lastSeq(run)) > seq) return true;
        return false;
      },
      resume: reopen,
    },
    cancel,
    // A run that another process drives is not killed: its end is waited for.
    kill: () => {
      limit.stop();
      run.tell((handle) => handle.kill());
    },
    leave: () => {
      isLeft = true;
      unwait();
      limit.stop();
      run.tell((handle) => handle.leave());
    },
  };
}

/** The handle of a child run. Calls made while the run is being opened wait until it is open. */
function pendingHandle() {
  let handle: RunHandle | undefined;
  let waiting: ((handle: RunHandle) => void)[] | undefined;
  return {
    open: async (opened: Promise<Result<RunHandle, Failure>>): Promise<Result<RunHandle, Failure>> => {
      const calls: typeof waiting = [];
      waiting = calls;
      const begun = await opened.finally(() => {
        waiting = undefined;
      });
      if (!begun.ok) return begun;
      handle = begun.value;
      for (const call of calls) call(handle);
      return begun;
    },
    /** False if no run is open. */
    tell: (call: (handle: RunHandle) => void): boolean => {
      if (handle !== undefined) call(handle);
      else waiting?.push(call);
      return handle !== undefined || waiting !== undefined;
    },
    close: (): void => {
      handle = undefined;
    },
  };
}

function documentAt(file: string, deps: ChildDeps): Result<{ text: string; workflow: Workflow }, Failure> {
  const text = deps.documents[file];
  const workflow = text === undefined ? undefined : parseWorkflow(text, file).workflow;
  if (text !== undefined && workflow !== undefined) return ok({ text, workflow });
  return err({
    code: "subflow-missing",
    message: `Curlew could not read the subflow's file ${file} when the run started.`,
  });
}

/** The node's `timeout` in milliseconds. */
export function limitOf({ data }: { data: { timeout?: string } }): number | undefined {
  return durationMs(data.timeout);
}

function tooLong(file: string, limitMs = 0): Failure {
  return {
    code: "timed-out",
    message: `The subflow ${basename(file)} was stopped after ${limitMs / 1_000} s, its time limit.`,
    hint: 'Give it more time with "timeout"; while it waits for people its time stands still.',
  };
}

async function endingOf(
  outcome: RunOutcome,
  file: string,
  facts: { durationMs: number },
  deps: ChildDeps,
): Promise<AttemptEnding> {
  if (outcome.status === "cancelled") return { status: "cancelled", facts };
  if (outcome.status === "succeeded") {
    const value = await resultOf(outcome, basename(file), deps);
    if (value.ok) return { status: "succeeded", value: value.value, facts };
    return { status: "failed", failure: value.error, value: { text: "" }, facts };
  }
  const inner = outcome.failure;
  const failure: Failure = {
    code: "subflow-failed",
    message:
      inner === undefined
        ? `The subflow ${basename(file)} reached its time limit.`
        : `The subflow ${basename(file)} failed at "${inner.path}": ${inner.failure.message}`,
    hint: inner?.failure.hint,
    exitCode: inner?.failure.exitCode,
    signal: inner?.failure.signal,
    stderr: inner?.failure.stderr,
    printed: inner?.failure.printed,
    answer: inner?.answer,
  };
  return { status: "failed", failure, value: { text: "" }, facts };
}

async function resultOf({ result }: RunOutcome, path: string, { files }: ChildDeps): Promise<Result<Value, Failure>> {
  if (result?.secret !== undefined) {
    const chunks: Buffer[] = [];
    const memory = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        chunks.push(chunk);
        done();
      },
    });
    await result.write(memory);
    const bytes = Buffer.concat(chunks);
    return result.secret === "whole"
      ? sealText(bytes, { path, files })
      : ok(await store(bytes.toString("utf8"), files));
  }
  const name = files.fresh("val");
  const sink = createWriteStream(files.path(name), { mode: 0o600 });
  await result?.write(sink);
  sink.end("\n");
  await once(sink, "close");
  // The newline at the end was added here; outputValue removes it.
  return ok(withHash(outputValue(name, sink.bytesWritten, files), files));
}

/** Approvals in advance that apply inside the subflow: `*`, and names like `sub/gate`. */
export function inAdvanceInside(given: readonly string[], path: string): string[] {
  const prefix = `${path.replace(/\[.*$/, "")}/`;
  return given.flatMap((name) => {
    if (name === "*") return ["*"];
    return name.startsWith(prefix) ? [name.slice(prefix.length)] : [];
  });
}

// drive: a run in the foreground, from its first event to the exit code. Shared by run, resume, retry and approve.
//   D1. stdout gets only the result and a newline, or the events with --json. A run that did not succeed prints no
//       result.
//   D2. The engine is always closed, so no command is left running.
//   D3. With --json, the last event of the outermost run has the result, and events of a subflow have `inside`.

import { pipeline } from "node:stream/promises";
import type { Failure } from "../base/failure.ts";
import { shortRunId } from "../base/ids.ts";
import type { Result } from "../base/result.ts";
import { harmless } from "../base/text.ts";
import type { EngineOptions } from "../engine/contract.ts";
import type { StreamedLine } from "../engine/driver/streamed-lines.ts";
import { type Engine, type RunHandle, type RunOutcome, StoreFault } from "../engine/index.ts";
import { textOfResult } from "../engine/read-run.ts";
import type { RunEvent } from "../scheduler/event.ts";
import type { Workflow } from "../workflow/model.ts";
import type { Asked } from "./ask.ts";
import { type ClusterOption, engineFor } from "./cluster.ts";
import { Exit } from "./exit.ts";
import { problem } from "./problem.ts";
import { Progress } from "./progress.ts";
import { openReporter, type Reporter, viewFor } from "./reporter.ts";
import { tidyHistory } from "./retention.ts";
import { safeOutput } from "./safe-output.ts";
import { type Interrupts, listen } from "./signals.ts";
import { failureOnly, type SummaryFacts, summary } from "./summary.ts";
import type { Terminal } from "./terminal.ts";

export interface DriveOptions extends ClusterOption {
  home: string;
  json?: boolean | undefined;
  quiet?: boolean | undefined;
  /** For titles on the screen. */
  workflow?: Workflow | undefined;
  /** Events recorded before this start, for a resumed run. */
  earlier?: readonly RunEvent[];
  /** The message for a start that fails without being an error. */
  instead?: ((failure: Failure) => string | undefined) | undefined;
}

/** `begin` starts or resumes the run with the engine it is given. */
export async function drive(
  options: DriveOptions,
  terminal: Terminal,
  begin: (engine: Engine) => Promise<Result<RunHandle, Failure>>,
): Promise<Exit> {
  const progress = new Progress(options.workflow);
  for (const event of options.earlier ?? []) progress.apply(event);
  progress.running.clear();
  const open = () =>
    openReporter(options.json ? "none" : viewFor(terminal, options.quiet === true), progress, terminal, Date.now);
  let reporter = await open();
  const printed = jsonEvents(progress, terminal);
  const given: EngineOptions = {
    home: options.home,
    env: terminal.env,
    onEvent: (event) => {
      reporter.event(event);
      if (options.json) printed.event(event);
    },
    onOutput: (output) => reporter.output(output),
    onLine: (line) => {
      if (options.json) printed.line(line);
      else if (!options.quiet) reporter.note(streamedLine(progress.shown(line.run, line.path), line.text, terminal));
    },
    onWarning: (failure) => terminal.problem(failure, "warning"),
  };
  const engine = await engineFor(options, given, terminal);
  if (!engine.ok) return refuse(engine.error, reporter, terminal);
  // Listens until the process ends, because a slow reader may delay the rest of the output.
  const interrupts = listen(
    terminal,
    (text) => options.quiet || options.json || reporter.note(text),
    () => reporter.close(),
  );
  if (options.earlier?.[0] !== undefined)
    await nameSubflows(options.earlier[0].run, options.earlier, progress, engine.value);
  let run: string | undefined;
  try {
    const startedMs = performance.now();
    const left = new Set<string>();
    let begun = await begin(engine.value);
    for (;;) {
      if (!begun.ok) return refuse(begun.error, reporter, terminal, options.instead?.(begun.error));
      run = shortRunId(begun.value.id);
      const outcome = await watch(begun.value, reporter, interrupts);
      const interrupted = interrupts.interrupted();
      const answer = interrupted ? "left" : await ask(outcome, left, engine.value, options, terminal, interrupts);
      if (answer === "interrupted") return leaveWaiting(outcome.id, terminal);
      if (answer === "answered") {
        reporter = await open();
        begun = await engine.value.resume(outcome.id);
        continue;
      }
      if (options.json) await printed.end(outcome);
      const facts = factsOf(outcome, progress, performance.now() - startedMs, options.workflow?.timeout);
      if (options.quiet || options.json) terminal.err(failureOnly(facts, terminal.errStyle));
      else terminal.err(summary(facts, progress, terminal.errStyle));
      if (outcome.result !== undefined && !options.json) await writeResult(outcome.result, terminal);
      await tidyHistory(options.home, engine.value.store, options.quiet === true || options.json === true, terminal);
      return exitOf(outcome, interrupted);
    }
  } catch (reason) {
    if (!(reason instanceof StoreFault)) throw reason;
    terminal.problem(
      problem(
        reason.code,
        reason.message,
        run && `The run is saved up to this point, and its commands continue: curlew runs resume ${run}`,
      ),
    );
    return Exit.FAULT;
  } finally {
    printed.flush();
    reporter.close();
    await engine.value.close();
  }
}

/** D3. */
function jsonEvents(progress: Progress, terminal: Terminal) {
  let last: RunEvent | undefined;
  const flush = (more: { result?: string } = {}): void => {
    if (last !== undefined) terminal.json({ ...last, ...more });
    last = undefined;
  };
  return {
    flush,
    event: (event: RunEvent): void => {
      const inside = progress.inside(event.run);
      if (inside !== undefined) terminal.json({ ...event, inside });
      else if (event.type === "run.succeeded") last = event;
      else terminal.json(event);
    },
    /** Not in the journal, so it has no number. */
    line: ({ run, ...line }: StreamedLine): void => {
      const at = new Date().toISOString();
      terminal.json({ at, run, type: "attempt.output", ...line, inside: progress.inside(run) });
    },
    end: async ({ result }: RunOutcome): Promise<void> => {
      flush(result === undefined || result.secret !== undefined ? {} : { result: await textOfResult(result) });
    },
  };
}

/** `ID │ line`. If a progress bar has overwritten the line, its newest part. */
function streamedLine(path: string, text: string, terminal: Terminal): string {
  const newest = text.replace(/\r+$/, "").split("\r").at(-1) ?? "";
  return `${terminal.errStyle("faint", `${path} │`)} ${harmless(newest).replaceAll("\t", "  ")}`.trimEnd();
}

/** Events of subflows are shown with paths that start at the outermost run. */
async function nameSubflows(
  run: string,
  events: readonly RunEvent[],
  progress: Progress,
  engine: Engine,
): Promise<void> {
  for (const child of progress.begun(run, events)) {
    const inner = await engine.store.journal.read(child);
    if (inner.ok) await nameSubflows(child, inner.value, progress, engine);
  }
}

/** Waits until the run is over or needs an approval. */
async function watch(handle: RunHandle, reporter: Reporter, interrupts: Interrupts): Promise<RunOutcome> {
  interrupts.now(handle);
  try {
    return await handle.done;
  } finally {
    interrupts.now("nothing-runs");
    reporter.close();
  }
}

/** Asks about waiting approvals at this terminal (spec 2.2). */
async function ask(
  outcome: RunOutcome,
  left: Set<string>,
  engine: Engine,
  options: DriveOptions,
  terminal: Terminal,
  interrupts: Interrupts,
): Promise<Asked> {
  if (outcome.status !== "waiting" || options.json || options.quiet || !terminal.isInteractive()) return "left";
  const { askApprovals } = await import("./ask.ts");
  interrupts.now("asking");
  const { store } = engine;
  const deps = { store, home: options.home, mask: (run: string, text: string) => engine.mask(run, text) };
  return askApprovals(outcome.id, left, deps, terminal).finally(() => interrupts.now("nothing-runs"));
}

/** Ctrl-C at the question: no node is running that could be cancelled, and earlier answers are recorded. */
function leaveWaiting(id: string, terminal: Terminal): Exit {
  const run = shortRunId(id);
  terminal.err(`Run ${run} is still waiting. To continue it: curlew approvals ${run}, curlew runs resume ${run}\n`);
  return Exit.INTERRUPTED;
}

function factsOf(
  outcome: RunOutcome,
  progress: Progress,
  durationMs: number,
  timeout: string | undefined,
): SummaryFacts {
  // A failure inside a subflow is shown at the inner node.
  const first = progress.firstFailure;
  const inner = outcome.failure !== undefined && first?.path.startsWith(`${outcome.failure.path}/`) ? first : undefined;
  // The command that ran may be an approver's edit, which the workflow file does not contain.
  const ran = first !== undefined && first.path === outcome.failure?.path ? first : undefined;
  const command = ran?.command ?? outcome.failure?.command;
  const failure = outcome.failure && { ...outcome.failure, command, isPrompt: ran?.isPrompt };
  return {
    run: outcome.id,
    status: outcome.status,
    durationMs,
    timeout,
    failure: inner ?? failure,
    skipped: outcome.result?.skipped,
    waiting: (outcome.waiting ?? []).map((waiting) => waiting.path),
  };
}

/**
 * A reader that closes early does not fail the run. On a terminal only colours get through, no other control sequences.
 */
async function writeResult(result: NonNullable<RunOutcome["result"]>, terminal: Terminal): Promise<void> {
  const gone = new Promise<void>((resolve) => terminal.onOutGone(resolve));
  const written = writeTo(result, terminal).then(
    () => terminal.out("\n"),
    (reason) => {
      if (!terminal.outGone()) throw reason;
    },
  );
  await Promise.race([gone, written]);
}

async function writeTo(result: NonNullable<RunOutcome["result"]>, terminal: Terminal): Promise<void> {
  if (terminal.outStream.isTTY !== true) return result.write(terminal.outStream);
  const safe = safeOutput();
  const ended = pipeline(safe, terminal.outStream, { end: false });
  await result.write(safe);
  safe.end();
  await ended;
}

function exitOf(outcome: RunOutcome, interrupted: boolean): Exit {
  if (outcome.status === "succeeded") return Exit.OK;
  if (interrupted) return Exit.INTERRUPTED;
  switch (outcome.status) {
    case "failed":
      return Exit.FAILED;
    case "waiting":
      return Exit.WAITING;
    case "cancelled":
    case "timed-out":
      return Exit.CANCELLED;
    default:
      return outcome.status satisfies never;
  }
}

/** For a run that did not start. */
function refuse(failure: Failure, reporter: Reporter, terminal: Terminal, instead?: string): Exit {
  reporter.close();
  if (instead !== undefined) {
    terminal.err(`${instead}\n`);
    return Exit.OK;
  }
  terminal.problem(failure);
  return Exit.USAGE;
}

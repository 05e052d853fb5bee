// resume-all: resumes every unfinished run of the data directory that no process owns, in one program (spec 3.4).
//   A1. Oldest first, `limits.runsResumedAtOnce` at a time. A run that cannot resume (missing secret, damaged record)
//       is reported and does not stop the others.
//   A2. Exit code: the first of these that applies: 5 disk error, 4 cancelled, 1 a run failed or cannot resume, 3 a run
//       waits for approval, 0.
// Deliberately absent: results on stdout, which would be mixed up. `curlew runs show` prints each.

import { shortRunId } from "../../base/ids.ts";
import { limits } from "../../base/limits.ts";
import { count, oneLine } from "../../base/text.ts";
import { type Engine, openEngine, type RunHandle, StoreFault } from "../../engine/index.ts";
import { unfinishedRuns } from "../../engine/recovery/unfinished.ts";
import type { RunRow } from "../../store/index.ts";
import { Exit } from "../exit.ts";
import { readEnvFile } from "../inputs.ts";
import { type HomeOption, homeOf, refused } from "../open.ts";
import { problem } from "../problem.ts";
import { listen } from "../signals.ts";
import type { Terminal } from "../terminal.ts";

export interface ResumeAllOptions extends HomeOption {
  envFile?: string;
  json?: boolean;
  quiet?: boolean;
}

const WORST: readonly Exit[] = [Exit.FAULT, Exit.CANCELLED, Exit.FAILED, Exit.WAITING, Exit.OK];

export async function resumeAll(options: ResumeAllOptions, terminal: Terminal): Promise<Exit> {
  const envFile = readEnvFile(options.envFile, terminal);
  if (envFile === undefined) return Exit.USAGE;
  const opened = openEngine({
    home: homeOf(options, terminal),
    env: terminal.env,
    onEvent: (event) => options.json && terminal.json(event),
    onWarning: ({ code, message, hint }) => terminal.problem(problem(code, message, hint), "warning"),
  });
  if (!opened.ok) return refused(opened.error, terminal);
  const engine = opened.value;
  try {
    const found = unfinishedRuns(engine.store);
    if (!found.ok) return refused(found.error, terminal);
    const rows = found.value;
    if (rows.length === 0 && !options.quiet) terminal.err("There are no runs to resume.\n");
    return await resumeRuns(rows, engine, { ...options, variables: envFile }, terminal);
  } finally {
    await engine.close();
  }
}

type LaneOptions = ResumeAllOptions & { variables: Record<string, string> };

async function resumeRuns(rows: RunRow[], engine: Engine, options: LaneOptions, terminal: Terminal): Promise<Exit> {
  const active = new Set<RunHandle>();
  const ends = new Set<Exit>([Exit.OK]);
  let stopped = false;
  const all = {
    cancel: (by: string): void => {
      stopped = true;
      for (const handle of active) handle.cancel(by);
    },
    kill: (): void => {
      for (const handle of active) handle.kill();
    },
  };
  const interrupts = listen(
    terminal,
    (text) => terminal.err(`${text}\n`),
    () => {},
  );
  interrupts.now(all);
  const waiting = [...rows];
  const lane = async (): Promise<void> => {
    for (let row = waiting.shift(); row !== undefined && !stopped; row = waiting.shift())
      ends.add(await one(row, engine, active, options, terminal));
  };
  try {
    await Promise.all(Array.from({ length: limits.runsResumedAtOnce }, lane));
    if (rows.length > 1 && !options.quiet) terminal.err(`${count(rows.length, "run")} resumed.\n`);
    return interrupts.interrupted() ? Exit.INTERRUPTED : WORST.find((exit) => ends.has(exit))!;
  } finally {
    interrupts.stop();
  }
}

async function one(
  row: RunRow,
  engine: Engine,
  active: Set<RunHandle>,
  options: LaneOptions,
  terminal: Terminal,
): Promise<Exit> {
  const name = `Run ${shortRunId(row.id)} (${oneLine(row.name)})`;
  const begun = await engine.resume(row.id, { envFile: options.variables });
  if (!begun.ok) {
    // Another process was faster.
    if (begun.error.code === "run-claimed" || begun.error.code === "run-ended") return Exit.OK;
    terminal.problem(problem(begun.error.code, `${name} can't be resumed: ${begun.error.message}`, begun.error.hint));
    return Exit.FAILED;
  }
  active.add(begun.value);
  try {
    const { status, failure } = await begun.value.done;
    const why = failure === undefined ? "" : ` at ${failure.path}: ${oneLine(failure.failure.message)}`;
    if (!options.quiet || status !== "succeeded") terminal.err(`${name} ${status}${why}.\n`);
    if (status === "waiting") return Exit.WAITING;
    return status === "succeeded" ? Exit.OK : status === "failed" ? Exit.FAILED : Exit.CANCELLED;
  } catch (reason) {
    if (!(reason instanceof StoreFault)) throw reason;
    terminal.problem(problem(reason.code, `${name} stopped: ${reason.message}`));
    return Exit.FAULT;
  } finally {
    active.delete(begun.value);
  }
}

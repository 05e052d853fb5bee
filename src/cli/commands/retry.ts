// retry: starts a run that reuses a recorded one: `runs retry RUN [--from NODE]`, `run FILE --from NODE` (spec 2.2, 2.3
// "run from here").
//   R1. The recorded run does not change. The new run names it.
//   R2. The recorded workflow is used unless the current file is asked for. A difference between the two is reported.
//   R3. Secrets are resolved again and approvals are asked again, because both belonged to the recorded run.

import { againOf, asWhole, documentThen, inputsThen, notEnded } from "../../app/runs/rerun-request.ts";
import type { Failure } from "../../base/failure.ts";
import { shortRunId } from "../../base/ids.ts";
import type { RunRow, Store } from "../../store/index.ts";
import { drive } from "../drive.ts";
import { Exit } from "../exit.ts";
import { isProgram, type Loaded, loadWorkflow, readText } from "../load.ts";
import { findRun, homeOf, refused, withStore } from "../open.ts";
import { approvedInAdvance } from "../preapproval.ts";
import { type Problem, problem } from "../problem.ts";
import type { FoundServer } from "../server-call.ts";
import type { Terminal } from "../terminal.ts";
import {
  askSecrets,
  type Recorded,
  type ResumeCommandOptions,
  type RunOptions,
  recorded,
  valuesForRun,
} from "./run.ts";

export interface RetryOptions extends ResumeCommandOptions {
  from?: string;
  rerun?: string[];
  all?: boolean;
  current?: boolean;
  approve?: string[];
  yes?: boolean;
}

export async function retry(name: string, choice: RetryOptions, terminal: Terminal): Promise<Exit> {
  if (choice.all && (choice.from !== undefined || choice.rerun !== undefined))
    return refused(
      problem("all-and-from", "--all keeps nothing; --from and --rerun say what is not kept.", "Leave one out."),
      terminal,
    );
  let options = choice;
  const found = await recorded(name, choice, terminal, (...search) => {
    const named = findRun(...search);
    if (named === undefined) return undefined;
    const whole = asWhole(named, choice, search[1]);
    options = whole.choice;
    if (whole.row !== named && !choice.quiet && !choice.json)
      terminal.err(`Run ${shortRunId(named.id)} is part of run ${shortRunId(whole.row.id)}, which goes again.\n`);
    return whole.row;
  });
  if (found === undefined) return Exit.USAGE;
  const { row } = found;
  const open = notEnded(row);
  if (open !== undefined) return refused(asProblem(open), terminal);
  const loaded = options.current ? await currentOf(found, terminal) : recordedOf(found, terminal);
  if (loaded === undefined) return Exit.USAGE;
  const inputs = inputsFor(loaded, found, terminal);
  const approved = approvedInAdvance(loaded, options, terminal);
  if (inputs === undefined || approved === "unknown") return Exit.USAGE;
  const given = await valuesForRun({ ...found, workflow: loaded.workflow }, options, terminal);
  if (typeof given === "number") return given;
  const isWhole = options.from === undefined && options.rerun === undefined && row.status === "succeeded";
  const again = againOf(row, options);
  if (isWhole && !options.all && !options.quiet && !options.json)
    terminal.err(`Run ${shortRunId(row.id)} succeeded: all of it runs again.\n`);
  return drive(
    { home: homeOf(options, terminal), json: options.json, quiet: options.quiet, workflow: loaded.workflow },
    terminal,
    (engine) =>
      engine.start({
        ...given,
        ...loaded,
        inputs,
        trigger: { kind: "cli", by: `retry of ${row.id}` },
        approvedInAdvance: approved,
        inert: found.started.inert,
        again,
      }),
  );
}

/** `--detach`: the server, and the secrets passed to it. */
interface ToServer {
  server: FoundServer | undefined;
  handed: Record<string, string> | undefined;
}

/** Runs the current file and reuses the results of its last ended run for the nodes before `--from`. */
export async function runFrom(
  loaded: Loaded,
  options: RunOptions & { from: string; variables: Record<string, string> } & ToServer,
  terminal: Terminal,
): Promise<Exit> {
  const clash = (["input", "inputFile", "dryRun"] as const).find((key) => options[key] !== undefined);
  if (clash !== undefined) {
    const flag = { input: "--input", inputFile: "--input-file", dryRun: "--dry-run" }[clash];
    return refused(
      problem(
        "from-and-input",
        `--from keeps what the last run came to with its inputs, and ${flag} does not go with that.`,
        clash === "dryRun" ? "Leave one of them out." : "Leave --from out to run everything with other inputs.",
      ),
      terminal,
    );
  }
  const last = await lastRun(loaded, options, terminal);
  if (typeof last === "number") return last;
  const found = await recorded(last.id, options, terminal);
  if (found === undefined) return Exit.USAGE;
  const inputs = inputsFor(loaded, found, terminal);
  const approved = approvedInAdvance(loaded, options, terminal);
  if (inputs === undefined || approved === "unknown") return Exit.USAGE;
  const secrets = await askSecrets(loaded, options.secret ?? [], terminal);
  if (typeof secrets === "number") return secrets;
  if (options.server !== undefined) {
    const again = { run: last.id, from: options.from };
    const request = { again, secrets: { ...options.handed, ...secrets }, approve: approved };
    return (await import("./detach.ts")).detach(loaded.file, request, options.server, options, terminal);
  }
  return drive(
    { home: homeOf(options, terminal), json: options.json, quiet: options.quiet, workflow: loaded.workflow },
    terminal,
    (engine) =>
      engine.start({
        ...loaded,
        inputs,
        trigger: { kind: "cli", by: `from ${options.from}, by ${last.id}` },
        envFile: options.variables,
        secrets,
        approvedInAdvance: approved,
        again: { run: last.id, from: options.from, current: true },
      }),
  );
}

function recordedOf(found: Recorded, terminal: Terminal): Loaded | undefined {
  const then = documentThen(found);
  if (!then.ok) {
    refused(asProblem(then.error), terminal);
    return undefined;
  }
  const { file, text, subflows } = then.value;
  const changed = Object.entries({ [file]: text, ...subflows }).find(([path, was]) => {
    const now = isProgram(path) ? undefined : readText(path, terminal);
    return typeof now === "string" && now !== was;
  });
  if (changed !== undefined)
    terminal.problem(
      problem(
        "file-changed",
        `${changed[0]} has changed since; this runs what it said then.`,
        "--current runs what it says now, and keeps the same.",
      ),
      "warning",
    );
  return then.value;
}

async function currentOf({ started }: Recorded, terminal: Terminal): Promise<Loaded | undefined> {
  return loadWorkflow(started.workflow.file, terminal);
}

/** The inputs of the recorded run. A changed workflow may need others. */
function inputsFor(loaded: Loaded, found: Recorded, terminal: Terminal): Record<string, unknown> | undefined {
  const inputs = inputsThen(found, loaded.workflow);
  if (inputs.ok) return inputs.value;
  for (const failure of inputs.error) terminal.problem(asProblem(failure));
  return undefined;
}

function asProblem({ code, message, hint }: Failure): Problem {
  return problem(code, message, hint);
}

async function lastRun(loaded: Loaded, options: RunOptions, terminal: Terminal): Promise<RunRow | Exit> {
  let last: RunRow | undefined;
  const code = await withStore(options, terminal, (store) => {
    last = lastEnded(loaded.file, store);
    if (last !== undefined) return Exit.OK;
    return refused(
      problem(
        "no-run-before",
        `No run of ${loaded.file} has ended yet, so there is nothing to go by.`,
        "Leave --from out.",
      ),
      terminal,
    );
  });
  return last ?? code;
}

/** Runs of subflows are not listed. */
function lastEnded(file: string, store: Store): RunRow | undefined {
  for (let cursor: string | undefined; ; ) {
    const page = store.journal.listRuns({ workflow: file, cursor });
    if (!page.ok) return undefined;
    const found = page.value.runs.find((row) => row.endedAt !== undefined && row.file === file);
    if (found !== undefined || page.value.next === undefined) return found;
    cursor = page.value.next;
  }
}

// retry: starts a run that reuses a recorded one: `runs retry RUN [--from NODE]`, `run FILE --from NODE` (spec 2.2, 2.3
// "run from here").
//   R1. The recorded run does not change. The new run names it.
//   R2. The recorded workflow is used unless the current file is asked for. A difference between the two is reported.
//   R3. Secrets are resolved again and approvals are asked again, because both belonged to the recorded run.

import { againOf, asWhole, documentThen, inputsThen, notEnded } from "../../app/runs/rerun-request.ts";
import { shortRunId } from "../../base/ids.ts";
import type { RunRow, Store } from "../../store/index.ts";
import { drive } from "../drive.ts";
import { Exit } from "../exit.ts";
import { isProgram, type Loaded, loadWorkflow, readText } from "../load.ts";
import { findRun, homeOf, refuse, refused, withStore } from "../open.ts";
import { approvedInAdvance } from "../preapproval.ts";
import { problem } from "../problem.ts";
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
    return refuse(
      terminal,
      "all-and-from",
      "--all runs everything again, so --from and --rerun can't be given with it.",
      "Leave one out.",
    );
  let options = choice;
  const found = await recorded(name, choice, terminal, async (...search) => {
    const named = await findRun(...search);
    if (named === undefined) return undefined;
    const whole = await asWhole(named, choice, search[1]);
    options = whole.choice;
    if (whole.row !== named && !choice.quiet && !choice.json)
      terminal.err(`Run ${shortRunId(named.id)} is part of run ${shortRunId(whole.row.id)}, which runs again.\n`);
    return whole.row;
  });
  if (found === undefined) return Exit.USAGE;
  const { row } = found;
  const open = notEnded(row);
  if (open !== undefined) return refused(open, terminal);
  const loaded = options.current ? await loadWorkflow(row.file, terminal) : recordedOf(found, terminal);
  if (loaded === undefined) return Exit.USAGE;
  const inputs = inputsFor(loaded, found, terminal);
  const approved = approvedInAdvance(loaded, options, terminal);
  if (inputs === undefined || approved === "unknown") return Exit.USAGE;
  const given = await valuesForRun({ ...found, workflow: loaded.workflow }, options, terminal);
  if (typeof given === "number") return given;
  const isWhole = options.from === undefined && options.rerun === undefined && row.status === "succeeded";
  const again = againOf(row, options);
  if (isWhole && !options.all && !options.quiet && !options.json)
    terminal.err(`Run ${shortRunId(row.id)} succeeded, so all of it runs again.\n`);
  return drive({ ...options, home: homeOf(options, terminal), workflow: loaded.workflow }, terminal, (engine) =>
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
    return refuse(
      terminal,
      "from-and-input",
      `--from reuses the results of the last run, so ${flag} can't be given with it.`,
      clash === "dryRun" ? "Remove one of them." : "To run everything with other inputs, remove --from.",
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
  return drive({ ...options, home: homeOf(options, terminal), workflow: loaded.workflow }, terminal, (engine) =>
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
  if (!then.ok) return terminal.problem(then.error);
  const { file, text, subflows } = then.value;
  const changed = Object.entries({ [file]: text, ...subflows }).find(([path, was]) => {
    const now = isProgram(path) ? undefined : readText(path, terminal);
    return typeof now === "string" && now !== was;
  });
  if (changed !== undefined)
    terminal.problem(
      problem(
        "file-changed",
        `${changed[0]} has changed since. This run uses the old version.`,
        "To run the current file, use --current.",
      ),
      "warning",
    );
  return then.value;
}

/** The inputs of the recorded run. A changed workflow may need others. */
function inputsFor(loaded: Loaded, found: Recorded, terminal: Terminal): Record<string, unknown> | undefined {
  const inputs = inputsThen(found, loaded.workflow);
  if (inputs.ok) return inputs.value;
  for (const failure of inputs.error) terminal.problem(failure);
  return undefined;
}

async function lastRun(loaded: Loaded, options: RunOptions, terminal: Terminal): Promise<RunRow | Exit> {
  let last: RunRow | undefined;
  const code = await withStore(options, terminal, async (store) => {
    last = await lastEnded(loaded.file, store);
    if (last !== undefined) return Exit.OK;
    return refuse(
      terminal,
      "no-previous-run",
      `No run of ${loaded.file} has ended yet, so there are no results to reuse.`,
      "Leave --from out.",
    );
  });
  return last ?? code;
}

/** Runs of subflows are not listed. */
async function lastEnded(file: string, store: Store): Promise<RunRow | undefined> {
  for (let cursor: string | undefined; ; ) {
    const page = await store.journal.listRuns({ workflow: file, cursor });
    if (!page.ok) return undefined;
    const found = page.value.runs.find((row) => row.endedAt !== undefined && row.file === file);
    if (found !== undefined || page.value.next === undefined) return found;
    cursor = page.value.next;
  }
}

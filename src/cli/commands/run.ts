// run: runs a workflow in the foreground, or resumes a recorded run. Runs that reuse another run are in retry.ts.

import { setTimeout as sleep } from "node:timers/promises";
import { unknownSecret } from "../../app/runs/declared-secrets.ts";
import { type RecordedRun, recordedRun } from "../../app/runs/rerun-request.ts";
import type { Failure } from "../../base/failure.ts";
import { shortRunId } from "../../base/ids.ts";
import { limits } from "../../base/limits.ts";
import type { Engine, ResumeOptions, RunRequest } from "../../engine/contract.ts";
import { type RunSecrets, secretsOfRun } from "../../engine/run-secrets.ts";
import type { RunEvent } from "../../scheduler/event.ts";
import type { RunRow } from "../../store/index.ts";
import { startInputs } from "../../workflow/triggers/index.ts";
import { clusterFor } from "../cluster.ts";
import { drive } from "../drive.ts";
import { Exit } from "../exit.ts";
import { type InputOptions, readEnvFile, readInputs } from "../inputs.ts";
import { type Loaded, loadWorkflow } from "../load.ts";
import { mayWantLogin } from "../login-wanted.ts";
import { findOutermost, findRun, type HomeOption, homeOf, refuse, refused, withStore } from "../open.ts";
import { approvedInAdvance } from "../preapproval.ts";
import { askHidden } from "../prompt.ts";
import { seenBy } from "../seen.ts";
import { callServer, type FoundServer, serverAtWork, silentAbout } from "../server-call.ts";
import type { Terminal } from "../terminal.ts";

export interface RunOptions extends InputOptions, HomeOption {
  envFile?: string;
  secret?: string[];
  approve?: string[];
  yes?: boolean;
  json?: boolean;
  quiet?: boolean;
  dryRun?: boolean;
  detach?: boolean;
  from?: string;
}

export async function run(file: string, options: RunOptions, terminal: Terminal): Promise<Exit> {
  const cluster = await clusterFor(options, homeOf(options, terminal), terminal, !options.dryRun);
  if (!cluster.ok) return refused(cluster.error, terminal);
  const isLeft = options.detach === true && cluster.value !== undefined;
  if (isLeft) return (await import("./detach.ts")).leaveToCluster(file, options, cluster.value!, terminal);
  const server = options.detach ? await (await import("./detach.ts")).serverToDetachTo(options, terminal) : undefined;
  if (options.detach && server === undefined) return Exit.USAGE;
  const variables = readEnvFile(options.envFile, terminal);
  if (variables === undefined) return Exit.USAGE;
  const trust = await seenBy(options, terminal);
  const loaded = await loadWorkflow(file, terminal, variables, trust, options.quiet);
  if (loaded === undefined) return Exit.USAGE;
  const { workflow } = loaded;
  const handed = server && (await import("./detach.ts")).secretsIn(variables, loaded, options, terminal);
  if (server !== undefined && handed === undefined) return Exit.USAGE;
  if (options.from !== undefined)
    return (await import("./retry.ts")).runFrom(
      loaded,
      { ...options, from: options.from, variables, server, handed },
      terminal,
    );
  const inputs = await readInputs(startInputs(workflow), options, terminal);
  const approved = approvedInAdvance(loaded, options, terminal);
  if (inputs === undefined || approved === "unknown") return Exit.USAGE;
  const secrets = await askSecrets(loaded, options.secret ?? [], terminal);
  if (typeof secrets === "number") return secrets;

  if (server !== undefined) {
    const start = {
      inputs,
      secrets: { ...handed, ...secrets },
      approve: approved,
    };
    return (await import("./detach.ts")).detach(loaded.file, start, server, options, terminal);
  }
  const request = {
    ...loaded,
    inputs,
    trigger: { kind: "cli" as const },
    envFile: variables,
    secrets,
    approvedInAdvance: approved,
  };
  if (options.dryRun) return (await import("../dry-run.ts")).dryRun(request, options, terminal);
  const found = await signedIn(request, trust.all === true, options, terminal);
  if (typeof found === "number") return found;
  return drive({ ...options, home: homeOf(options, terminal), workflow }, terminal, (engine) =>
    engine.start({ ...request, ...found }),
  );
}

/** Sign-in happens before anything runs. An imported workflow must be trusted first. */
async function signedIn(
  request: RunRequest,
  isInert: boolean,
  options: RunOptions,
  terminal: Terminal,
): Promise<{ found?: RunSecrets } | Exit> {
  const { auth, nodes, imported } = request.workflow;
  const any = auth !== undefined || nodes.some(({ type, data }) => type === "subflow" || "auth" in data);
  if (!any || isInert || imported !== undefined) return {};
  if (!mayWantLogin(request)) return {};
  const { signInBefore } = await import("./auth.ts");
  const found = await signInBefore(request, options, terminal);
  return typeof found === "number" ? found : { found };
}

/** For a recorded run, whose sources of secrets are read again. */
export interface SecretOptions {
  envFile?: string;
  secret?: string[];
}

export interface ResumeCommandOptions extends HomeOption, SecretOptions {
  /** The run's secrets if they have been resolved already. */
  found?: RunSecrets;
  /**
   * An answer was just recorded as this event of the run. If another process resumes the run because of it, that is not
   * an error.
   */
  answered?: number;
  json?: boolean;
  quiet?: boolean;
}

export async function resume(name: string, options: ResumeCommandOptions, terminal: Terminal): Promise<Exit> {
  const found = await recorded(name, options, terminal, async (...given) => (await findOutermost(...given))?.run);
  if (found === undefined) return Exit.USAGE;
  const { row, events, workflow } = found;
  const home = homeOf(options, terminal);
  const server = await serverAtWork(row, home);
  if (server !== undefined) return resumeOnServer(row.id, server, terminal);
  const { answered } = options;
  if (row.endedAt !== undefined && answered !== undefined) {
    terminal.err(`Recorded. Another process resumed run ${row.id}, which has ended (${row.status}).\n`);
    return Exit.OK;
  }
  if (row.endedAt !== undefined)
    return refuse(
      terminal,
      "run-ended",
      `Run ${row.id} has already ended (${row.status}), so there is nothing to resume.`,
      `"curlew runs retry ${row.id}" runs it again.`,
    );
  const given = options.found === undefined ? await valuesForRun(found, options, terminal) : { found: options.found };
  if (typeof given === "number") return given;
  const { db, keyFile, json, quiet } = options;
  const driven = { home, db, keyFile, json, quiet, workflow, earlier: events };
  if (answered === undefined) return drive(driven, terminal, (engine) => engine.resume(row.id, given));
  const isTaken = ({ code }: Failure): boolean => ["run-claimed", "run-ended", "no-machine"].includes(code);
  const instead = (failure: Failure) => (isTaken(failure) ? `Recorded. ${failure.message}` : undefined);
  return drive({ ...driven, instead }, terminal, (engine) => resumeAnswered(engine, row.id, answered, given));
}

/** The server is called even so, because it may have stopped working on the run in the meantime. */
async function resumeOnServer(run: string, server: FoundServer | "silent", terminal: Terminal): Promise<Exit> {
  const answer = server === "silent" ? silentAbout(run) : await callServer(server, "POST", `/runs/${run}/resume`);
  if ("problem" in answer) return refused(answer.problem, terminal);
  terminal.err(`The server is working on run ${shortRunId(run)}. Follow it: curlew runs logs ${shortRunId(run)} -f\n`);
  return Exit.OK;
}

/**
 * A process that only checked for an answer releases its claim at once. A process that resumes the run records events.
 */
async function resumeAnswered(engine: Engine, run: string, answered: number, given: ResumeOptions) {
  for (const end = Date.now() + limits.answerLookMs; ; await sleep(ANSWER_LOOK_EVERY_MS)) {
    const begun = await engine.resume(run, given);
    if (begun.ok || begun.error.code !== "run-claimed" || Date.now() > end) return begun;
    const seq = await engine.store.journal.lastSeq(run);
    if (!seq.ok || seq.value > answered) return begun;
  }
}

const ANSWER_LOOK_EVERY_MS = 20;

/**
 * The secrets needed to resume a run, resolved before anything is recorded, or an exit code after a message on stderr.
 * `run` is a full id. Pass them to `resume` as `found`, so that no secret command runs twice.
 */
export async function secretsForRun(
  run: string,
  options: SecretOptions & HomeOption,
  terminal: Terminal,
): Promise<RunSecrets | Exit> {
  const found = await recorded(run, options, terminal);
  if (found === undefined) return Exit.USAGE;
  const given = await valuesForRun(found, options, terminal);
  if (typeof given === "number") return given;
  const secrets = await secretsOfRun({
    ...documentOf(found),
    home: homeOf(options, terminal),
    env: terminal.env,
    envFile: given.envFile,
    asked: given.secrets,
    warn: (failure) => terminal.problem(failure, "warning"),
  });
  return secrets.ok ? secrets.value : refused(secrets.error, terminal);
}

/** The values given for this start, or an exit code. */
export async function valuesForRun(
  found: Pick<Recorded, "started" | "workflow">,
  options: SecretOptions,
  terminal: Terminal,
): Promise<{ envFile: Record<string, string>; secrets: Record<string, string> } | Exit> {
  const envFile = readEnvFile(options.envFile, terminal);
  if (envFile === undefined) return Exit.USAGE;
  const secrets = await askSecrets(documentOf(found), options.secret ?? [], terminal);
  return typeof secrets === "number" ? secrets : { envFile, secrets };
}

function documentOf({
  started,
  workflow,
}: Pick<Recorded, "started" | "workflow">): Pick<Loaded, "file" | "workflow" | "subflows"> {
  return { file: started.workflow.file, workflow, subflows: started.subflows ?? {} };
}

export type Recorded = RecordedRun & { events: RunEvent[] };

/** The run with its events and its workflow, or undefined after a message on stderr. */
export async function recorded(
  name: string,
  options: HomeOption,
  terminal: Terminal,
  find: (...given: Parameters<typeof findRun>) => RunRow | undefined | Promise<RunRow | undefined> = findRun,
): Promise<Recorded | undefined> {
  let found: Recorded | undefined;
  await withStore(options, terminal, async (store) => {
    const row = await find(name, store, terminal);
    if (row === undefined) return Exit.USAGE;
    const run = await recordedRun(row, store);
    if (!run.ok) return refused(run.error, terminal);
    const events = await store.journal.read(row.id);
    if (!events.ok) return refused(events.error, terminal);
    found = { ...run.value, events: events.value };
    return Exit.OK;
  });
  return found;
}

const ONLY_NAMES =
  "--secret takes a name and nothing else, and asks for the value: on the command line it stays in the shell's history and shows in the process list.";

/** Values by name, or an exit code. */
export async function askSecrets(
  document: Pick<Loaded, "workflow" | "subflows">,
  names: string[],
  terminal: Terminal,
): Promise<Record<string, string> | Exit> {
  const secrets: Record<string, string> = Object.create(null);
  for (const name of names) {
    if (name.includes("="))
      return refuse(
        terminal,
        "secret-on-command-line",
        ONLY_NAMES,
        "If it was the value, others may know it now. Replace it.",
      );
    const unknown = unknownSecret([name], document);
    if (unknown !== undefined) return refused(unknown, terminal);
    if (!terminal.isInteractive())
      return refuse(
        terminal,
        "no-terminal",
        `--secret ${name} asks for the value, and there is no terminal to ask on.`,
        `Save it with "curlew secrets set ${name}", set the environment variable ${name}, or name a file with --env-file.`,
      );
    const value = await askHidden(`${name}: `, terminal);
    if (value === undefined) return Exit.INTERRUPTED;
    secrets[name] = value;
  }
  return secrets;
}

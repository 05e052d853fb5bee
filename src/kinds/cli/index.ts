// cli: runs a command or script on this machine (spec 1.2, 3.2, 4.1). inputs.ts builds its inputs, ending.ts
// its ending.
//   C1. Everything that can be rejected is rejected in `prepare`, before an attempt has a process.
//   C2. Output passes the masker before it reaches the disk, the screen, or another node (4.2).
//   C3. Output that a secret Variable takes is never shown (E1 of ending.ts: it is sealed).

import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { durationMs, parseSize } from "../../base/duration.ts";
import type { Failure } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { EMPTY } from "../../base/value.ts";
import { userCurlrc } from "../../process/curl-config.ts";
import { launch } from "../../process/dialect.ts";
import { commandEnvironment } from "../../process/environment.ts";
import { observeCalls } from "../../process/http-observer/observe.ts";
import type { GrowthListener } from "../../process/output.ts";
import { removeArtifact } from "../../process/runner/artifacts.ts";
import type { RunnerCommand } from "../../process/runner/client.ts";
import type { Order } from "../../process/runner/orders.ts";
import type { SandboxSpec } from "../../process/sandbox.ts";
import type { Piece } from "../../process/stdin.ts";
import type { Grant } from "../../secrets/tokens/grant.ts";
import type { CliNode } from "../../workflow/model.ts";
import { repeatsWhenLost } from "../../workflow/node-fields.ts";
import { after401, tokenFor } from "../auth.ts";
import type { NodeContext } from "../context.ts";
import type { Attempt, AttemptEnding, Binding, Executor, Prepared } from "../executor.ts";
import { forgetState, STATE_VARIABLE, stateFileFor } from "../state.ts";
import type { Tools } from "../tools.ts";
import { writeOwnClient } from "./auth-config.ts";
import { keepRenewed, renewedWhenAdopted } from "./auth-renewal.ts";
import { bindingOf, digestOf } from "./binding.ts";
import { type CurlSettings, curlSettings, writeCurl } from "./curl.ts";
import { type DynamicCommand, dynamicCommand } from "./dynamic-command.ts";
import { allowedHosts, egressRoute } from "./egress.ts";
import { endingOf } from "./ending.ts";
import { folderOf } from "./folder.ts";
import { countedFailure, exposedParents, inheritedByName, staticValues, stdinOf, valuesFor } from "./inputs.ts";
import { type Program, programOf } from "./program.ts";
import { asksOfAttempt } from "./safety.ts";
import { certificateFiles, sandboxFor, withFiles } from "./sandbox.ts";
import { writeScript } from "./script-file.ts";
import type { ShellValues } from "./script-values.ts";

export { authFilesIn } from "./curl.ts";
export { LineReader } from "./line-reader.ts";
export { checkOutput } from "./output.ts";
export { chooseInterpreter } from "./program.ts";

export function cliExecutor(tools: Tools): Executor<CliNode> {
  const programs = new WeakMap<CliNode, Promise<Result<Program, Failure>>>();
  return {
    prepare: async (node, context) => {
      const own = await dynamicCommand(node, context);
      if (own !== undefined) return own.ok ? prepareOwn(node, own.value, context, tools) : own;
      let program = programs.get(node);
      if (program === undefined) {
        program = programOf(node, context);
        programs.set(node, program);
      }
      const found = await program;
      return found.ok ? prepare(node, found.value, context, tools) : found;
    },
    find: (node, context, { stem, by }, onGrowth) => {
      const place = { run: context.run.id, stem, folder: dirname(context.files.path(stem)) };
      const kept = tools.runner.find(by, place, context.masker, onGrowth);
      const attempt = { ...attemptOf(kept, stem, node, context, tools, []), found: kept.found };
      return { ...attempt, done: renewedWhenAdopted(attempt, node, stem, context, tools) };
    },
  };
}

/** A program that is a value is shown in full, together with the reference in the workflow file. */
async function prepareOwn(
  node: CliNode,
  own: DynamicCommand,
  context: NodeContext,
  tools: Tools,
): Promise<Result<Prepared, Failure>> {
  const prepared = await prepare(own.node, own.program, context, tools);
  if (!prepared.ok || own.wholeProgram !== true) return prepared;
  const binding = async (key: Buffer): Promise<Binding> => {
    const { bound, detail } = await prepared.value.binding(key);
    return { bound, detail: { ...detail, command: node.data.content, wholeProgram: true } };
  };
  return ok({ ...prepared.value, wholeProgram: true, binding });
}

async function prepare(
  node: CliNode,
  program: Program,
  context: NodeContext,
  tools: Tools,
): Promise<Result<Required<Pick<Prepared, "binding">> & Prepared, Failure>> {
  const inputs = await inputsOf(node, program, context);
  if (!inputs.ok) return inputs;
  const { named, values, stdin, cwd } = inputs.value;
  const limited = limitsOf(node, program, inputs.value, context, tools);
  if (!limited.ok) return limited;
  const { sandbox, env } = limited.value;
  const asks = await asksOfAttempt({ node, program, context, named, variables: values.variables });
  if (!asks.ok) return asks;
  const seen = { ...named, ...values.variables, ...inheritedByName(node, env) };
  const curl = await curlSettings(node, context, Object.values(seen), tools.home);
  if (!curl.ok) return curl;
  const allow = allowedHosts(node, context.workflow);
  const proxy = allow === undefined ? ok(undefined) : await tools.egress();
  if (!proxy.ok) return proxy;
  const by = tools.runner.name();
  const calls = { curl: curl.value, allow, proxy: proxy.value };
  const ready: Ready = { node, program, context, tools, by, ...inputs.value, sandbox, env, ...calls };
  const signIn = curl.value.grant ?? curl.value.auth;
  return ok({
    shown: {
      command: node.data.content,
      shell: program.interpreter,
      cwd,
      env: Object.keys(named).sort(),
      stdin: stdin.length === 0 ? undefined : await digestOf(stdin, context),
      sandbox: sandbox?.mode,
      runner: by,
    },
    discard: () => forgetSecretFiles(ready),
    binding: (key) => bindingOf({ node, program, given: values.given, named, env, stdin, cwd, signIn }, context, key),
    asks: asks.value.length === 0 ? undefined : asks.value,
    start: (stem, onGrowth) => start(ready, stem, onGrowth),
  });
}

/** A fully checked command. Only the start is left. */
interface Ready {
  node: CliNode;
  program: Program;
  context: NodeContext;
  tools: Tools;
  /** Name of the runner that has to start it. */
  by: string | undefined;
  values: ShellValues;
  /** Variables under names that the author chose. */
  named: Record<string, string>;
  stdin: Piece[];
  cwd: string;
  sandbox: SandboxSpec | undefined;
  /** The whole environment. */
  env: Record<string, string>;
  curl: CurlSettings;
  allow: readonly string[] | undefined;
  /** Present if only the hosts of `allow` may be called. */
  proxy: { port: number } | undefined;
}

type Inputs = Pick<Ready, "values" | "named" | "stdin" | "cwd">;

async function inputsOf(node: CliNode, program: Program, context: NodeContext): Promise<Result<Inputs, Failure>> {
  const statics = staticValues(node, context);
  if (!statics.ok) return statics;
  const values = await valuesFor(node, program, statics.value, context);
  if (!values.ok) return values;
  const parents = exposedParents(node, context);
  if (!parents.ok) return parents;
  const named: Record<string, string> = Object.assign(Object.create(null), parents.value, statics.value);
  const miscounted = countedFailure(program, named);
  if (miscounted !== undefined) return err(miscounted);
  const stdin = stdinOf(node, statics.value, context);
  if (!stdin.ok) return stdin;
  const cwd = folderOf(node, statics.value, context);
  if (!cwd.ok) return cwd;
  return ok({ values: values.value, named, stdin: stdin.value, cwd: cwd.value });
}

/** The limits of the command: its sandbox and its whole environment. */
function limitsOf(
  node: CliNode,
  program: Program,
  { values, named, cwd }: Inputs,
  context: NodeContext,
  tools: Tools,
): Result<Pick<Ready, "sandbox" | "env">, Failure> {
  const sandbox = sandboxFor(node.data.sandbox, {
    home: tools.home,
    cwd,
    program: launch({ ...program.how, scriptFile: "" })[0]!,
    path: context.environment.PATH,
    files: values.files,
  });
  if (!sandbox.ok) return sandbox;
  const env = commandEnvironment({
    environment: context.environment,
    inherit: node.data.env?.inherit,
    byName: context.secrets,
    set: Object.assign(Object.create(null), named, values.variables, {
      CURLEW_RUN_ID: context.run.id,
      CURLEW_NODE: context.path,
      CURLEW_ATTEMPT: String(context.attempt),
    }),
  });
  return env.ok ? ok({ sandbox: sandbox.value, env: env.value }) : env;
}

function forgetSecretFiles({ values }: Ready): void {
  for (const file of values.secretFiles) rmSync(file, { force: true });
}

/** The token is requested only now (auth.ts A2): the attempt is recorded, its process does not exist yet. */
function start(ready: Ready, stem: string, onGrowth: GrowthListener | undefined): Attempt {
  const { grant } = ready.curl;
  return grant === undefined ? begin(ready, stem, onGrowth) : startSignedIn(ready, grant, stem, onGrowth);
}

function startSignedIn(ready: Ready, grant: Grant, stem: string, onGrowth: GrowthListener | undefined): Attempt {
  const { node, context, tools } = ready;
  const waiting = new AbortController();
  const started: { attempt?: Attempt } = {};
  const startedMs = performance.now();
  const signIn = async (): Promise<AttemptEnding> => {
    const token = await tokenFor(grant, context, tools, waiting.signal);
    const facts = { durationMs: Math.round(performance.now() - startedMs) };
    if (waiting.signal.aborted || !token.ok) forgetSecretFiles(ready);
    if (waiting.signal.aborted) return { status: "cancelled", facts };
    if (!token.ok) {
      const { call, ...failure } = token.error;
      const http = call === undefined ? undefined : [call];
      return { status: "failed", failure, value: EMPTY, facts: { ...facts, http } };
    }
    const curl: CurlSettings = { ...ready.curl, auth: { type: "bearer", token: token.value.access } };
    started.attempt = begin({ ...ready, curl }, stem, onGrowth);
    const renewing = keepRenewed(grant, token.value, stem, context, tools);
    const ending = await started.attempt.done;
    const access = renewing();
    return after401(ending, { grant, access, isNew: token.value.isNew }, node, context, tools);
  };
  const stop = (how: "cancel" | "kill"): void => {
    waiting.abort();
    started.attempt?.[how]();
  };
  return {
    done: signIn(),
    cancel: () => stop("cancel"),
    kill: () => stop("kill"),
    leave: () => {
      waiting.abort();
      tools.runner.leaveRun(context.run.id);
    },
    recorded: () => started.attempt?.recorded?.(),
  };
}

function begin(ready: Ready, stem: string, onGrowth: GrowthListener | undefined): Attempt {
  const { node, context, tools, by } = ready;
  const order = orderOf(ready, stem);
  const kept = tools.runner.start(by, order, context.masker, onGrowth);
  return attemptOf(kept, stem, node, context, tools, order.removeAfter);
}

function orderOf(ready: Ready, stem: string): Order {
  const { node, program, context, values, sandbox, env, stdin, cwd, curl, allow, proxy } = ready;
  const authorities =
    sandbox === undefined ? [] : certificateFiles(sandbox.mode, env, context.environment, ready.tools.home);
  const scriptFile = writeScript(program, values.prologue, stem, context);
  const hidesHome = sandbox?.mode === "strict";
  const way = proxy === undefined ? undefined : egressRoute(proxy.port, allow ?? [], sandbox);
  const userFile = hidesHome ? undefined : userCurlrc(env);
  const written = writeCurl(curl, { env, files: context.files, stem, userFile, proxy: way?.proxy });
  const own = writeOwnClient(node, curl, { files: context.files, stem, path: env.PATH });
  const front = { files: context.files, stem, home: ready.tools.home, path: own.variables.PATH ?? env.PATH };
  const seen = observeCalls(env, { ...front, userCurlrc: userFile, isBoxed: sandbox !== undefined });
  const stateFile = stateFileFor(stem, context);
  const fence = context.fence?.();
  const files = [scriptFile, ...written.files, ...own.files, ...authorities];
  // Without a file, the variable of another run around this one is not passed on.
  const { [STATE_VARIABLE]: _, ...plainEnv } = env;
  return {
    run: context.run.id,
    stem,
    folder: dirname(scriptFile),
    argv: launch({ ...program.how, scriptFile }),
    env: {
      ...plainEnv,
      ...{ ...way?.variables, ...written.variables, ...own.variables, ...seen?.variables },
      ...(stateFile === undefined ? {} : { [STATE_VARIABLE]: stateFile }),
      ...(fence === undefined ? {} : { CURLEW_FENCE: String(fence) }),
    },
    cwd,
    stdin: stdin.length === 0 ? { kind: "none" } : { kind: "pieces", pieces: stdin },
    ...times(node),
    outputBytesMax: outputBytesMax(context),
    secret: context.isSecret || undefined,
    ...way?.order,
    sandbox: sandbox && withFiles(sandbox, { files, stateFile, seen, door: way?.door }),
    calls: seen?.prefix,
    ...(repeatsWhenLost(node) ? { repeats: true } : {}),
    removeAfter: [
      ...[...written.ofAttempt, ...own.ofAttempt, ...values.secretFiles],
      ...(seen?.folder === undefined ? [] : [seen.folder]),
    ],
    about: { interpreter: program.interpreter, httpsOnly: curl.protocols !== undefined },
  };
}

/** `files`: removed with the attempt, even if no runner supervised it. */
function attemptOf(
  kept: RunnerCommand,
  stem: string,
  node: CliNode,
  context: NodeContext,
  tools: Tools,
  files: readonly string[],
): Attempt {
  const done = kept.done.then((outcome): AttemptEnding | Promise<AttemptEnding> => {
    if (typeof outcome === "object" && outcome.leaseLost === true) return { status: "lost", leaseLost: true };
    if (typeof outcome === "object") return endingOf(outcome, stem, node, context, tools);
    for (const file of files) removeArtifact(file);
    return { status: outcome };
  });
  const leave = (): void => tools.runner.leaveRun(context.run.id);
  const recorded = (): void => {
    kept.recorded();
    forgetState(stem, context);
  };
  return { done, cancel: kept.cancel, kill: kept.kill, leave, recorded };
}

function times(node: CliNode): { timeoutMs?: number; idleTimeoutMs?: number; killGraceMs: number } {
  const { timeout, idleTimeout, killGrace } = node.data;
  return {
    timeoutMs: durationMs(timeout),
    idleTimeoutMs: durationMs(idleTimeout),
    killGraceMs: durationMs(killGrace) ?? limits.killGraceMs,
  };
}

function outputBytesMax(context: NodeContext): number {
  const size = context.workflow.limits?.outputBytes;
  const parsed = size === undefined ? undefined : parseSize(size);
  return parsed?.ok === true ? parsed.value : limits.outputBytesMax;
}

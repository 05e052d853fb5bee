// cli: runs a command or script on the machine (spec 1.2, 3.2, 4.1).
//   C1. Values reach the command as environment variables, files or standard input, never as text of the program.
//   C2. Everything that can be refused is refused in `prepare`, before an attempt has a process.
//   C3. What a command prints passes the masker before it reaches disk, screen or another node (4.2).
//   C4. What a secret Variable takes is printed to nowhere: it is sealed when the command has ended.
// Deliberately absent: approvals (approval.ts says what is bound, the scheduler asks), retries (the engine's policy).

import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { parseDuration, parseSize } from "../base/duration.ts";
import { isDangerousName, isReservedName } from "../base/environment-names.ts";
import type { Failure } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import { EMPTY, type Value } from "../base/value.ts";
import { launch } from "../process/dialect.ts";
import type { EgressCall } from "../process/egress-proxy.ts";
import { commandEnvironment } from "../process/environment.ts";
import { explainEnd } from "../process/explain.ts";
import type { Ended } from "../process/run.ts";
import type { SandboxSpec } from "../process/sandbox.ts";
import type { CliNode } from "../workflow/model.ts";
import { allowsPlain } from "../workflow/safety/inspect.ts";
import { referencesOf } from "../workflow/template.ts";
import { bindingOf, digestOf } from "./approval.ts";
import { type NodeContext, renderField, renderOwnField, valueOfName } from "./context.ts";
import { curlSettings, writeCurl } from "./curl.ts";
import { allowedHosts, openWayOut, withRefusal } from "./egress.ts";
import type { AttemptEnding, Binding, Executor, Facts, Prepared } from "./executor.ts";
import { folderOf } from "./folder.ts";
import { checkOutput } from "./output.ts";
import { type OwnProgram, ownProgram } from "./own-program.ts";
import { type Program, programOf } from "./program.ts";
import { asksOfAttempt } from "./safety.ts";
import { sandboxFor } from "./sandbox.ts";
import { type SecretOutput, secretOutput } from "./secret-values.ts";
import { shellValues } from "./template-shell.ts";
import type { Tools } from "./tools.ts";
import { joinPieces, outputValue, type Piece, piecesOf, textOf } from "./values.ts";

export function cliExecutor(tools: Tools): Executor<CliNode> {
  const programs = new WeakMap<CliNode, Promise<Result<Program, Failure>>>();
  return {
    prepare: async (node, context) => {
      const own = await ownProgram(node, context);
      if (own !== undefined) return own.ok ? prepareOwn(node, own.value, context, tools) : own;
      let program = programs.get(node);
      if (program === undefined) {
        program = programOf(node, context);
        programs.set(node, program);
      }
      const found = await program;
      return found.ok ? prepare(node, found.value, context, tools) : found;
    },
  };
}

/** A program that is a value is shown as what it is, beside the reference that the author wrote. */
async function prepareOwn(
  node: CliNode,
  own: OwnProgram,
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
  const statics = await staticValues(node, context);
  if (!statics.ok) return statics;
  const values = await valuesFor(node, program, statics.value, context);
  if (!values.ok) return values;
  const parents = await exposedParents(node, context);
  if (!parents.ok) return parents;
  const stdin = await stdinOf(node, statics.value, context);
  if (!stdin.ok) return stdin;
  const cwd = await folderOf(node, statics.value, context);
  if (!cwd.ok) return cwd;
  const sandbox = sandboxFor(node.data.sandbox, {
    home: tools.home,
    cwd: cwd.value,
    program: launch({ ...program.how, scriptFile: "" })[0]!,
    path: context.environment.PATH,
    files: values.value.files,
  });
  if (!sandbox.ok) return sandbox;
  const named: Record<string, string> = Object.assign(Object.create(null), parents.value, statics.value);
  const env = commandEnvironment({
    environment: context.environment,
    inherit: node.data.env?.inherit,
    byName: context.secrets,
    set: Object.assign(Object.create(null), named, values.value.variables, {
      CURLEW_RUN_ID: context.run.id,
      CURLEW_NODE: context.path,
    }),
  });
  if (!env.ok) return env;
  const variables = values.value.variables;
  const asks = await asksOfAttempt({ node, program, context, named, variables, cwd: cwd.value });
  if (!asks.ok) return asks;
  const seen = { ...named, ...variables, ...inheritedByName(node, env.value) };
  const curl = await curlSettings(node, context, Object.values(seen));
  if (!curl.ok) return curl;
  const allow = allowedHosts(node, context.workflow);
  const opened = allow === undefined ? ok(undefined) : await tools.egress();
  if (!opened.ok) return opened;
  const proxy = opened.value;
  const shown = {
    command: node.data.content,
    shell: program.interpreter,
    cwd: cwd.value,
    env: Object.keys(named).sort(),
    ...(stdin.value.length === 0 ? {} : { stdin: await digestOf(stdin.value, context) }),
    ...(sandbox.value === undefined ? {} : { sandbox: sandbox.value.mode }),
  };
  const bindable = {
    node,
    program,
    given: values.value.given,
    named,
    env: env.value,
    stdin: stdin.value,
    cwd: cwd.value,
    signIn: curl.value.auth,
  };
  const forget = (): void => {
    for (const file of values.value.secretFiles) rmSync(file, { force: true });
  };
  return ok({
    shown,
    discard: forget,
    binding: (key) => bindingOf(bindable, context, key),
    ...(asks.value.length === 0 ? {} : { asks: asks.value }),
    start: (stem, onOutput) => {
      const scriptFile = writeScript(program, values.value.prologue, stem, context);
      const hidesHome = sandbox.value?.mode === "strict";
      const wayOut = proxy === undefined ? undefined : openWayOut(proxy, allow ?? [], sandbox.value);
      const given = { env: env.value, files: context.files, stem, hidesHome, proxy: wayOut?.proxy };
      const written = writeCurl(curl.value, given);
      const secret = context.isSecret ? secretOutput(context, () => running.kill()) : undefined;
      const running = tools.runner.run({
        argv: launch({ ...program.how, scriptFile }),
        env: { ...env.value, ...wayOut?.variables, ...written.variables },
        cwd: cwd.value,
        stdin: stdin.value.length === 0 ? { kind: "none" } : { kind: "pieces", pieces: stdin.value },
        stdoutFile: context.files.path(`${stem}.out`),
        stderrFile: context.files.path(`${stem}.err`),
        orderFile: context.files.path(`${stem}.ord`),
        ...times(node),
        outputBytesMax: outputBytesMax(context),
        transform: secret?.transform ?? (() => context.masker.stream()),
        onChunk: onOutput,
        runTag: `${context.run.id}.${stem}`,
        ...(sandbox.value === undefined
          ? {}
          : { sandbox: withFiles(sandbox.value, [scriptFile, ...written.files], wayOut?.door) }),
      });
      const httpsOnly = curl.value.protocols !== undefined;
      return {
        done: running.done.then((ended) => {
          written.remove();
          const egress = wayOut?.end();
          forget();
          return endingOf(ended, node, { program, stem, httpsOnly, egress }, context, tools, secret);
        }),
        cancel: () => running.cancel(),
        kill: () => running.kill(),
      };
    },
  });
}

/** `env.static`, rendered; there a name never means env.static itself (1.3). */
async function staticValues(node: CliNode, context: NodeContext): Promise<Result<Record<string, string>, Failure>> {
  const values: Record<string, string> = Object.create(null);
  for (const [name, template] of Object.entries(node.data.env?.static ?? {})) {
    const refused = refusedName(name, referencesOf(template).length > 0);
    if (refused !== undefined) return err(refused);
    const text = await renderField(template, context);
    if (!text.ok) return text;
    if (Buffer.byteLength(text.value) > limits.exportedValueBytesMax)
      return err(tooLargeFor(`env.static.${name}`, Buffer.byteLength(text.value)));
    values[name] = text.value;
  }
  return ok(values);
}

async function valuesFor(node: CliNode, program: Program, statics: Record<string, string>, context: NodeContext) {
  if (program.shell === undefined || program.shell.variables.length === 0)
    return ok({ variables: {}, prologue: "", secretFiles: [], given: [], files: [] });
  const named = (root: string): Value | undefined => {
    if (context.loop()[root] !== undefined || statics[root] === undefined) return valueOfName(root, context);
    return { text: statics[root] };
  };
  return shellValues(program.shell, named, context.files, allowsPlain(node, context.workflow));
}

/** `exposeParents`: the parents as INPUT_1, INPUT_2, … or under the given names. */
async function exposedParents(node: CliNode, context: NodeContext): Promise<Result<Record<string, string>, Failure>> {
  const values: Record<string, string> = Object.create(null);
  const { exposeParents, names } = node.data.env ?? {};
  if (exposeParents !== true) return ok(values);
  for (const [index, parent] of context.parents().entries()) {
    const name = names?.[index] ?? `INPUT_${index + 1}`;
    const refused = refusedName(name, true);
    if (refused !== undefined) return err(refused);
    const text = await textOf(parent.value, context.files, limits.exportedValueBytesMax);
    if (!text.ok)
      return err(tooLargeFor(name, "file" in parent.value ? parent.value.bytes : limits.exportedValueBytesMax));
    if (Buffer.byteLength(text.value) > limits.exportedValueBytesMax)
      return err(tooLargeFor(name, Buffer.byteLength(text.value)));
    values[name] = text.value;
  }
  return ok(values);
}

async function stdinOf(
  node: CliNode,
  statics: Record<string, string>,
  context: NodeContext,
): Promise<Result<Piece[], Failure>> {
  const { stdin } = node.data;
  switch (stdin?.source) {
    case undefined:
    case "none":
      return ok([]);
    case "literal": {
      const text = await renderOwnField(stdin.literal ?? "", statics, context);
      return text.ok ? ok([{ text: text.value }]) : text;
    }
    case "parents-all":
      return joinPieces(
        context.parents().map((parent) => parent.value),
        context.files,
      );
    case "parent-index":
      return piecesOf(context.parents()[stdin.parentIndex ?? 0]?.value ?? EMPTY, context.files);
  }
}

function withFiles(sandbox: SandboxSpec, files: readonly string[], door: SandboxSpec["door"]): SandboxSpec {
  return { ...sandbox, files: [...sandbox.files, ...files], ...(door === undefined ? {} : { door }) };
}

/** What a node takes from outside by name; an address among it may be one of this machine. */
function inheritedByName(node: CliNode, env: Readonly<Record<string, string>>): Record<string, string> {
  const names = node.data.env?.inherit;
  if (!Array.isArray(names)) return {};
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}

/** The script, written once a run for each program text; one with values read from files is this attempt's own. What stands there counts
 * only when it is exactly what was prepared. */
function writeScript(program: Program, prologue: string, stem: string, context: NodeContext): string {
  const text = prologue + program.text;
  const digest = createHash("sha256").update(program.text).digest("hex").slice(0, 16);
  const name = prologue === "" ? `script-${digest}${program.extension}` : `script-${stem}${program.extension}`;
  const file = context.files.path(name);
  if (context.files.has(name) && readFileSync(file, "utf8") === text) return file;
  rmSync(file, { force: true });
  writeFileSync(file, text, { mode: 0o600, flag: "wx" });
  return file;
}

function times(node: CliNode): { timeoutMs?: number; idleTimeoutMs?: number; killGraceMs: number } {
  const { timeout, idleTimeout, killGrace } = node.data;
  const total = ms(timeout);
  const idle = ms(idleTimeout);
  return {
    ...(total === undefined ? {} : { timeoutMs: total }),
    ...(idle === undefined ? {} : { idleTimeoutMs: idle }),
    killGraceMs: ms(killGrace) ?? limits.killGraceMs,
  };
}

function ms(text: string | undefined): number | undefined {
  const parsed = text === undefined ? undefined : parseDuration(text);
  return parsed?.ok === true ? parsed.value : undefined;
}

function outputBytesMax(context: NodeContext): number {
  const size = context.workflow.limits?.outputBytes;
  const parsed = size === undefined ? undefined : parseSize(size);
  return parsed?.ok === true ? parsed.value : limits.outputBytesMax;
}

interface Started {
  program: Program;
  stem: string;
  httpsOnly: boolean;
  egress: EgressCall[] | undefined;
}

async function endingOf(
  ended: Ended,
  node: CliNode,
  { program, stem, httpsOnly, egress }: Started,
  context: NodeContext,
  tools: Tools,
  secret: SecretOutput | undefined,
): Promise<AttemptEnding> {
  const { cause } = ended;
  const facts: Facts = {
    durationMs: ended.durationMs,
    ...(cause.type === "exited" ? { exitCode: cause.code } : {}),
    ...(cause.type === "signalled" ? { signal: cause.signal } : {}),
    stdout: secret === undefined ? { bytes: ended.stdoutBytes } : { bytes: secret.bytes, secret: true },
    stderr: { bytes: ended.stderrBytes },
    ...(egress === undefined ? {} : { egress }),
  };
  // It was killed because it printed too much for a secret: that is what value() says.
  if (cause.type === "cancelled" && secret?.isTooMuch !== true) return { status: "cancelled", facts };
  const printed = secret?.value() ?? ok(outputValue(`${stem}.out`, ended.stdoutBytes, context.files));
  if (!printed.ok) return { status: "failed", failure: printed.error, value: EMPTY, facts };
  const { value } = printed;
  const success = cause.type === "exited" && (node.data.successExitCodes ?? [0]).includes(cause.code);
  if (success) {
    const checked = await checkOutput(node.data.output, value, context, tools.evaluator);
    if (checked.ok) return { status: "succeeded", value: checked.value, facts };
    return { status: "failed", failure: { ...checked.error, ...exitOf(facts) }, value, facts };
  }
  const why = explainEnd({
    cause,
    program: program.interpreter,
    content: node.data.content,
    stderrTail: ended.stderrTail,
    httpsOnly,
  });
  const explained = cause.type === "exited" ? withRefusal(why, egress) : why;
  const stderr = ended.stderrTail === "" ? {} : { stderr: ended.stderrTail };
  const failure: Failure = { ...explained, ...exitOf(facts), ...stderr };
  return { status: cause.type === "timed-out" ? "timed-out" : "failed", failure, value, facts };
}

function exitOf(facts: Facts): { exitCode?: number; signal?: string } {
  return {
    ...(facts.exitCode === undefined ? {} : { exitCode: facts.exitCode }),
    ...(facts.signal === undefined ? {} : { signal: facts.signal }),
  };
}

/** The checks of a document say it first; a document that was not checked, or that is older, meets it here. */
function refusedName(name: string, isValue: boolean): Failure | undefined {
  if (isReservedName(name))
    return {
      code: "env-name-reserved",
      message: `The environment variable ${JSON.stringify(name)} begins with CURLEW_, which is kept for what we tell a command ourselves.`,
      hint: "Choose another name.",
    };
  if (!isValue || !isDangerousName(name)) return undefined;
  return {
    code: "env-name-dangerous",
    message: `A value of the run would set the environment variable ${name}, which can run code or change what programs do.`,
    hint: "Write a fixed text, or use a variable of another name.",
  };
}

function tooLargeFor(name: string, bytes: number): Failure {
  return {
    code: "value-too-large",
    message: `The value for the environment variable ${name} has ${bytes} bytes; one variable can hold ${limits.exportedValueBytesMax}.`,
    hint: "Hand it over by stdin (stdin: { source: parent-index, parentIndex: 0 }), where no size fails.",
  };
}

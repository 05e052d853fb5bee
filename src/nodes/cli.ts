// cli: runs a command or script on the machine (spec 1.2, 3.2, 4.1); cli-inputs.ts says what it is given, cli-ending.ts how it ended.
//   C1. Everything that can be refused is refused in `prepare`, before an attempt has a process.
//   C2. What a command prints passes the masker before it reaches disk, screen or another node (4.2).
//   C3. What a secret Variable takes is printed to nowhere (E1 of cli-ending.ts: it is sealed).
// Deliberately absent: approvals (approval.ts says what is bound, the scheduler asks), retries (the engine's policy).

import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { parseDuration, parseSize } from "../base/duration.ts";
import type { Failure } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import { ok, type Result } from "../base/result.ts";
import { launch } from "../process/dialect.ts";
import { commandEnvironment } from "../process/environment.ts";
import type { SandboxSpec } from "../process/sandbox.ts";
import type { CliNode } from "../workflow/model.ts";
import { bindingOf, digestOf } from "./approval.ts";
import { endingOf } from "./cli-ending.ts";
import { exposedParents, inheritedByName, staticValues, stdinOf, valuesFor } from "./cli-inputs.ts";
import type { NodeContext } from "./context.ts";
import { curlSettings, writeCurl } from "./curl.ts";
import { allowedHosts, openWayOut } from "./egress.ts";
import type { Binding, Executor, Prepared } from "./executor.ts";
import { folderOf } from "./folder.ts";
import { type OwnProgram, ownProgram } from "./own-program.ts";
import { type Program, programOf } from "./program.ts";
import { asksOfAttempt } from "./safety.ts";
import { sandboxFor } from "./sandbox.ts";
import { secretOutput } from "./secret-values.ts";
import type { Tools } from "./tools.ts";

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

function withFiles(sandbox: SandboxSpec, files: readonly string[], door: SandboxSpec["door"]): SandboxSpec {
  return { ...sandbox, files: [...sandbox.files, ...files], ...(door === undefined ? {} : { door }) };
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

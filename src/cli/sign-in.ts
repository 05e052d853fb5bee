// sign-in: gets tokens that need a person to sign in, before a run begins or with `curlew auth login` (spec 2.2, 3.6).
//   I1. On a terminal, the command prints where to sign in, and then the run starts. Without a terminal nothing runs,
//       and the message names the command that signs in.
//   I2. An imported workflow asks and sends nothing before its commands have been trusted with `curlew trust`.

import { type Failure, failureOf } from "../base/failure.ts";
import { err, ok, type Result } from "../base/result.ts";
import { oneLine } from "../base/text.ts";
import type { RunRequest } from "../engine/contract.ts";
import { type RunSecrets, secretsOfRun } from "../engine/run-secrets.ts";
import { type Entry, entryOf, filledIn, valuesFor } from "../kinds/auth.ts";
import { inputText } from "../kinds/context.ts";
import { renderTemplate } from "../kinds/template.ts";
import { createMasker, type Masker } from "../secrets/masker.ts";
import type { Broker } from "../secrets/tokens/broker.ts";
import { type Grant, hostOf, isGrantType, needsPerson } from "../secrets/tokens/grant.ts";
import { parseWorkflow } from "../workflow/parse.ts";
import { Exit } from "./exit.ts";
import { signsInByPerson } from "./login-wanted.ts";
import { homeOf, refused } from "./open.ts";
import { problem } from "./problem.ts";
import type { Terminal } from "./terminal.ts";

/** I1: the secrets of the run, which are resolved here, or an exit code after a message on stderr. */
export async function signInBefore(
  request: RunRequest,
  options: { home?: string; quiet?: boolean },
  terminal: Terminal,
): Promise<RunSecrets | Exit> {
  const home = homeOf(options, terminal);
  const secrets = await secretsOfRun({
    ...request,
    home,
    env: terminal.env,
    asked: request.secrets,
    warn: (warning) => warn(warning, terminal),
  });
  if (!secrets.ok) return refused(secrets.error, terminal);
  const broker = await brokerOf(home, secrets.value.environment, terminal);
  if (!broker.ok) return refused(broker.error, terminal);
  const grants = await grantsOf(request, secrets.value, home);
  if (!grants.ok) return refused(grants.error, terminal);
  for (const grant of grants.value) {
    const wanted = await broker.value.wantsLogin(grant);
    if (!wanted.ok) return refused(wanted.error, terminal);
    if (!wanted.value) continue;
    if (!terminal.isInteractive()) return refused(noTerminal(grant, request.file), terminal);
    const done = await signIn(grant, broker.value, secrets.value, terminal);
    if (!done.ok) return done.error.code === "auth-cancelled" ? Exit.INTERRUPTED : refused(done.error, terminal);
  }
  return secrets.value;
}

/** The grants of a workflow and its subflows that need a sign-in, each once. */
async function grantsOf(request: RunRequest, secrets: RunSecrets, home: string): Promise<Result<Grant[], Failure>> {
  const grants = new Map<string, Grant>();
  const inside = Object.entries(request.subflows).flatMap(([file, text]) =>
    file === request.file ? [] : (parseWorkflow(text, file).workflow ?? []),
  );
  for (const workflow of [request.workflow, ...inside]) {
    if (!signsInByPerson(workflow)) continue;
    for (const node of workflow.nodes) {
      if (node.type !== "cli" || node.data.auth === undefined) continue;
      const entry = await entryOf(node, workflow, home);
      if (!entry.ok) return entry;
      if (entry.value === undefined || !needsPerson(entry.value.fields as { type: Grant["type"] })) continue;
      const inputs = workflow === request.workflow ? request.inputs : {};
      const grant = await grantOfEntry(entry.value, { inputs, secrets, home });
      // Values known only during the run (a value of a parent, an input of a subflow) are resolved at that node.
      if (grant.ok) grants.set(JSON.stringify(grant.value), grant.value);
      else if (workflow === request.workflow && typeof node.data.auth === "string") return grant;
    }
  }
  return ok([...grants.values()]);
}

export interface EntryDeps {
  inputs: Readonly<Record<string, unknown>>;
  secrets: { values: ReadonlyMap<string, string>; environment: RunSecrets["environment"]; masker: Masker };
  home: string;
}

/** Fills in the entry's templates as a run would. Failures: auth-*, secret-*, config-*, and those of templates. */
export async function grantOfEntry(entry: Entry, deps: EntryDeps): Promise<Result<Grant, Failure>> {
  const { inputs, home, secrets } = deps;
  const { values, environment, masker } = secrets;
  const found = await valuesFor(entry.fields, { secrets: values, environment }, home);
  if (!found.ok) return found;
  const known = (name: string): string | undefined => {
    if (!entry.isConfigured && Object.hasOwn(inputs, name)) return inputText(inputs[name]);
    return found.value.get(name);
  };
  const render = (text: string) =>
    renderTemplate(text, ({ root }) => {
      const value = known(root);
      return value === undefined ? undefined : ok(value);
    });
  const filled = await filledIn(entry, render, home, (learned) => masker.learn(learned));
  if (!filled.ok) return filled;
  return "grant" in filled.value ? ok(filled.value.grant) : err(notOAuth(entry));
}

/** Signs in and reports on stderr. Ctrl-C cancels. */
export async function signIn(
  grant: Grant,
  broker: Broker,
  { masker, environment }: Pick<RunSecrets, "masker" | "environment">,
  terminal: Terminal,
): Promise<Result<void, Failure>> {
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  terminal.signals.once("SIGINT", onSignal);
  try {
    const { login } = await import("../secrets/tokens/service.ts");
    const askedAtMs = Date.now();
    const mask = (text: string): string => masker.mask(text);
    const given = await login({ grant, environment, mask, signal: stop.signal }, ({ url, code, endsAtMs }) => {
      const where =
        code === undefined ? "Open this address in a browser on this machine" : "Open this address in a browser";
      terminal.err(`Sign in for "${oneLine(grant.name)}" at ${hostOf(grant)}. ${where}:\n\n  ${url}\n\n`);
      if (code !== undefined) terminal.err(`The code there is  ${code}\n\n`);
      terminal.err(`Waiting until ${new Date(endsAtMs).toTimeString().slice(0, 5)}; Ctrl-C gives up.\n`);
    });
    if (!given.ok) return given;
    masker.learn([given.value.access, ...(given.value.refresh === undefined ? [] : [given.value.refresh])]);
    const kept = await broker.keep(grant, given.value, askedAtMs);
    if (kept.ok)
      terminal.err(
        `Signed in: "${oneLine(grant.name)}"${given.value.refresh === undefined ? "" : ", renewed from now on"}.\n`,
      );
    return kept;
  } finally {
    terminal.signals.off("SIGINT", onSignal);
  }
}

export async function brokerOf(home: string, environment: RunSecrets["environment"], terminal: Terminal) {
  const { createBroker } = await import("../secrets/tokens/service.ts");
  return createBroker({ home, environment, warn: (warning) => warn(warning, terminal), nowMs: Date.now });
}

/** For commands without a run, which have no secrets yet. */
export function emptyMasker(): Masker {
  return createMasker(new Map());
}

export function warn({ code, message, hint }: Failure, terminal: Terminal): void {
  terminal.problem(problem(code, message, hint), "warning");
}

const noTerminal = failureOf("auth-login-needed", ({ name }: Grant, file: string) => [
  `The auth "${name}" needs a person to sign in, and there is no terminal to ask on. Nothing ran.`,
  `Run: curlew auth login ${name} ${oneLine(file)}`,
]);

function notOAuth({ name, fields }: Entry): Failure {
  const known = isGrantType(fields.type);
  return {
    code: "auth-no-login",
    message: `The auth "${name}" is of type ${oneLine(fields.type ?? "")}, which needs no sign-in.`,
    hint: known ? "Curlew requests its token when a run needs it." : "Its values are sent as they are.",
  };
}

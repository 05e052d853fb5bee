// auth: resolves how a node signs in: its own `auth` entry, or one of the workflow or config.yaml, rendered (spec 2.7,
// 3.6).
//   A1. A rendered value is masked as a secret before anything else sees it.
//   A2. A token is requested when the command is about to start: after an approval, and never for a dry run or while
//       planning.
//   A3. An entry in config.yaml belongs to the owner of the data directory: its names are looked up as secrets, even if
//       the workflow does not declare them.
//   A4. A token that a server rejected with 401 is dropped. The attempt is repeated once with a newer token, and only
//       if that is safe: the node has `retry`, or the rejected call is the whole command.

import { resolve } from "node:path";
import { type Failure, failureOf } from "../base/failure.ts";
import type { Now } from "../base/now.ts";
import { err, ok, type Result } from "../base/result.ts";
import { authProblem, type CurlAuth, secretsOfAuth } from "../process/curl-config.ts";
import type { Token } from "../secrets/tokens/broker.ts";
import type { NoToken } from "../secrets/tokens/endpoint.ts";
import { type Grant, grantOf, isGrantType, secretsOfGrant } from "../secrets/tokens/grant.ts";
import { referencesOf } from "../shell/template.ts";
import { authProblems } from "../workflow/check/auth.ts";
import type { CliNode, Workflow } from "../workflow/model.ts";
import { type NodeContext, renderField } from "./context.ts";
import type { AttemptEnding } from "./executor.ts";
import { renderTemplate } from "./template.ts";
import type { Tools } from "./tools.ts";

/** Available credentials, or how to get a token. */
export type SignIn = { auth: CurlAuth } | { grant: Grant };

/** Failures: `auth-*`, `config-*`, and those of templates and of secrets. */
export async function signInOf(
  node: CliNode,
  context: NodeContext,
  home: string,
): Promise<Result<SignIn | undefined, Failure>> {
  const entry = await entryOf(node, context.workflow, home);
  if (!entry.ok || entry.value === undefined) return entry as Result<undefined, Failure>;
  const { fields, isConfigured } = entry.value;
  const found = isConfigured ? await valuesFor(fields, context, home) : ok(new Map<string, string>());
  if (!found.ok) return found;
  const render = (text: string): Now<Result<string, Failure>> =>
    isConfigured
      ? renderTemplate(text, ({ root }) => valueIn(found.value, root), context.files.mask)
      : renderField(text, context);
  return filledIn(entry.value, render, context.folder, (secrets) => context.masker.learn(secrets));
}

/** An entry as written, with its name. */
export interface Entry {
  name: string;
  fields: Readonly<Record<string, string>>;
  isConfigured: boolean;
}

/** The entry that a node signs in with. Failures: `auth-unknown`, `auth-config`, `config-*`. */
export async function entryOf(
  node: CliNode,
  workflow: Workflow,
  home: string,
): Promise<Result<Entry | undefined, Failure>> {
  const { auth } = node.data;
  if (auth === undefined) return ok(undefined);
  if (typeof auth !== "string") return ok({ name: node.id, fields: auth, isConfigured: false });
  const own = Object.hasOwn(workflow.auth ?? {}, auth) ? workflow.auth?.[auth] : undefined;
  if (own !== undefined) return ok({ name: auth, fields: own, isConfigured: false });
  const { readAuthConfig } = await import("../secrets/config.ts");
  const config = await readAuthConfig(home);
  if (!config.ok) return config;
  const configured = config.value.get(auth);
  if (configured === undefined) return err(unknownEntry(node.id, auth));
  const problem = fieldProblem(configured.fields);
  if (problem !== undefined) return err(badConfig(auth, configured.at, problem));
  return ok({ name: auth, fields: configured.fields, isConfigured: true });
}

/** Renders the templates, checks the result, and masks it (A1). `folder`: base of the path of a netrc file. */
export async function filledIn(
  { name, fields }: Entry,
  render: (text: string) => Now<Result<string, Failure>>,
  folder: string,
  learn: (secrets: string[]) => void,
): Promise<Result<SignIn, Failure>> {
  const filled: Record<string, string> = Object.create(null);
  for (const [field, template] of Object.entries(fields)) {
    if (field.startsWith("x-") || field === "hosts") continue;
    const text = field === "type" ? ok(template) : await render(template);
    if (!text.ok) return text;
    filled[field] = text.value;
  }
  if (isGrantType(filled.type)) {
    const grant = grantOf(name, filled);
    if (grant.ok) learn(secretsOfGrant(grant.value));
    return grant.ok ? ok({ grant: grant.value }) : grant;
  }
  const auth = { ...filled } as CurlAuth;
  if (auth.type === "netrc" && auth.file !== undefined) auth.file = resolve(folder, auth.file);
  const problem = authProblem(auth);
  if (problem !== undefined) return err(problem);
  learn(secretsOfAuth(auth));
  return ok({ auth });
}

/** A3. Failures: `secret-*`, `config-*`. */
export async function valuesFor(
  fields: Readonly<Record<string, string>>,
  { secrets, environment }: Pick<NodeContext, "secrets" | "environment">,
  home: string,
): Promise<Result<Map<string, string>, Failure>> {
  const names = new Set(Object.values(fields).flatMap((text) => referencesOf(text).map(({ root }) => root)));
  const values = new Map<string, string>();
  for (const name of names) {
    const value = secrets.get(name) ?? environment[name];
    if (value !== undefined) values.set(name, value);
  }
  const missing = [...names].filter((name) => !values.has(name));
  if (missing.length === 0) return ok(values);
  const { findSecrets } = await import("../secrets/sources.ts");
  const found = await findSecrets(missing, {
    asked: {},
    envFile: {},
    environment: {},
    folder: home,
    home,
    warn: () => {},
  });
  if (!found.ok) return found;
  return ok(new Map([...values, ...found.value.values]));
}

function valueIn(values: ReadonlyMap<string, string>, root: string): Result<string, Failure> | undefined {
  const value = values.get(root);
  return value === undefined ? undefined : ok(value);
}

/** A2: a token for curl. Failures: `auth-*`, `secret-store-*`, `home-key-*`, `config-*`. */
export async function tokenFor(
  grant: Grant,
  context: NodeContext,
  tools: Tools,
  signal: AbortSignal,
): Promise<Result<Token, NoToken>> {
  const broker = await tools.tokens(context.environment);
  if (!broker.ok) return broker;
  const { masker } = context;
  return broker.value.token({
    grant,
    mask: (text) => masker.mask(text),
    learn: (secrets) => masker.learn(secrets),
    signal,
  });
}

/** A4. */
export async function after401(
  ending: AttemptEnding,
  used: { grant: Grant; access: string; isNew: boolean },
  node: CliNode,
  context: NodeContext,
  tools: Tools,
): Promise<AttemptEnding> {
  if (!("facts" in ending) || !wasRefused(ending)) return ending;
  const broker = await tools.tokens(context.environment);
  if (broker.ok) await broker.value.refused(used, used.access);
  const once = `${context.run.id} ${context.path}`;
  if (ending.status !== "failed") return ending;
  if (used.isNew || tools.signedInAgain.has(once)) return explained(ending, GOOD_TOKEN);
  if (!doesNothingTwice(ending, node)) return explained(ending, OLD_TOKEN);
  tools.signedInAgain.add(once);
  return { ...ending, signsInAgain: true };
}

const GOOD_TOKEN =
  "The token was new, so it had not expired. Check the client's rights, scope, and audience at the server.";
const OLD_TOKEN =
  "The server rejected the token early, so Curlew dropped it. The next attempt gets another one. Curlew did not repeat the command, because it may " +
  "do something twice. If that does no harm, set retry: { maxAttempts: 2 }. In a script, curlew http repeats the call.";

function explained(ending: Extract<Ended, { failure: unknown }>, help: string): AttemptEnding {
  const { failure } = ending;
  const hints = [...(failure.hints ?? (failure.hint === undefined ? [] : [failure.hint])), help];
  return { ...ending, failure: { ...failure, hint: hints.join(" "), hints } };
}

type Ended = Extract<AttemptEnding, { facts: unknown }>;

/** Whether a recorded call was answered with 401. Without records, whether curl's stderr says so. */
function wasRefused(ending: Ended): boolean {
  const { http, warnings } = ending.facts;
  // The call that was refused may be one without the token.
  if (warnings?.some(({ code }) => code === "auth-held-back") === true) return false;
  if (http !== undefined && http.length > 0) return http.some(({ status }) => status === 401);
  return "failure" in ending && /returned error: 401\b/.test(ending.failure.stderr ?? "");
}

function doesNothingTwice({ facts }: Ended, { data }: CliNode): boolean {
  if (data.retry !== undefined) return true;
  const { http } = facts;
  const isOneCall = http === undefined || http.length === 0 || (http.length === 1 && http[0]!.status === 401);
  return isOneCall && data.mode !== "script" && isPlainCurl(data.content);
}

/**
 * Whether the text is one call of curl or `curlew http` and nothing else: no pipe, list, redirect, or unquoted
 * substitution, no --next.
 */
function isPlainCurl(content: string): boolean {
  const bare = content.trim().replace(/'[^']*'|"(?:[^"\\$`]|\\.|\$\{\w+(?:\|\w+)?\})*"/g, "''");
  return (
    /^curl(?:ew\s+http)?\s/.test(bare) && !/[;|&<>`\n]|\$\(|\s(?:--next|-:)(?:\s|$)/.test(bare.replace(/\\\n/g, " "))
  );
}

/** The first problem with the fields of an entry in config.yaml, without a suggestion, a period, and a value. */
export function fieldProblem(fields: Readonly<Record<string, string>>): string | undefined {
  const [problem] = authProblems(fields);
  if (problem === undefined) return undefined;
  const { field, isKey, message } = problem;
  if (field !== undefined && field !== "type" && isKey !== true && fields[field] !== "")
    return `"${field}" has a value that is not allowed`;
  return message.replace(/\.( Did you mean .*)?$/, "");
}

const badConfig = failureOf("auth-config", (name: string, at: string, what: string) => [
  `${at}: auth.${name}: ${what}.`,
  "For the types and their fields, run: curlew docs signing-in",
]);
const unknownEntry = failureOf("auth-unknown", (node: string, auth: string) => [
  `Node "${node}" has "auth: ${auth}", but neither the workflow nor config.yaml has this entry. Nothing was sent.`,
  'Write it under auth: of the document, such as auth: { api: { type: bearer, token: "${TOKEN}" } }.',
]);

// Lists, sets, removes, and tests secrets, with their sources and users (spec 2.3, 4.2; docs/reference/secrets.md).
//   X1. A value is only ever received. It does not appear in responses, the log, or the
//       audit log, and neither does its length. An administrator can ask which secrets have a given value.
//   X2. The audit log records each secret that is set or removed: its name, the
//       caller, and that it came through the API.
//   X3. Paths in the data directory are not returned. Messages contain file names only.

import { dirname } from "node:path";
import type { SecretItem, SecretTest } from "../../api/shapes.ts";
import { type Failure, failureOf } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import { readModelConfig } from "../../secrets/config.ts";
import { findSecrets } from "../../secrets/sources.ts";
import { removeSecret, setSecret } from "../../secrets/store.ts";
import { keyDepsOf } from "../../secrets/store-key.ts";
import { checkSecretValue, isSecretName } from "../../secrets/value.ts";
import { lookForSecrets, type ReadOnlyStore, type Whereabouts } from "../../secrets/where.ts";
import { type Handlers, json, noContent } from "../call.ts";
import type { ServerContext } from "../context.ts";
import { failureProblem, problem, withoutHome } from "../problem.ts";

export const secretRoutes = {
  "GET /secrets": async (_call, context) => {
    const [looked, users] = await Promise.all([lookForSecrets(depsOf(context)), usersOf(context)]);
    const names = [...new Set([...looked.names, ...users.keys()])].sort();
    return json({ items: names.map((name) => itemOf(name, users.get(name) ?? [], looked, context)) });
  },

  "PUT /secrets/{name}": async ({ params: { name }, body }, context) => {
    const { value } = body;
    if (!isSecretName(name)) return failureProblem(badName());
    const unfit = value === "" ? noValue() : checkSecretValue(value, `The value of ${name}`);
    if (unfit !== undefined) return failureProblem(unfit);
    const deps = await keyDeps(context);
    if (!deps.ok) return failureProblem(withoutHome(deps.error, context.home));
    const setAt = new Date(context.clock.nowMs()).toISOString();
    const saved = await setSecret({ name, value, setAt }, deps.value);
    if (!saved.ok) return failureProblem(withoutHome(saved.error, context.home), 409);
    return recordInAudit("secret.set", name, context);
  },

  "POST /secrets/same": async ({ body: { value, workflow } }, context) => {
    const unfit = value === "" ? noValue() : checkSecretValue(value, "The value");
    if (unfit !== undefined) return failureProblem(unfit);
    const { documents, folder } = context;
    const [looked, users] = await Promise.all([lookForSecrets(depsOf(context)), usersOf(context)]);
    const isKnown = (await documents.entries()).entries.some(({ path }) => path === workflow);
    const beside = isKnown && workflow !== undefined ? dirname(documents.fileOf(workflow)) : folder;
    const names = [...new Set([...looked.names, ...users.keys()])].sort();
    return json({ names: names.filter((name) => looked.equals(name, beside, value)) });
  },

  "DELETE /secrets/{name}": async ({ params: { name } }, context) => {
    if (!isSecretName(name)) return failureProblem(badName());
    const deps = await keyDeps(context);
    if (!deps.ok) return failureProblem(withoutHome(deps.error, context.home));
    const removed = await removeSecret(name, deps.value);
    if (!removed.ok) return failureProblem(withoutHome(removed.error, context.home), 409);
    if (!removed.value) return problem("not-found", { detail: `The local store has no secret ${name}.` });
    return recordInAudit("secret.removed", name, context);
  },

  "POST /secrets/{name}/test": async ({ params: { name } }, context) => {
    if (!isSecretName(name)) return failureProblem(badName());
    const [looked, users] = await Promise.all([lookForSecrets(depsOf(context)), usersOf(context)]);
    const folders = foldersOf(users.get(name) ?? [], context);
    const tried: Failure[] = [];
    for (const folder of folders) {
      const found = await findSecrets([name], { asked: {}, envFile: {}, folder, ...depsOf(context) });
      if (!found.ok) tried.push(found.error);
      else if (!found.value.values.has(name)) tried.push(notFound(name));
    }
    const { source } = looked.of(name, folders);
    const [trouble] = tried.map((failure) => withoutHome(failure, context.home));
    if (trouble === undefined) return json({ ok: true, source } satisfies SecretTest);
    return json({
      ok: false,
      source,
      problem: trouble.message,
      hint: trouble.hint,
    } satisfies SecretTest);
  },
} satisfies Partial<Handlers>;

function depsOf({ env, home, log }: ServerContext) {
  return { environment: env, home, warn: ({ code }: Failure) => log.warn({ code }, "about secrets") };
}

function keyDeps(context: ServerContext) {
  const { environment, home, warn } = depsOf(context);
  return keyDepsOf(home, environment, warn);
}

/** By secret: documents that declare it, and model providers in config.yaml that use it as their key. */
async function usersOf({ documents, home }: ServerContext): Promise<ReadonlyMap<string, string[]>> {
  const users = new Map<string, string[]>();
  const add = (name: string, user: string) => users.set(name, [...(users.get(name) ?? []), user]);
  for (const { path, secrets } of (await documents.entries()).entries) for (const name of secrets) add(name, path);
  const models = await readModelConfig(home);
  if (models.ok)
    for (const [provider, { apiKey }] of models.value.providers)
      if (apiKey !== undefined) add(apiKey, `config.yaml (llm.providers.${provider})`);
  return users;
}

/** The folders of the documents among the users, or the served folder if no document uses it. */
function foldersOf(users: readonly string[], { documents, folder }: ServerContext): string[] {
  const folders = users
    .filter((user) => !user.startsWith("config.yaml "))
    .map((path) => dirname(documents.fileOf(path)));
  return folders.length === 0 ? [folder] : [...new Set(folders)].slice(0, limits.secretFoldersTested);
}

function itemOf(name: string, usedBy: string[], looked: ReadOnlyStore, context: ServerContext): SecretItem {
  const where = looked.of(name, foldersOf(usedBy, context));
  const said = problemOf(where, looked, context);
  return {
    name,
    source: where.source,
    stored: where.stored,
    usedBy,
    problem: said,
  };
}

function problemOf(
  { source, variable }: Whereabouts,
  { troubles }: ReadOnlyStore,
  context: ServerContext,
): string | undefined {
  if (source !== undefined) return undefined;
  const [trouble] = troubles;
  if (trouble !== undefined) return withoutHome(trouble, context.home).message;
  if (variable !== undefined) return `config.yaml reads it from the variable ${variable}, which is not set.`;
  return "It is not in the environment, in a .env file next to the workflow, or in the local store.";
}

async function recordInAudit(type: string, name: string, { store, log }: ServerContext): Promise<Response> {
  const written = await store.audit.append({ type, name, door: "web" });
  log.info({ type, name }, "a secret was changed");
  return written.ok ? noContent() : failureProblem(written.error, 503);
}

const badName = failureOf("bad-name", () => [
  "This is not a valid name of a secret.",
  `Use letters, digits, and underscores, but no digit first, and at most ${limits.idCharsMax} characters.`,
]);

const noValue = failureOf("secret-too-short", () => ["The value is missing."]);

const notFound = failureOf("secret-missing", (name: string) => [
  `${name} is not set anywhere.`,
  "Set it here, in the environment, in a .env file next to the workflow, or in config.yaml.",
]);

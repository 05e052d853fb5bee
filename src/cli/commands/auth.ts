// auth: signs in for `auth:` entries of the oauth2 types: login, list, logout (spec 2.2, 3.6).
//   X1. No token is ever printed.
//   X2. Logging out deletes the token from this machine only. It does not revoke it on the server.

import { type Failure, failureOf } from "../../base/failure.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { oneLine } from "../../base/text.ts";
import type { Entry } from "../../kinds/auth.ts";
import { readAuthConfig } from "../../secrets/config.ts";
import { isFresh } from "../../secrets/tokens/fresh.ts";
import { needsPerson } from "../../secrets/tokens/grant.ts";
import type { KeptToken, TokenFiles } from "../../secrets/tokens/kept.ts";
import { didYouMean, listed } from "../../workflow/nearest.ts";
import { Exit } from "../exit.ts";
import { readEnvFile, readInputs } from "../inputs.ts";
import { printList } from "../list.ts";
import { type Loaded, loadWorkflow } from "../load.ts";
import { type HomeOption, homeOf, logged, refused } from "../open.ts";
import { brokerOf, type EntryDeps, emptyMasker, grantOfEntry, signIn, warn } from "../sign-in.ts";
import type { Terminal } from "../terminal.ts";

export { signInBefore } from "../sign-in.ts";

export interface LoginOptions extends HomeOption {
  input?: string[];
  envFile?: string;
}

export async function loginAs(
  name: string,
  file: string | undefined,
  options: LoginOptions,
  terminal: Terminal,
): Promise<Exit> {
  const home = homeOf(options, terminal);
  const variables = readEnvFile(options.envFile, terminal);
  if (variables === undefined) return Exit.USAGE;
  const loaded = file === undefined ? undefined : await loadWorkflow(file, terminal, variables);
  if (file !== undefined && loaded === undefined) return Exit.USAGE;
  const entry = await entryNamed(name, loaded, home);
  if (!entry.ok) return refused(entry.error, terminal);
  const deps = await depsOf(entry.value, loaded, variables, { ...options, home }, terminal);
  if (typeof deps === "number") return deps;
  const grant = await grantOfEntry(entry.value, deps);
  if (!grant.ok) return refused(grant.error, terminal);
  if (!needsPerson(grant.value)) return refused(noPerson(name, grant.value.type), terminal);
  const broker = await brokerOf(home, deps.secrets.environment, terminal);
  if (!broker.ok) return refused(broker.error, terminal);
  return logged("auth.signed-in", name, options, terminal, async () => {
    const done = await signIn(grant.value, broker.value, deps.secrets, terminal);
    if (done.ok) return Exit.OK;
    if (done.error.code === "auth-cancelled") return Exit.INTERRUPTED;
    refused(done.error, terminal);
    return Exit.FAILED;
  });
}

export async function list(options: HomeOption & { json?: boolean }, terminal: Terminal): Promise<Exit> {
  const files = await filesOf(options, terminal);
  if (typeof files === "number") return files;
  const all = await keptIn(files, terminal);
  const empty = 'There are no tokens. "curlew auth login NAME FILE" signs in. A run requests other tokens when needed.';
  const row = (token: KeptToken) => [oneLine(token.name), token.type, token.host, stateOf(token)];
  const tokens = all.map(({ token }) => token);
  printList(tokens, { json: options.json, empty, row, toJson: listedAs }, terminal);
  return Exit.OK;
}

export async function logout(name: string, options: HomeOption, terminal: Terminal): Promise<Exit> {
  const files = await filesOf(options, terminal);
  if (typeof files === "number") return files;
  const all = await keptIn(files, terminal);
  const meant = all.filter(({ token }) => token.name === name);
  if (meant.length === 0) {
    const names = [...new Set(all.map(({ token }) => token.name))];
    const message = `There is no token for an auth "${oneLine(name)}".${didYouMean(name, names)}`;
    const hint = names.length === 0 ? "There are no tokens." : `Known names: ${listed(names, 20)}.`;
    return refused({ code: "unknown-login", message, hint }, terminal);
  }
  return logged("auth.signed-out", name, options, terminal, async () => {
    for (const { id } of meant) {
      const removed = await files.locked(id, async () => ok(files.remove(id)));
      if (!removed.ok) return refused(removed.error, terminal);
    }
    terminal.err(
      `Removed the token of "${oneLine(name)}" from this machine. At ${meant[0]!.token.host} it may still be valid.\n`,
    );
    return Exit.OK;
  });
}

/** The entry from the workflow file, from a node (by the node's id), or from config.yaml. */
async function entryNamed(name: string, loaded: Loaded | undefined, home: string): Promise<Result<Entry, Failure>> {
  const entries = loaded?.workflow.auth ?? {};
  const own = Object.hasOwn(entries, name) ? entries[name] : undefined;
  if (own !== undefined) return ok({ name, fields: own, isConfigured: false });
  const node = loaded?.workflow.nodes.find(({ id }) => id === name);
  if (node !== undefined && "auth" in node.data && typeof node.data.auth === "object")
    return ok({ name, fields: node.data.auth, isConfigured: false });
  const config = await readAuthConfig(home);
  if (!config.ok) return config;
  const configured = config.value.get(name);
  if (configured !== undefined) return ok({ name, fields: configured.fields, isConfigured: true });
  const known = [...Object.keys(entries), ...config.value.keys()];
  const places = loaded === undefined ? "config.yaml has no auth" : "neither the workflow nor config.yaml has an auth";
  return err({
    code: "auth-unknown",
    message: `There is nothing to sign in for: ${places} "${oneLine(name)}".${didYouMean(name, known)}`,
    hint:
      loaded === undefined
        ? `Name the workflow's file: curlew auth login ${oneLine(name)} FILE`
        : `Known names: ${known.length === 0 ? "none" : listed(known, 20)}.`,
  });
}

/** The values an entry's templates may use, or an exit code after a message on stderr. */
async function depsOf(
  { fields, isConfigured }: Entry,
  loaded: Loaded | undefined,
  variables: Readonly<Record<string, string>>,
  options: LoginOptions & { home: string },
  terminal: Terminal,
): Promise<EntryDeps | Exit> {
  const { referencesOf } = await import("../../shell/template.ts");
  const names = new Set(Object.values(fields).flatMap((text) => referencesOf(text).map(({ root }) => root)));
  const specs = isConfigured || loaded === undefined ? {} : loaded.workflow.inputs;
  const needed = Object.fromEntries(Object.entries(specs).filter(([name]) => names.has(name)));
  const inputs = await readInputs(needed, options, terminal);
  if (inputs === undefined) return Exit.USAGE;
  const { findSecrets } = await import("../../secrets/sources.ts");
  const { dirname } = await import("node:path");
  const declared = (loaded?.workflow.secrets ?? []).filter((name) => names.has(name));
  const found = await findSecrets(declared, {
    asked: {},
    envFile: variables,
    environment: terminal.env,
    folder: loaded === undefined ? options.home : dirname(loaded.file),
    home: options.home,
    warn: (warning) => warn(warning, terminal),
  });
  if (!found.ok) return refused(found.error, terminal);
  const environment = { ...terminal.env, ...variables };
  const masker = emptyMasker();
  masker.learn([...found.value.values.values()]);
  return { inputs, home: options.home, secrets: { values: found.value.values, environment, masker } };
}

async function filesOf(options: HomeOption, terminal: Terminal): Promise<TokenFiles | Exit> {
  const { keyDepsOf } = await import("../../secrets/store-key.ts");
  const { tokenFiles } = await import("../../secrets/tokens/service.ts");
  const home = homeOf(options, terminal);
  const keys = await keyDepsOf(home, terminal.env, (warning) => warn(warning, terminal));
  return keys.ok ? tokenFiles(keys.value) : refused(keys.error, terminal);
}

/** Stored tokens by name. A file that cannot be read is reported and left out. */
async function keptIn(files: TokenFiles, terminal: Terminal): Promise<{ id: string; token: KeptToken }[]> {
  const all: { id: string; token: KeptToken }[] = [];
  for (const id of files.ids()) {
    const token = await files.read(id);
    if (!token.ok) warn(token.error, terminal);
    else if (token.value !== undefined) all.push({ id, token: token.value });
  }
  return all.sort((one, other) => (one.token.name < other.token.name ? -1 : 1));
}

function listedAs(token: KeptToken): Record<string, unknown> {
  const { name, type, host, clientId, scope, expiresAtMs, refresh, obtainedAtMs } = token;
  return {
    name,
    type,
    host,
    clientId,
    scope,
    obtainedAt: obtainedAtMs === 0 ? undefined : new Date(obtainedAtMs).toISOString(),
    expiresAt: expiresAtMs === undefined ? undefined : new Date(expiresAtMs).toISOString(),
    renewable: refresh !== undefined || !needsPerson(token),
    fresh: isFresh(token, Date.now()),
  };
}

function stateOf(token: KeptToken): string {
  const { expiresAtMs, refresh } = token;
  const until =
    expiresAtMs === undefined ? "" : ` until ${new Date(expiresAtMs).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  if (isFresh(token, Date.now())) return `good${until}`;
  return refresh !== undefined || !needsPerson(token)
    ? "renewed when a run needs it"
    : `ended: curlew auth login ${oneLine(token.name)}`;
}

const noPerson = failureOf("auth-no-login", (name: string, type: string) => [
  `The auth "${oneLine(name)}" is of type ${type}, which needs no sign-in.`,
  "Curlew requests its token when a run needs it.",
]);

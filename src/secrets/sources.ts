// Looks up the values of declared secrets, in a fixed order of sources (spec 4.2, ADR 21).
//   O1. The first source with a value wins: --secret, --env-file, the environment, `.env` beside the workflow, the
//       local store, config.yaml. Empty values are ignored.
//   O2. A source is opened only if an earlier one lacks a name. A command runs at most once,
//       and only for a name that is needed.
//   O3. A source that fails ends the search, because a value from a later source would not be the intended one.

import { type Failure, failureOf } from "../base/failure.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { SecretConfig, SecretSource } from "./config.ts";
import { readDotEnv } from "./dotenv.ts";
import { checkSecretValue, secretText } from "./value.ts";

export interface SourceDeps {
  /** Values entered for this run (`--secret`), by name. */
  asked: Readonly<Record<string, string>>;
  /** `--env-file`. */
  envFile: Readonly<Record<string, string>>;
  environment: Readonly<Record<string, string | undefined>>;
  /** The folder of the workflow file. */
  folder: string;
  home: string;
  warn(warning: Failure): void;
}

export interface FoundSecrets {
  values: ReadonlyMap<string, string>;
  /** Environment variables that turned out to contain a secret of another name (`env: OTHER`). */
  aliases: readonly string[];
}

/** The secrets that were found. Failures: secret-*, config-*. */
export async function findSecrets(names: readonly string[], deps: SourceDeps): Promise<Result<FoundSecrets, Failure>> {
  const values = new Map<string, string>();
  const aliases: string[] = [];
  const missing = (): string[] => names.filter((name) => !values.has(name));
  const take = (name: string, value: string | undefined): void => {
    if (value !== undefined && value !== "" && !values.has(name)) values.set(name, value);
  };
  for (const given of [deps.asked, deps.envFile, deps.environment])
    for (const name of missing()) if (Object.hasOwn(given, name)) take(name, given[name]);
  if (missing().length > 0) {
    const variables = readDotEnv(deps.folder, deps.warn);
    for (const name of missing()) take(name, variables.get(name));
  }
  const trouble = (await fromStore(missing(), deps, take)) ?? (await fromConfig(missing(), deps, values, aliases));
  if (trouble !== undefined) return err(trouble);
  for (const [name, value] of values) {
    const unfit = checkSecretValue(value, `The value of the secret ${name}`);
    if (unfit !== undefined) return err(unfit);
  }
  return ok({ values, aliases });
}

type Take = (name: string, value: string | undefined) => void;

async function fromStore(names: readonly string[], deps: SourceDeps, take: Take): Promise<Failure | undefined> {
  if (names.length === 0) return undefined;
  const { existsSync } = await import("node:fs");
  if (!existsSync(`${deps.home}/secrets.age`)) return undefined;
  const [{ keyDepsOf }, { readSecrets }] = await Promise.all([import("./store-key.ts"), import("./store.ts")]);
  const keys = await keyDepsOf(deps.home, deps.environment, deps.warn);
  if (!keys.ok) return keys.error;
  const stored = await readSecrets(keys.value);
  if (!stored.ok) return stored.error;
  for (const { name, value } of stored.value.secrets) if (names.includes(name)) take(name, value);
  return undefined;
}

async function fromConfig(
  names: readonly string[],
  deps: SourceDeps,
  values: Map<string, string>,
  aliases: string[],
): Promise<Failure | undefined> {
  if (names.length === 0) return undefined;
  const config = await configOf(deps);
  if (!config.ok) return config.error;
  const known = new Map<string, Result<string | undefined, Failure>>();
  for (const name of names) {
    const source = config.value.sources.get(name);
    if (source === undefined || values.has(name)) continue;
    const { at: _at, ...same } = source;
    const id = JSON.stringify(same);
    const value = known.get(id) ?? (await valueFrom(source, name, deps, values));
    known.set(id, value);
    if (!value.ok) return value.error;
    if (source.kind === "env") aliases.push(source.name);
    if (value.value !== undefined && value.value !== "") values.set(name, value.value);
  }
  return undefined;
}

async function configOf({ home }: SourceDeps): Promise<Result<SecretConfig, Failure>> {
  const { readSecretConfig } = await import("./config.ts");
  return readSecretConfig(home);
}

async function valueFrom(
  source: SecretSource,
  name: string,
  deps: SourceDeps,
  known: ReadonlyMap<string, string>,
): Promise<Result<string | undefined, Failure>> {
  switch (source.kind) {
    case "env":
      return ok([deps.envFile, deps.environment].find((given) => Object.hasOwn(given, source.name))?.[source.name]);
    case "keychain": {
      const { fromKeyring } = await import("./keyring.ts");
      const found = await fromKeyring(source.service, source.account);
      if (!found.ok) return err(keychainFailed(name, source, `is not available: ${found.error}`));
      return found.value === undefined ? err(keychainFailed(name, source, "has no such entry")) : found;
    }
    case "command": {
      const { runSecretCommand } = await import("./command.ts");
      const printed = await runSecretCommand({
        ...source,
        name,
        folder: deps.home,
        environment: deps.environment,
        known,
      });
      if (!printed.ok) return printed;
      const text = secretText(printed.value, `The output of the command for the secret ${name}`);
      return text.ok && text.value === "" ? err(printedNothing(name, source)) : text;
    }
  }
}

const keychainFailed = failureOf("secret-source-failed", (name: string, source: { at: string }, what: string) => [
  `Curlew could not get the secret ${name}: the desktop keyring ${what}.`,
  `It is named at ${source.at}.`,
]);

const printedNothing = failureOf("secret-source-failed", (name: string, source: { at: string }) => [
  `Curlew could not get the secret ${name}: its command printed nothing.`,
  `The command is at ${source.at}. Try it in your shell.`,
]);

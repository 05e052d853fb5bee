// Reads config.yaml in the data directory (spec 2.7, 3.6, 4.2). config-shape.ts has all its settings.
//   C1. A problem is reported with its line and column, and then no part of that section is used. A reader of one
//       section ignores the others. All problems are reported when a server starts, by doctor, and before Curlew
//       changes the file.
//   C2. A file that other users can write to is rejected, because it names programs that would run as this user.
//   C3. The file never contains an API key: `apiKey` names a secret, which is looked up like any other (ADR 21).

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Node } from "yaml";
import { type Failure, failureOf } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { Config, Price, Provider, Source } from "./config-shape.ts";

export type { Price, ProviderType } from "./config-shape.ts";

/** `at`: where the file says so, as `FILE:LINE:COLUMN`. */
export type SecretSource = Source & { at: string };

export interface SecretConfig {
  sources: ReadonlyMap<string, SecretSource>;
  keyringOff: boolean;
}

/** Empty if there is no file. Failures of all readers: `config-invalid`, `config-unreadable`, `config-not-private`. */
export async function readSecretConfig(home: string): Promise<Result<SecretConfig, Failure>> {
  const read = await readConfig(home, "secrets", "keyring");
  if (!read.ok) return read;
  const { config, at } = read.value;
  const sources = Object.entries(config.secrets ?? {});
  return ok({
    sources: new Map(sources.map(([name, source]) => [name, { ...source, at: at("secrets", name) }])),
    keyringOff: config.keyring === "off" || config.keyring === false,
  });
}

/** How long finished runs are kept. Without both, they are kept forever. */
export interface HistoryLimits {
  keepMs?: number;
  maxRuns?: number;
}

export async function readHistoryLimits(home: string): Promise<Result<HistoryLimits, Failure>> {
  const read = await readConfig(home, "history");
  if (!read.ok) return read;
  const { keep: keepMs, maxRuns } = read.value.config.history ?? {};
  return ok({ keepMs, maxRuns });
}

/** A setting of one value. Undefined if it is not set. */
export async function readSetting<Name extends "trust" | "publicHooksUrl" | "db" | "labels">(
  home: string,
  name: Name,
): Promise<Result<Config[Name], Failure>> {
  const read = await readConfig(home, name);
  return read.ok ? ok(read.value.config[name]) : read;
}

export interface ModelConfig {
  /** For nodes that name none. */
  model?: string;
  /** `apiKeyAt`: where the file names the secret, as `FILE:LINE:COLUMN`. */
  providers: ReadonlyMap<string, Provider & { apiKeyAt?: string }>;
  /** By `provider/model`. */
  prices: ReadonlyMap<string, Price>;
}

export async function readModelConfig(home: string): Promise<Result<ModelConfig, Failure>> {
  const read = await readConfig(home, "llm");
  if (!read.ok) return read;
  const { config, at } = read.value;
  const { model, providers = {}, prices = {} } = config.llm ?? {};
  const placed = Object.entries(providers).map(
    ([name, provider]) =>
      [name, { ...provider, apiKeyAt: provider.apiKey && at("llm", "providers", name, "apiKey") }] as const,
  );
  return ok({ model, providers: new Map(placed), prices: new Map(Object.entries(prices)) });
}

export interface ConfiguredAuth {
  /** `FILE:LINE:COLUMN`. */
  at: string;
  fields: Readonly<Record<string, string>>;
}

/** A document's own entry of the same name takes precedence. The entry's user checks its fields. */
export async function readAuthConfig(home: string): Promise<Result<ReadonlyMap<string, ConfiguredAuth>, Failure>> {
  const read = await readConfig(home, "auth");
  if (!read.ok) return read;
  const { config, at } = read.value;
  return ok(
    new Map(Object.entries(config.auth ?? {}).map(([name, fields]) => [name, { fields, at: at("auth", name) }])),
  );
}

/** The problem with the fields of an `auth` entry, or undefined. */
export type AuthCheck = (fields: Readonly<Record<string, string>>) => string | undefined;

/** All problems of the file. Empty if it is valid or does not exist. */
export async function configProblems(home: string, ofAuth?: AuthCheck): Promise<Failure[]> {
  const text = configText(home);
  if (!text.ok) return [text.error];
  return text.value === undefined ? [] : configProblemsIn(text.value, join(home, "config.yaml"), ofAuth);
}

/** The same for a text that the file has or will have. */
export async function configProblemsIn(text: string, file: string, ofAuth?: AuthCheck): Promise<Failure[]> {
  const parsed = await parse(text, file);
  if (!parsed.ok) return [parsed.error];
  const { values, place } = parsed.value;
  const { CONFIG } = await import("./config-shape.ts");
  const auth = Object.entries(CONFIG.shape.auth.safeParse(values.auth).data ?? {}).flatMap(([name, fields]) => {
    const problem = ofAuth?.(fields);
    return problem === undefined ? [] : [invalid(file, place(["auth", name]), `auth.${name}: ${problem}`)];
  });
  return [...(await problemsOf(parsed.value, file)), ...auth];
}

/** Undefined if there is no file. */
export function configText(home: string): Result<string | undefined, Failure> {
  const file = join(home, "config.yaml");
  try {
    const { mode, size } = statSync(file);
    if (process.platform !== "win32" && (mode & 0o022) !== 0) return err(openToOthers(file));
    if (size > limits.secretFileBytesMax)
      return err(invalid(file, "", `has more than ${limits.secretFileBytesMax} bytes`));
    return ok(readFileSync(file, "utf8"));
  } catch (reason) {
    const { code } = reason as NodeJS.ErrnoException;
    if (code === "ENOENT") return ok(undefined);
    return err({ code: "config-unreadable", message: `${file} cannot be read: ${code ?? "unknown reason"}.` });
  }
}

type Section = keyof Config;

/** Without a file nothing is loaded to read it. */
async function readConfig<S extends Section>(
  home: string,
  ...sections: S[]
): Promise<Result<{ config: Pick<Config, S>; at(...path: string[]): string }, Failure>> {
  const file = join(home, "config.yaml");
  const text = configText(home);
  if (!text.ok) return text;
  if (text.value === undefined) return ok({ config: {} as Pick<Config, S>, at: () => file });
  const parsed = await parse(text.value, file);
  if (!parsed.ok) return parsed;
  const [wrong] = await problemsOf(parsed.value, file, sections);
  if (wrong !== undefined) return err(wrong);
  const { values, place } = parsed.value;
  const { CONFIG } = await import("./config-shape.ts");
  const config = Object.fromEntries(sections.map((name) => [name, CONFIG.shape[name].parse(values[name])]));
  return ok({ config: config as Pick<Config, S>, at: (...path) => `${file}${place(path)}` });
}

interface Parsed {
  values: Readonly<Record<string, unknown>>;
  /** Where a value is, or the key of the map at `path`, as `:LINE:COLUMN`. */
  place(path: readonly PropertyKey[], key?: string): string;
}

async function parse(text: string, file: string): Promise<Result<Parsed, Failure>> {
  const { isMap, LineCounter, parseDocument } = await import("yaml");
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter });
  const at = (offset: number) => {
    const { line, col } = counter.linePos(offset);
    return `:${line}:${col}`;
  };
  const place: Parsed["place"] = (path, key) => {
    const value = document.getIn(path, true) as Node | undefined;
    const pair = isMap<Node>(value) && key !== undefined ? value.items.find((it) => String(it.key) === key) : undefined;
    const range = (pair?.key ?? value)?.range;
    return range ? at(range[0]) : path.length === 0 ? "" : place(path.slice(0, -1));
  };
  const [error] = document.errors;
  if (error !== undefined) {
    const said = error.message.split("\n")[0]!.replace(/ at line \d+, column \d+:?$/, "");
    return err(invalid(file, at(error.pos[0]), `is not YAML: ${said}`));
  }
  if (document.contents !== null && !isMap(document.contents))
    return err(invalid(file, place([]), "the file must contain an object"));
  try {
    return ok({ values: document.toJS() ?? {}, place });
  } catch {
    return err(invalid(file, "", "uses an unknown alias, or too many of them"));
  }
}

/** C1. Settings that do not exist come first: one could be a misspelt one of these sections. */
async function problemsOf({ values, place }: Parsed, file: string, sections?: readonly Section[]): Promise<Failure[]> {
  const { CONFIG } = await import("./config-shape.ts");
  const found = CONFIG.safeParse(values).error?.issues ?? [];
  const isAsked = (name: PropertyKey | undefined) =>
    name === undefined || sections?.includes(name as Section) !== false;
  return found
    .filter(({ path: [section] }) => isAsked(section))
    .sort((one, other) => Number(one.path.length > 0) - Number(other.path.length > 0))
    .flatMap((issue) => {
      const { code, path, message } = issue;
      const name = path.length === 0 ? "" : `${path.join(".")} `;
      if (code === "unrecognized_keys")
        return issue.keys.map((key) => invalid(file, place(path, key), `${name}has no setting "${key}". ${message}`));
      const where = code === "invalid_key" ? place(path.slice(0, -1), String(path.at(-1))) : place(path);
      return [invalid(file, where, `${name}${message}`)];
    });
}

const invalid = failureOf("config-invalid", (file: string, where: string, what: string) => [
  `${file}${where}: ${what}.`,
  "For all settings, run: curlew docs configuration",
]);

const openToOthers = failureOf("config-not-private", (file: string) => [
  `Other users may write to ${file}, which names programs to run. Curlew does not use it.`,
  `Run: chmod go-w '${file}'`,
]);

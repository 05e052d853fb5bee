// Reads the secrets section of config.yaml in the data directory, and how long runs are kept (spec 2.7, 4.2).
//     secrets:
//       GITHUB_TOKEN: { command: [op, read, "op://dev/github/token"], timeout: 30s }   # a list runs without a shell
//       VAULT_TOKEN: { command: "vault kv get -field=token kv/ci" }                    # a string is run by sh
//       NPM_TOKEN: { env: CI_NPM_TOKEN }
//       DB_PASSWORD: { keychain: { service: db, account: ci } }
//     keyring: off
//     history: { keep: 90d, maxRuns: 10000 }
//     trust: all-new
//     labels: [gpu, eu]                               # of this machine, for `runsOn`
//     publicHooksUrl: https://hooks.example.com      # the URL under which a tunnel or proxy exposes the webhooks
//   C1. A problem is reported with its line and column, and then no part of that section is used.
//   C2. A file that other users can write to is rejected, because it names programs that would run as this user.

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Document, LineCounter, Node, Pair, YAMLMap } from "yaml";
import { parseDuration } from "../base/duration.ts";
import type { Failure } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import { isSecretName } from "./value.ts";

export type SecretSource = { at: string } & (
  | { kind: "command"; argv: readonly string[]; shell: boolean; timeoutMs: number }
  | { kind: "env"; name: string }
  | { kind: "keychain"; service: string; account: string }
);

export interface SecretConfig {
  sources: ReadonlyMap<string, SecretSource>;
  keyringOff: boolean;
}

const NOTHING: SecretConfig = { sources: new Map(), keyringOff: false };
const WAYS = 'one of { command: [PROGRAM, …] }, { command: "…" }, { env: NAME }, { keychain: { service, account } }';
/** All settings of the file. Other modules read those that this one does not. */
const KNOWN = ["secrets", "keyring", "llm", "auth", "history", "trust", "publicHooksUrl", "labels"];

/** Empty if there is no file. Failures: `config-invalid`, `config-unreadable`, `config-open`. */
export function readSecretConfig(home: string): Promise<Result<SecretConfig, Failure>> {
  return readConfig(home, NOTHING, secretsOf);
}

/** How long finished runs are kept. Without both, they are kept forever. */
export interface HistoryLimits {
  keepMs?: number;
  maxRuns?: number;
}

/** Failures as above. */
export function readHistoryLimits(home: string): Promise<Result<HistoryLimits, Failure>> {
  return readConfig(home, {}, historyOf);
}

/** Which commands are blocked until a person has approved them: those of imported workflows (the default), or all. */
export type TrustMode = "imported" | "all-new";

/**
 * Avoids loading the YAML parser if the file has no `trust` and no unknown setting, which could be a misspelt one.
 * Failures as above.
 */
export async function readTrustMode(home: string): Promise<Result<TrustMode, Failure>> {
  try {
    if (mayGoWithout("trust", readFileSync(join(home, "config.yaml"), "utf8"))) return ok("imported");
  } catch {
    // The call below reports any problem with reading the file.
  }
  return readConfig<TrustMode>(home, "imported", trustOf);
}

/** Whether every line at the margin is a comment or a known setting other than `name`. If not, the file is parsed. */
function mayGoWithout(name: string, text: string): boolean {
  const atMargin = text.split(/\r?\n/).filter((line) => !/^(?:\s|#|$)/.test(line));
  const names = atMargin.map((line) => /^(\w+):(?:\s|$)/.exec(line)?.[1] ?? "");
  return names.length > 0 && !text.includes(name) && names.every((each) => KNOWN.includes(each));
}

function trustOf(top: YAMLMap, place: Place): TrustMode {
  const entry = entriesOf(top, place).find(({ name }) => name === "trust");
  const value = entry === undefined ? "imported" : place.plain(entry.value);
  if (value === "imported" || value === "all-new") return value;
  throw place.wrong(entry!.value, "trust must be imported or all-new");
}

/** Undefined if it is not set. Failures as above. */
export function readPublicHooksUrl(home: string): Promise<Result<string | undefined, Failure>> {
  return readConfig(home, undefined, publicHooksUrlOf);
}

function publicHooksUrlOf(top: YAMLMap, place: Place): string | undefined {
  const entry = entriesOf(top, place).find(({ name }) => name === "publicHooksUrl");
  if (entry === undefined) return undefined;
  const value = place.plain(entry.value);
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
  const { protocol = "", search, hash, username, password } = url ?? {};
  if (url === undefined || !/^https?:$/.test(protocol) || search || hash || username || password)
    throw place.wrong(entry.value, "publicHooksUrl must be an address such as https://hooks.example.com");
  return url.href.replace(/\/+$/, "");
}

/** The labels that the user gave this machine, for `runsOn`. Failures as above. */
export function readLabels(home: string): Promise<Result<readonly string[], Failure>> {
  return readConfig<readonly string[]>(home, [], labelsOf);
}

function labelsOf(top: YAMLMap, place: Place): readonly string[] {
  const entry = entriesOf(top, place).find(({ name }) => name === "labels");
  if (entry === undefined) return [];
  const value = place.plain(entry.value);
  if (Array.isArray(value) && value.every((label) => typeof label === "string" && label !== "")) return value;
  throw place.wrong(entry.value, "labels must be a list of strings, such as [gpu, eu]");
}

export type Use<T> = (top: YAMLMap, place: Place) => T;

/** For sections that other modules read. `nothing`: the value if there is no file. */
export async function readConfig<T>(home: string, nothing: T, use: Use<T>): Promise<Result<T, Failure>> {
  const file = join(home, "config.yaml");
  const text = configText(home);
  if (!text.ok) return text;
  return text.value === undefined ? ok(nothing) : readConfigText(text.value, file, nothing, use);
}

/** Undefined if there is no file. Failures as above. */
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

async function readConfigText<T>(text: string, file: string, nothing: T, use: Use<T>): Promise<Result<T, Failure>> {
  return attempt(await topOf(text, file), (read) => {
    const [stray] = read === undefined ? [] : strayIn(read.top, read.place);
    if (stray !== undefined) throw stray;
    return read === undefined ? nothing : use(read.top, read.place);
  });
}

/** All problems of a text: each unknown setting, and the first problem of each section. */
export async function problemsIn(text: string, file: string, uses: readonly Use<unknown>[]): Promise<Failure[]> {
  const read = await topOf(text, file);
  if (!read.ok) return [read.error];
  if (read.value === undefined) return [];
  const { top, place } = read.value;
  const strays = attempt(read, () => strayIn(top, place));
  if (!strays.ok) return [strays.error];
  const found = strays.value.map(({ failure }) => failure);
  for (const use of [secretsOf, historyOf, trustOf, publicHooksUrlOf, labelsOf, ...uses]) {
    const used = attempt(read, () => use(top, place));
    if (!used.ok) found.push(used.error);
  }
  return found;
}

/** Thrown only inside this file. */
class Wrong extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

interface Read {
  top: YAMLMap;
  place: Place;
}

/** Undefined if the text has no content. */
async function topOf(text: string, file: string): Promise<Result<Read | undefined, Failure>> {
  const { isMap, LineCounter, parseDocument } = await import("yaml");
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter }) as Document;
  const place = new Place(file, counter, document, isMap);
  const [error] = document.errors;
  if (error !== undefined) {
    const said = error.message.split("\n")[0]!.replace(/ at line \d+, column \d+:?$/, "");
    return err(invalid(file, place.of(error.pos[0]), `is not YAML: ${said}`));
  }
  if (document.contents === null) return ok(undefined);
  const contents = document.contents as Node;
  return attempt(ok(undefined), () => ({ top: place.mapAt(contents, "the file must be a map"), place }));
}

function strayIn(top: YAMLMap, place: Place): Wrong[] {
  return entriesOf(top, place)
    .filter(({ name }) => !KNOWN.includes(name))
    .map(({ name, key }) => place.wrong(key, `has no setting "${name}"; there are ${KNOWN.join(", ")}`));
}

function attempt<T, R>(given: Result<T, Failure>, use: (value: T) => R): Result<R, Failure> {
  if (!given.ok) return given;
  try {
    return ok(use(given.value));
  } catch (reason) {
    if (reason instanceof Wrong) return err(reason.failure);
    throw reason;
  }
}

function secretsOf(top: YAMLMap, place: Place): SecretConfig {
  const sources = new Map<string, SecretSource>();
  let keyringOff = false;
  for (const { name, value } of entriesOf(top, place)) {
    if (name === "keyring") keyringOff = isOff(value, place);
    if (name !== "secrets" || ("value" in value && value.value === null)) continue;
    for (const entry of entriesOf(place.mapAt(value, "secrets must be a map"), place)) {
      if (!isSecretName(entry.name))
        throw place.wrong(
          entry.key,
          `names a secret ${JSON.stringify(entry.name)}; names are letters, digits and underscores`,
        );
      sources.set(entry.name, sourceOf(entry.name, entry.value, place));
    }
  }
  return { sources, keyringOff };
}

export class Place {
  readonly file: string;
  readonly #counter: LineCounter;
  readonly #document: Document;
  readonly #isMap: (node: unknown) => node is YAMLMap;
  constructor(file: string, counter: LineCounter, document: Document, isMap: (node: unknown) => node is YAMLMap) {
    this.file = file;
    this.#counter = counter;
    this.#document = document;
    this.#isMap = isMap;
  }
  mapAt(node: Node, need: string): YAMLMap {
    if (this.#isMap(node)) return node;
    throw this.wrong(node, need);
  }
  plain(node: Node): unknown {
    try {
      return node.toJS(this.#document);
    } catch {
      throw this.wrong(node, "uses an alias that is not there, or too many of them");
    }
  }
  of(offset: number): string {
    const { line, col } = this.#counter.linePos(offset);
    return `:${line}:${col}`;
  }
  at(node: Node | null | undefined): string {
    return `${this.file}${this.of(node?.range?.[0] ?? 0)}`;
  }
  wrong(node: Node | null | undefined, what: string): Wrong {
    return new Wrong(invalid(this.file, this.of(node?.range?.[0] ?? 0), what));
  }
}

function sourceOf(name: string, node: Node, place: Place): SecretSource {
  const where = `secrets.${name}`;
  const entries = entriesOf(place.mapAt(node, `${where} must be ${WAYS}`), place);
  const ways = entries.filter((entry) => entry.name !== "timeout");
  const stray = ways.find((entry) => !["command", "env", "keychain"].includes(entry.name));
  if (stray !== undefined || ways.length !== 1)
    throw place.wrong((stray ?? ways[1])?.key ?? node, `${where} must be ${WAYS}`);
  const { name: way, value } = ways[0]!;
  const at = place.at(node);
  const timeout = entries.find((entry) => entry.name === "timeout");
  if (timeout !== undefined && way !== "command")
    throw place.wrong(timeout.key, `${where}.timeout is only for a command`);
  if (way === "command")
    return {
      at,
      kind: "command",
      ...commandOf(where, value, place),
      timeoutMs: timeoutOf(where, timeout?.value, place),
    };
  if (way === "env") {
    const other = place.plain(value);
    if (typeof other !== "string" || !/^[^=\0]+$/.test(other))
      throw place.wrong(value, `${where}.env must be the name of an environment variable`);
    return { at, kind: "env", name: other };
  }
  const map = place.mapAt(value, `${where}.keychain must be { service: TEXT, account: TEXT }`);
  const members = new Map(entriesOf(map, place).map((each) => [each.name, place.plain(each.value)]));
  const [service, account] = [members.get("service"), members.get("account")];
  const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
  if (members.size !== 2 || !isText(service) || !isText(account))
    throw place.wrong(value, `${where}.keychain must be { service: TEXT, account: TEXT }`);
  return { at, kind: "keychain", service, account };
}

function commandOf(where: string, node: Node, place: Place): { argv: readonly string[]; shell: boolean } {
  const value = place.plain(node);
  if (typeof value === "string" && value.trim() !== "" && !value.includes("\0")) return { argv: [value], shell: true };
  const words = Array.isArray(value) ? value : [];
  const fits = words.length > 0 && words.every((word) => typeof word === "string" && !word.includes("\0"));
  if (!fits || words[0] === "")
    throw place.wrong(node, `${where}.command must be a list of texts, the program first, or one text for the shell`);
  return { argv: words, shell: false };
}

function timeoutOf(where: string, node: Node | undefined, place: Place): number {
  if (node === undefined) return limits.secretCommandTimeoutMs;
  const parsed = parseDuration(String(place.plain(node)));
  if (!parsed.ok || parsed.value <= 0) throw place.wrong(node, `${where}.timeout must be a duration such as 30s`);
  return parsed.value;
}

function isOff(node: Node, place: Place): boolean {
  const value = place.plain(node);
  if (value === "off" || value === false) return true;
  if (value === "on" || value === true) return false;
  throw place.wrong(node, "keyring must be on or off");
}

const HISTORY = "history must be { keep: TIME, maxRuns: NUMBER }, such as { keep: 90d, maxRuns: 10000 }";

function historyOf(top: YAMLMap, place: Place): HistoryLimits {
  const entry = entriesOf(top, place).find(({ name }) => name === "history");
  const found: HistoryLimits = {};
  for (const { name, key, value } of entry === undefined ? [] : entriesOf(place.mapAt(entry.value, HISTORY), place)) {
    const plain = place.plain(value);
    const keep = name === "keep" && typeof plain === "string" ? parseDuration(plain) : undefined;
    if (keep?.ok && keep.value > 0) found.keepMs = keep.value;
    else if (name === "maxRuns" && Number.isSafeInteger(plain) && (plain as number) > 0)
      found.maxRuns = plain as number;
    else throw place.wrong(name === "keep" || name === "maxRuns" ? value : key, HISTORY);
  }
  return found;
}

interface Entry {
  name: string;
  key: Node;
  value: Node;
}

export function entriesOf(map: YAMLMap, place: Place): Entry[] {
  return (map.items as Pair<Node, Node | null>[]).map(({ key, value }) => {
    const name = place.plain(key);
    if (typeof name !== "string") throw place.wrong(key, "has a key that is not a text");
    // `NAME:` without a value has no value node.
    return { name, key, value: value ?? key };
  });
}

function invalid(file: string, where: string, what: string): Failure {
  return {
    code: "config-invalid",
    message: `${file}${where}: ${what}.`,
    hint: "docs/reference/secrets.md shows what is allowed there, and docs/reference/language-models.md for llm.",
  };
}

function openToOthers(file: string): Failure {
  return {
    code: "config-open",
    message: `Other users may write to ${file}, which names programs to run; it is not used.`,
    hint: `Run: chmod go-w '${file}'`,
  };
}

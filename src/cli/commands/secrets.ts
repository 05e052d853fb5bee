// secrets: the local store of secrets: set, list, rm (spec 2.2, 4.2).
//   X1. A value comes from a hidden prompt or stdin, never from the command line, which the shell history and process
//       list show. No value is ever printed.
//   X2. A rejected command changes nothing.

import type { Failure } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import { readSecretConfig, type SecretSource } from "../../secrets/config.ts";
import { readSecrets, removeSecret, setSecret } from "../../secrets/store.ts";
import { type KeyDeps, keyDepsOf } from "../../secrets/store-key.ts";
import { checkSecretValue, isSecretName, secretText } from "../../secrets/value.ts";
import { didYouMean } from "../../workflow/nearest.ts";
import { Exit } from "../exit.ts";
import { type Cell, printList } from "../list.ts";
import { type HomeOption, homeOf, logged, refused } from "../open.ts";
import { askHidden } from "../prompt.ts";
import type { Terminal } from "../terminal.ts";

export async function set(name: string, more: string[], options: HomeOption, terminal: Terminal): Promise<Exit> {
  const mistake = mistakeIn(name, more);
  if (mistake !== undefined) return refused(mistake, terminal);
  const deps = await depsOf(options, terminal);
  if (typeof deps === "number") return deps;
  const given = await readValue(name, terminal);
  if (given === undefined) return Exit.INTERRUPTED;
  const value = secretText(given, `The value of ${name}`);
  if (!value.ok) return refused(value.error, terminal);
  const unfit =
    value.value === ""
      ? { code: "secret-too-short", message: `The value of ${name} is missing.`, hint: EXAMPLE }
      : checkSecretValue(value.value, `The value of ${name}`);
  if (unfit !== undefined) return refused(unfit, terminal);
  return logged("secret.set", name, options, terminal, async () => {
    const saved = await setSecret({ name, value: value.value, setAt: new Date().toISOString() }, deps);
    if (!saved.ok) return refused(saved.error, terminal);
    const where = saved.value.key === "keyring" ? "the desktop keyring" : `${deps.home}/secrets.key`;
    terminal.err(`Saved ${name}, encrypted; the key is in ${where}.\n`);
    return Exit.OK;
  });
}

export async function list(options: HomeOption & { json?: boolean }, terminal: Terminal): Promise<Exit> {
  const deps = await depsOf(options, terminal);
  if (typeof deps === "number") return deps;
  const [stored, config] = [await readSecrets(deps), await readSecretConfig(deps.home)];
  if (!stored.ok) return refused(stored.error, terminal);
  if (!config.ok) return refused(config.error, terminal);
  const all: Listed[] = [
    ...stored.value.secrets.map(({ name, setAt }) => ({ name, source: "store" as const, setAt })),
    ...[...config.value.sources].map(([name, source]) => ({ name, source: "config" as const, ...wayOf(source) })),
  ].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const row = (each: Listed): Cell[] =>
    each.source === "store"
      ? [each.name, "store", `set ${each.setAt.slice(0, 16).replace("T", " ")} UTC`]
      : [each.name, "config", each.way];
  const empty = 'There are no local secrets. "curlew secrets set NAME" saves one.';
  printList(all, { json: options.json, empty, row }, terminal);
  return Exit.OK;
}

export async function rm(name: string, options: HomeOption, terminal: Terminal): Promise<Exit> {
  const deps = await depsOf(options, terminal);
  if (typeof deps === "number") return deps;
  const stored = await readSecrets(deps);
  if (!stored.ok) return refused(stored.error, terminal);
  const names = stored.value.secrets.map((each) => each.name);
  if (!names.includes(name)) {
    const help = names.length === 0 ? "The local store is empty." : `Its secrets: ${names.sort().join(", ")}.`;
    const message = `The local store has no secret "${name}".${didYouMean(name, names)}`;
    return refused({ code: "unknown-secret", message, hint: help }, terminal);
  }
  return logged("secret.removed", name, options, terminal, async () => {
    const removed = await removeSecret(name, deps);
    if (!removed.ok) return refused(removed.error, terminal);
    terminal.err(`Removed ${name}.\n`);
    return Exit.OK;
  });
}

const EXAMPLE = "Type it at the prompt, or pass it on stdin: curlew secrets set NAME < FILE";

type Listed = { name: string } & ({ source: "store"; setAt: string } | { source: "config"; way: string; at: string });

/** Rejects a value on the command line without repeating it. */
function mistakeIn(name: string, more: readonly string[]): Failure | undefined {
  if (more.length > 0 || name.includes("="))
    return {
      code: "secret-on-command-line",
      message:
        '"curlew secrets set" takes a name and nothing else: a value there stays in the shell\'s history and shows in the process list.',
      hint: `${EXAMPLE}\nIf it was the value, others may know it now. Replace it.`,
    };
  if (isSecretName(name)) return undefined;
  return {
    code: "bad-name",
    message: "This is not a valid name of a secret.",
    hint: `Use letters, digits, and underscores, but no digit first, and at most ${limits.idCharsMax} characters.`,
  };
}

/** Or an exit code after a message on stderr. */
async function depsOf(options: HomeOption, terminal: Terminal): Promise<KeyDeps | Exit> {
  const deps = await keyDepsOf(homeOf(options, terminal), terminal.env, (failure) =>
    terminal.problem(failure, "warning"),
  );
  return deps.ok ? deps.value : refused(deps.error, terminal);
}

/** Undefined if the user cancelled. */
async function readValue(name: string, terminal: Terminal): Promise<Uint8Array | undefined> {
  const stdin = terminal.stdin();
  if (stdin.isTTY) {
    const typed = await askHidden(`Value of ${name} (not shown): `, terminal);
    return typed === undefined ? undefined : Buffer.from(typed);
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    chunks.push(chunk);
    bytes += chunk.length;
    // Already too large, so reading stops.
    if (bytes > limits.secretBytesMax + 2) break;
  }
  return Buffer.concat(chunks);
}

function wayOf(source: SecretSource): { way: string; at: string } {
  const way =
    source.kind === "command"
      ? `command ${source.shell ? source.argv[0]?.trim().split(/\s/)[0] : source.argv[0]}`
      : source.kind === "env"
        ? `env ${source.name}`
        : `keychain ${source.service}`;
  return { way, at: source.at };
}

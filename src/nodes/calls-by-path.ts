// calls-by-path: commands that call curl past PATH are told so that these calls are seen, too (spec 3.6, docs/adr/0046).
//   Q1. Only a command whose text, or a script that it names, or one that such a script names, shows a curl with a path, a PATH of its own
//       or a login shell: to all others nothing is done.
//   Q2. Nothing is preloaded that was not tried on this machine first, once a process.
// Deliberately absent: scripts that are found on PATH, or in a folder that the command goes to; what a command makes while it runs.

import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { limits } from "../base/limits.ts";
import { isOutOfReach, leadsAway } from "../process/curl-by-path.ts";

/** curl-front.ts unsets it for whatever it starts. */
const FRONT = "CURLEW_CURL_FRONT";
const works = new Map<string, boolean>();

/** Where the two stand that catch such a call: the curl in front, and what leads to it. */
export interface Catching {
  front: string;
  object: string;
}

interface Command {
  content: string;
  env: Readonly<Record<string, string>>;
  cwd: string;
}

/** For the environment of a command that may call curl past PATH; undefined for every other one. */
export function catchByPath({ front, object }: Catching, command: Command): Record<string, string> | undefined {
  if (!mayCallByPath(command) || !isWorking({ front, object })) return undefined;
  const { LD_PRELOAD } = command.env;
  return { [FRONT]: front, LD_PRELOAD: LD_PRELOAD ? `${object}:${LD_PRELOAD}` : object };
}

/** Whether a curl that a text shows past PATH is not seen all the same. `path`: undefined for one that a PATH of its own leads to. */
export function escapes(catching: Catching | undefined, path: string | undefined): boolean {
  if (catching === undefined || !isWorking(catching)) return true;
  return path?.startsWith("/") === true && isOutOfReach(path);
}

/** Q2. The loader takes a space or a colon for the end of a name. */
function isWorking({ front, object }: Catching): boolean {
  const known = works.get(object);
  if (known !== undefined) return known;
  const well = !/[\s:]/.test(object) && leadsAway(object, front);
  works.set(object, well);
  return well;
}

/** Q1. */
function mayCallByPath({ content, env, cwd }: Command): boolean {
  if (PAST.test(content) || Object.values(env).some((value) => value.endsWith("/curl"))) return true;
  for (const { text } of namedScripts(content, cwd)) if (PAST.test(text)) return true;
  return false;
}

/** The scripts that a command names, and those that they name; by the names that stand there. */
export function* namedScripts(content: string, cwd: string): Generator<{ name: string; text: string }> {
  const names = filesOf(content);
  for (let at = 0; at < Math.min(names.length, limits.namedScriptsMax); at++) {
    const text = textOf(resolve(cwd, names[at]!));
    if (text !== "") yield { name: names[at]!, text };
    for (const name of filesOf(text)) if (!names.includes(name)) names.push(name);
  }
}

const PAST =
  /\/curl(?![\w-])|\bPATH\+?=|["']PATH["']|\b(?:ba|da|k|z|c)?sh\s+(?:\S+\s+)?(?:-[a-zA-Z]*l|--login)|\bsu\s|profile\b/;

/** Words that can name a script: with a slash or an ending, and what `make` and `npm` read. */
function filesOf(content: string): string[] {
  const words = content.split(/[^\w.~+@%/-]+/);
  const named = words.filter((word) => /\/|\.\w{1,4}$/.test(word) && !word.includes("//") && word.length < 256);
  const read = [
    ...(/\bmake\b/.test(content) ? ["GNUmakefile", "makefile", "Makefile"] : []),
    ...(/\b(?:npm|npx|pnpm|yarn)\b/.test(content) ? ["package.json"] : []),
  ];
  return [...new Set([...named, ...read])].slice(0, limits.namedScriptsMax);
}

function textOf(file: string): string {
  try {
    const stat = statSync(file);
    if (!stat.isFile() || stat.size > limits.namedScriptBytesMax) return "";
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}

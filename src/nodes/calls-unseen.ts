// calls-unseen: on record with an attempt: that its command, or a script that it names, calls curl where nobody sees it, as the text shows
// (spec 3.6).
//   N1. Only a command in which curl stands with a path or behind a wrapper is parsed for that; once a node.
//   N2. What is caught on this machine (calls-by-path.ts) is seen, and not told.
// Deliberately absent: whether that call was made; what is found before the run (lints/curl.ts and lints/own-environment.ts, whose words
// these are).

import { resolve } from "node:path";
import type { CliNode } from "../workflow/model.ts";
import { isInspected, readCommand } from "../workflow/safety/inspect.ts";
import { unseenCalls } from "../workflow/safety/lints/curl.ts";
import { OWN_ENVIRONMENT, ownEnvironment } from "../workflow/safety/lints/own-environment.ts";
import { scriptOf } from "../workflow/safety/script.ts";
import { type Catching, escapes, namedScripts } from "./calls-by-path.ts";
import type { AttemptEnding } from "./executor.ts";

const known = new WeakMap<CliNode, Promise<string[]>>();
const NOTHING = { meaningOf: () => ({}), exported: () => undefined, environment: () => undefined };

/** Warning `curl-unseen`, beside what the ending warns of itself. `folder`: what the node's `cwd` is relative to. */
export async function withUnseen(
  ending: AttemptEnding,
  node: CliNode,
  folder: string,
  catching: Catching | undefined,
): Promise<AttemptEnding> {
  if (!("facts" in ending)) return ending;
  const ways = known.get(node) ?? waysOf(node, folder, catching);
  known.set(node, ways);
  const unseen = (await ways).map((how) => ({
    code: "curl-unseen",
    message: `Calls of curl that Curlew cannot see are missing here: ${how}.`,
  }));
  const all = [...(ending.facts.warnings ?? []), ...unseen];
  return all.length === 0 ? ending : { ...ending, facts: { ...ending.facts, warnings: all } };
}

async function waysOf({ data }: CliNode, folder: string, catching: Catching | undefined): Promise<string[]> {
  const { content } = data;
  const ways = mayHide(content) && isInspected(data) ? await waysInShell(content, catching) : [];
  if (ownEnvironment(content) !== undefined) ways.push(`the program ${OWN_ENVIRONMENT}`);
  for (const { name, text } of namedScripts(content, resolve(folder, data.cwd ?? "."))) {
    if (ownEnvironment(text) !== undefined) ways.push(`${name} ${OWN_ENVIRONMENT}`);
    const taker = TAKES_ALL.exec(text)?.[1];
    if (taker !== undefined) ways.push(`${taker} in ${name} takes away what makes Curlew see curl`);
  }
  return [...new Set(ways)];
}

/** `sudo curl`, `env -i PATH=… curl` in a script. */
const TAKES_ALL = /^[^#\n]*\b(sudo|doas|env(?=\s+(?:-\s|-i\b|--ignore-environment)))\s[^\n;|&#]*\bcurl\s/m;

function mayHide(content: string): boolean {
  return /\/curl\b/.test(content) || (/\bcurl\b/.test(content) && /\b(?:sudo|doas|env)\b/.test(content));
}

async function waysInShell(content: string, catching: Catching | undefined): Promise<string[]> {
  const reading = await readCommand(content, () => false);
  if (reading === undefined) return [];
  return unseenCalls(scriptOf(reading, NOTHING))
    .filter(({ past }) => past === undefined || escapes(catching, past.path))
    .map(({ how }) => how);
}

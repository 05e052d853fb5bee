// calls-unseen: on record with an attempt: that its command calls curl where nobody sees it, as its text shows (spec 3.6).
//   N1. Only a command in which curl stands with a path or behind a wrapper is read for that; once a node.
//   N2. What is caught on this machine (calls-by-path.ts) is seen, and not told.
// Deliberately absent: whether that call was made; what is found before the run (lints/curl.ts, whose words these are).

import type { CliNode } from "../workflow/model.ts";
import { isInspected, readCommand } from "../workflow/safety/inspect.ts";
import { unseenCalls } from "../workflow/safety/lints/curl.ts";
import { scriptOf } from "../workflow/safety/script.ts";
import { type Catching, escapes } from "./calls-by-path.ts";
import type { AttemptEnding } from "./executor.ts";

type Warnings = { code: string; message: string }[];

const known = new WeakMap<CliNode, Promise<Warnings>>();
const NOTHING = { meaningOf: () => ({}), exported: () => undefined, environment: () => undefined };

/** Warning `curl-unseen`, beside what the ending warns of itself. */
export async function withUnseen(
  ending: AttemptEnding,
  node: CliNode,
  catching: Catching | undefined,
): Promise<AttemptEnding> {
  if (!("facts" in ending) || !mayHide(node.data.content) || !isInspected(node.data)) return ending;
  const warnings = known.get(node) ?? warningsOf(node.data.content, catching);
  known.set(node, warnings);
  const all = [...(ending.facts.warnings ?? []), ...(await warnings)];
  return all.length === 0 ? ending : { ...ending, facts: { ...ending.facts, warnings: all } };
}

function mayHide(content: string): boolean {
  return /\/curl\b/.test(content) || (/\bcurl\b/.test(content) && /\b(?:sudo|doas|env)\b/.test(content));
}

async function warningsOf(content: string, catching: Catching | undefined): Promise<Warnings> {
  const reading = await readCommand(content, () => false);
  if (reading === undefined) return [];
  const unseen = unseenCalls(scriptOf(reading, NOTHING)).filter(
    ({ past }) => past === undefined || escapes(catching, past.path),
  );
  return [...new Set(unseen.map(({ how }) => how))].map((how) => ({
    code: "curl-unseen",
    message: `Calls of curl that Curlew cannot see are missing here: ${how}.`,
  }));
}

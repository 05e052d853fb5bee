// A second opinion: another shell parser (mvdan/sh, as sh-syntax) must find the same kind of place for each reference:
// bare, in double quotes, or in single quotes. Its layout of a script shows how it read a place:
//   A bare place: words end at spaces, so `a  b` becomes `a b`, or is a syntax error.
//   A place in double quotes or a heredoc: the shell expands, so `$(a  b)` becomes `$(a b)`.
//   Plain text in single quotes: both stay.
// If it cannot parse a script, Curlew must reject it, or UNKNOWN_TO_IT names the reason.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, print } from "sh-syntax";
import { expect, test } from "vitest";
import { rewriteShell } from "../../src/shell/rewrite/index.ts";
import { positions } from "./positions.ts";

const attacks = readFileSync(join(import.meta.dirname, "attacks.txt"), "utf8")
  .trimEnd()
  .split("\n%%\n");
const scripts = [
  ...positions.filter(({ shells }) => shells?.includes("bash") ?? true).map(({ script }) => script),
  ...attacks,
];
const REFERENCE = /(?<!\\|\$)\$\{v\}/g;

/** Expansions of zsh. Bash reads them as words, and reports "bad substitution" when it runs them. */
const UNKNOWN_TO_IT: readonly RegExp[] = [/\$\{[(~]/];

async function printed(script: string): Promise<string | undefined> {
  try {
    await parse(script);
    return await print(script, { originalText: script } as never);
  } catch {
    return undefined;
  }
}

async function theirs(before: string, after: string): Promise<string> {
  const spaced = await printed(`${before}qa  qb${after}`);
  if (spaced === undefined || !spaced.includes("qa  qb")) return "bare";
  const expanded = await printed(`${before}$(qa  qb)${after}`);
  return expanded?.includes("$(qa  qb)") === false ? "double" : "single";
}

/** The kind of place of each reference, read from the rewritten script between the pieces of the author's text. */
function ours(script: string, rewritten: string): string[] {
  const places: string[] = [];
  let at = 0;
  for (const piece of script.split(REFERENCE)) {
    if (piece !== script.split(REFERENCE)[0] || at > 0) {
      const match = /^(?:('"\$\{CURLEW_V_v\}"\$?')|("\$\{CURLEW_V_v\}")|(\$\{CURLEW_V_v\})|(\$\{v\}))/.exec(
        rewritten.slice(at),
      );
      if (match === null) return [];
      places.push(match[1] ? "single" : match[2] ? "bare" : match[3] ? "double" : "comment");
      at += match[0].length;
    }
    if (!rewritten.startsWith(piece, at)) return [];
    at += piece.length;
  }
  return places;
}

test("both parsers take the same places for the same", async () => {
  const disagreements: string[] = [];
  let compared = 0;
  let unread = 0;
  for (const script of new Set(scripts)) {
    const program = await rewriteShell(script, "bash", (root) => root === "v");
    if (!program.ok || program.value.variables.length === 0) continue;
    if ((await printed(program.value.script)) === undefined) {
      if (!UNKNOWN_TO_IT.some((pattern) => pattern.test(script))) disagreements.push(`it cannot read: ${script}`);
      continue;
    }
    const places = ours(script, program.value.script);
    if (places.length === 0) unread++;
    const pieces = script.split(REFERENCE);
    for (const [index, place] of places.entries()) {
      if (place === "comment") continue;
      const their = await theirs(pieces.slice(0, index + 1).join("w"), pieces.slice(index + 1).join("w"));
      compared++;
      // In arithmetic nothing is quoted, but words still end at spaces.
      const arithmetic = place === "double" && their === "bare" && /\(\(|\$\[|\[\[.*-[a-z]{2}/.test(script);
      if (their !== place && !arithmetic) disagreements.push(`we: ${place}, it: ${their}: ${script} (${index + 1})`);
    }
  }
  console.log(`${compared} places compared`);
  expect(disagreements).toEqual([]);
  // Where quotes that became empty were left out, the pieces are not found again.
  expect(unread).toBeLessThan(20);
  expect(compared).toBeGreaterThan(150);
}, 120_000);

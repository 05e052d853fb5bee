// shebang: parses the first line of a script to find its interpreter (spec 1.2, `mode: script`).
//   H1. The interpreter is started with the script as an argument, never by executing the script: no mode bits, no
//       ETXTBSY.
//   H2. As on Linux, everything after a plain interpreter is one argument. `env -S` splits it into words.

import { basename } from "node:path";

export interface Shebang {
  /** A path, or a bare name to find on PATH (`#!/usr/bin/env python3`). */
  interpreter: string;
  args: string[];
  /** Set if the interpreter is a shell whose scripts are templates. */
  shell?: "bash" | "sh" | "dash" | "zsh";
}

const OUR_SHELLS = new Set(["bash", "sh", "dash", "zsh"]);

/** The interpreter in the first line `#!…`. Undefined if there is no such line or it is empty. */
export function parseShebang(text: string): Shebang | undefined {
  const line = /^#![ \t]*([^\r\n]*)/.exec(text)?.[1]?.trimEnd();
  if (!line) return undefined;
  const [, program = "", rest = ""] = /^(\S+)[ \t]*(.*)$/.exec(line) ?? [];
  if (basename(program) !== "env") return shebang(program, rest === "" ? [] : [rest]);
  const words = envWords(rest);
  if (words === undefined || words.length === 0) return { interpreter: program, args: rest === "" ? [] : [rest] };
  return shebang(words[0]!, words.slice(1));
}

function shebang(interpreter: string, args: string[]): Shebang {
  const name = basename(interpreter);
  return { interpreter, args, ...(OUR_SHELLS.has(name) ? { shell: name as NonNullable<Shebang["shell"]> } : {}) };
}

/** The command that `env` would run. Undefined if only env itself can tell (assignments, other options). */
function envWords(rest: string): string[] | undefined {
  const split = /^(?:-S|--split-string[= ])[ \t]*(.*)$/.exec(rest)?.[1];
  const words = split === undefined ? (rest === "" ? [] : [rest]) : wordsOf(split);
  if (words === undefined || words[0]?.startsWith("-") || words[0]?.includes("=")) return undefined;
  return words;
}

/**
 * Splits `env -S` words: blanks separate, quotes group. Undefined for escapes and expansions, which are left to env.
 */
function wordsOf(text: string): string[] | undefined {
  if (/[\\$]/.test(text)) return undefined;
  const words = [...text.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map((match) => match[0]);
  const bare = words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_all, double, single) => double ?? single));
  return text.replaceAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g, "").trim() === "" ? bare : undefined;
}

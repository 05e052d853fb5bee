// Scripts generated from a grammar run with a hostile value. An oracle that knows nothing of the rewriting judges them:
// the same shell runs the same script with a harmless word in place of `${v}`. If the rewriting is right, the outputs
// are equal once the word is exchanged for the value.

import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Dialect, rewriteShell } from "../../src/shell/rewrite/index.ts";
import { tempFolder } from "../setup/folders.ts";
import { hostileValues } from "./values.ts";

const seed = Number(process.env.CHECK_SEED ?? Date.now() % 2 ** 31);
const scripts = Number(process.env.CURLEW_FUZZ_SCRIPTS ?? 80);
const harmless = "wXyZw";

const folder = realpathSync(tempFolder());
const work = join(folder, "work");
mkdirSync(work);

const programs: Record<Dialect, string[]> = { bash: ["bash", "--norc"], sh: ["sh"], zsh: ["zsh", "-f"] };
const shells = (Object.keys(programs) as Dialect[]).filter(
  (shell) => spawnSync(programs[shell][0] ?? "", ["-c", ":"]).status === 0,
);

const reference = fc.constantFrom(
  "${v}",
  "${v}",
  "${v}${v}",

  "${own}",
  "\\$",
  "x",
  "1",
  "[",
  ".",
  ":",
  "=",
  "~",
  "#",
  "%",
  "é",
  "\\\\",
);
const inSingle = fc.constantFrom("${v}", "${v}", "a", " ", '"', "$(x)", "`", "\\\\", "#", "{", ";", "\n", "*");
const inDouble = fc.constantFrom(
  "${v}",
  "${v}",
  "a",
  " ",
  "'",
  '\\"',

  "${own}",
  "\\$",
  "\\\\",
  "#",
  "{",
  "}",
  ";",
  "\n",
  "*",
  "(",
  ")",
);

const { word: argument } = fc.letrec<{ word: string; part: string }>((tie) => ({
  word: fc.array(tie("part"), { minLength: 1, maxLength: 4 }).map((parts) => parts.join("")),
  part: fc.oneof(
    { maxDepth: 3, depthIdentifier: "word" },
    fc.array(reference, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("").replace(/^#/, "x#")),
    fc.array(inSingle, { maxLength: 5 }).map((parts) => `'${parts.join("")}'`),
    fc.array(inDouble, { maxLength: 5 }).map((parts) => `"${parts.join("")}"`),
    // In quotes, or the author's own script would split it; the dot keeps newlines at the end from being dropped.
    tie("word").map((text) => `"$(printf '%s.' ${text})"`),
  ),
}));

const command = fc.oneof(
  fc.array(argument, { minLength: 1, maxLength: 3 }).map((words) => `printf '%s|' ${words.join(" ")}`),
  argument.map((text) => `x=${text}\nprintf '%s|' "$x"`),
  argument.map((text) => `for y in ${text} end; do printf '%s|' "$y"; done`),
  argument.map((text) => `case ${text} in ${text}) printf 'same|';; *) printf 'other|';; esac`),
  argument.map((text) => `if [ ${text} = ${text} ]; then printf 'same|'; fi`),
  argument.map((text) => `ff() { printf '%s|' "$1" ${text}; }\nff ${text}`),
  argument.map((text) => `( set -- ${text}; printf '%s|' "$@" )`),
  argument.map((text) => `{ printf '%s|' ${text}; } | cat # about \${v} "`),
  fc
    .array(inDouble, { maxLength: 6 })
    .map((parts) => `cat <<EOF\n${parts.join("").replaceAll('\\"', "q").replace(/EOF/g, "")}\nEOF`),
  argument.map((text) => `Z=${text} sh -c 'printf "%s|" "$Z"'`),
);
const script = fc
  .array(command, { minLength: 1, maxLength: 4 })
  .map((commands) => `own='o w n'\n${commands.join("\n")}\n`);

function run(shell: Dialect, text: string, value: string): { output: string; failed: boolean } {
  const file = join(folder, `${shell}.script`);
  writeFileSync(file, text);
  const [program = "", ...args] = programs[shell];
  const done = spawnSync(program, [...args, file], {
    cwd: work,
    env: { PATH: process.env.PATH ?? "", LC_ALL: "C.UTF-8", CURLEW_V_v: value },
    input: "",
    timeout: 10_000,
  });
  return { output: done.stdout.toString(), failed: done.stderr.length > 0 };
}

describe.each(shells)("%s", (shell) => {
  test(`generated scripts (seed ${seed})`, async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(
        script,
        fc.constantFrom(...hostileValues.filter((value) => value.length < 2_000)),
        async (text, value) => {
          const program = await rewriteShell(text, shell, (root) => root === "v");
          // Another script replaces a rejected one, so that every counted run really ran.
          if (!program.ok) return fc.pre(false);
          const plain = run(shell, text.replaceAll("${v}", harmless), "");
          // A script that the shell does not accept with a harmless word does not count.
          fc.pre(!plain.failed);
          compared++;
          const seen = run(shell, program.value.script, value);
          expect({ output: seen.output, failed: seen.failed, left: readdirSync(work) }).toEqual({
            output: plain.output.replaceAll(harmless, () => value),
            failed: false,
            left: [],
          });
        },
      ),
      { seed, numRuns: scripts, verbose: 1 },
    );
    expect(compared).toBe(scripts);
  }, 120_000);
});

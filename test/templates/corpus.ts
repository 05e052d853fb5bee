// corpus: every hostile value in every position of a shell arrives byte for byte, as one word, and nothing runs. One
// process per shell: a loop over files with the values, and in it all positions.

import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { rewriteShell } from "../../src/shell/rewrite/index.ts";
import { tempFolder } from "../setup/folders.ts";
import { type Position, positions, type ShellName } from "./positions.ts";
import { hostileValues, integers } from "./values.ts";

const folder = realpathSync(tempFolder());
const work = join(folder, "work");
mkdirSync(work);
// Names that a pattern could match.
for (const name of ["a", "b", "x", "-rf", "plain"]) writeFileSync(join(work, name), "");
const before = readdirSync(work).sort();

export type Runner = ShellName | "busybox" | "posix";
const programs: Record<Runner, string[]> = {
  bash: ["bash", "--noprofile", "--norc", "-p"],
  sh: ["sh"],
  zsh: ["zsh", "-f"],
  busybox: ["busybox", "sh"],
  posix: ["bash", "--posix", "--noprofile", "--norc", "-p"],
};
const dialectOf = (shell: Runner): ShellName => (shell === "busybox" ? "sh" : shell === "posix" ? "bash" : shell);
const isHere = (shell: Runner): boolean =>
  spawnSync(programs[shell][0] ?? "", [...programs[shell].slice(1), "-c", ":"]).status === 0;
const show = 'show() { printf \'%s\\0\' "$#" "$@"; }';

async function rewritten(position: Position, shell: Runner): Promise<string> {
  const program = await rewriteShell(position.script, dialectOf(shell), (root) => root === "v");
  if (!program.ok)
    throw new Error(`${shell}, ${position.name}: ${program.error[0]?.code} ${program.error[0]?.message}`);
  return program.value.script;
}

function run(shell: Runner, script: string, env: Record<string, string> = {}): string[] {
  const file = join(folder, `${shell}.script`);
  writeFileSync(file, script);
  const [program = "", ...args] = programs[shell];
  const done = spawnSync(program, [...args, file], {
    cwd: work,
    env: { PATH: process.env.PATH ?? "", HOME: "/home-of-the-test", LC_ALL: "C.UTF-8", ...env },
    maxBuffer: 1 << 29,
    encoding: "buffer",
  });
  expect(done.stderr.toString()).toBe("");
  const fields = done.stdout.toString("utf8").split("\0");
  expect(fields.pop()).toBe("");
  return fields;
}

/** Loads each value the way a value too large for the environment is loaded, and runs `body` with it. */
function loop(values: readonly string[], body: string): string {
  for (const [index, value] of values.entries()) writeFileSync(join(folder, `value${index}`), value);
  const indexes = values.map((_, index) => index).join(" ");
  return `${show}\nfor number in ${indexes}; do\nCURLEW_V_v=$(cat '${folder}/value'$number && printf x) && CURLEW_V_v=\${CURLEW_V_v%x}\nVALUE=$CURLEW_V_v\n${body}\ndone\n`;
}

function nothingRan(): void {
  expect(readdirSync(work).sort()).toEqual(before);
}

/** Declares the tests of these shells, if they are installed. */
export function tryCorpus(...runners: Runner[]): void {
  const shells = runners.filter(isHere);

  test("the corpus is as large as promised", () => {
    expect(new Set(hostileValues).size).toBe(hostileValues.length);
    expect(hostileValues.length).toBeGreaterThanOrEqual(80);
    for (const shell of shells)
      expect(
        positions.filter(({ shells: where }) => where?.includes(dialectOf(shell)) ?? true).length,
        shell,
      ).toBeGreaterThanOrEqual(40);
  });

  describe.each(shells)("%s", (shell) => {
    const here = positions.filter((position) => position.shells?.includes(dialectOf(shell)) ?? true);

    test("values × positions", async () => {
      const scripts = await Promise.all(here.map((position) => rewritten(position, shell)));
      const fields = run(shell, loop(hostileValues, scripts.join("\n")));
      let at = 0;
      for (const value of hostileValues) {
        for (const position of here) {
          const expected = position.expected(value);
          const seen = fields.slice(at, at + expected.length);
          at += expected.length;
          if (seen.join("\0") !== expected.join("\0"))
            expect({ position: position.name, seen }).toEqual({ position: position.name, seen: expected });
        }
      }
      expect(at).toBe(fields.length);
      console.log(
        `${shell}: ${hostileValues.length} values × ${here.length} positions = ${hostileValues.length * here.length}`,
      );
      nothingRan();
    }, 60_000);

    test("a default is quoted like the value", async () => {
      // A reference that stays as it is would read differently to the shell.
      for (const position of here.filter(({ script }) => !/[\\$]\$\{v\}|<<'|# /.test(script))) {
        const script = position.script.replaceAll("${v}", '${v|default("x y")}');
        const other = await rewritten({ ...position, script }, shell);
        expect(
          other.replaceAll("CURLEW_V_v__default", "CURLEW_V_v").replaceAll('${v|default("x y")}', "${v}"),
          position.name,
        ).toBe(await rewritten(position, shell));
      }
    });

    test("values through the environment", async () => {
      const script = `${show}\n${await rewritten({ name: "mixed", script: "show ${v} \"${v}\" 'x${v}'", expected: () => [] }, shell)}`;
      for (const value of hostileValues)
        expect(run(shell, script, { CURLEW_V_v: value })).toEqual(["3", value, value, `x${value}`]);
      nothingRan();
    }, 60_000);

    test("whole numbers in arithmetic", async () => {
      const scripts = [
        { text: "show $((${v} + 1))", result: (n: bigint) => n + 1n },
        { text: "show $((5-${v}))", result: (n: bigint) => 5n - n },
        { text: 'show "$(( 2 * (${v}) ))"', result: (n: bigint) => 2n * n },
        ...(dialectOf(shell) === "sh"
          ? []
          : [
              { text: "((k = ${v} % 5)); show $k", result: (n: bigint) => n % 5n },
              { text: "if [[ ${v} -eq ${v} ]]; then show 1; fi", result: () => 1n },
            ]),
      ];
      const bodies = await Promise.all(
        scripts.map(({ text }) => rewritten({ name: text, script: text, expected: () => [] }, shell)),
      );
      const fields = run(shell, loop(integers, bodies.join("\n")));
      const expected = integers.flatMap((text) =>
        scripts.flatMap(({ result }) => ["1", BigInt.asIntN(64, result(BigInt(text))).toString()]),
      );
      expect(fields).toEqual(expected);
    });
  });
}

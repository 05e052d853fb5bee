// attacks: scripts that try to break the rewriting. Each is rejected, or runs with hostile values and nothing of them is
// executed. attacks.txt contains them, separated by lines of %%; each find stays there. With CHECK_FULL=1 every value
// is tried.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Dialect, guardValue, rewriteShell } from "../../src/shell/rewrite/index.ts";
import { each, runFolder, scriptsOf, shells } from "./shells.ts";

const attacks = scriptsOf("attacks.txt");
const { folder, executesAny } = runFolder();
const evil = join(folder, "evil");
writeFileSync(evil, "#!/bin/sh\ntouch canary\n", { mode: 0o755 });

const values = [
  "a[$(touch canary)]",
  // zsh evaluates a subscript only if the array exists.
  "path[$(touch canary)]",
  "$(touch canary)",
  "; touch canary #",
  "touch canary",
  "\n touch canary\n",
  evil,
  "x[`touch canary`]",
  "'; touch canary #",
  '"; touch canary #',
  "() { touch canary; }",
  "*(e:'touch canary':)",
  "e:touch canary:",
  "ls=touch canary",
  "${(e):-$(touch canary)}",
  "x$(touch canary)",
];
const tried = process.env.CHECK_FULL === "1" ? values : values.slice(0, 7);

/** Declares the tests of these shells, if they are installed. */
export function tryAttacks(...dialects: Dialect[]): void {
  test("there are many", () => expect(new Set(attacks).size).toBeGreaterThanOrEqual(400));

  test.each(dialects.filter((shell) => shells.includes(shell)))(
    "%s runs none of them",
    async (shell) => {
      const executed: string[] = [];
      let refused = 0;
      let runs = 0;
      await each(attacks, async (script) => {
        const program = await rewriteShell(script, shell, (root) => root === "v");
        if (!program.ok) {
          refused++;
          return;
        }
        const uses = program.value.variables.flatMap((variable) => variable.uses);
        const allowed = tried.filter((value) =>
          uses.every((use) => guardValue("${v}", use, value, () => false) === undefined),
        );
        runs += allowed.length;
        for (const value of await executesAny(shell, program.value.script, "CURLEW_V_v", allowed))
          executed.push(`${script}   with   ${value}`);
      });
      console.log(`${shell}: ${attacks.length} scripts, ${refused} refused, ${runs} runs`);
      expect(executed).toEqual([]);
      expect(runs).toBeGreaterThan(100);
    },
    300_000,
  );
}

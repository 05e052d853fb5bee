// Scripts that somebody tried to break the rewriting with: each is refused, or runs with hostile values and nothing of them is executed.
// attacks.txt holds them, parted by lines of %%; whatever is found once stays there. With CHECK_FULL=1 every value is tried.

import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type Dialect, guardValue, rewriteShell } from "../../src/workflow/shell-template.ts";

const attacks = readFileSync(join(import.meta.dirname, "attacks.txt"), "utf8")
  .trimEnd()
  .split("\n%%\n");
const folder = mkdtempSync(join(tmpdir(), "curlew-attacks-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const evil = join(folder, "evil");
writeFileSync(evil, "#!/bin/sh\ntouch canary\n", { mode: 0o755 });

const values = [
  "a[$(touch canary)]",
  // zsh evaluates a subscript only of an array that there is.
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

const programs: Record<Dialect, string[]> = {
  bash: ["bash", "--noprofile", "--norc", "-p"],
  sh: ["sh"],
  zsh: ["zsh", "-f"],
};
const shells = (Object.keys(programs) as Dialect[]).filter(
  (shell) => spawnSync(programs[shell][0] ?? "", ["-c", ":"]).status === 0,
);

let count = 0;

/** Whether anything of the value was executed. */
async function executes(shell: Dialect, script: string, value: string): Promise<boolean> {
  const work = join(folder, `run${++count}`);
  mkdirSync(work);
  writeFileSync(join(work, "aa"), "");
  const file = `${work}.script`;
  writeFileSync(file, script);
  const [program = "", ...args] = programs[shell];
  const child = spawn(program, [...args, file], {
    cwd: work,
    stdio: "ignore",
    detached: true,
    env: { PATH: process.env.PATH ?? "", HOME: work, LC_ALL: "C.UTF-8", CURLEW_V_v: value },
  });
  await new Promise<void>((resolve) => {
    // A script that waits for something has had its chance; its whole group goes.
    const late = setTimeout(() => process.kill(-(child.pid ?? 0), "SIGKILL"), 3_000);
    child.on("exit", () => {
      clearTimeout(late);
      resolve();
    });
  });
  const seen = readdirSync(work).includes("canary");
  rmSync(work, { recursive: true, force: true });
  return seen;
}

test("there are many", () => expect(new Set(attacks).size).toBeGreaterThanOrEqual(400));

describe.each(shells)("%s", (shell) => {
  test("none of them runs a value", async () => {
    const executed: string[] = [];
    let refused = 0;
    let runs = 0;
    const queue = [...attacks];
    const worker = async () => {
      for (let script = queue.pop(); script !== undefined; script = queue.pop()) {
        const program = await rewriteShell(script, shell, (root) => root === "v");
        if (!program.ok) {
          refused++;
          continue;
        }
        for (const value of tried) {
          const uses = program.value.variables.flatMap((variable) => variable.uses);
          if (uses.some((use) => guardValue("${v}", use, value, () => false) !== undefined)) continue;
          runs++;
          if (await executes(shell, program.value.script, value)) executed.push(`${script}   with   ${value}`);
        }
      }
    };
    await Promise.all([worker(), worker(), worker(), worker()]);
    console.log(`${shell}: ${attacks.length} scripts, ${refused} refused, ${runs} runs`);
    expect(executed).toEqual([]);
    expect(runs).toBeGreaterThan(100);
  }, 300_000);
});

// Hostile values in PowerShell: every script is rewritten here; where pwsh is installed they are run with every value.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { rewritePwsh } from "../../src/shell/rewrite/index.ts";
import { has } from "../setup/machine.ts";
import { hostileValues } from "./values.ts";

const show = "[Console]::Out.Write([string]$args[0] + [char]0)";
/** `$show` prints its argument and a NUL. */
const scripts: [script: string, expected: (v: string) => string][] = [
  ["show ${v}", (v) => v],
  ['show "${v}"', (v) => v],
  ['show "a ${v} b"', (v) => `a ${v} b`],
  ["$x = ${v}\nshow $x", (v) => v],
  ['show "$("<${v}>")"', (v) => `<${v}>`],
  ['show @"\n${v}\n"@', (v) => v],
];

/** Names, node ids, a member, a default, and a fact. */
const forms = ["${v}", "${fetch}", "${fetch.items[0].name}", '${fetch|default("none")}', "${run.id}"];

function rewritten(script: string): string {
  const program = rewritePwsh(script, (root) => ["v", "fetch", "run"].includes(root));
  if (!program.ok) throw new Error(`${script}: ${program.error[0]?.message}`);
  return program.value.script;
}

test("every place reads the environment and nothing else, in every form of a reference", () => {
  const named = new Map(forms.map((form) => [form, rewritten(`show ${form}`).slice("show ".length)]));
  expect([...named.values()]).toEqual(
    ["v", "fetch", "fetch__items_0_name", "fetch", "run__id"].map((name) => `\${env:CURLEW_V_${name}}`),
  );
  for (const [script] of scripts)
    for (const [form, value] of named)
      expect(rewritten(script.replace("${v}", () => form))).toBe(script.replace("${v}", () => value));
});

const program = "pwsh";
if (has(program))
  test("every hostile value arrives as it is, and nothing of it runs", () => {
    const folder = mkdtempSync(join(tmpdir(), "curlew-pwsh-"));
    const work = join(folder, "work");
    mkdirSync(work);
    const file = join(folder, "x.ps1");
    writeFileSync(file, `function show { ${show} }\n${scripts.map(([script]) => rewritten(script)).join("\n")}\n`);
    for (const value of hostileValues) {
      const done = spawnSync(program, ["-NoProfile", "-NonInteractive", "-File", file], {
        cwd: work,
        env: { PATH: process.env.PATH ?? "", HOME: folder, LC_ALL: "C.UTF-8", CURLEW_V_v: value },
        maxBuffer: 1 << 26,
      });
      expect(done.stdout.toString()).toBe(scripts.map(([, expected]) => `${expected(value)}\0`).join(""));
      expect(readdirSync(work)).toEqual([]);
    }
    rmSync(folder, { recursive: true, force: true });
  }, 600_000);

// Every mutant of the engine is killed by the simulated world: it finds a difference in a copy of the sources with one thing broken.
// The full check (CHECK_FULL=1) runs all of them; otherwise only that each still fits the sources.

import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Mutant } from "../scheduler/mutants.ts";
import { mutants } from "./mutants.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const DRAWINGS = "60";
const PATIENCE_MS = 600_000;

test("each of the mutants fits the sources in exactly one place", () => {
  for (const { what, file, search } of mutants)
    expect([what, readFileSync(join(ROOT, file), "utf8").split(search).length - 1]).toEqual([what, 1]);
});

if (process.env.CHECK_FULL === "1")
  for (const mutant of mutants)
    test(`killed: ${mutant.what}`, { timeout: PATIENCE_MS }, async () => {
      expect(await judged(mutant)).not.toContain("no difference");
    });

function judged(mutant: Mutant): Promise<string> {
  const copy = mkdtempSync(join(tmpdir(), "curlew-sim-mutant-"));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  for (const part of ["package.json", "src", "test/scheduler", "test/simulation"])
    cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  const file = join(copy, mutant.file);
  writeFileSync(
    file,
    readFileSync(file, "utf8").replace(mutant.search, () => mutant.replace),
  );
  return new Promise((resolve) => {
    const options = { cwd: copy, timeout: PATIENCE_MS - 10_000 };
    execFile(process.execPath, ["test/simulation/suite.ts", DRAWINGS], options, (failure, stdout) =>
      resolve(stdout.trim() || String(failure)),
    );
  });
}

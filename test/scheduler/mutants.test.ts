// Every mutant is killed: the suite, run on a copy of the sources with one thing broken, finds a difference.
// The full check (CHECK_FULL=1) runs all of them; otherwise only that each still fits the sources, which costs nothing.

import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Mutant, mutants } from "./mutants.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const RUNS = "3000";
/** A mutant that runs for ever is noticed too. */
const PATIENCE_MS = 120_000;

test("each of the mutants fits the sources in exactly one place", () => {
  expect(mutants.length).toBeGreaterThanOrEqual(15);
  for (const { what, file, search } of mutants)
    expect([what, readFileSync(join(ROOT, file), "utf8").split(search).length - 1]).toEqual([what, 1]);
});

if (process.env.CHECK_FULL === "1") {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "curlew-mutants-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("the suite finds nothing in the sources as they are", { timeout: PATIENCE_MS }, async () => {
    expect(await judged(folder, undefined)).toBe("no difference");
  });
  for (const mutant of mutants)
    test(`killed: ${mutant.what}`, { timeout: PATIENCE_MS }, async () => {
      expect(await judged(folder, mutant)).not.toBe("no difference");
    });
}

/** What the suite says of a copy of the sources with this mutation. */
function judged(folder: string, mutant: Mutant | undefined): Promise<string> {
  const copy = mkdtempSync(join(folder, "copy-"));
  for (const part of [
    "package.json",
    "src/base",
    "src/workflow",
    "src/scheduler",
    "test/scheduler",
    "test/corpus/events",
  ])
    cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  if (mutant !== undefined) {
    const file = join(copy, mutant.file);
    writeFileSync(
      file,
      readFileSync(file, "utf8").replace(mutant.search, () => mutant.replace),
    );
  }
  return new Promise((resolve) => {
    const options = { cwd: copy, timeout: PATIENCE_MS / 2 };
    execFile(process.execPath, ["test/scheduler/suite.ts", RUNS], options, (failure, stdout) =>
      resolve(stdout.trim() || String(failure)),
    );
  });
}

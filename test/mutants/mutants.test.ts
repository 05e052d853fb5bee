// The scheduler and the engine, each broken in one place: its generated suite must see the difference. A text file
// beside this one is named after a suite. Each mutant has a title, a file, and lines to remove and to add. The full
// check (CHECK_FULL=1) runs them all. Otherwise this only checks that each still fits the sources in one place.

import { execFile } from "node:child_process";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../setup/folders.ts";

const ROOT = join(import.meta.dirname, "../..");
/** How many generated workflows each suite tries. */
const RUNS = { scheduler: "3000", simulation: "60" };
const LIMIT_MS = 600_000;

interface Mutant {
  what: string;
  file: string;
  search: string;
  replace: string;
}

function mutantsOf(suite: string): Mutant[] {
  const text = readFileSync(join(import.meta.dirname, `${suite}.txt`), "utf8").trimEnd();
  return text.split("\n\n").map((block) => {
    const [what = "", file = "", ...lines] = block.split("\n");
    const marked = (mark: string) => lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(1));
    return { what, file, search: marked("-").join("\n"), replace: marked("+").join("\n") };
  });
}

for (const [suite, runs] of Object.entries(RUNS)) {
  const mutants = mutantsOf(suite);

  test(`${suite}: each mutant fits the sources in exactly one place`, () => {
    for (const { what, file, search } of mutants)
      expect([what, readFileSync(join(ROOT, file), "utf8").split(search).length - 1]).toEqual([what, 1]);
  });

  if (process.env.CHECK_FULL !== "1") continue;
  test(`${suite}: no difference in the sources as they are`, { timeout: LIMIT_MS }, async () => {
    expect(await judged(suite, runs)).toContain("no difference");
  });
  for (const mutant of mutants)
    test(`${suite}: ${mutant.what}`, { timeout: LIMIT_MS }, async () => {
      expect(await judged(suite, runs, mutant)).not.toContain("no difference");
    });
}

/** The last line of the suite, run on a copy of the sources with this mutation. */
function judged(suite: string, runs: string, mutant?: Mutant): Promise<string> {
  const copy = tempFolder();
  for (const part of ["package.json", "src", "test/scheduler", "test/simulation", "test/store", "test/corpus/events"])
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
    const options = { cwd: copy, timeout: LIMIT_MS - 10_000 };
    execFile(process.execPath, [`test/${suite}/suite.ts`, runs], options, (failure, stdout) =>
      resolve(stdout.trim() || String(failure)),
    );
  });
}

// test: runs vitest, then names what this machine could not run and what to install for it. `node scripts/test.ts
// [--all | --rest] [FILE…]` runs the tier of npm test if there is no option (test/setup/tiers.ts). The last lines name the
// tests that failed; the very last is `N passed, N failed`.
//   In CI, files with a failed test run once more, without others beside them and with the same seed. A test that passes
//   then counts as passed, and is named as unsteady: a race, or a busy machine, and worth an hour either way.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { has, TOOLS } from "../test/setup/machine.ts";

interface Outcome {
  passed: number;
  failures: Failure[];
}

interface Failure {
  /** Relative to the project; empty for an error outside of tests. */
  file: string;
  test: string;
}

const OUTSIDE: Failure = { file: "", test: "an error outside of tests" };

const root = dirname(import.meta.dirname);
const inCi = process.env.CI === "true" || process.env.CI === "1";
const missing = TOOLS.filter((tool) => !has(tool.name));
const missed = inCi ? missing.filter((tool) => !tool.whereItIs) : [];

const args = process.argv.slice(2);
const files = args.filter((arg) => arg !== "--all" && arg !== "--rest");
const tier = tierOf(args, files);
const first = runVitest(files, tier);
const failures = inCi ? failedAgain(first.failures) : first.failures;
for (const tool of missing)
  console.log(
    tool.whereItIs
      ? `Not on this machine: ${tool.covers} (${tool.install}).`
      : `Left out: ${tool.covers}. To run it too: ${tool.install}`,
  );
for (const tool of missed) console.log(`CI must leave nothing out: ${tool.name} is missing.`);
const unsteady = first.failures.filter((failure) => !includes(failures, failure));
for (const failure of unsteady) console.log(`Unsteady: ${titleOf(failure)}`);
for (const failure of failures) console.log(`Failed: ${titleOf(failure)}`);
const failed = failures.length + missed.length;
console.log(`${first.passed + unsteady.length} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

/** Files that are named run in any tier. */
function tierOf(given: string[], named: string[]): string {
  if (given.includes("--rest")) return "rest";
  return given.includes("--all") || named.length > 0 ? "" : "fast";
}

/** The failed tests that fail again when they run alone. More than three files have a common cause and run once. */
function failedAgain(failures: Failure[]): Failure[] {
  const files = [...new Set(failures.map(({ file }) => file))];
  if (files.length === 0 || files.length > 3 || files.includes("")) return failures;
  const again = runVitest([...files, "--maxWorkers=1"], "").failures;
  return again.some(({ file }) => file === "") ? failures : again;
}

function includes(failures: Failure[], { file, test }: Failure): boolean {
  return failures.some((one) => one.file === file && one.test === test);
}

function titleOf({ file, test }: Failure): string {
  return file === "" ? test : `${file} > ${test}`;
}

function runVitest(args: string[], tier: string): Outcome {
  const folder = mkdtempSync(join(tmpdir(), "curlew-test-"));
  const report = join(folder, "report.json");
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile=${report}`];
  try {
    const { status } = spawnSync(process.execPath, [vitest, "run", ...reporters, ...args], {
      cwd: root,
      stdio: "inherit",
      env: { ...process.env, CHECK_TIER: tier },
    });
    const outcome = outcomeOf(report);
    if (status !== 0 && outcome.failures.length === 0) outcome.failures.push(OUTSIDE);
    return outcome;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A missing report counts as one failure, and so does a file that could not be loaded. */
function outcomeOf(report: string): Outcome {
  try {
    const { numPassedTests, testResults } = JSON.parse(readFileSync(report, "utf8"));
    return { passed: numPassedTests, failures: testResults.flatMap(failuresOf) };
  } catch {
    return { passed: 0, failures: [OUTSIDE] };
  }
}

function failuresOf(result: {
  name: string;
  status: string;
  assertionResults: { status: string; fullName: string }[];
}): Failure[] {
  const file = relative(root, result.name);
  const failed = result.assertionResults.filter(({ status }) => status === "failed");
  if (result.status === "failed" && failed.length === 0) return [{ file, test: "(the file)" }];
  return failed.map(({ fullName }) => ({ file, test: fullName }));
}

// test: runs vitest, then names what this machine could not run and what to install for it. `node scripts/test.ts
// [--all | --rest] [FILE…]` runs the tier of npm test if there is no option (test/setup/tiers.ts). The last line is `N
// passed, N failed`.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { has, TOOLS } from "../test/setup/machine.ts";

const root = dirname(import.meta.dirname);
const inCi = process.env.CI === "true" || process.env.CI === "1";
const missing = TOOLS.filter((tool) => !has(tool.name));
const missed = inCi ? missing.filter((tool) => !tool.whereItIs) : [];

const args = process.argv.slice(2);
const files = args.filter((arg) => arg !== "--all" && arg !== "--rest");
const counts = runVitest(files, tierOf(args, files));
for (const tool of missing)
  console.log(
    tool.whereItIs
      ? `Not on this machine: ${tool.covers} (${tool.install}).`
      : `Left out: ${tool.covers}. To run it too: ${tool.install}`,
  );
for (const tool of missed) console.log(`CI must leave nothing out: ${tool.name} is missing.`);
console.log(`${counts.passed} passed, ${counts.failed + missed.length} failed`);
process.exitCode = counts.code !== 0 || missed.length > 0 ? 1 : 0;

/** Files that are named run in any tier. */
function tierOf(given: string[], named: string[]): string {
  if (given.includes("--rest")) return "rest";
  return given.includes("--all") || named.length > 0 ? "" : "fast";
}

function runVitest(args: string[], tier: string): { code: number; passed: number; failed: number } {
  const folder = mkdtempSync(join(tmpdir(), "curlew-test-"));
  const report = join(folder, "report.json");
  try {
    const { status } = spawnSync(
      process.execPath,
      [
        join(root, "node_modules/vitest/vitest.mjs"),
        "run",
        "--reporter=default",
        "--reporter=json",
        `--outputFile=${report}`,
        ...args,
      ],
      { cwd: root, stdio: "inherit", env: { ...process.env, CHECK_TIER: tier } },
    );
    return { code: status ?? 1, ...countsOf(report, status === 0) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A missing report, or a run that failed without a failed test (an error outside of tests), counts as one failure. */
function countsOf(report: string, succeeded: boolean): { passed: number; failed: number } {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, "utf8"));
    return { passed: numPassedTests, failed: succeeded ? numFailedTests : Math.max(1, numFailedTests) };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

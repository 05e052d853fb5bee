// check: everything that must hold before a commit (`npm run check`), or before a release (`npm run check:full`).
// `node scripts/check.ts [--full] [--without STEP]…` Steps run one after the other. Each prints one line, and its
// output if it fails. A failure does not stop the others. The last line is `N passed, N failed`, counted in steps.
// --without leaves out a step that has just run, such as "tests".

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

interface Step {
  name: string;
  /** A program of node_modules/.bin or `node`, with its arguments. */
  command: string[];
  full?: true;
}

/** The files whose prose and comments are spelt. */
const PROSE = ["*.md", "docs/**/*.md", "src/**/*.{ts,tsx}", "{test,bench,scripts,examples}/**/*.ts"];

const STEPS: readonly Step[] = [
  { name: "format", command: ["biome", "check", "."] },
  { name: "types", command: ["tsc", "-p", "."] },
  { name: "types of the web", command: ["tsc", "-p", "src/web"] },
  { name: "lint", command: ["oxlint", "--type-aware", "--quiet"] },
  { name: "rooms", command: ["vitest", "run", "test/rooms.test.ts"] },
  { name: "dead code", command: ["knip"] },
  { name: "words", command: ["node", "scripts/words.ts"] },
  {
    name: "spelling",
    command: ["cspell", "--no-progress", "--cache", "--cache-location", "node_modules/.cache/cspell", ...PROSE],
  },
  { name: "tests", command: ["node", "scripts/test.ts"] },
  { name: "package", command: ["node", "scripts/try-package.ts"], full: true },
];

const root = dirname(import.meta.dirname);
const args = process.argv.slice(2);
const full = args.includes("--full");
const without = new Set(args.flatMap((arg, at) => (arg === "--without" ? [args[at + 1]] : [])));
for (const [at, arg] of args.entries()) {
  const isStep = args[at - 1] === "--without" && STEPS.some(({ name }) => name === arg);
  if (isStep || arg === "--full" || (arg === "--without" && at + 1 < args.length)) continue;
  console.error(
    `Unknown argument "${arg}". Usage: check.ts [--full] [--without ${STEPS.map(({ name }) => name).join("|")}]…`,
  );
  process.exit(2);
}
const results = stepsToRun().map(run);
const failed = results.filter((well) => !well).length;
console.log(`${results.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function stepsToRun(): Step[] {
  return STEPS.filter((step) => (full || !step.full) && !without.has(step.name));
}

function run(step: Step): boolean {
  const [program = "", ...rest] = step.command;
  if (program === "node" && !existsSync(join(root, rest[0] ?? ""))) {
    console.log(`FAILED  ${step.name}: ${rest[0]} is not there`);
    return false;
  }
  const from = performance.now();
  const { status, stdout, stderr } = spawnSync(
    program === "node" ? process.execPath : join(root, "node_modules/.bin", program),
    rest,
    {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
      encoding: "utf8",
      maxBuffer: 256 * 1024 * 1024,
    },
  );
  const well = status === 0;
  console.log(`${well ? "well  " : "FAILED"}  ${step.name} (${((performance.now() - from) / 1000).toFixed(1)} s)`);
  if (!well) console.log(`${stdout}${stderr}`);
  return well;
}

// tiers: which test files `npm test` runs, and which only `npm run test:all` adds.
//   T1. Every test file is in exactly one tier: a file is in `npm test` unless a pattern of REST names it.
//   T2. A file of REST takes a second look at a promise. The first look is in `npm test`.
// CHECK_TIER chooses: `fast`, `rest`, or nothing for all. CHECK_FULL=1 makes generated and killing suites longer in any tier.

import { readdirSync } from "node:fs";
import { join } from "node:path";

/** The browser stories of `npm test`: the first look at each screen. The others follow in `npm run test:all`. */
const FIRST_STORIES = ["first-steps", "home", "journey", "run", "run-restart"];

/** Left to `npm run test:all`, because they take long: globs from the root of the checkout. */
export const REST: readonly string[] = [
  // Many browser stories about one screen.
  ...stories(),
  // Many kills, faults, floods, and generated histories. test/runner/adoption and test/store/journal stay.
  "test/contract/{clocks,escapees,faults,floods,load,signals,synced}.test.ts",
  "test/runner/{each-event,faults,kills,never-up,posts,server-leaves,starved,store-full,unseen}.test.ts",
  "test/server/{file-kills,hook-kills,schedule-kills,killed,held,late,bounds,outputs,machines}.test.ts",
  "test/simulation/*.test.ts",
  "test/store/{damage,full-disk,late,move,opening,postgres-access,postgres-faults,processes}.test.ts",
  "test/budgets/*.test.ts",
  "test/cluster/{chaos,command-line,decisions,faults,history,placed,shared}.test.ts",
  // Thousands of scripts and documents in several shells. The refusals and the attacks stay.
  "test/hostile/*.test.ts",
  "test/templates/{attacks-others,corpus,corpus-others,counted,fuzz,oracle,program-help}.test.ts",
  "test/scheduler/generated.test.ts",
  "test/rules/rules-others.test.ts",
  "test/mutants/*.test.ts",
  "test/calls/usages.test.ts",
  // Real sign-ins, models, and secrets with every variation.
  "test/tokens/{adopted,refused,logins,times,tokens}.test.ts",
  "test/llm/{answers,conduct}.test.ts",
  "test/secrets/{swept,variables,values}.test.ts",
  "test/leaks/{answers,examples,server,tokens}.test.ts",
  "test/trust/{import,inert}.test.ts",
  "test/approvals/{changed,whole-program}.test.ts",
  "test/http/{follow,nodes,pages,strange}.test.ts",
  // Many real processes for one command each.
  "test/process/causes.test.ts",
  "test/cli/{approving,calls,calls-sandbox,curl,doctor,doctor-finds,egress,keyring,retention,retry,secret-sources}.test.ts",
];

/** Files whose every test needs a program: without it they are left out, because vitest fails a file without a test. */
export const NEEDING: Readonly<Record<string, readonly string[]>> = {
  chromium: ["test/web/*.test.ts"],
  curl: ["test/cli/egress.test.ts"],
  strace: ["test/runner/{faults,store-full}.test.ts", "test/contract/faults.test.ts"],
  bwrap: ["test/contract/escapees.test.ts"],
  postgres: ["src/engine/cluster/*.test.ts", "test/cluster/*.test.ts", "test/server/machines.test.ts"],
};

function stories(): string[] {
  return readdirSync(join(import.meta.dirname, "../web"))
    .filter((name) => name.endsWith(".test.ts") && !FIRST_STORIES.includes(name.replace(".test.ts", "")))
    .map((name) => `test/web/${name}`);
}

/** The `include` and `exclude` of vitest for a tier. */
export function filesOf(tier: string | undefined, all: readonly string[]): { include: string[]; exclude: string[] } {
  const never = ["**/node_modules/**", "**/dist/**"];
  if (tier === "fast") return { include: [...all], exclude: [...never, ...REST] };
  if (tier === "rest") return { include: [...REST], exclude: never };
  return { include: [...all], exclude: never };
}

// tiers: which test files `npm test` runs, and which only `npm run test:all` adds.
//   T1. Every test file is in exactly one tier: a file is in `npm test` unless a pattern of REST names it.
//   T2. What a tier leaves out is a second look at a promise whose first look stays in `npm test`.
// CHECK_TIER chooses: `fast`, `rest`, or nothing for all. CHECK_FULL=1 makes generated and killing suites longer in any tier.

/** Left to `npm run test:all`, because they take long: globs from the root of the checkout. */
export const REST: readonly string[] = [];

/** What vitest takes as `include` and `exclude`. */
export function filesOf(tier: string | undefined, all: readonly string[]): { include: string[]; exclude: string[] } {
  const never = ["**/node_modules/**", "**/dist/**"];
  if (tier === "fast") return { include: [...all], exclude: [...never, ...REST] };
  if (tier === "rest") return { include: [...REST], exclude: never };
  return { include: [...all], exclude: never };
}

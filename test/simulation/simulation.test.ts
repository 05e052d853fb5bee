// simulation: generated workflows through the real engine in a world that dies at every step. Reported events stay,
// nothing runs twice without its record, approvals and retry times hold, and each run ends as the oracle says (spec
// 3.4, 5.7). CHECK_FULL=1 runs many more; CHECK_SEED=n starts there. Finds are kept in finds/ and tried first.

import { expect, test } from "vitest";
import { firstDifference } from "./suite.ts";

const DRAWINGS = process.env.CHECK_FULL === "1" ? 200 : 40;

test(`${DRAWINGS} workflows have the same result, wherever their engine dies`, { timeout: 1_800_000 }, async () => {
  const from = Number(process.env.CHECK_SEED ?? Math.floor(Math.random() * 1_000_000_000));
  console.log(`simulated worlds: seeds ${from} to ${from + DRAWINGS - 1}`);
  const tally = { lives: 0, deaths: 0 };
  expect(await firstDifference(DRAWINGS, from, tally)).toBeUndefined();
  console.log(`${tally.lives} lives, ${tally.deaths} deaths`);
  expect(tally.deaths).toBeGreaterThan(DRAWINGS * 15);
});

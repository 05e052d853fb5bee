import { expect, test } from "vitest";
import { oneAtATime } from "./one-at-a-time.ts";

test("calls do not overlap, and calls during the work cause one more round", async () => {
  let active = 0;
  let most = 0;
  let times = 0;
  const look = oneAtATime(async () => {
    active += 1;
    most = Math.max(most, active);
    await new Promise((resolve) => setTimeout(resolve, 1));
    times += 1;
    active -= 1;
  });
  await Promise.all([look(), look(), look(), look()]);
  expect([most, times]).toEqual([1, 2]);
  await look();
  expect(times).toBe(3);
});

test("it begins in the same tick", () => {
  let hasBegun = false;
  void oneAtATime(async () => {
    hasBegun = true;
  })();
  expect(hasBegun).toBe(true);
});

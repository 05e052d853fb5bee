import { describe, expect, it } from "vitest";
import { backOff, backOffInWords, shortTime } from "./backoff.ts";

describe("the back-off curve", () => {
  it("draws the defaults: three attempts, 1 s and 2 s apart, earlier by chance", () => {
    expect(backOff({}).points).toEqual([
      { number: 1, earliestMs: 0, latestMs: 0, waitMs: 0 },
      { number: 2, earliestMs: 0, latestMs: 1_000, waitMs: 1_000 },
      { number: 3, earliestMs: 0, latestMs: 3_000, waitMs: 2_000 },
    ]);
  });

  it("keeps to maxInterval, and without jitter to the exact times", () => {
    const { points } = backOff({
      maxAttempts: 4,
      initialInterval: "10s",
      multiplier: 10,
      maxInterval: "30s",
      jitter: "none",
    });
    expect(points.map(({ earliestMs, latestMs }) => [earliestMs, latestMs])).toEqual([
      [0, 0],
      [10_000, 10_000],
      [40_000, 40_000],
      [70_000, 70_000],
    ]);
  });

  it("does not draw attempts that maxDuration forbids", () => {
    const { points } = backOff({ maxAttempts: 10, initialInterval: "10s", jitter: "none", maxDuration: "1m" });
    expect(points.map(({ number }) => number)).toEqual([1, 2, 3]);
  });

  it("draws some of very many and counts the rest", () => {
    const { points, more } = backOff({ maxAttempts: 1_000 });
    expect(points).toHaveLength(24);
    expect(more).toBe(976);
  });

  it("takes what is no duration for the default, as a half-typed one is", () => {
    expect(backOff({ initialInterval: "5" }).points[1]?.waitMs).toBe(1_000);
  });

  it("says the same in words", () => {
    expect(backOffInWords(backOff({ maxAttempts: 3 }))).toBe("3 attempts; waits of at most 1 s, 2 s.");
    expect(backOffInWords(backOff({ maxAttempts: 1 }))).toBe("One attempt: nothing is repeated.");
    expect([250, 1_500, 60_000, 5_400_000].map(shortTime)).toEqual(["250 ms", "1.5 s", "1 min", "1.5 h"]);
  });
});

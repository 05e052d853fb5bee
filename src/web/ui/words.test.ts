import { expect, test } from "vitest";
import { ago, clock, count, duration, exactTime, size, timeOfDay } from "./words.ts";

test("times, from a moment to days", () => {
  const said = [0, 99, 100, 59_949, 59_950, 3_599_499, 7_380_000, 273_600_000].map(duration);
  expect(said).toEqual(["0 ms", "99 ms", "0.1 s", "59.9 s", "1 min 00 s", "59 min 59 s", "2 h 03 min", "3 d 04 h"]);
  expect([clock(41_999), clock(3_723_000)]).toEqual(["00:41", "1:02:03"]);
});

test("sizes, with no unit above a thousand of it", () => {
  expect([0, 999, 1_000, 9_949, 48_211, 999_499, 999_500, 1_000_000_000].map(size)).toEqual([
    ...["0 B", "999 B", "1.0 kB", "9.9 kB", "48 kB", "999 kB", "1.0 MB", "1.0 GB"],
  ]);
});

test("counts and times that have passed", () => {
  expect([count(1, "pass", "passes"), count(1_000, "pass", "passes")]).toEqual(["1 pass", "1,000 passes"]);
  const now = Date.UTC(2026, 0, 2);
  expect(
    [2_000, 59_000, 60_000, 7_200_000, 86_400_000].map((ms) => ago(new Date(now - ms).toISOString(), now)),
  ).toEqual(["just now", "59 s ago", "1 min ago", "2 h ago", "1 d ago"]);
});

test("times of day and dates are in the reader's zone", () => {
  const zone = process.env.TZ;
  process.env.TZ = "Asia/Kolkata";
  expect(timeOfDay("2026-01-02T22:03:04.056Z")).toBe("03:33:04.056");
  expect(exactTime("2026-01-02T22:03:04.056Z")).toBe("3 Jan 2026, 03:33:04");
  process.env.TZ = zone ?? "UTC";
});

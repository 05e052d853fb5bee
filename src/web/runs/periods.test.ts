// Named periods, ranges, and the slices of their charts, in the zone of the machine.

import { expect, test } from "vitest";
import { chartOf, dateOf, dayTime, periodOf, periodWords } from "./periods.ts";

const local = (text: string) => new Date(text).getTime();
const NOW = local("2026-03-05T20:40:30");

test.each([
  [{}, undefined, undefined],
  [{ since: "today" }, "2026-03-05T00:00", undefined],
  [{ since: "yesterday" }, "2026-03-04T00:00", "2026-03-05T00:00"],
  [{ since: "7d" }, "2026-02-27T00:00", undefined],
  [{ since: "24h" }, "2026-03-04T21:00", undefined],
  [{ since: "2026-03-01", until: "2026-03-02" }, "2026-03-01T00:00", "2026-03-03T00:00"],
  [{ since: "2026-03-01T10:00", until: "2026-03-01T11:00" }, "2026-03-01T10:00", "2026-03-01T11:00"],
  [{ until: "2026-03-02" }, undefined, "2026-03-03T00:00"],
  [{ since: "strange", until: "nonsense" }, undefined, undefined],
])("%j", (search, since, until) => {
  const ms = (text: string | undefined) => (text === undefined ? undefined : local(text));
  expect(periodOf(search, NOW)).toEqual({ sinceMs: ms(since), untilMs: ms(until) });
});

test("bars are hours for a day, quarters of a day for a week, minutes for an hour", () => {
  const slices = (search: object) => {
    const { sinceMs, untilMs, slices } = chartOf(periodOf(search, NOW), NOW);
    return [slices, sinceMs === undefined ? undefined : (untilMs - sinceMs) / slices / 60_000];
  };
  expect(slices({ since: "today" })).toEqual([24, 60]);
  expect(slices({ since: "24h" })).toEqual([24, 60]);
  expect(slices({ since: "7d" })).toEqual([28, 360]);
  expect(slices({ since: "2026-03-01T10:00", until: "2026-03-01T11:00" })).toEqual([12, 5]);
  expect(slices({})).toEqual([40, undefined]);
});

test("times in words", () => {
  expect(dayTime(new Date(local("2026-03-05T09:05")).toISOString(), NOW)).toBe("09:05");
  expect(dayTime(new Date(local("2026-03-04T17:20")).toISOString(), NOW)).toBe("yesterday 17:20");
  expect(dayTime(new Date(local("2026-03-06T09:00")).toISOString(), NOW)).toBe("tomorrow 09:00");
  expect(dayTime(new Date(local("2026-02-03T17:20")).toISOString(), NOW)).toBe("3 Feb, 17:20");
  expect(dayTime(new Date(local("2025-02-03T17:20")).toISOString(), NOW)).toBe("3 Feb 2025, 17:20");
  const hour = { since: "2026-03-01T10:00", until: "2026-03-01T11:00" };
  expect(periodWords(periodOf(hour, NOW))).toBe("1 Mar, 10:00 – 11:00");
  expect(periodWords(periodOf({ since: "2026-03-01" }, NOW))).toBe("since 1 Mar, 00:00");
  expect(dateOf(NOW)).toBe("2026-03-05");
});

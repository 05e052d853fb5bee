// When schedules are due: real zones, their missing and repeated hours, and missed times after a pause.

import fc from "fast-check";
import { expect, test } from "vitest";
import { limits } from "../../base/limits.ts";
import { nextTimes } from "../../workflow/next-times.ts";
import { dueTimes } from "./times.ts";

const ms = (iso: string) => Date.parse(iso);
const iso = (times: number[]) => times.map((time) => new Date(time).toISOString().replace(":00.000Z", "Z"));
const next = (cron: string, timezone: string, after: string, count: number) =>
  iso(nextTimes({ cron, timezone }, ms(after), count));

test("Berlin's missing hour: a fixed time comes at its end, repeated times continue", () => {
  expect(next("30 2 * * *", "Europe/Berlin", "2026-03-28T12:00Z", 2)).toEqual([
    "2026-03-29T01:00Z",
    "2026-03-30T00:30Z",
  ]);
  expect(next("*/30 * * * *", "Europe/Berlin", "2026-03-29T00:20Z", 3)).toEqual([
    "2026-03-29T00:30Z",
    "2026-03-29T01:00Z",
    "2026-03-29T01:30Z",
  ]);
});

test("Berlin's doubled hour: a fixed time comes once, repeated times come in both", () => {
  expect(next("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00Z", 2)).toEqual([
    "2026-10-25T00:30Z",
    "2026-10-26T01:30Z",
  ]);
  expect(next("15,45 1,2 * * *", "Europe/Berlin", "2026-10-24T22:00Z", 5)).toEqual([
    "2026-10-24T23:15Z",
    "2026-10-24T23:45Z",
    "2026-10-25T00:15Z",
    "2026-10-25T00:45Z",
    "2026-10-26T00:15Z",
  ]);
  expect(next("0 * * * *", "Europe/Berlin", "2026-10-24T23:30Z", 3)).toEqual([
    "2026-10-25T00:00Z",
    "2026-10-25T01:00Z",
    "2026-10-25T02:00Z",
  ]);
});

test("New York, and an island that moves its clock by half an hour", () => {
  expect(next("30 2 * * *", "America/New_York", "2026-03-07T12:00Z", 2)).toEqual([
    "2026-03-08T07:00Z",
    "2026-03-09T06:30Z",
  ]);
  expect(next("45 1 * * *", "Australia/Lord_Howe", "2026-04-04T00:00Z", 2)).toEqual([
    "2026-04-04T14:45Z",
    "2026-04-05T15:15Z",
  ]);
});

const every15 = { cron: "*/15 * * * *", timezone: "UTC" };
const due = (catchUp: "latest" | "all" | "none", after: string, now: string) => {
  const { times, left } = dueTimes({ ...every15, catchUp }, { afterMs: ms(after), nowMs: ms(now) });
  return [iso(times), left];
};

test("times that are caught up", () => {
  const [after, now] = ["2026-01-01T00:00Z", "2026-01-01T01:05Z"];
  expect(due("latest", after, now)).toEqual([["2026-01-01T01:00Z"], true]);
  expect(due("all", after, now)).toEqual([
    ["2026-01-01T00:15Z", "2026-01-01T00:30Z", "2026-01-01T00:45Z", "2026-01-01T01:00Z"],
    false,
  ]);
  expect(due("none", after, now)).toEqual([[], true]);
  expect(due("none", "2026-01-01T00:50Z", "2026-01-01T01:00:10Z")).toEqual([["2026-01-01T01:00Z"], false]);
  expect(due("latest", "2026-01-01T01:00Z", now)).toEqual([[], false]);
  expect(due("all", now, after)).toEqual([[], false]);
});

test("years without a server are caught up quickly, and the newest times count", () => {
  const started = performance.now();
  const { times, left } = dueTimes(
    { cron: "* * * * *", timezone: "Europe/Berlin", catchUp: "all" },
    { afterMs: ms("2016-01-01T00:00Z"), nowMs: ms("2026-01-01T00:00Z") },
  );
  expect(times).toHaveLength(limits.catchUpMax);
  expect(left).toBe(true);
  expect(iso(times.slice(-1))).toEqual(["2026-01-01T00:00Z"]);
  expect(performance.now() - started).toBeLessThan(500);
});

test("generated: checked in pieces, every time is due once", () => {
  const crons = ["*/7 * * * *", "30 2 * * *", "0 0,3 * * sun", "15 1-3 * * *", "0 12 L * *"];
  fc.assert(
    fc.property(
      fc.constantFrom(...crons),
      fc.constantFrom("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC"),
      fc.constantFrom("2026-03-28T20:10Z", "2026-10-24T20:10Z", "2026-03-07T20:10Z", "2026-04-04T10:10Z"),
      fc.array(fc.integer({ min: 1, max: 5 * 3_600 }), { minLength: 1, maxLength: 12 }),
      (cron, timezone, from, steps) => {
        const when = { cron, timezone, catchUp: "all" as const };
        const pieces: number[] = [];
        let at = ms(from);
        for (const seconds of steps) {
          pieces.push(...dueTimes(when, { afterMs: at, nowMs: at + seconds * 1_000 }).times);
          at += seconds * 1_000;
        }
        const whole = nextTimes(when, ms(from), pieces.length + 1);
        expect(pieces).toEqual(whole.filter((time) => time <= at));
      },
    ),
    { numRuns: 40 },
  );
});

// cron.test: compares the schedules that Curlew accepts with those that croner accepts.

import { Cron } from "croner";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cronProblem } from "./cron.ts";

const ok = (text: string) => cronProblem(text) === undefined;
const taken = (text: string) => {
  try {
    return new Cron(text, { mode: "5-part", timezone: "UTC" }).nextRun(new Date("2026-01-01T00:00:00Z")) !== null;
  } catch {
    return false;
  }
};

test("usual schedules are read", () => {
  for (const text of [
    "*/15 * * * *",
    "0 9 * * mon-fri",
    "30 2 1,15 * *",
    "0 0 L * *",
    "@daily",
    "5-50/5 0-23/2 * JAN *",
    " 0  0 * * 7 ",
  ])
    expect(ok(text), text).toBe(true);
});

test("what is wrong is named, and where it stands", () => {
  const said = (text: string) => {
    const problem = cronProblem(text)!;
    return [text.slice(problem.start, problem.end), problem.message];
  };
  expect(said("0 25 * * *")).toEqual(["25", 'The hour "25" is not 0 to 23.']);
  expect(said("0 0 * * mon,funday")).toEqual(["funday", 'The weekday "funday" is not 0 to 7 or sun to sat.']);
  expect(said("*/15 * * *")).toEqual(["*/15 * * *", "It has 4 fields, not five."]);
  expect(said("5/10 * * * *")[1]).toContain("write 5-59/10");
  expect(said("0 0 * * fri-mon")[1]).toContain("ends before it begins");
  expect(said("0 0 30 2 *")).toEqual(["0 0 30 2 *", "There is no such day."]);
  expect(said("@often")[1]).toContain("@hourly");
});

test("generated: what is accepted here is accepted there, and comes some day", () => {
  const value = fc.oneof(
    fc.integer({ min: 0, max: 62 }).map(String),
    fc.constantFrom("mon", "SUN", "jan", "dec", "L", "?", "x", ""),
  );
  const range = fc.oneof(
    fc.constant("*"),
    fc.constant("*"),
    value,
    fc.tuple(value, value).map(([from, to]) => `${from}-${to}`),
  );
  const entry = fc.oneof(
    range,
    fc.tuple(range, fc.integer({ min: 0, max: 62 })).map(([of, step]) => `${of}/${step}`),
  );
  const field = fc.oneof(
    fc.constant("*"),
    entry,
    fc.array(entry, { minLength: 1, maxLength: 3 }).map((all) => all.join(",")),
  );
  const cron = fc.oneof(
    fc.array(field, { minLength: 5, maxLength: 5 }).map((all) => all.join(" ")),
    fc
      .tuple(fc.integer({ min: 28, max: 31 }), fc.integer({ min: 1, max: 12 }))
      .map(([day, month]) => `0 0 ${day} ${month} *`),
  );
  let accepted = 0;
  fc.assert(
    fc.property(cron, (text) => {
      if (!ok(text)) return;
      accepted += 1;
      expect(taken(text), text).toBe(true);
    }),
    { numRuns: 3_000 },
  );
  expect(accepted).toBeGreaterThan(100);
});

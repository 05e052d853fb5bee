// One schedule of a document is added, changed, or removed; everything else stays.

import { expect, test } from "vitest";
import { withoutSchedule, withSchedule } from "./schedules-of.ts";

const HOOK = { webhook: { path: "x", verify: "none" } };
const DAILY = { cron: "0 9 * * *", timezone: "Europe/Berlin", overlap: "queue" };
// The server shows the machine's zone and the defaults, which the file leaves out.
const SHOWN = { cron: "0 2 * * *", timezone: "UTC", overlap: "skip", catchUp: "latest" };
const ON = [HOOK, { schedule: DAILY }, { schedule: { cron: "0 2 * * *" } }];

test("added", () => {
  expect(withSchedule(undefined, { cron: "@daily", timezone: undefined })).toEqual([{ schedule: { cron: "@daily" } }]);
  expect(withSchedule(ON, DAILY)).toEqual([...ON, { schedule: DAILY }]);
});

test("changed: only members that differ are written", () => {
  const later = { ...SHOWN, cron: "0 3 * * *" };
  expect(withSchedule(ON, later, SHOWN)).toEqual([ON[0], ON[1], { schedule: { cron: "0 3 * * *" } }]);
  const here = { ...DAILY, timezone: "Asia/Tokyo", overlap: "skip" };
  expect(withSchedule(ON, here, DAILY)[1]).toEqual({ schedule: here });
});

test("removed, with the list when it was the last", () => {
  expect(withoutSchedule(ON, SHOWN)).toEqual(ON.slice(0, 2));
  expect(withoutSchedule([{ schedule: DAILY }], DAILY)).toBeUndefined();
  expect(withoutSchedule([{ schedule: DAILY, ...HOOK }], DAILY)).toEqual([HOOK]);
});

test("a schedule that the file no longer has changes nothing", () => {
  expect(() => withSchedule(ON, DAILY, { cron: "1 1 * * *" })).toThrow("no longer has this schedule");
  expect(() => withoutSchedule("x", DAILY)).toThrow("not a list");
});

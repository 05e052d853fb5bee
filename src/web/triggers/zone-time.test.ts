// Times in different zones, on both sides of a clock change.

import { expect, test } from "vitest";
import { offsetIn, timeIn } from "./zone-time.ts";

const now = Date.parse("2026-03-01T00:00:00Z");

test("the same moment in three zones", () => {
  const at = "2026-03-29T01:00:00Z";
  expect(timeIn(at, "Europe/Berlin", now)).toBe("Sun 29 Mar, 03:00");
  expect(timeIn(at, "UTC", now)).toBe("Sun 29 Mar, 01:00");
  expect(timeIn(at, "America/Los_Angeles", now)).toBe("Sat 28 Mar, 18:00");
  expect(timeIn("2027-01-01T00:00:00Z", "Asia/Kolkata", now)).toBe("Fri 1 Jan 2027, 05:30");
  expect(timeIn("2026-12-31T00:00:00Z", "UTC", now)).toBe("Thu 31 Dec, 00:00");
});

test("the offset of that moment", () => {
  expect([offsetIn("2026-03-28T12:00Z", "Europe/Berlin"), offsetIn("2026-03-30T12:00Z", "Europe/Berlin")]).toEqual([
    "UTC+1",
    "UTC+2",
  ]);
  expect([offsetIn("2026-03-28T12:00Z", "UTC"), offsetIn("2026-03-28T12:00Z", "Asia/Kolkata")]).toEqual([
    "UTC",
    "UTC+5:30",
  ]);
});

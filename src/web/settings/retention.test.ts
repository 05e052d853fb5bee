// Input for how long runs are kept.

import { expect, test } from "vitest";
import { limitIn, retentionChange } from "./retention.ts";

test("nothing is no limit, whole numbers from 1 are one, anything else is wrong", () => {
  expect(["", " ", "1", " 90 "].map(limitIn)).toEqual([null, null, 1, 90]);
  for (const text of ["0", "-1", "1.5", "1e3", "0x10", "x", "99999999999999999999"])
    expect(limitIn(text), text).toBe("wrong");
  expect(retentionChange("30", "")).toEqual({ retention: { days: 30, runs: null } });
  expect([retentionChange("3650", ""), retentionChange("3651", ""), retentionChange("", "x")].map(Boolean)).toEqual([
    true,
    false,
    false,
  ]);
});

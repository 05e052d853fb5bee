// Filters between the URL and the API.

import { expect, test } from "vitest";
import { queryOf, withFilter, withState } from "./filters.ts";

const NOW = Date.parse("2026-03-01T12:00:30Z");

test("what the address says becomes the API's query", () => {
  expect(queryOf({}, NOW)).toEqual({});
  expect(queryOf({ workflow: "team/a.flow.yaml", status: "failed,running", since: "24h", text: "x" }, NOW)).toEqual({
    path: "team/a.flow.yaml",
    status: ["failed", "timed-out", "queued", "running", "cancelling"],
    since: "2026-02-28T12:00:00.000Z",
    text: "x",
  });
  expect(queryOf({ since: "2026-02-01", until: "nonsense", status: "strange" }, NOW)).toEqual({
    since: "2026-02-01T00:00:00.000Z",
  });
});

test("a state is switched on and off, a filter is set and taken out", () => {
  expect(withState({ text: "x" }, "failed")).toEqual({ text: "x", status: "failed" });
  expect(withState({ status: "failed,waiting" }, "failed")).toEqual({ status: "waiting" });
  expect(withState({ status: "failed" }, "failed")).toEqual({});
  expect(withFilter({ text: "x" }, "text", "")).toEqual({});
  expect(withFilter({}, "trigger", "webhook")).toEqual({ trigger: "webhook" });
});

// Rows change in place, new ones come first, and none appears twice.

import { expect, test } from "vitest";
import type { RunItem } from "../../api/shapes.ts";
import type { RunEvent } from "../../scheduler/event.ts";
import { changedBy, mergedWith, type Pages, without } from "./live-rows.ts";

const row = (id: string, more: Partial<RunItem> = {}): RunItem => ({
  id,
  workflow: "A",
  file: "/a.flow.yaml",
  status: "running",
  trigger: { kind: "cli" },
  startedAt: "2026-03-01T12:00:00.000Z",
  waiting: 0,
  ...more,
});
const data = (): Pages => ({
  pages: [{ items: [row("c"), row("b")], next: "b" }, { items: [row("a")] }],
  pageParams: ["", "b"],
});
const event = (run: string, type: string, more = {}) =>
  ({ seq: 9, at: "2026-03-01T12:00:02.500Z", run, type, ...more }) as unknown as RunEvent;
const rows = (pages: Pages | undefined) => pages?.pages.flatMap(({ items }) => items);

test("an end stands in its row at once, wherever the row is", () => {
  const after = rows(changedBy(data(), event("a", "run.failed")));
  expect(after?.map(({ id }) => id)).toEqual(["c", "b", "a"]);
  expect(after?.[2]).toMatchObject({ status: "failed", durationMs: 2500, endedAt: "2026-03-01T12:00:02.500Z" });
});

test("of a run that has just failed the row knows where and why", () => {
  const failure = { code: "exit-non-zero", message: "The command exited with code 1." };
  const after = rows(changedBy(data(), event("a", "run.failed", { node: "get", path: "get[2]", failure })));
  expect(after?.[2]?.failure).toMatchObject({ node: "get", path: "get[2]", failure });
});

test("a run that waits says so, and no longer when it was answered", () => {
  const waiting = changedBy(data(), event("b", "approval.requested"));
  expect(rows(waiting)?.[1]).toMatchObject({ status: "waiting", waiting: 1 });
  expect(rows(changedBy(waiting!, event("b", "approval.granted")))?.[1]).toMatchObject({
    status: "running",
    waiting: 0,
  });
});

test("what is about no row, or says nothing about one, changes nothing", () => {
  expect(changedBy(data(), event("z", "run.failed"))).toBeUndefined();
  expect(changedBy(data(), event("a", "attempt.started"))).toBeUndefined();
});

test("new runs come in front, known ones change where they stand", () => {
  const after = mergedWith(data(), [
    row("e"),
    row("d"),
    row("c", { status: "succeeded" }),
    row("a", { status: "failed" }),
  ]);
  expect(rows(after)?.map(({ id, status }) => `${id} ${status}`)).toEqual([
    ...["e running", "d running", "c succeeded", "b running", "a failed"],
  ]);
  expect(after.pages.map(({ next }) => next)).toEqual(["b", undefined]);
});

test("what was deleted is gone", () => {
  expect(rows(without(data(), new Set(["b", "a"])))?.map(({ id }) => id)).toEqual(["c"]);
});

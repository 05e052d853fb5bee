// Which workflows the home screen shows, and in which order.

import { expect, test } from "vitest";
import type { WorkflowItem } from "../../api/shapes.ts";
import { foldersOf, inOrder, isShown } from "./choices.ts";

const item = (path: string, modifiedAt: string, runAt = "", status = "succeeded", triggers: string[] = []) =>
  ({
    path,
    modifiedAt,
    triggers,
    recent: runAt === "" ? [] : [{ id: path, status, startedAt: runAt }],
  }) as unknown as WorkflowItem;

const ITEMS = [
  item("a.flow.yaml", "2026-01-01", "2026-01-05", "failed"),
  item("jobs/b.flow.yaml", "2026-01-07"),
  item("jobs/deep/c.flow.yaml", "2026-01-02", "2026-01-06", "succeeded", ["schedule"]),
];
const paths = (items: readonly WorkflowItem[]) => items.map(({ path }) => path);

test("recent first; later, rows keep their places and new ones come first", () => {
  expect(paths(inOrder(ITEMS, []))).toEqual(["jobs/b.flow.yaml", "jobs/deep/c.flow.yaml", "a.flow.yaml"]);
  const before = ["a.flow.yaml", "jobs/deep/c.flow.yaml"];
  expect(paths(inOrder(ITEMS, before))).toEqual(["jobs/b.flow.yaml", ...before]);
});

test("chips: starred, failing, scheduled, folders", () => {
  const shown = (show?: string) => paths(ITEMS.filter((one) => isShown(one, show, ["a.flow.yaml"])));
  expect(foldersOf(ITEMS)).toEqual(["jobs/"]);
  expect(shown()).toHaveLength(3);
  expect(shown("starred")).toEqual(["a.flow.yaml"]);
  expect(shown("failing")).toEqual(["a.flow.yaml"]);
  expect(shown("scheduled")).toEqual(["jobs/deep/c.flow.yaml"]);
  expect(shown("jobs/")).toEqual(["jobs/b.flow.yaml", "jobs/deep/c.flow.yaml"]);
});

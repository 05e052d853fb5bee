// All open runs are found, even if there are more than one page of the run history: the start page counts them per
// workflow.

import { expect, onTestFinished, test } from "vitest";
import { tempFolder } from "../../../test/setup/folders.ts";
import { newRunId } from "../../base/ids.ts";
import { limits } from "../../base/limits.ts";
import { openStore } from "../../store/index.ts";
import { openRuns, unfinishedRuns } from "./unfinished.ts";

test("active runs are found beyond a page, newest first, and runs without a process oldest first", async () => {
  const home = tempFolder();
  const opened = openStore(home);
  if (!opened.ok) throw new Error(opened.error.message);
  const store = opened.value;
  onTestFinished(() => store.close());
  const count = limits.runsListedMax + 5;
  const ids = Array.from({ length: count }, (_, n) => newRunId(Date.UTC(2026, 0, 1) + n, new Uint8Array(11)));
  for (const id of ids) {
    const startedAt = "2026-01-01T00:00:00.000Z";
    const made = { id, name: "F", file: "/f.flow.yaml", trigger: { kind: "cli" as const }, startedAt };
    const created = store.journal.createRun({ ...made, status: "waiting" });
    if (!created.ok) throw new Error(created.error.message);
  }
  const [open, unfinished] = [await openRuns(store), await unfinishedRuns(store)];
  expect(open.ok && open.value.map(({ id }) => id)).toEqual(ids.toReversed());
  expect(unfinished.ok && unfinished.value.map(({ id }) => id)).toEqual(ids);
});

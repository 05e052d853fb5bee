// Pending approvals are found without reading idle runs. A server with many open runs in its history asks for them
// again and again while it resumes those runs.

import { expect, onTestFinished, test, vi } from "vitest";
import { tempFolder } from "../../test/setup/folders.ts";
import { newRunId } from "../base/ids.ts";
import { openStore } from "../store/index.ts";
import { allPending } from "./pending.ts";

test("runs without requests read no row", async () => {
  const home = tempFolder();
  const opened = openStore(home);
  if (!opened.ok) throw new Error(opened.error.message);
  const store = opened.value;
  onTestFinished(() => store.close());
  const owner = { pid: 1, startTime: "1", bootId: "1", token: "me" };
  for (let n = 0; n < 300; n++) {
    const id = newRunId(Date.UTC(2026, 0, 1) + n, new Uint8Array(11));
    const startedAt = "2026-01-01T00:00:00.000Z";
    const made = { id, name: "F", file: "/f.flow.yaml", trigger: { kind: "cli" as const }, startedAt };
    const created = store.journal.createRun({ ...made, status: "running" }, { owner });
    if (!created.ok) throw new Error(created.error.message);
    if (n === 7) store.journal.append(id, [], { status: "waiting", waiting: 1 });
  }
  const asked = vi.spyOn(store.journal, "listRuns");
  expect(await allPending(store)).toEqual({ ok: true, value: [] });
  const read = asked.mock.results.map(({ value }) => (value.ok ? value.value.runs.length : 0));
  expect(read).toEqual([1]);
});

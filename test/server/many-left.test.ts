// A history full of runs that were left (spec 3.4, H1 and H4 of run-host): the server answers at once, and what cannot go on is told.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Page, RunItem, WorkflowItem } from "../../src/api/shapes.ts";
import { newRunId } from "../../src/base/ids.ts";
import { openStore } from "../../src/store/index.ts";
import { inARow } from "../cli/curlew.ts";
import { type Served, servedIn } from "./served.ts";

const LEFT = 20_000;
const FLOW = inARow({ a: "true" });

/** Rows of the index that say "running", and no event. */
function seed(home: string, file: string): void {
  const store = openStore(home);
  if (!store.ok) throw new Error(store.error.message);
  const trigger = { kind: "cli" as const };
  for (let n = 0; n < LEFT; n++) {
    const ms = Date.UTC(2026, 0, 1) + n;
    const [id, at] = [newRunId(ms, new Uint8Array(11)), new Date(ms).toISOString()];
    store.value.journal.createRun({ id, name: "Test", file, trigger, startedAt: at, status: "running" });
  }
  store.value.close();
}

async function asked<Body>(it: Served, path: string): Promise<Body> {
  return (await (await it.api("GET", path)).json()) as Body;
}

test(`${LEFT} runs that say "running" and never began keep nobody waiting, and say that they cannot go on`, async () => {
  const place = mkdtempSync(join(tmpdir(), "curlew-left-"));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  const [home, folder] = [join(place, "home"), join(place, "flows")];
  mkdirSync(folder);
  writeFileSync(join(folder, "a.flow.yaml"), FLOW);
  seed(home, join(folder, "a.flow.yaml"));
  const from = performance.now();
  const it = await servedIn(home, folder);
  const { items } = await asked<Page<RunItem>>(it, "/runs?limit=1");
  expect(performance.now() - from, "started and answered").toBeLessThan(4_000);
  expect(items[0]!.stuck).toMatchObject({ code: "run-empty", hint: expect.stringContaining("runs rm") });
  const flows = await asked<Page<WorkflowItem>>(it, "/workflows");
  expect(flows.items[0]).toMatchObject({ stuck: LEFT, running: 0, waiting: 0 });
});

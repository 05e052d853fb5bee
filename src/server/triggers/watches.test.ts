import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "../../engine/clock.ts";
import { openStore } from "../../store/index.ts";
import { serverStore } from "../../store/server-store.ts";
import type { FileTrigger } from "../../workflow/triggers.ts";
import { Watches } from "./watches.ts";

test("a folder that another one took the place of is watched on, wherever on the way to it that happened", async () => {
  const place = mkdtempSync(join(tmpdir(), "curlew-watches-"));
  const opened = openStore(join(place, "home"));
  if (!opened.ok) throw new Error(opened.error.message);
  const store = serverStore(opened.value);
  const decided = vi.fn();
  let runs = 0;
  const watches = new Watches({
    ...{ store, clock: systemClock, decided, changed: () => {} },
    log: { error: () => {}, warn: () => {} } as never,
    newRunId: () => `run-${++runs}`,
  });
  onTestFinished(async () => {
    await watches.close();
    opened.value.close();
    rmSync(place, { recursive: true, force: true });
  });
  const at = (path: string) => join(place, "flows", path);
  const write = (path: string): void => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), path);
  };
  write("in/deep/a.json");
  const trigger: FileTrigger = { kind: "file", index: 0, paths: ["in/deep/*.json"], on: ["add"] };
  await watches.arm([{ id: "w", path: "w.flow.yaml", file: at("w.flow.yaml"), trigger }]);
  const seen = () => {
    const marks = store.triggers.watched("w");
    return marks.ok ? [...marks.value.keys()] : [];
  };
  await vi.waitUntil(() => seen().includes("in/deep/a.json"), 10_000);
  for (const name of ["b", "c"]) {
    write(`new/deep/${name}1.json`);
    renameSync(at("in"), at(`old-${name}`));
    renameSync(at("new"), at("in"));
    watches.lookAtFolders();
    await vi.waitUntil(() => seen().join() === `in/deep/${name}1.json`, 10_000);
    write(`in/deep/${name}2.json`);
    await vi.waitUntil(() => seen().length === 2, 10_000);
  }
  expect(runs).toBe(4);
  expect(decided).toHaveBeenCalled();
});

import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { tempFolder } from "../../../test/setup/folders.ts";
import { testServerStore } from "../../../test/setup/stores.ts";
import { systemClock } from "../../engine/clock.ts";
import type { FileTrigger } from "../../workflow/triggers/index.ts";
import { Watches } from "./file.ts";

async function watching(paths: string[], file: string) {
  const place = tempFolder();
  const store = testServerStore();
  const decided = vi.fn();
  let runs = 0;
  const watches = new Watches({
    ...{ store, clock: systemClock, decided },
    log: { error: () => {}, warn: () => {} } as never,
    newRunId: () => `run-${++runs}`,
  });
  onTestFinished(() => watches.disarm());
  const at = (path: string) => join(place, "flows", path);
  const write = (path: string): void => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), path);
  };
  write("in/deep/a.json");
  const trigger: FileTrigger = { kind: "file", index: 0, paths, on: ["add"] };
  await watches.arm([{ id: "w", path: file, file: at(file), trigger }]);
  const seen = () => {
    const marks = store.triggers.watched("w");
    return marks.ok ? [...marks.value.keys()] : [];
  };
  await vi.waitUntil(() => seen().length === 1, 10_000);
  return { at, write, watches, seen, runs: () => runs, decided };
}

test.each([
  ["on the way to what is watched", "in/deep/*.json", "w.flow.yaml", "in/deep/"],
  ["of the document itself", "*.json", "in/deep/w.flow.yaml", ""],
])("a folder that another one took the place of is watched on: one %s", async (_, paths, file, below) => {
  const { at, write, watches, seen, runs, decided } = await watching([paths], file);
  for (const name of ["b"]) {
    write(`new/deep/${name}1.json`);
    renameSync(at("in"), at(`old-${name}`));
    renameSync(at("new"), at("in"));
    watches.look();
    await vi.waitUntil(() => seen().join() === `${below}${name}1.json`, 10_000);
    write(`in/deep/${name}2.json`);
    await vi.waitUntil(() => seen().length === 2, 10_000);
  }
  expect(runs()).toBe(2);
  expect(decided).toHaveBeenCalled();
});

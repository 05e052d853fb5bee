// A removal that a real kill stops at each of its steps: the next program completes it (spec 3.4, 5.6).

import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { openEngine } from "../../src/engine/index.ts";
import { type LocalStore, openStore } from "../../src/store/store.ts";
import { tempFolder } from "../setup/folders.ts";
import { at, dead, events, id, must, newRun, owner } from "./fixture.ts";

/** Two runs that have ended, the first with a subflow's run; two files each. */
function home(): string {
  const folder = tempFolder();
  const store = must(openStore(folder));
  for (const run of [newRun(1), newRun(2, { parent: { run: id(1), path: "sub" } }), newRun(3)]) {
    must(store.journal.createRun(run, { owner: owner("me"), events: events(run.id, 1, 3) }));
    for (const file of ["1.val", "2.val"]) must(store.outputs.write(run.id, file, Buffer.alloc(1_000)));
    must(store.journal.append(run.id, [], { status: "succeeded", endedAt: at(1_000) }));
    must(store.journal.release(run.id));
  }
  store.close();
  return folder;
}

const kept = new Map<string, string>();

/** A copy of a data directory in which a removal was killed at this step. */
function afterKill(step: string, what: string): string {
  const name = `${step} ${what}`;
  const original = kept.get(name) ?? home();
  if (!kept.has(name)) killed(original, step, what);
  kept.set(name, original);
  const copy = tempFolder();
  fs.cpSync(original, copy, { recursive: true });
  return copy;
}

function killed(folder: string, step: string, what: string): void {
  const remover = path.join(import.meta.dirname, "remover.ts");
  const { signal, stderr } = spawnSync(process.execPath, [remover, folder, step, what], { encoding: "utf8" });
  expect({ signal, stderr }).toEqual({ signal: "SIGKILL", stderr: "" });
}

const folders = (at: string) => fs.readdirSync(path.join(at, "runs")).sort();

function within<T>(folder: string, work: (store: LocalStore) => T): T {
  const store = must(openStore(folder));
  try {
    return work(store);
  } finally {
    store.close();
  }
}

const found = (folder: string) => within(folder, (store) => must(store.check()).map(({ code, run }) => [code, run]));

/** The step, what is removed, and the runs whose files are left. */
const STEPS: [step: string, what: string, left: string[]][] = [
  ["before", id(1), [id(1), id(2)]],
  ["within", id(1), [id(1), id(2)]],
  ["between", id(1), [id(2)]],
  ["after", id(1), [id(2)]],
  ["after", id(3), []],
  ["before", "all", [id(1), id(2)]],
  ["within", "all", [id(1), id(2)]],
  ["after", "all", [id(2)]],
];

const NEXT: [who: string, goesOn: (folder: string) => void | Promise<void>][] = [
  ["a run", async (home) => must(await openEngine({ home, env: {} })).close()],
  ["another removal", (at) => within(at, (store) => void store.removeRun("not there", dead))],
  ["retention", (at) => within(at, (store) => void must(store.removeLeaving({ keep: 100 }, dead)))],
];

for (const [who, goesOn] of NEXT)
  test.each(STEPS)(`${who} completes what was killed: %s its files, of %s`, async (step, what, left) => {
    const folder = afterKill(step, what);
    expect(found(folder)).toEqual(left.map((run) => ["outputs-without-run", run]));
    await goesOn(folder);
    expect(found(folder)).toEqual([]);
    expect(folders(folder)).toEqual(what === id(3) ? [id(1), id(2)] : [id(3)]);
  });

test("a run that is being removed is reported as such, and not as lost", () => {
  const folder = home();
  killed(folder, "before", id(3));
  const [finding] = within(folder, (store) => must(store.check()));
  expect(finding?.message).toContain(
    'was not removed completely: output files are left. The next run or "curlew runs rm" removes them',
  );
});

test("a run that started again under its old id keeps its files", () => {
  const folder = home();
  killed(folder, "after", id(3));
  within(folder, (store) => {
    must(store.journal.createRun(newRun(3), { owner: owner("me"), events: events(id(3), 1, 3) }));
    must(store.outputs.write(id(3), "1.val", Buffer.alloc(1_000)));
    expect(must(store.sweepRemoved())).toEqual([]);
    expect(must(store.outputs.list(id(3)))).toEqual(["1.val"]);
  });
});

// A backup shows one moment, whatever other processes write and remove during it.

import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { checkOutputs } from "../../src/store/outputs-check.ts";
import { openStore } from "../../src/store/store.ts";
import { endsWithTest } from "../setup/ends.ts";
import { tempFolder } from "../setup/folders.ts";
import { dead, event, events, id, must, newRun, owner } from "./fixture.ts";

test("a backup while another process writes has everything acknowledged before, and every journal is complete up to its end", async () => {
  const home = path.join(tempFolder(), "home");
  must(openStore(home)).close();
  const args = [path.join(import.meta.dirname, "writer.ts"), home, id(1), "token", "1000000"];
  const child = endsWithTest(spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] }));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const store = must(openStore(home));
  for (let round = 0; round < 5; round++) {
    let told = 0;
    for (let line = 0; line < 20; line++) told = Number((await lines.next()).value) || told;
    const folder = path.join(tempFolder(), "copy");
    const report = must(store.backup(folder));
    const copy = must(openStore(folder));
    const read = must(copy.journal.read(id(1)));
    expect(read.length).toBeGreaterThanOrEqual(told);
    expect(read).toEqual(events(id(1), 1, read.length));
    expect(report.events).toBe(read.length);
    expect(must(copy.check())).toEqual([]);
    copy.close();
  }
  const closed = once(child, "close");
  child.kill("SIGKILL");
  await closed;
  store.close();
}, 60_000);

test("the output of a command that started later is left out: otherwise the journal would seem to have lost its end", () => {
  const home = path.join(tempFolder(), "home");
  const store = must(openStore(home));
  must(store.journal.createRun(newRun(1), { owner: owner("me"), events: events(id(1), 1, 2) }));
  const outputs = must(store.outputs.folder(id(1)));
  const names = ["2.out", "1-1.val", "1-1.sealed", "7.out", "7.err", "6-1.sealed"];
  for (const name of names) fs.writeFileSync(path.join(outputs, name), "printed");
  const folder = path.join(tempFolder(), "copy");
  expect(must(store.backup(folder))).toMatchObject({ runs: 1, events: 2, files: 3 });
  expect(fs.readdirSync(path.join(folder, "runs", id(1))).sort()).toEqual(["1-1.sealed", "1-1.val", "2.out"]);
  const copy = must(openStore(folder));
  expect(must(checkOutputs(copy.journal, copy.outputs))).toEqual([]);
  copy.close();
  store.close();
});

test("outputs that several runs share are shared in the copy", () => {
  const home = path.join(tempFolder(), "home");
  const store = must(openStore(home));
  for (const n of [1, 2]) must(store.journal.createRun(newRun(n), { owner: owner("me"), events: [event(id(n), 1)] }));
  must(store.outputs.write(id(1), "1.val", Buffer.from("shared")));
  fs.linkSync(path.join(home, "runs", id(1), "1.val"), path.join(must(store.outputs.folder(id(2))), "1.val"));
  const folder = path.join(tempFolder(), "copy");
  expect(must(store.backup(folder))).toMatchObject({ runs: 2, files: 2 });
  expect(fs.statSync(path.join(folder, "runs", id(2), "1.val")).nlink).toBe(2);
  const copy = must(openStore(folder));
  must(copy.removeRun(id(1), dead));
  expect(Buffer.from(must(copy.outputs.range(id(2), "1.val", 0, 100)).bytes).toString()).toBe("shared");
  copy.close();
  store.close();
});

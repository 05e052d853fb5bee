import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../test/setup/folders.ts";
import { alive, codeOf, dead, events, id, modeOf, must, newRun, owner } from "../../test/store/fixture.ts";
import { openStore } from "./store.ts";

test("a new data directory is created, private, and the same when opened again", () => {
  const home = path.join(tempFolder(), "new", "home");
  const store = must(openStore(home));
  must(store.journal.createRun(newRun(1), { owner: owner("me"), events: events(id(1), 1, 2) }));
  must(store.outputs.write(id(1), "1.out", Buffer.from("hello")));
  expect(
    ["", "runs", "curlew.db", `runs/${id(1)}`, `runs/${id(1)}/1.out`].map((file) => modeOf(path.join(home, file))),
  ).toEqual(["700", "700", "600", "700", "600"]);
  store.close();
  store.close();
  const again = must(openStore(home));
  expect(must(again.journal.read(id(1)))).toEqual(events(id(1), 1, 2));
  expect(must(again.outputs.size(id(1), "1.out"))).toBe(5);
  again.close();
});

test("a data directory that others can only list is fine; its files become private", () => {
  const home = tempFolder();
  fs.chmodSync(home, 0o755);
  fs.mkdirSync(path.join(home, "runs"), { mode: 0o755 });
  must(openStore(home)).close();
  expect([modeOf(home), modeOf(path.join(home, "runs"))]).toEqual(["755", "700"]);
});

test.each([0o777, 0o775, 0o1777])("a data directory that others can write to (%o) is rejected", (mode) => {
  const home = tempFolder();
  fs.chmodSync(home, mode);
  expect(openStore(home)).toMatchObject({
    error: { code: "store-permissions", message: expect.stringContaining(`${home} (mode ${mode.toString(8)})`) },
  });
  expect(fs.readdirSync(home)).toEqual([]);
});

test("a data directory that is a file is rejected", () => {
  const home = path.join(tempFolder(), "home");
  fs.writeFileSync(home, "");
  expect(codeOf(openStore(home))).toBe("store-failed");
});

/**
 * The result of `openStore` as a user other than root. Root may write everywhere, so the
 * child process switches to `nobody`.
 */
function openedByNobody(home: string): string {
  const program = `
    const { openStore } = await import(${JSON.stringify(path.join(import.meta.dirname, "store.ts"))});
    if (process.getuid() === 0) { process.setgroups([]); process.setgid(65534); process.setuid(65534); }
    // Every command looks for this mark before it opens the store.
    (await import(${JSON.stringify(path.join(import.meta.dirname, "moved.ts"))})).movedTo(${JSON.stringify(home)});
    const opened = openStore(${JSON.stringify(home)});
    console.log(opened.ok ? "ok" : opened.error.code);`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });
  return stdout.trim() || stderr;
}

test("a folder that cannot be written to is reported", () => {
  const folder = tempFolder();
  must(openStore(path.join(folder, "home"))).close();
  fs.chmodSync(folder, 0o555);
  expect(openedByNobody(path.join(folder, "other"))).toBe("store-read-only");
  fs.chmodSync(folder, 0o755);
});

test("a data directory of another user is reported", () => {
  const home = tempFolder();
  must(openStore(home)).close();
  fs.chmodSync(home, 0o000);
  expect(openedByNobody(home)).toBe("store-read-only");
  fs.chmodSync(home, 0o700);
});

test("a database that cannot be written to is reported", () => {
  const home = tempFolder();
  must(openStore(home)).close();
  fs.chmodSync(home, 0o755);
  fs.chmodSync(path.join(home, "runs"), 0o500);
  fs.chmodSync(path.join(home, "curlew.db"), 0o444);
  expect(openedByNobody(home)).toBe("store-read-only");
});

test("removing a run removes its outputs and those of its subflows, and nothing else", () => {
  const home = tempFolder();
  const store = must(openStore(home));
  must(store.journal.createRun(newRun(1), { owner: owner("me") }));
  must(store.journal.createRun(newRun(2, { parent: { run: id(1), path: "sub" } })));
  must(store.journal.createRun(newRun(3), { owner: owner("me"), events: events(id(3), 1, 1) }));
  for (const n of [1, 2, 3]) must(store.outputs.create(id(n), "1.out"));
  expect(codeOf(store.removeRun(id(1), alive))).toBe("run-claimed");
  expect(fs.readdirSync(path.join(home, "runs"))).toHaveLength(3);
  expect(must(store.removeRun(id(1), dead))).toEqual([id(1), id(2)]);
  expect(fs.readdirSync(path.join(home, "runs"))).toEqual([id(3)]);
  expect(must(store.check())).toEqual([]);
  store.close();
});

test("the self-check finds outputs without a run, and ignores empty folders of a killed start", () => {
  const store = must(openStore(tempFolder()));
  must(store.outputs.folder(id(6)));
  must(store.outputs.create(id(7), "1.out"));
  expect(must(store.check())).toMatchObject([{ code: "outputs-without-run", run: id(7) }]);
  store.close();
});

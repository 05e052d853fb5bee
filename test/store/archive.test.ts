// archive: outputs and large values of a cluster's runs, on the machine that made them and on others (spec 6.6).

import fs from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { ok } from "../../src/base/result.ts";
import type { RunEvent } from "../../src/scheduler/event.ts";
import { Archive } from "../../src/store/postgres/archive.ts";
import { type ClusterStore, openPostgresStore } from "../../src/store/postgres/index.ts";
import { tempFolder } from "../setup/folders.ts";
import { has } from "../setup/machine.ts";
import { databases } from "./databases.ts";
import { at, codeOf, dead, event, id, must, newRun, owner } from "./fixture.ts";

const there = has("postgres") ? test : undefined;
const cluster = databases();
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const auditKey = () => ok(Buffer.alloc(32, 7));
const RUN = id(1);
const place = { at: at(1), run: RUN, node: "n", path: "n" };

const started = (seq: number): RunEvent => ({
  ...{ ...place, seq, type: "attempt.started", number: 1 },
  detail: { stdoutFile: `${seq}.out`, stderrFile: `${seq}.err` } as never,
});
const ended = (seq: number): RunEvent => ({ ...place, seq, type: "attempt.cancelled", number: 1, end: {} as never });
const valued = (seq: number, bytes: number): RunEvent => ({
  ...{ ...place, seq, type: "node.succeeded" },
  value: { file: `${seq}.val`, bytes },
});

async function machine(url: string, isFenced = () => false): Promise<ClusterStore> {
  const home = path.join(tempFolder(), "home");
  const fence = () => (isFenced() ? "false" : undefined);
  const store = must(await openPostgresStore({ url, home, auditKey, fence }));
  closing.push(() => store.close());
  return store;
}

const fileOf = (store: ClusterStore, name: string): string => path.join(must(store.outputs.folder(RUN)), name);
const write = (store: ClusterStore, name: string, text: string | Buffer): void =>
  fs.writeFileSync(fileOf(store, name), text);
const read = (store: ClusterStore, name: string): string | undefined =>
  fs.existsSync(fileOf(store, name)) ? fs.readFileSync(fileOf(store, name), "latin1") : undefined;

there?.("M12: what an event names can be read on another machine as soon as the event can", async () => {
  const url = await cluster.fresh();
  const [a, b] = [await machine(url), await machine(url)];
  const large = Buffer.alloc(2_500_000, "äb\n");
  write(a, "1.val", "kept from an earlier run");
  must(await a.journal.createRun(newRun(1), { owner: owner("a"), events: [valued(1, 24), started(2)] }));
  for (const [name, bytes] of Object.entries({ "2.out": large, "2.err": "", "2.ord": "x" })) write(a, name, bytes);
  must(await b.bring!(RUN));
  expect([read(b, "1.val"), read(b, "2.out")]).toEqual(["kept from an earlier run", undefined]);
  write(a, "4.val", large);
  must(await a.journal.append(RUN, [ended(3), valued(4, large.length)]));
  must(await b.bring!(RUN, ["4.val"]));
  expect([read(b, "4.val"), read(b, "2.err")]).toEqual([large.toString("latin1"), undefined]);
  must(await b.bring!(RUN));
  expect([read(b, "2.out"), read(b, "2.err"), read(b, "2.ord")]).toEqual([large.toString("latin1"), "", "x"]);
  expect(fs.statSync(fileOf(b, "2.out")).mode & 0o777).toBe(0o600);

  must(await b.removeRun(RUN, dead));
  const left = must(
    await a.connection.query("SELECT run FROM curlew.archive UNION SELECT run FROM curlew.archive_parts"),
  );
  expect(left).toEqual([]);
});

there?.("M12: a copy that fails is made again before the event is on record", async () => {
  const url = await cluster.fresh();
  const [a, b] = [await machine(url), await machine(url)];
  must(await a.journal.createRun(newRun(1), { owner: owner("a"), events: [started(1)] }));
  write(a, "1.out", "printed");
  must(await a.connection.query("ALTER TABLE curlew.archive_parts RENAME TO elsewhere"));
  expect((await a.journal.append(RUN, [ended(2)])).ok).toBe(false);
  must(await a.connection.query("ALTER TABLE curlew.elsewhere RENAME TO archive_parts"));
  must(await a.journal.append(RUN, [ended(2)]));
  must(await b.bring!(RUN));
  expect(read(b, "1.out")).toBe("printed");
});

there?.("a machine that resumes a run knows which outputs belong to an attempt", async () => {
  const url = await cluster.fresh();
  const [a, b] = [await machine(url), await machine(url)];
  must(await a.journal.createRun(newRun(1), { owner: owner("a"), events: [started(1)] }));
  must(await b.journal.claim(RUN, owner("b"), dead));
  write(b, "1.out", "adopted");
  must(await b.journal.append(RUN, [ended(2)]));
  must(await a.bring!(RUN));
  expect(read(a, "1.out")).toBe("adopted");
});

there?.("killed between copy and event: the copy is never read, and the next owner's value replaces it", async () => {
  const url = await cluster.fresh();
  let isDead = false;
  const [a, b] = [await machine(url, () => isDead), await machine(url)];
  must(await a.journal.createRun(newRun(1), { owner: owner("a"), events: [event(RUN, 1)] }));
  isDead = true;
  write(a, "2.val", "first");
  expect(codeOf(await a.journal.append(RUN, [valued(2, 5)]))).toBe("not-owner");
  must(await b.bring!(RUN));
  expect(read(b, "2.val")).toBeUndefined();

  must(await b.journal.claim(RUN, owner("b"), dead));
  write(b, "2.val", "other");
  must(await b.journal.append(RUN, [valued(2, 5)]));
  // C1: too late.
  write(a, "2.val", "third");
  // Machines write a value at least a lease apart, and this test within a millisecond.
  fs.utimesSync(fileOf(a, "2.val"), 1, 1);
  await a.journal.append(RUN, [valued(2, 5)]);
  must(await a.bring!(RUN));
  expect(read(a, "2.val")).toBe("other");
});

there?.("a file that is too large, or for which there is no room, stays on its machine", async () => {
  const url = await cluster.fresh();
  const [a, b] = [await machine(url), await machine(url)];
  must(await a.journal.createRun(newRun(1), { owner: owner("a"), events: [event(RUN, 1)] }));
  const archive = new Archive(a.connection, a.outputs, { chunkBytes: 4, fileBytesMax: 10, bytesMax: 15 });
  for (const [name, text] of Object.entries({ "1.out": "12345678901", "1.err": "1234567890", "1.ord": "123456" }))
    write(a, name, text);
  must(await archive.keep(RUN, "a", ["1.out", "1.err", "1.ord", "1-1.val"]));
  must(await new Archive(b.connection, b.outputs, { chunkBytes: 4, fileBytesMax: 10, bytesMax: 15 }).bring(RUN));
  expect([read(b, "1.out"), read(b, "1.err"), read(b, "1.ord")]).toEqual([undefined, "1234567890", undefined]);
});

there?.("the output of a running command is copied while a reader asks, and the copy follows it", async () => {
  const url = await cluster.fresh();
  const [a, b] = [await machine(url), await machine(url)];
  must(await a.journal.createRun(newRun(1), { owner: owner("a"), events: [started(1)] }));
  const files = ["1.out", "1.err", "1.ord"];
  const looks = async (store: ClusterStore): Promise<string | undefined> => {
    must(await store.bring!(RUN, files, true));
    await a.showOutputs("a");
    must(await store.bring!(RUN, files, true));
    return read(b, "1.out");
  };
  write(a, "1.out", "one\n");
  await a.showOutputs("a");
  expect(must(await a.connection.query("SELECT * FROM curlew.archive"))).toEqual([]);
  // Its own readers need no copy.
  expect(await looks(a)).toBeUndefined();
  expect(await looks(b)).toBe("one\n");
  const more = "x".repeat(1_500_000);
  fs.appendFileSync(fileOf(a, "1.out"), more);
  expect(await looks(b)).toBe(`one\n${more}`);
  expect(read(a, "1.out")).toBe(`one\n${more}`);
});

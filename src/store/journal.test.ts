// The contract of journal.ts, tested for every journal. `open` returns another journal on the
// same records, as in another process.

import path from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { alive, at, codeOf, dead, event, events, id, must, newRun, owner } from "../../test/store/fixture.ts";
import { tempFolder } from "../../test/store/folders.ts";
import { type MemoryDisk, memoryJournal } from "../../test/store/memory-journal.ts";
import { runIdTimeMs } from "../base/ids.ts";
import { limits } from "../base/limits.ts";
import type { RunEvent } from "../scheduler/event.ts";
import { openDatabase } from "./database.ts";
import type { Journal, RunQuery } from "./journal.ts";
import { sqliteJournal } from "./sqlite.ts";

const bodies: Record<string, () => () => Journal> = {
  memory: () => {
    const disk: MemoryDisk = new Map();
    return () => memoryJournal(disk);
  },
  sqlite: () => {
    const file = path.join(tempFolder(), "curlew.db");
    return () => sqliteJournal(must(openDatabase(file)));
  },
};

describe.each(Object.keys(bodies))("%s journal", (kind) => {
  let open: () => Journal;
  let journal: Journal;
  beforeEach(() => {
    open = bodies[kind]!();
    journal = open();
    return () => journal.close();
  });

  /** A run owned by this journal, with events 1 … last. */
  function owned(n: number, last = 0, more = {}) {
    must(journal.createRun(newRun(n, more), { owner: owner("me"), events: events(id(n), 1, last) }));
    return id(n);
  }
  const ids = (query?: RunQuery) => must(journal.listRuns(query)).runs.map((run) => run.id);

  test("runs are found by what started them, by time, by a part of their names, by the node that failed", () => {
    const failed = (run: string, node: string): RunEvent => ({
      ...{ seq: 2, at: at(2), run, type: "run.failed", node, path: node },
      failure: { code: "exit", message: "no" },
    });
    const one = owned(1, 1, { name: "Nightly 100%", trigger: { kind: "schedule", by: "webhook" } });
    const two = owned(2, 1, { name: "nightly 1000", trigger: { kind: "webhook" } });
    must(journal.append(one, [failed(one, "fetch")], { status: "failed" }));
    must(journal.append(two, [failed(two, "fetch-all")], { status: "failed" }));
    expect(ids({ trigger: "webhook" })).toEqual([two]);
    expect(ids({ text: "nightly 100%" })).toEqual([one]);
    expect(ids({ text: "NIGHTLY" })).toEqual([two, one]);
    expect(ids({ text: one })).toEqual([one]);
    expect(ids({ failedAt: "fetch" })).toEqual([one]);
    const madeMs = runIdTimeMs(two) ?? 0;
    expect(ids({ sinceMs: madeMs })).toContain(two);
    expect(ids({ sinceMs: madeMs + 1 })).not.toContain(two);
    expect(ids({ untilMs: madeMs })).not.toContain(two);
  });

  describe("events", () => {
    test("come back as they were appended, to everyone", () => {
      const run = owned(1, 2);
      expect(must(journal.append(run, events(run, 3, 5)))).toBe(5);
      expect(must(open().read(run))).toEqual(events(run, 1, 5));
      expect(must(journal.lastSeq(run))).toBe(5);
    });

    test("come back from a seq, up to a limit", () => {
      const run = owned(1, 9);
      const seqs = (from?: number, limit?: number) => must(journal.read(run, from, limit)).map((one) => one.seq);
      expect(seqs(8)).toEqual([8, 9]);
      expect(seqs(3, 2)).toEqual([3, 4]);
      expect(seqs(10)).toEqual([]);
      expect(seqs(0, 1)).toEqual([1]);
      expect(seqs(1, 0)).toEqual([]);
    });

    test("of all runs come in the order of their commits, from a position, whoever wrote them", () => {
      const [one, two] = [owned(1, 2), owned(2, 1)];
      must(journal.append(one, events(one, 3, 4)));
      const other = open();
      const third = must(other.createRun(newRun(3), { owner: owner("you"), events: events(id(3), 1, 1) })).id;
      const all = must(journal.readAll(0));
      const names = all.events.map(({ event: { run, seq } }) => [run, seq]);
      expect(names).toEqual([
        [one, 1],
        [one, 2],
        [two, 1],
        [one, 3],
        [one, 4],
        [third, 1],
      ]);
      const places = all.events.map(({ position }) => position);
      expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
      expect(all.position).toBe(places.at(-1));
      const rest = must(journal.readAll(places[1]!, 2));
      expect(rest.events).toEqual(all.events.slice(2, 4));
      expect(must(journal.readAll(all.position))).toEqual({ events: [], position: all.position });
    });

    test("a position is never used twice, also when the newest events are gone", () => {
      owned(1, 2);
      const last = must(journal.lastPosition());
      must(journal.deleteRun(id(1), dead));
      expect(must(journal.lastPosition())).toBe(last);
      const run = owned(2, 1);
      expect(must(journal.readAll(last)).events.map(({ event, position }) => [event.run, position > last])).toEqual([
        [run, true],
      ]);
    });

    test("what others write is noticed, what this one writes is not", () => {
      const run = owned(1, 1);
      const other = open();
      const before = must(journal.othersChange());
      must(journal.append(run, events(run, 2, 3)));
      expect(must(journal.othersChange())).toBe(before);
      must(other.createRun(newRun(2), { owner: owner("you"), events: events(id(2), 1, 1) }));
      expect(must(journal.othersChange())).not.toBe(before);
    });

    test("keep any text: every character, any depth, any size", () => {
      const anyBody = fc.record({ text: fc.string({ unit: "binary" }), inputs: fc.jsonValue() });
      let n = 0;
      fc.assert(
        fc.property(anyBody, ({ text, inputs }) => {
          const run = owned(++n);
          const workflow = { name: text, file: "f", text: `${text}\u0000'"\ud800 é 🐦` };
          const started: RunEvent = {
            seq: 1,
            at: at(1),
            run,
            type: "run.started",
            workflow,
            inputs: { inputs },
            trigger: { kind: "cli" },
          };
          must(journal.append(run, [started]));
          // Compare with what JSON can express: it has no -0.
          expect(must(journal.read(run))).toEqual([JSON.parse(JSON.stringify(started))]);
        }),
        { numRuns: 60 },
      );
      const run = owned(++n);
      must(journal.append(run, [event(run, 1, "x".repeat(3_000_000))]));
      expect(must(journal.read(run))).toEqual([event(run, 1, "x".repeat(3_000_000))]);
    });

    test("are visited one by one over many pages, until the visitor has enough", () => {
      const last = limits.journalPageEvents * 2 + 5;
      const run = owned(1, last);
      const seen: number[] = [];
      expect(must(journal.each(run, 3, (one) => void seen.push(one.seq)))).toBe(last - 2);
      expect(seen).toEqual(Array.from({ length: last - 2 }, (_, n) => n + 3));
      expect(must(journal.each(run, 1, (one) => one.seq < 1500))).toBe(1500);
      expect(must(journal.read(run, 1, 1500))).toHaveLength(1500);
    });

    test.each([
      ["a duplicate", [2], "journal-stale", 3],
      ["a gap", [4], "journal-gap", 3],
      ["a gap inside", [3, 5], "journal-gap", 4],
      ["a duplicate inside", [3, 3], "journal-stale", 4],
      ["the wrong order", [4, 3], "journal-gap", 3],
      ["a fraction", [3.5], "journal-gap", 3],
    ])("%s is refused and leaves nothing", (_what, seqs, code, expectedSeq) => {
      const run = owned(1, 2);
      const refused = journal.append(
        run,
        seqs.map((seq) => event(run, seq)),
        { status: "failed" },
      );
      expect(refused).toMatchObject({ ok: false, error: { code, run, expectedSeq } });
      expect(must(journal.read(run))).toEqual(events(run, 1, 2));
      expect(must(journal.findRun(run))).toMatchObject({ lastSeq: 2, status: "queued" });
      expect(must(journal.append(run, [event(run, 3)]))).toBe(3);
    });

    test("of a run that is not there: said so by every call", () => {
      const calls = {
        append: journal.append("nope", []),
        read: journal.read("nope"),
        readNone: journal.read("nope", 1, 0),
        each: journal.each("nope", 1, () => {}),
        lastSeq: journal.lastSeq("nope"),
        claim: journal.claim("nope", owner("me"), alive),
        release: journal.release("nope"),
        findRun: journal.findRun("nope"),
        deleteRun: journal.deleteRun("nope", alive),
      };
      for (const [call, result] of Object.entries(calls))
        expect([call, codeOf(result)]).toEqual([call, "run-not-found"]);
    });
  });

  describe("one writer", () => {
    test("only who has claimed a run appends to it", () => {
      must(journal.createRun(newRun(1)));
      expect(codeOf(journal.append(id(1), [event(id(1), 1)]))).toBe("not-owner");
      must(journal.claim(id(1), owner("me"), alive));
      expect(must(journal.append(id(1), [event(id(1), 1)]))).toBe(1);
    });

    test("a living owner keeps its run; claiming one's own again is fine", () => {
      const run = owned(1);
      const other = open();
      expect(other.claim(run, owner("other"), alive)).toMatchObject({
        error: { code: "run-claimed", owner: owner("me") },
      });
      expect(codeOf(other.append(run, [event(run, 1)]))).toBe("not-owner");
      expect(codeOf(other.release(run))).toBe("not-owner");
      expect(codeOf(journal.claim(run, owner("me"), alive))).toBe("ok");
      expect(codeOf(journal.append(run, [event(run, 1)]))).toBe("ok");
      other.close();
    });

    test("a dead owner's run is taken over, and the stale writer is refused from then on", () => {
      const run = owned(1, 1);
      const other = open();
      const asked: unknown[] = [];
      expect(must(other.claim(run, owner("other", 2), (one) => asked.push(one) === 0))).toMatchObject({ lastSeq: 1 });
      expect(asked).toEqual([owner("me")]);
      must(other.append(run, [event(run, 2)]));
      for (const seq of [2, 3]) {
        expect(journal.append(run, [event(run, seq)])).toMatchObject({
          error: { code: "not-owner", owner: owner("other", 2) },
        });
      }
      expect(codeOf(journal.release(run))).toBe("not-owner");
      expect(must(other.lastSeq(run))).toBe(2);
      other.close();
    });

    test("a released run is free, its last owner no longer writes", () => {
      const run = owned(1);
      must(journal.release(run));
      expect(must(journal.findRun(run)).owner).toBeUndefined();
      expect(codeOf(journal.append(run, [event(run, 1)]))).toBe("not-owner");
      const other = open();
      must(other.claim(run, owner("other"), alive));
      expect(must(other.append(run, [event(run, 1)]))).toBe(1);
      other.close();
    });
  });

  describe("the index", () => {
    test("knows of a run what it was created with", () => {
      const made = must(
        journal.createRun(newRun(1, { trigger: { kind: "webhook", by: "x" }, parent: { run: id(0), path: "a[1]" } }), {
          owner: owner("me"),
          events: events(id(1), 1, 2),
        }),
      );
      expect(made).toEqual({
        id: id(1),
        name: "shop",
        file: "/flows/shop.yaml",
        trigger: { kind: "webhook", by: "x" },
        status: "queued",
        startedAt: at(1),
        waiting: 0,
        parent: { run: id(0), path: "a[1]" },
        lastSeq: 2,
        owner: owner("me"),
      });
      expect(must(open().findRun(id(1)))).toEqual(made);
      expect(codeOf(journal.createRun(newRun(1)))).toBe("run-exists");
      expect(codeOf(journal.createRun(newRun(2), { events: [event(id(2), 2)] }))).toBe("journal-gap");
      expect(codeOf(journal.findRun(id(2)))).toBe("run-not-found");
    });

    test("lists newest first, page by page, each run once", () => {
      for (const n of [3, 1, 5, 2, 4, 6]) owned(n);
      expect(ids()).toEqual([6, 5, 4, 3, 2, 1].map(id));
      const pages: string[][] = [];
      let cursor: string | undefined;
      do {
        const page = must(journal.listRuns({ limit: 2, ...(cursor && { cursor }) }));
        pages.push(page.runs.map((run) => run.id));
        cursor = page.next;
      } while (cursor);
      expect(pages).toEqual([
        [id(6), id(5)],
        [id(4), id(3)],
        [id(2), id(1)],
      ]);
    });

    test("filters by workflow and status", () => {
      owned(1, 0, { name: "a", file: "/a.yaml", status: "failed" });
      owned(2, 0, { name: "b", file: "/b.yaml", status: "failed" });
      owned(3, 0, { name: "a", file: "/a.yaml", status: "running" });
      owned(4, 0, { name: "/a.yaml", file: "/a.yaml", status: "waiting" });
      expect(ids({ workflow: "a" })).toEqual([id(3), id(1)]);
      expect(ids({ workflow: "/a.yaml" })).toEqual([id(4), id(3), id(1)]);
      expect(ids({ status: "failed" })).toEqual([id(2), id(1)]);
      expect(ids({ status: ["waiting", "failed"], limit: 2 })).toEqual([id(4), id(2)]);
      expect(ids({ status: ["waiting", "failed"], limit: 2, cursor: id(2) })).toEqual([id(1)]);
      expect(ids({ status: [] })).toEqual([]);
      expect(ids({ workflow: "/a.yaml", status: ["failed", "waiting"] })).toEqual([id(4), id(1)]);
      expect(ids({ workflow: "none" })).toEqual([]);
    });

    test("hides the runs of subflows unless asked", () => {
      owned(1);
      owned(2, 0, { parent: { run: id(1), path: "sub" } });
      owned(3, 0, { parent: { run: id(2), path: "sub" } });
      owned(4);
      expect(ids()).toEqual([id(4), id(1)]);
      expect(ids({ workflow: "shop" })).toEqual([id(4), id(1)]);
      expect(ids({ status: "queued" })).toEqual([id(4), id(1)]);
      expect(ids({ children: "all" })).toEqual([id(4), id(3), id(2), id(1)]);
      expect(ids({ children: { of: id(1) } })).toEqual([id(2)]);
    });

    test("finds a run by id, by the start of it, and the latest", () => {
      expect(journal.findRun("latest")).toMatchObject({ error: { code: "run-not-found", run: "latest" } });
      owned(1);
      owned(2);
      owned(3, 0, { parent: { run: id(2), path: "sub" } });
      const found = (name: string) => must(journal.findRun(name)).id;
      expect(found("latest")).toBe(id(2));
      expect(found(id(3))).toBe(id(3));
      expect(found(id(1).slice(0, 10))).toBe(id(1));
      expect(found(id(1).slice(0, 10).toUpperCase())).toBe(id(1));
      const shared = id(1).slice(0, 4);
      expect(journal.findRun(shared)).toMatchObject({
        error: { code: "run-ambiguous", run: shared, matches: [id(2), id(1)] },
      });
      for (const none of ["", "zz", "%", "_", "../x", `${id(1)}0`])
        expect(codeOf(journal.findRun(none))).toBe("run-not-found");
    });

    test("counts the runs that have not ended by their file, how they stand and whether they are part of another", () => {
      const open = (n: number, change: object, more = {}) =>
        must(journal.append(owned(n, 0, { file: "/a", ...more }), [], change));
      open(1, { status: "waiting", waiting: 2 });
      open(2, { status: "waiting", waiting: 1 });
      open(3, { status: "running", waiting: 1 });
      must(journal.append(owned(4, 1, { file: "/a" }), [], { status: "running" }));
      open(5, { status: "running" }, { file: "/b", parent: { run: id(4), path: "sub" } });
      open(6, { status: "failed", endedAt: at(9) });
      const counts = must(journal.openCounts()).toSorted((a, b) =>
        `${a.file}${a.status}${a.asking}`.localeCompare(`${b.file}${b.status}${b.asking}`),
      );
      expect(counts).toEqual([
        { file: "/a", status: "running", isPart: false, runs: 2, empty: 1, asking: 1, requests: 1 },
        { file: "/a", status: "waiting", isPart: false, runs: 2, empty: 2, asking: 2, requests: 3 },
        { file: "/b", status: "running", isPart: true, runs: 1, empty: 1, asking: 0, requests: 0 },
      ]);
      const begun = journal.listRuns({ begun: true, children: "all" });
      expect(must(begun).runs.map((row) => row.id)).toEqual([id(4)]);
      const asking = journal.listRuns({ asking: true, status: ["waiting", "running"], children: "all" });
      expect(must(asking).runs.map((row) => row.id)).toEqual([id(3), id(2), id(1)]);
    });

    test("keeps a subflow's run as long as the run that it is part of has not ended", () => {
      const run = owned(1);
      const inner = owned(2, 1, { parent: { run, path: "sub" } });
      expect(journal.deleteRun(inner, dead)).toMatchObject({ error: { code: "run-not-ended", run: inner } });
      must(journal.append(run, [], { status: "succeeded", endedAt: at(9) }));
      expect(must(journal.deleteRun(inner, dead))).toEqual([inner]);
      expect(ids({ children: "all" })).toEqual([run]);
    });

    test("forgets a run with its events and the runs of its subflows", () => {
      const run = owned(1, 3);
      owned(2, 1, { parent: { run, path: "sub" } });
      owned(3, 1, { parent: { run: id(2), path: "sub" } });
      const other = owned(4, 2);
      expect(journal.deleteRun(run, alive)).toMatchObject({ error: { code: "run-claimed", run } });
      expect(must(journal.lastSeq(id(3)))).toBe(1);
      expect(must(journal.deleteRun(run, dead))).toEqual([run, id(2), id(3)]);
      expect(ids({ children: "all" })).toEqual([other]);
      expect(codeOf(journal.append(run, [event(run, 4)]))).toBe("run-not-found");
      owned(1);
      expect(must(journal.read(run))).toEqual([]);
      expect(must(journal.check())).toEqual([]);
    });
  });
});

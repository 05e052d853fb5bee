// The contract of journal.ts, tested for every journal. `open` returns another journal on the
// same records, as in another process.

import path from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { tempFolder } from "../../test/setup/folders.ts";
import { has } from "../../test/setup/machine.ts";
import { databases } from "../../test/store/databases.ts";
import { alive, at, codeOf, dead, event, events, id, must, newRun, owner } from "../../test/store/fixture.ts";
import { type MemoryDisk, memoryJournal } from "../../test/store/memory-journal.ts";
import { runIdTimeMs } from "../base/ids.ts";
import { limits } from "../base/limits.ts";
import type { RunEvent } from "../scheduler/event.ts";
import { openDatabase } from "./database.ts";
import type { Journal, RunQuery } from "./journal.ts";
import { connect } from "./postgres/connection.ts";
import { postgresJournal } from "./postgres/journal.ts";
import { decodeEvent } from "./row.ts";
import { sqliteJournal } from "./sqlite.ts";

const cluster = databases();

/** Each opens journals on a new store. */
const bodies: Record<string, () => Promise<() => Journal> | (() => Journal)> = {
  memory: () => {
    const disk: MemoryDisk = new Map();
    return () => memoryJournal(disk);
  },
  sqlite: () => {
    const file = path.join(tempFolder(), "curlew.db");
    return () => sqliteJournal(must(openDatabase(file)));
  },
  ...(has("postgres") && {
    postgres: async () => {
      const url = await cluster.fresh();
      return () => postgresJournal(must(connect(url)), undefined);
    },
  }),
};

describe.each(Object.keys(bodies))("%s journal", (kind) => {
  let open: () => Journal;
  let journal: Journal;
  let opened: Journal[] = [];
  beforeEach(async () => {
    const another = await bodies[kind]!();
    open = () => {
      const next = another();
      opened.push(next);
      return next;
    };
    journal = open();
    return () => {
      for (const each of opened) each.close();
      opened = [];
    };
  });

  /** A run owned by this journal, with events 1 … last. */
  async function owned(n: number, last = 0, more = {}) {
    must(await journal.createRun(newRun(n, more), { owner: owner("me"), events: events(id(n), 1, last) }));
    return id(n);
  }
  const ids = async (query?: RunQuery) => must(await journal.listRuns(query)).runs.map((run) => run.id);

  test("runs are found by trigger, by time, by a part of their name, and by the failed node", async () => {
    const failed = (run: string, node: string): RunEvent => ({
      ...{ seq: 2, at: at(2), run, type: "run.failed", node, path: node },
      failure: { code: "exit", message: "no" },
    });
    const one = await owned(1, 1, { name: "Nightly 100%", trigger: { kind: "schedule", by: "webhook" } });
    const two = await owned(2, 1, { name: "nightly 1000", trigger: { kind: "webhook" } });
    must(await journal.append(one, [failed(one, "fetch")], { status: "failed" }));
    must(await journal.append(two, [failed(two, "fetch-all")], { status: "failed" }));
    expect(await ids({ trigger: "webhook" })).toEqual([two]);
    expect(await ids({ text: "nightly 100%" })).toEqual([one]);
    expect(await ids({ text: "NIGHTLY" })).toEqual([two, one]);
    expect(await ids({ text: one })).toEqual([one]);
    expect(await ids({ failedAt: "fetch" })).toEqual([one]);
    const madeMs = runIdTimeMs(two) ?? 0;
    expect(await ids({ sinceMs: madeMs })).toContain(two);
    expect(await ids({ sinceMs: madeMs + 1 })).not.toContain(two);
    expect(await ids({ untilMs: madeMs })).not.toContain(two);
  });

  describe("events", () => {
    test("come back as they were appended, to everyone", async () => {
      const run = await owned(1, 2);
      expect(must(await journal.append(run, events(run, 3, 5)))).toBe(5);
      expect(must(await open().read(run))).toEqual(events(run, 1, 5));
      expect(must(await journal.lastSeq(run))).toBe(5);
    });

    test("come back from a seq, up to a limit", async () => {
      const run = await owned(1, 9);
      const seqs = async (from?: number, limit?: number) =>
        must(await journal.read(run, from, limit)).map((one) => one.seq);
      expect(await seqs(8)).toEqual([8, 9]);
      expect(await seqs(3, 2)).toEqual([3, 4]);
      expect(await seqs(10)).toEqual([]);
      expect(await seqs(0, 1)).toEqual([1]);
      expect(await seqs(1, 0)).toEqual([]);
    });

    test("of all runs come in the order of their commits, from a position, from every writer", async () => {
      const [one, two] = [await owned(1, 2), await owned(2, 1)];
      must(await journal.append(one, events(one, 3, 4)));
      const other = open();
      const third = must(await other.createRun(newRun(3), { owner: owner("you"), events: events(id(3), 1, 1) })).id;
      const all = must(await journal.readAll(0));
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
      const rest = must(await journal.readAll(places[1]!, 2));
      expect(rest.events).toEqual(all.events.slice(2, 4));
      expect(must(await journal.readAll(all.position))).toEqual({ events: [], position: all.position });
    });

    test("a position is never used twice, even if the newest events are gone", async () => {
      await owned(1, 2);
      const last = must(await journal.lastPosition());
      must(await journal.deleteRun(id(1), dead));
      const kept = must(await journal.lastPosition());
      expect(kind === "postgres" ? kept >= last : kept === last).toBe(true);
      const run = await owned(2, 1);
      expect(
        must(await journal.readAll(last)).events.map(({ event, position }) => [event.run, position > last]),
      ).toEqual([[run, true]]);
    });

    test("writes of others are noticed, its own are not", async () => {
      const run = await owned(1, 1);
      const other = open();
      const before = must(await journal.othersChange());
      must(await journal.append(run, events(run, 2, 3)));
      if (kind !== "postgres") expect(must(await journal.othersChange())).toBe(before);
      must(await other.createRun(newRun(2), { owner: owner("you"), events: events(id(2), 1, 1) }));
      expect(must(await journal.othersChange())).not.toBe(before);
    });

    test("keep any text: every character, any depth, any size", async () => {
      const anyBody = fc.record({ text: fc.string({ unit: "binary" }), inputs: fc.jsonValue() });
      let n = 0;
      await fc.assert(
        fc.asyncProperty(anyBody, async ({ text, inputs }) => {
          const run = await owned(++n);
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
          must(await journal.append(run, [started]));
          // Compare with what JSON can express: it has no -0.
          expect(must(await journal.read(run))).toEqual([JSON.parse(JSON.stringify(started))]);
        }),
        { numRuns: 60 },
      );
      const run = await owned(++n);
      must(await journal.append(run, [event(run, 1, "x".repeat(3_000_000))]));
      expect(must(await journal.read(run))).toEqual([event(run, 1, "x".repeat(3_000_000))]);
    });

    test("are visited one by one over many pages, until the visitor has enough", async () => {
      const last = limits.journalPageEvents * 2 + 5;
      const run = await owned(1, last);
      const seen: number[] = [];
      expect(must(await journal.each(run, 3, (one) => void seen.push(one.seq)))).toBe(last - 2);
      expect(seen).toEqual(Array.from({ length: last - 2 }, (_, n) => n + 3));
      expect(must(await journal.each(run, 1, (one) => one.seq < 1500))).toBe(1500);
      expect(must(await journal.read(run, 1, 1500))).toHaveLength(1500);
    });

    test.each([
      ["a duplicate", [2], "journal-stale", 3],
      ["a gap", [4], "journal-gap", 3],
      ["a gap inside", [3, 5], "journal-gap", 4],
      ["a duplicate inside", [3, 3], "journal-stale", 4],
      ["the wrong order", [4, 3], "journal-gap", 3],
      ["a fraction", [3.5], "journal-gap", 3],
    ])("%s is refused and leaves nothing", async (_what, seqs, code, expectedSeq) => {
      const run = await owned(1, 2);
      const refused = await journal.append(
        run,
        seqs.map((seq) => event(run, seq)),
        { status: "failed" },
      );
      expect(refused).toMatchObject({
        ok: false,
        error: { code, message: expect.stringContaining(`event ${expectedSeq} comes next`) },
      });
      expect(must(await journal.read(run))).toEqual(events(run, 1, 2));
      expect(must(await journal.findRun(run))).toMatchObject({ lastSeq: 2, status: "queued" });
      expect(must(await journal.append(run, [event(run, 3)]))).toBe(3);
    });

    test("of a missing run: every call reports it", async () => {
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
        expect([call, codeOf(await result)]).toEqual([call, "run-not-found"]);
    });
  });

  describe("one writer", () => {
    test("only the owner of a claim appends to a run", async () => {
      must(await journal.createRun(newRun(1)));
      expect(codeOf(await journal.append(id(1), [event(id(1), 1)]))).toBe("not-owner");
      must(await journal.claim(id(1), owner("me"), alive));
      expect(must(await journal.append(id(1), [event(id(1), 1)]))).toBe(1);
    });

    test("a living owner keeps its run; claiming one's own again is fine", async () => {
      const run = await owned(1);
      const other = open();
      expect(await other.claim(run, owner("other"), alive)).toMatchObject({
        error: { code: "run-claimed", owner: owner("me") },
      });
      expect(codeOf(await other.append(run, [event(run, 1)]))).toBe("not-owner");
      expect(codeOf(await other.release(run))).toBe("not-owner");
      expect(codeOf(await journal.claim(run, owner("me"), alive))).toBe("ok");
      expect(codeOf(await journal.append(run, [event(run, 1)]))).toBe("ok");
      other.close();
    });

    test("a dead owner's run is taken over, and the stale writer is rejected from then on", async () => {
      const run = await owned(1, 1);
      const other = open();
      const asked: unknown[] = [];
      expect(must(await other.claim(run, owner("other", 2), (one) => asked.push(one) === 0))).toMatchObject({
        lastSeq: 1,
      });
      expect(asked).toEqual([owner("me")]);
      must(await other.append(run, [event(run, 2)]));
      for (const seq of [2, 3]) {
        expect(await journal.append(run, [event(run, seq)])).toMatchObject({
          error: { code: "not-owner" },
        });
      }
      expect(codeOf(await journal.release(run))).toBe("not-owner");
      expect(must(await other.lastSeq(run))).toBe(2);
      other.close();
    });

    test("a released run is free, and its last owner no longer writes", async () => {
      const run = await owned(1);
      must(await journal.release(run));
      expect(must(await journal.findRun(run)).owner).toBeUndefined();
      expect(codeOf(await journal.append(run, [event(run, 1)]))).toBe("not-owner");
      const other = open();
      must(await other.claim(run, owner("other"), alive));
      expect(must(await other.append(run, [event(run, 1)]))).toBe(1);
      other.close();
    });
  });

  describe("the index", () => {
    test("has the fields that a run was created with", async () => {
      const made = must(
        await journal.createRun(
          newRun(1, { trigger: { kind: "webhook", by: "x" }, parent: { run: id(0), path: "a[1]" } }),
          {
            owner: owner("me"),
            events: events(id(1), 1, 2),
          },
        ),
      );
      expect(made).toEqual({
        id: id(1),
        name: "shop",
        file: "/flows/shop.yaml",
        trigger: { kind: "webhook", by: "x" },
        kind: "webhook",
        status: "queued",
        startedAt: at(1),
        waiting: 0,
        parent: { run: id(0), path: "a[1]" },
        lastSeq: 2,
        owner: owner("me"),
      });
      expect(must(await open().findRun(id(1)))).toEqual(made);
      expect(codeOf(await journal.createRun(newRun(1)))).toBe("run-exists");
      expect(codeOf(await journal.createRun(newRun(2), { events: [event(id(2), 2)] }))).toBe("journal-gap");
      expect(codeOf(await journal.findRun(id(2)))).toBe("run-not-found");
    });

    test("lists newest first, page by page, each run once", async () => {
      for (const n of [3, 1, 5, 2, 4, 6]) await owned(n);
      expect(await ids()).toEqual([6, 5, 4, 3, 2, 1].map(id));
      const pages: string[][] = [];
      let cursor: string | undefined;
      do {
        const page = must(await journal.listRuns({ limit: 2, ...(cursor && { cursor }) }));
        pages.push(page.runs.map((run) => run.id));
        cursor = page.next;
      } while (cursor);
      expect(pages).toEqual([
        [id(6), id(5)],
        [id(4), id(3)],
        [id(2), id(1)],
      ]);
    });

    test("filters by what started a run; a test is never the latest", async () => {
      await owned(1, 0, { trigger: { kind: "schedule" } });
      await owned(2, 0, { trigger: { kind: "api", by: "web" }, kind: "manual" });
      await owned(3, 0, { trigger: { kind: "api", by: "web" }, kind: "test" });
      expect(await ids({ kinds: ["test"] })).toEqual([id(3)]);
      expect(await ids({ kinds: ["schedule", "manual"] })).toEqual([id(2), id(1)]);
      expect(await ids({ tests: false })).toEqual([id(2), id(1)]);
      expect(await ids({ kinds: ["test"], workflow: "shop" })).toEqual([id(3)]);
      expect(await ids({ trigger: "api" })).toEqual([id(3), id(2)]);
      expect(must(await journal.findRun("latest")).id).toBe(id(2));
      must(await journal.deleteRun(id(1), dead));
      must(await journal.deleteRun(id(2), dead));
      expect(must(await journal.findRun("latest")).id).toBe(id(3));
    });

    test.each([
      ["oldest", [1, 2, 3, 4, 5]],
      ["longest", [2, 5, 4, 1]],
      ["shortest", [1, 4, 5, 2]],
    ] as const)("lists the %s first, page by page, each run once even if one is removed", async (sort, order) => {
      const tookS = [9, 1, 300, 0, 20, 20];
      for (const n of [1, 2, 3, 4, 5]) {
        await owned(n);
        const change = n === 3 ? {} : { status: "failed" as const, endedAt: at(n + tookS[n]!) };
        must(await journal.append(id(n), events(id(n), 1, 1), change));
      }
      const first = must(await journal.listRuns({ sort, limit: 2 }));
      must(await journal.deleteRun(first.runs[1]!.id, dead));
      const rest = must(await journal.listRuns({ sort, limit: 3, cursor: first.next }));
      expect([...first.runs, ...rest.runs].map((run) => run.id)).toEqual(order.map(id));
      expect(rest.next).toBeUndefined();
      expect(must(await journal.listRuns({ sort, limit: 1, status: "failed", workflow: "shop" })).runs).toHaveLength(1);
    });

    test("filters by workflow and status", async () => {
      await owned(1, 0, { name: "a", file: "/a.yaml", status: "failed" });
      await owned(2, 0, { name: "b", file: "/b.yaml", status: "failed" });
      await owned(3, 0, { name: "a", file: "/a.yaml", status: "running" });
      await owned(4, 0, { name: "/a.yaml", file: "/a.yaml", status: "waiting" });
      expect(await ids({ workflow: "a" })).toEqual([id(3), id(1)]);
      expect(await ids({ workflow: "/a.yaml" })).toEqual([id(4), id(3), id(1)]);
      expect(await ids({ status: "failed" })).toEqual([id(2), id(1)]);
      expect(await ids({ status: ["waiting", "failed"], limit: 2 })).toEqual([id(4), id(2)]);
      expect(await ids({ status: ["waiting", "failed"], limit: 2, cursor: id(2) })).toEqual([id(1)]);
      expect(await ids({ status: [] })).toEqual([]);
      expect(await ids({ workflow: "/a.yaml", status: ["failed", "waiting"] })).toEqual([id(4), id(1)]);
      expect(await ids({ workflow: "none" })).toEqual([]);
    });

    test("hides the runs of subflows unless asked", async () => {
      await owned(1);
      await owned(2, 0, { parent: { run: id(1), path: "sub" } });
      await owned(3, 0, { parent: { run: id(2), path: "sub" } });
      await owned(4);
      expect(await ids()).toEqual([id(4), id(1)]);
      expect(await ids({ workflow: "shop" })).toEqual([id(4), id(1)]);
      expect(await ids({ status: "queued" })).toEqual([id(4), id(1)]);
      expect(await ids({ children: "all" })).toEqual([id(4), id(3), id(2), id(1)]);
      expect(await ids({ children: { of: id(1) } })).toEqual([id(2)]);
    });

    test("finds a run by its id, by the start of its id, and the latest", async () => {
      expect(await journal.findRun("latest")).toMatchObject({ error: { code: "run-not-found" } });
      await owned(1);
      await owned(2);
      await owned(3, 0, { parent: { run: id(2), path: "sub" } });
      const found = async (name: string) => must(await journal.findRun(name)).id;
      expect(await found("latest")).toBe(id(2));
      expect(await found(id(3))).toBe(id(3));
      expect(await found(id(1).slice(0, 10))).toBe(id(1));
      expect(await found(id(1).slice(0, 10).toUpperCase())).toBe(id(1));
      const shared = id(1).slice(0, 4);
      expect(await journal.findRun(shared)).toMatchObject({
        error: { code: "run-ambiguous", message: expect.stringContaining(`${id(2)}, ${id(1)}`) },
      });
      for (const none of ["", "zz", "%", "_", "../x", `${id(1)}0`])
        expect(codeOf(await journal.findRun(none))).toBe("run-not-found");
    });

    test("counts active runs by file, status, and whether they are part of another run", async () => {
      const open = async (n: number, change: object, more = {}) =>
        must(await journal.append(await owned(n, 0, { file: "/a", ...more }), [], change));
      await open(1, { status: "waiting", waiting: 2 });
      await open(2, { status: "waiting", waiting: 1 });
      await open(3, { status: "running", waiting: 1 });
      must(await journal.append(await owned(4, 1, { file: "/a" }), [], { status: "running" }));
      await open(5, { status: "running" }, { file: "/b", parent: { run: id(4), path: "sub" } });
      await open(6, { status: "failed", endedAt: at(9) });
      const counts = must(await journal.openCounts()).toSorted((a, b) =>
        `${a.file}${a.status}${a.asking}`.localeCompare(`${b.file}${b.status}${b.asking}`),
      );
      expect(counts).toEqual([
        { file: "/a", status: "running", isPart: false, runs: 2, empty: 1, asking: 1, requests: 1 },
        { file: "/a", status: "waiting", isPart: false, runs: 2, empty: 2, asking: 2, requests: 3 },
        { file: "/b", status: "running", isPart: true, runs: 1, empty: 1, asking: 0, requests: 0 },
      ]);
      const begun = await journal.listRuns({ begun: true, children: "all" });
      expect(must(begun).runs.map((row) => row.id)).toEqual([id(4)]);
      const asking = await journal.listRuns({ asking: true, status: ["waiting", "running"], children: "all" });
      expect(must(asking).runs.map((row) => row.id)).toEqual([id(3), id(2), id(1)]);
    });

    test("keeps a subflow's run until its outer run has ended", async () => {
      const run = await owned(1);
      const inner = await owned(2, 1, { parent: { run, path: "sub" } });
      expect(await journal.deleteRun(inner, dead)).toMatchObject({ error: { code: "run-not-ended" } });
      must(await journal.append(run, [], { status: "succeeded", endedAt: at(9) }));
      expect(must(await journal.deleteRun(inner, dead))).toEqual([inner]);
      expect(await ids({ children: "all" })).toEqual([run]);
    });

    test("forgets a run with its events and the runs of its subflows", async () => {
      const run = await owned(1, 3);
      await owned(2, 1, { parent: { run, path: "sub" } });
      await owned(3, 1, { parent: { run: id(2), path: "sub" } });
      const other = await owned(4, 2);
      expect(await journal.deleteRun(run, alive)).toMatchObject({ error: { code: "run-claimed" } });
      expect(must(await journal.lastSeq(id(3)))).toBe(1);
      expect(must(await journal.deleteRun(run, dead))).toEqual([run, id(2), id(3)]);
      expect(await ids({ children: "all" })).toEqual([other]);
      expect(codeOf(await journal.append(run, [event(run, 4)]))).toBe("run-not-found");
      await owned(1);
      expect(must(await journal.read(run))).toEqual([]);
      expect(must(await journal.check())).toEqual([]);
    });
  });
});

test("a failure that an older version recorded has the code of today", async () => {
  const body = JSON.stringify({ at: "2026-11-01T00:00:00.000Z", type: "node.failed", failure: { code: "llm-moved" } });
  expect(decodeEvent("r", 1, body)).toMatchObject({ ok: true, value: { failure: { code: "llm-redirected" } } });
});

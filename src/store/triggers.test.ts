// Starts of triggers and webhook deliveries: decided once, found again after a kill, and removed in time.

import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { limits } from "../base/limits.ts";
import type { Result } from "../base/result.ts";
import type { NewDelivery, NewStart, ServerStore } from "./index.ts";
import { openStore } from "./index.ts";
import { serverStore } from "./server-store.ts";

const homes: string[] = [];
afterAll(() => {
  for (const home of homes) fs.rmSync(home, { recursive: true, force: true });
});

function open(home = fs.mkdtempSync(path.join(os.tmpdir(), "curlew-triggers-"))): { store: ServerStore; home: string } {
  homes.push(home);
  return { store: serverStore(must(openStore(home))), home };
}

function must<T>(result: Result<T, { message: string }>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

const start = (key: string, run = `run-${key}`): NewStart => ({
  ...{ run, trigger: "s", key, startedBy: { kind: "schedule" }, file: "/f.flow.yaml" },
});

test("a start is decided once for its time, and is due until it is settled, also for the next process", () => {
  const { store, home } = open();
  expect(must(store.triggers.seen("s", 1_000))).toEqual({ paused: false, sinceMs: 1_000 });
  expect(must(store.triggers.decide("s", { sinceMs: 60_000 }, [start("1"), start("2")]))).toHaveLength(2);
  expect(must(store.triggers.decide("s", { sinceMs: 60_000 }, [start("2", "another"), start("3")]))).toMatchObject([
    { key: "3" },
  ]);
  store.close();

  const next = open(home).store;
  expect(must(next.triggers.seen("s", 99_000)).sinceMs).toBe(60_000);
  const due = () => must(next.triggers.due());
  expect([due().map(({ run }) => run), must(next.triggers.waiting("s"))]).toEqual([["run-1"], 3]);
  must(next.triggers.settle(due()[0]!.n, "started", { at: "2026-01-01T00:00:00.000Z", run: "run-1" }));
  must(next.triggers.settle(due()[0]!.n, "dropped"));
  must(next.triggers.decide("t", { sinceMs: 0 }, [{ ...start("1", "of-t"), trigger: "t" }]));
  expect(due().map(({ run }) => run)).toEqual(["run-3", "of-t"]);
  expect(must(next.triggers.runsOf("s", 5))).toEqual(["run-1"]);
  expect(must(next.triggers.state("s"))?.last).toEqual({ at: "2026-01-01T00:00:00.000Z", run: "run-1" });
  next.close();
});

test("a trigger never goes back; what passes while it is paused is passed", () => {
  const { store } = open();
  must(store.triggers.seen("s", 5_000));
  must(store.triggers.pause("s", true, 6_000));
  must(store.triggers.pause("s", false, 9_000));
  must(store.triggers.decide("s", { sinceMs: 2_000 }, []));
  expect(must(store.triggers.state("s"))).toEqual({ paused: false, sinceMs: 9_000 });
  store.close();
});

test("triggers that no document has any more are forgotten, with what they had seen", () => {
  const { store } = open();
  must(store.triggers.seen("old", 0));
  must(store.triggers.decideWatched("old", 0, [{ path: "a.json", mark: "1" }]));
  must(store.triggers.seen("new", limits.triggersKeptMs));
  must(store.triggers.tidy(limits.triggersKeptMs + 1));
  expect(must(store.triggers.state("old"))).toBeUndefined();
  expect(must(store.triggers.watched("old")).size).toBe(0);
  expect(must(store.triggers.state("new"))).toBeDefined();
  store.close();
});

let made = 0;
const delivery = (more: Partial<NewDelivery> = {}): NewDelivery => {
  made += 1;
  return {
    ...{
      id: `d${made}`,
      run: `r${made}`,
      hook: "github",
      file: "/f.flow.yaml",
      receivedAt: "2026-01-01T00:00:00.000Z",
    },
    ...{ headers: { "content-type": "application/json" }, query: { q: "1" }, body: Buffer.from([0, 255, 1]) },
    ...more,
  };
};

test("a delivery is kept exactly, once under its name, and open until it is settled", () => {
  const { store, home } = open();
  const first = must(store.deliveries.receive(delivery({ senderId: "x" })));
  expect(first.again).toBe(false);
  const again = must(store.deliveries.receive(delivery({ senderId: "x" })));
  expect(again).toMatchObject({ again: true, row: { id: first.row.id, run: first.row.run } });
  expect(must(store.deliveries.receive(delivery({ senderId: "x", hook: "other" }))).again).toBe(false);
  const replay = must(store.deliveries.receive(delivery({ senderId: "x", replayOf: first.row.id })));
  expect(replay.again).toBe(false);
  store.close();

  const next = open(home).store;
  expect(must(next.deliveries.open()).map(({ hook, replayOf }) => [hook, replayOf])).toEqual([
    ["github", undefined],
    ["other", undefined],
    ["github", first.row.id],
  ]);
  must(next.deliveries.settle(first.row.id, "failed", "bad-input"));
  expect(must(next.deliveries.receive(delivery({ senderId: "x" }))).again).toBe(true);
  const found = must(next.deliveries.find(first.row.id))!;
  expect([...found.body!]).toEqual([0, 255, 1]);
  expect(found).toMatchObject({
    status: "failed",
    reason: "bad-input",
    headers: { "content-type": "application/json" },
  });
  const page = must(next.deliveries.list({ hook: "github", limit: 2 }));
  expect(page.deliveries.map(({ status }) => status)).toEqual(["duplicate", "received"]);
  expect(must(next.deliveries.list({ hook: "github", limit: 9, cursor: page.next! })).deliveries).toHaveLength(2);
  next.close();
});

test("what was refused has no body and is bounded; names are known for long, and nothing that is open leaves", () => {
  const { store } = open();
  const { headers: _, body, run: _run, ...refused } = delivery();
  for (let n = 0; n < limits.deliveriesRefusedKept + 60; n++)
    must(store.deliveries.refuse({ ...refused, id: `no${n}`, bytes: body.byteLength, reason: "webhook-mismatch" }));
  const all = must(store.deliveries.list({ limit: 1_000 })).deliveries;
  expect(all.length).toBeLessThanOrEqual(limits.deliveriesRefusedKept + 50);
  expect(all[0]).toMatchObject({ id: `no${limits.deliveriesRefusedKept + 59}`, status: "refused" });
  const kept = must(store.deliveries.receive(delivery({ senderId: "a" }))).row;
  const open_ = must(store.deliveries.receive(delivery({ senderId: "b" }))).row;
  must(store.deliveries.settle(kept.id, "started"));
  const longAfter = Date.parse(kept.receivedAt) + limits.deliveriesKeptMs + 1;
  must(store.deliveries.tidy(longAfter - 2));
  expect(must(store.deliveries.find(kept.id))).toBeDefined();
  must(store.deliveries.tidy(longAfter));
  expect(must(store.deliveries.find(kept.id))).toBeUndefined();
  expect(must(store.deliveries.find(open_.id))?.body).toBeDefined();
  store.close();
});

// Starts of triggers and webhook deliveries: decided once, found again after a kill, and removed in time.

import { describe, expect, test } from "vitest";
import { eachDatabase } from "../../test/store/each-database.ts";
import { must } from "../../test/store/fixture.ts";
import { limits } from "../base/limits.ts";
import { type NewDelivery, openDeliveries } from "./deliveries.ts";
import { type NewStart, openTriggers } from "./triggers.ts";

const start = (key: string, run = `run-${key}`): NewStart => ({
  ...{ run, trigger: "s", key, startedBy: { kind: "schedule" }, file: "/f.flow.yaml" },
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

describe.each(eachDatabase())("in %s", (_name, open) => {
  async function opened() {
    const { sql, again } = await open();
    const of = (of: typeof sql) => ({ triggers: openTriggers(of), deliveries: openDeliveries(of) });
    return { store: of(sql), again: () => of(again()) };
  }

  test("a start is decided once per time, and is due until its run is recorded, even for the next process", async () => {
    const { store, again } = await opened();
    expect(must(await store.triggers.seen("s", 1_000))).toEqual({ paused: false, sinceMs: 1_000 });
    expect(must(await store.triggers.decide("s", { sinceMs: 60_000 }, [start("1"), start("2")]))).toHaveLength(2);
    expect(
      must(await store.triggers.decide("s", { sinceMs: 60_000 }, [start("2", "another"), start("3")])),
    ).toMatchObject([{ key: "3" }]);

    const next = again();
    expect(must(await next.triggers.seen("s", 99_000)).sinceMs).toBe(60_000);
    const due = async () => must(await next.triggers.due());
    expect([(await due()).map(({ run }) => run), must(await next.triggers.waiting("s"))]).toEqual([["run-1"], 3]);
    must(await next.triggers.settle((await due())[0]!.n, "started", { at: "2026-01-01T00:00:00.000Z", run: "run-1" }));
    must(await next.triggers.settle((await due())[0]!.n, "dropped"));
    must(await next.triggers.decide("t", { sinceMs: 0 }, [{ ...start("1", "of-t"), trigger: "t" }]));
    expect((await due()).map(({ run }) => run)).toEqual(["run-3", "of-t"]);
    expect(must(await next.triggers.runsOf("s", 5))).toEqual(["run-1"]);
    expect(must(await next.triggers.state("s"))?.last).toEqual({ at: "2026-01-01T00:00:00.000Z", run: "run-1" });
  });

  test("a trigger never goes back; times that pass while it is paused are skipped", async () => {
    const { store } = await opened();
    must(await store.triggers.seen("s", 5_000));
    must(await store.triggers.pause("s", true, 6_000));
    must(await store.triggers.pause("s", false, 9_000));
    must(await store.triggers.decide("s", { sinceMs: 2_000 }, []));
    expect(must(await store.triggers.state("s"))).toEqual({ paused: false, sinceMs: 9_000 });
  });

  test("triggers that were removed from their document are forgotten, with the files they had seen", async () => {
    const { store } = await opened();
    must(await store.triggers.seen("old", 0));
    must(await store.triggers.decideWatched("old", 0, [{ path: "a.json", mark: "1" }]));
    must(await store.triggers.seen("new", limits.triggersKeptMs));
    must(await store.triggers.tidy(limits.triggersKeptMs + 1));
    expect(must(await store.triggers.state("old"))).toBeUndefined();
    expect(must(await store.triggers.watched("old")).size).toBe(0);
    expect(must(await store.triggers.state("new"))).toBeDefined();
  });

  test("a delivery is stored exactly, once per name, and open until it is decided", async () => {
    const { store, again } = await opened();
    const first = must(await store.deliveries.receive(delivery({ senderId: "x" })));
    expect(first.again).toBe(false);
    const repeated = must(await store.deliveries.receive(delivery({ senderId: "x" })));
    expect(repeated).toMatchObject({ again: true, row: { id: first.row.id, run: first.row.run } });
    expect(must(await store.deliveries.receive(delivery({ senderId: "x", hook: "other" }))).again).toBe(false);
    const replay = must(await store.deliveries.receive(delivery({ senderId: "x", replayOf: first.row.id })));
    expect(replay.again).toBe(false);

    const next = again();
    expect(must(await next.deliveries.open()).map(({ hook, replayOf }) => [hook, replayOf])).toEqual([
      ["github", undefined],
      ["other", undefined],
      ["github", first.row.id],
    ]);
    must(await next.deliveries.settle(first.row.id, "failed", "bad-input"));
    expect(must(await next.deliveries.receive(delivery({ senderId: "x" }))).again).toBe(true);
    const found = must(await next.deliveries.find(first.row.id))!;
    expect([...found.body!]).toEqual([0, 255, 1]);
    expect(found).toMatchObject({
      status: "failed",
      reason: "bad-input",
      headers: { "content-type": "application/json" },
    });
    const page = must(await next.deliveries.list({ hook: "github", limit: 2 }));
    expect(page.deliveries.map(({ status }) => status)).toEqual(["duplicate", "received"]);
    expect(must(await next.deliveries.list({ hook: "github", limit: 9, cursor: page.next! })).deliveries).toHaveLength(
      2,
    );
  });

  test("rejected deliveries have no body and are limited; names are remembered for long, and open deliveries stay", async () => {
    const { store } = await opened();
    const { headers: _, body, run: _run, ...refused } = delivery();
    for (let n = 0; n < limits.deliveriesRefusedKept + 60; n++)
      must(
        await store.deliveries.refuse({ ...refused, id: `no${n}`, bytes: body.byteLength, reason: "webhook-mismatch" }),
      );
    const all = must(await store.deliveries.list({ limit: 1_000 })).deliveries;
    expect(all.length).toBeLessThanOrEqual(limits.deliveriesRefusedKept + 50);
    expect(all[0]).toMatchObject({ id: `no${limits.deliveriesRefusedKept + 59}`, status: "refused" });
    const kept = must(await store.deliveries.receive(delivery({ senderId: "a" }))).row;
    const open_ = must(await store.deliveries.receive(delivery({ senderId: "b" }))).row;
    must(await store.deliveries.settle(kept.id, "started"));
    const longAfter = Date.parse(kept.receivedAt) + limits.deliveriesKeptMs + 1;
    must(await store.deliveries.tidy(longAfter - 2));
    expect(must(await store.deliveries.find(kept.id))).toBeDefined();
    must(await store.deliveries.tidy(longAfter));
    expect(must(await store.deliveries.find(kept.id))).toBeUndefined();
    expect(must(await store.deliveries.find(open_.id))?.body).toBeDefined();
  });
});

// Leases in a real database whose answers come late or not at all (spec 6.4 M5 to M7).

import { describe, expect, onTestFinished, test } from "vitest";
import { has } from "../../../test/setup/machine.ts";
import { databases } from "../../../test/store/databases.ts";
import { dead, must, owner } from "../../../test/store/fixture.ts";
import { err } from "../../base/result.ts";
import { sinceBootMs } from "../../process/runner/deadline.ts";
import { connect } from "../../store/postgres/index.ts";
import { Lease, type LeaseEvents, type Query, register } from "./machines.ts";

const LEASE_MS = 3_000;
const RENEWS = /SET seen/;

const there = has("postgres") ? describe : undefined;
there?.("a lease", () => {
  const cluster = databases();

  async function held(through: (query: Query) => Query, name = "a", leaseMs = LEASE_MS) {
    const connection = must(connect(await cluster.fresh()));
    onTestFinished(() => connection.close());
    const query: Query = (text, values) => connection.query(text, values);
    const machine = { name, labels: [], slots: 1, leaseMs, version: "0" };
    expect(must(await register(query, machine, owner(name), dead))).toBe(true);
    const untils: number[] = [];
    const died: string[] = [];
    const events: LeaseEvents = {
      extended: (untilMs) => void untils.push(untilMs),
      fenced: () => {},
      draining: () => {},
      looked: async () => {},
      dead: (other) => void died.push(other),
      failed: () => {},
    };
    const lease = new Lease(through(query), machine, name, events);
    onTestFinished(() => lease.stop());
    const row = (text: string) => query(`UPDATE curlew.machines SET ${text}`).then(must);
    const silent = (name: string) =>
      query(`INSERT INTO curlew.machines (name, token, pid, start, boot, labels, slots,
        version, lease_ms, beat, seen, state) VALUES ('${name}', 't', 1, '', '', '[]', 1, '0', 300, 0,
        clock_timestamp() - interval '1 hour', 'live')`).then(must);
    return { lease, untils, died, row, silent };
  }

  test("M5: counts from when its renewal was sent, less a margin, however late the answer comes", async () => {
    let sentMs = 0;
    const { lease, untils } = await held((query) => async (text, values) => {
      if (RENEWS.test(text)) sentMs = sinceBootMs();
      const answer = await query(text, values);
      if (RENEWS.test(text)) await new Promise((resolve) => setTimeout(resolve, 400));
      return answer;
    });
    await lease.begin();
    expect(untils[0]).toBeLessThan(sentMs + LEASE_MS - 400);
    expect(untils[0]).toBeGreaterThan(sentMs);
  });

  test("M6: is over at its deadline, and valid again after a renewal", async () => {
    let isAway = false;
    const { lease } = await held(
      (query) => async (text, values) =>
        isAway ? err({ code: "store-unreachable", path: "", message: "" }) : query(text, values),
      "a",
      900,
    );
    await lease.begin();
    expect(lease.isValid()).toBe(true);
    isAway = true;
    await expect.poll(() => lease.isValid()).toBe(false);
    isAway = false;
    await expect.poll(() => lease.isValid()).toBe(true);
  });

  test("M7: declares a silent machine dead only after it has seen its heartbeat for a whole lease", async () => {
    const { lease, died, silent } = await held((query) => query);
    await silent("b");
    await lease.begin();
    for (let n = 0; n < 3; n++) await lease.lookNow();
    expect(died).toEqual([]);
    await expect.poll(() => died.length).toBe(1);
  });

  test("M7: declares no machine dead when its own lease is over by the database's time", async () => {
    let renews = true;
    const { lease, died, silent, row } = await held((query) => async (text, values) => {
      if (RENEWS.test(text) && !renews) return err({ code: "store-unreachable", path: "", message: "" });
      return query(text, values);
    });
    await lease.begin();
    renews = false;
    await row("seen = clock_timestamp() - interval '1 hour'");
    await silent("b");
    for (let n = 0; n < 4; n++) {
      await lease.lookNow();
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect([lease.isValid(), died]).toEqual([true, []]);
  });

  test("M7: a look that failed has not seen the heartbeat", async () => {
    let fails = false;
    const { lease, died, silent } = await held((query) => async (text, values) => {
      if (fails && /^SELECT name/.test(text)) return err({ code: "store-unreachable", path: "", message: "" });
      return query(text, values);
    });
    await silent("b");
    await lease.begin();
    await lease.lookNow();
    fails = true;
    await lease.lookNow();
    await new Promise((resolve) => setTimeout(resolve, 400));
    fails = false;
    await lease.lookNow();
    expect(died).toEqual([]);
  });

  test("M7: a machine that gives a sign is not silent", async () => {
    const { lease, died, silent, row } = await held((query) => query);
    await silent("b");
    await lease.begin();
    for (let n = 0; n < 5; n++) {
      await lease.lookNow();
      await row("beat = beat + 1 WHERE name = 'b'");
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(died).toEqual([]);
  });

  test("M7: a machine has not seen the heartbeat while it hung", async () => {
    const { lease, died, silent } = await held((query) => query);
    await silent("b");
    await lease.begin();
    await lease.lookNow();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LEASE_MS / 2 + 100);
    await lease.lookNow();
    expect(died).toEqual([]);
  });
});

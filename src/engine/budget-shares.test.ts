// Budgets and time limits with a clock that the test controls: steps of the wall clock, and passing time.

import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { tempFolder } from "../../test/setup/folders.ts";
import { limits } from "../base/limits.ts";
import { ok } from "../base/result.ts";
import type { RunEvent } from "../scheduler/event.ts";
import type { RunState } from "../scheduler/state.ts";
import { openStore } from "../store/index.ts";
import { parseWorkflow } from "../workflow/parse.ts";
import { timeLimit } from "./actions/subflow-timeout.ts";
import { LocalBudgets } from "./budget-shares.ts";
import type { Clock } from "./clock.ts";
import type { Ready } from "./driver/driver-work.ts";
import { openEngine } from "./index.ts";
import { thisProcess } from "./recovery/owner.ts";

const START = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;

/** Timers follow passing time, as in Node.js. A step moves only the wall clock. */
function heldClock() {
  let wallMs = START;
  let upMs = 1_000;
  const timers = new Set<{ dueMs: number; call: () => void }>();
  const clock: Clock = {
    nowMs: () => wallMs,
    upMs: () => upMs,
    at: (atMs, call) => {
      const timer = { dueMs: upMs + Math.max(0, atMs - wallMs), call };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  };
  const pass = (ms: number): void => {
    const endMs = upMs + ms;
    for (;;) {
      const next = [...timers].filter(({ dueMs }) => dueMs <= endMs).sort((one, other) => one.dueMs - other.dueMs)[0];
      if (next === undefined) break;
      wallMs += next.dueMs - upMs;
      upMs = next.dueMs;
      timers.delete(next);
      next.call();
    }
    wallMs += endMs - upMs;
    upMs = endMs;
  };
  const step = (ms: number): void => {
    wallMs += ms;
  };
  return { clock, pass, step };
}

/**
 * A run of two nodes that share a budget. `until` resolves when an event of this type has been recorded that many
 * times.
 */
async function two(perMinute: string) {
  const home = tempFolder();
  const file = join(home, "t.flow.yaml");
  const node = (id: string) => `  - {id: ${id}, type: cli, data: {title: T, content: "true", ${perMinute}}}\n`;
  const text = `curlew: 1\nname: T\nnodes:\n${node("a")}${node("b")}`;
  const { workflow } = parseWorkflow(text, file);
  const held = heldClock();
  const events: RunEvent[] = [];
  const waiting: { type: string; times: number; resolve: () => void }[] = [];
  const count = (type: string): number => events.filter((event) => event.type === type).length;
  const engine = await openEngine({
    home,
    env: process.env,
    clock: held.clock,
    onEvent: (event) => {
      events.push(event);
      for (const { type, times, resolve } of waiting) if (count(type) >= times) resolve();
    },
  });
  if (!engine.ok || workflow === undefined) throw new Error("no engine");
  onTestFinished(async () => {
    await engine.value.close();
  });
  const request = { file, text, workflow, subflows: {}, inputs: {}, trigger: { kind: "cli" as const } };
  const handle = await engine.value.start(request);
  if (!handle.ok) throw new Error(handle.error.message);
  const until = (type: string, times: number): Promise<void> =>
    count(type) >= times ? Promise.resolve() : new Promise((resolve) => waiting.push({ type, times, resolve }));
  await until("attempt.succeeded", 1);
  return { ...held, events, count, until, done: handle.value.done };
}

const RATE = "rateLimit: {key: k, limit: 1, per: 1m}";

test("a budget with room from a given time starts the next node then, not before", async () => {
  const { pass, count, until, done } = await two(RATE);
  pass(59_999);
  expect([count("attempt.started"), count("budget.awaited")]).toEqual([1, 1]);
  pass(2);
  await until("attempt.started", 2);
  expect((await done).status).toBe("succeeded");
});

test("setting the clock a day ahead frees no budget: the wait is announced again and kept", async () => {
  const { pass, step, count, until, done } = await two(RATE);
  step(DAY);
  pass(limits.budgetPollMs * 3);
  expect(count("attempt.started")).toBe(1);
  pass(60_000);
  await until("attempt.started", 2);
  expect((await done).status).toBe("succeeded");
});

test("setting the clock a day back delays nothing", async () => {
  const { pass, step, count, until, done } = await two(RATE);
  step(-DAY);
  pass(59_000);
  expect(count("attempt.started")).toBe(1);
  pass(1_000 + limits.budgetPollMs);
  await until("attempt.started", 2);
  expect((await done).status).toBe("succeeded");
});

test("a retry that is prepared while the end before it is recorded gets its turn", async () => {
  const store = openStore(tempFolder());
  if (!store.ok) throw new Error(store.error.message);
  onTestFinished(() => store.value.close());
  const owner = thisProcess();
  const freed = Promise.withResolvers<string>();
  const budgets = new LocalBudgets({
    ...{ budgets: store.value.budgets({ isAlive: () => true, isHeld: () => true }), owner, clock: heldClock().clock },
    freed: (_run, path) => freed.resolve(path),
  });
  const shares = { wanted: { concurrency: { key: "k", limit: 1 } }, shown: { concurrency: "k" } };
  const recorded = Promise.withResolvers<void>();
  const ready = ok({ shares } as unknown as Ready);
  const { prepare, commit } = budgets.of("r", { prepare: () => ready, commit: () => recorded.promise });
  const start = (number: number) => ({ do: "start-attempt" as const, node: "a", path: "a", number });
  const state = {} as RunState;
  expect(await prepare(start(1), state)).not.toHaveProperty("value.instead");
  const committed = commit([{ type: "attempt.lost", path: "a", number: 1 } as RunEvent], state);
  expect(await prepare(start(2), state)).toHaveProperty("value.instead.type", "budget.awaited");
  recorded.resolve();
  await committed;
  expect(await freed.promise).toBe("a");
  expect(await prepare(start(2), state)).not.toHaveProperty("value.instead");
  await budgets.close();
});

test("a time limit counts working time, without pauses and changes of the clock", () => {
  const { clock, pass, step } = heldClock();
  let over = 0;
  const limit = timeLimit(clock, { limitMs: 10_000, spentMs: 4_000 }, () => over++);
  limit.go();
  pass(5_000);
  limit.stop();
  pass(DAY);
  step(DAY);
  limit.go();
  pass(999);
  expect(over).toBe(0);
  pass(1);
  expect(over).toBe(1);
});

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { limits } from "../base/limits.ts";
import type { Budgets, Moment, Wanted } from "./budgets.ts";
import type { Owner } from "./journal.ts";
import { openStore } from "./store.ts";

const START = Date.UTC(2026, 0, 1);

/** A data directory, a clock that the test moves, and processes that it can end. */
function home() {
  const opened = openStore(mkdtempSync(join(tmpdir(), "curlew-budgets-")));
  if (!opened.ok) throw new Error(opened.error.message);
  const dead = new Set<string>();
  const commands = new Set<string>();
  const budgets: Budgets = opened.value.budgets({
    isAlive: ({ token }) => !dead.has(token),
    isHeld: ({ run, path }) => commands.has(`${run} ${path}`),
  });
  const now: Moment = { wallMs: START, upMs: 50_000, boot: "one" };
  const owner = (token: string): Owner => ({ pid: 1, startTime: "1", bootId: "one", token });
  const take = (path: string, wanted: Wanted, by = "p"): string => {
    const taken = budgets.take({ run: "r", path, number: 1 }, wanted, owner(by), now);
    if (!taken.ok) throw new Error(taken.error.message);
    if (taken.value.taken) return "taken";
    const { waits, untilMs } = taken.value;
    return untilMs === undefined ? waits : `${waits} ${untilMs - now.wallMs}`;
  };
  const turns = (by = "p"): string[] => {
    const found = budgets.turns(owner(by), now);
    return found.ok ? found.value.map(({ path }) => path) : [found.error.message];
  };
  const later = (ms: number): void => {
    now.wallMs += ms;
    now.upMs += ms;
  };
  return { budgets, take, turns, later, now, dead, commands, owner, close: opened.value.close };
}

const rate = (limit: number, perMs: number): Wanted => ({ rate: { key: "k", limit, perMs } });
const slot = (limit: number, key = "k"): Wanted => ({ concurrency: { key, limit } });

test("no more starts than the budget has in any stretch of its period, and each is told when it comes", () => {
  const { take, later } = home();
  expect(["a", "b", "c", "d", "e"].map((path) => take(path, rate(2, 1_000)))).toEqual([
    "taken",
    "taken",
    "rate 1000",
    "rate 1000",
    "rate 2000",
  ]);
  later(999);
  expect(take("c", rate(2, 1_000))).toBe("rate 1");
  later(1);
  expect([take("d", rate(2, 1_000)), take("c", rate(2, 1_000)), take("e", rate(2, 1_000))]).toEqual([
    "taken",
    "taken",
    "rate 1000",
  ]);
});

test("a new node does not pass those that wait", () => {
  const { take, later } = home();
  take("a", rate(1, 1_000));
  take("b", rate(1, 1_000));
  later(1_000);
  expect(take("z", rate(1, 1_000))).toBe("rate 1000");
  expect(take("b", rate(1, 1_000))).toBe("taken");
});

test("a step of the clock opens no budget and closes none for longer than its period", () => {
  const { take, now, later } = home();
  take("a", rate(1, 60_000));
  now.wallMs += 86_400_000;
  expect(take("b", rate(1, 60_000))).toBe("rate 60000");
  now.wallMs -= 2 * 86_400_000;
  expect(take("b", rate(1, 60_000))).toBe("rate 60000");
  later(60_000);
  expect(take("b", rate(1, 60_000))).toBe("taken");
});

test("after a boot the wall clock counts; a start that seems to lie ahead counts as one of now", () => {
  const { take, now, later } = home();
  take("a", rate(1, 60_000));
  Object.assign(now, { wallMs: now.wallMs + 20_000, upMs: 5_000, boot: "two" });
  expect(take("b", rate(1, 60_000))).toBe("rate 40000");
  Object.assign(now, { wallMs: START - 86_400_000, upMs: 1_000, boot: "three" });
  expect(take("b", rate(1, 60_000))).toBe("rate 60000");
  later(60_000);
  expect(take("b", rate(1, 60_000))).toBe("taken");
});

test("at most so many at a time, first come, first served", () => {
  const { take, budgets, turns } = home();
  expect(["a", "b", "c", "d"].map((path) => take(path, slot(2)))).toEqual([
    "taken",
    "taken",
    "concurrency",
    "concurrency",
  ]);
  expect(turns()).toEqual([]);
  budgets.giveBack("r", "a");
  expect(turns()).toEqual(["c"]);
  expect(take("d", slot(2))).toBe("concurrency");
  expect(take("c", slot(2))).toBe("taken");
  expect(turns()).toEqual([]);
});

test("a turn that is not taken goes on to the next after a while, and is back when there is room again", () => {
  const { take, budgets, turns, later } = home();
  for (const path of ["a", "busy", "c"]) take(path, slot(1));
  budgets.giveBack("r", "a");
  expect(turns()).toEqual(["busy"]);
  later(limits.budgetTurnMs);
  expect(take("c", slot(1))).toBe("concurrency");
  later(1);
  expect(turns()).toEqual(["busy", "c"]);
  expect(take("c", slot(1))).toBe("taken");
  expect(take("busy", slot(1))).toBe("concurrency");
  take("e", slot(1));
  budgets.giveBack("r", "c");
  expect(turns()).toEqual(["busy"]);
});

test("a slot whose owner is gone is free, but not while its command may run", () => {
  const { take, dead, commands } = home();
  take("a", slot(1), "gone");
  commands.add("r a");
  dead.add("gone");
  expect(take("b", slot(1))).toBe("concurrency");
  commands.clear();
  expect(take("b", slot(1))).toBe("taken");
});

test("those who waited in a process that is gone hold up nobody; adopted, they have their place again", () => {
  const { take, dead, budgets, turns, owner } = home();
  take("a", slot(1));
  take("b", slot(1), "gone");
  dead.add("gone");
  budgets.giveBack("r", "a");
  expect(take("c", slot(1))).toBe("taken");
  expect(take("d", slot(1))).toBe("concurrency");
  budgets.adopt("r", owner("new"));
  budgets.giveBack("r", "c");
  expect(turns("new")).toEqual(["b"]);
});

test("the longest queue is served in its order", () => {
  const { take, budgets, turns } = home();
  for (let n = 0; n < 200; n++) take(`n${n}`, slot(1));
  for (let n = 0; n < 50; n++) {
    budgets.giveBack("r", `n${n}`);
    expect(turns()).toEqual([`n${n + 1}`]);
    expect(take(`n${n + 1}`, slot(1))).toBe("taken");
  }
});

import { describe, expect, test } from "vitest";
import { eachDatabase } from "../../test/store/each-database.ts";
import { must } from "../../test/store/fixture.ts";
import { limits } from "../base/limits.ts";
import { type Moment, openBudgets, type Wanted } from "./budgets.ts";
import type { Owner } from "./journal.ts";

const START = Date.UTC(2026, 0, 1);

const rate = (limit: number, perMs: number): Wanted => ({ rate: { key: "k", limit, perMs } });
const slot = (limit: number, key = "k"): Wanted => ({ concurrency: { key, limit } });

describe.each(eachDatabase())("budgets in %s", (_name, open) => {
  /** A clock that the test moves, and processes that it can end. */
  async function home() {
    const { sql } = await open();
    const dead = new Set<string>();
    const commands = new Set<string>();
    const budgets = openBudgets(sql, {
      isAlive: ({ token }) => !dead.has(token),
      isHeld: ({ run, path }) => commands.has(`${run} ${path}`),
    });
    const now: Moment = { wallMs: START, upMs: 50_000, boot: "one" };
    const owner = (token: string): Owner => ({ pid: 1, startTime: "1", bootId: "one", token });
    const take = async (path: string, wanted: Wanted, by = "p", number = 1): Promise<string> => {
      const taken = must(await budgets.take({ run: "r", path, number }, wanted, owner(by), now));
      if (taken.taken) return "taken";
      return taken.untilMs === undefined ? taken.waits : `${taken.waits} ${taken.untilMs - now.wallMs}`;
    };
    const takeEach = async (paths: readonly string[], wanted: Wanted): Promise<string[]> => {
      const taken: string[] = [];
      for (const path of paths) taken.push(await take(path, wanted));
      return taken;
    };
    const turns = async (by = "p") => must(await budgets.turns(owner(by), now)).map(({ path }) => path);
    const later = (ms: number): void => {
      now.wallMs += ms;
      now.upMs += ms;
    };
    return { budgets, take, takeEach, turns, later, now, dead, commands, owner };
  }

  test("no period has more starts than the budget allows, and each waiting node learns its time", async () => {
    const { take, takeEach, later } = await home();
    expect(await takeEach(["a", "b", "c", "d", "e"], rate(2, 1_000))).toEqual([
      "taken",
      "taken",
      "rate 1000",
      "rate 1000",
      "rate 2000",
    ]);
    later(999);
    expect(await take("c", rate(2, 1_000))).toBe("rate 1");
    later(1);
    expect(await takeEach(["d", "c", "e"], rate(2, 1_000))).toEqual(["taken", "taken", "rate 1000"]);
  });

  test("a new node does not pass those that wait", async () => {
    const { take, later } = await home();
    await take("a", rate(1, 1_000));
    await take("b", rate(1, 1_000));
    later(1_000);
    expect(await take("z", rate(1, 1_000))).toBe("rate 1000");
    expect(await take("b", rate(1, 1_000))).toBe("taken");
  });

  test("a change of the clock frees no budget, and blocks none for longer than its period", async () => {
    const { take, now, later } = await home();
    await take("a", rate(1, 60_000));
    now.wallMs += 86_400_000;
    expect(await take("b", rate(1, 60_000))).toBe("rate 60000");
    now.wallMs -= 2 * 86_400_000;
    expect(await take("b", rate(1, 60_000))).toBe("rate 60000");
    later(60_000);
    expect(await take("b", rate(1, 60_000))).toBe("taken");
  });

  test("after a boot the wall clock counts; a start in the future counts as one of now", async () => {
    const { take, now, later } = await home();
    await take("a", rate(1, 60_000));
    Object.assign(now, { wallMs: now.wallMs + 20_000, upMs: 5_000, boot: "two" });
    expect(await take("b", rate(1, 60_000))).toBe("rate 40000");
    Object.assign(now, { wallMs: START - 86_400_000, upMs: 1_000, boot: "three" });
    expect(await take("b", rate(1, 60_000))).toBe("rate 60000");
    later(60_000);
    expect(await take("b", rate(1, 60_000))).toBe("taken");
  });

  test("the number at a time is limited, first come, first served", async () => {
    const { take, takeEach, budgets, turns } = await home();
    expect(await takeEach(["a", "b", "c", "d"], slot(2))).toEqual(["taken", "taken", "concurrency", "concurrency"]);
    expect(await turns()).toEqual([]);
    await budgets.giveBack("r", "a");
    expect(await turns()).toEqual(["c"]);
    expect(await take("d", slot(2))).toBe("concurrency");
    expect(await take("c", slot(2))).toBe("taken");
    expect(await turns()).toEqual([]);
  });

  test("an attempt that has ended gives back its own slot, and not what the next one has", async () => {
    const { take, budgets, turns } = await home();
    for (const _ of ["sent", "sent again"]) expect(await take("a", slot(1))).toBe("taken");
    expect(await take("a", slot(1), "p", 2)).toBe("concurrency");
    await budgets.giveBack("r", "a", 1);
    expect(await turns()).toEqual(["a"]);
    expect(await take("a", slot(2), "p", 2)).toBe("taken");
    expect(await take("a", slot(2), "p", 3)).toBe("taken");
    await budgets.giveBack("r", "a", 2);
    expect(await take("b", slot(2))).toBe("taken");
    expect(await take("c", slot(2))).toBe("concurrency");
  });

  test("an unused turn passes to the next after a while, and returns when there is room again", async () => {
    const { take, budgets, turns, later } = await home();
    for (const path of ["a", "busy", "c"]) await take(path, slot(1));
    await budgets.giveBack("r", "a");
    expect(await turns()).toEqual(["busy"]);
    later(limits.budgetTurnMs);
    expect(await take("c", slot(1))).toBe("concurrency");
    later(1);
    expect(await turns()).toEqual(["busy", "c"]);
    expect(await take("c", slot(1))).toBe("taken");
    expect(await take("busy", slot(1))).toBe("concurrency");
    await take("e", slot(1));
    await budgets.giveBack("r", "c");
    expect(await turns()).toEqual(["busy"]);
  });

  test("the slot of a dead owner is free, but not while its command may run", async () => {
    const { take, dead, commands } = await home();
    await take("a", slot(1), "gone");
    commands.add("r a");
    dead.add("gone");
    expect(await take("b", slot(1))).toBe("concurrency");
    commands.clear();
    expect(await take("b", slot(1))).toBe("taken");
  });

  test("nodes that waited in a dead process delay no others; once adopted, they have their place again", async () => {
    const { take, dead, budgets, turns, owner } = await home();
    await take("a", slot(1));
    await take("b", slot(1), "gone");
    dead.add("gone");
    await budgets.giveBack("r", "a");
    expect(await take("c", slot(1))).toBe("taken");
    expect(await take("d", slot(1))).toBe("concurrency");
    await budgets.adopt("r", owner("new"));
    await budgets.giveBack("r", "c");
    expect(await turns("new")).toEqual(["b"]);
  });

  test("the longest queue is served in its order", async () => {
    const { take, budgets, turns } = await home();
    for (let n = 0; n < 200; n++) await take(`n${n}`, slot(1));
    for (let n = 0; n < 50; n++) {
      await budgets.giveBack("r", `n${n}`);
      expect(await turns()).toEqual([`n${n + 1}`]);
      expect(await take(`n${n + 1}`, slot(1))).toBe("taken");
    }
  });
});

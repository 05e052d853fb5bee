import { expect, test } from "vitest";
import { testServerStore } from "../../../test/setup/stores.ts";
import { limits } from "../../base/limits.ts";
import type { ScheduleTrigger } from "../../workflow/triggers/index.ts";
import type { ActiveTrigger } from "./active-trigger.ts";
import { Schedules } from "./schedule.ts";

function schedule(id: string, cron: string): ActiveTrigger<ScheduleTrigger> {
  const trigger: ScheduleTrigger = {
    kind: "schedule",
    index: 0,
    cron,
    timezone: "UTC",
    catchUp: "latest",
    overlap: "allow",
  };
  return { id, path: `${id}.flow.yaml`, file: `/flows/${id}.flow.yaml`, trigger };
}

/** Schedules with a real store, a clock that the test moves, a list of changed triggers, and a store that can fail. */
function turned() {
  const store = testServerStore();
  let nowMs = Date.parse("2026-03-01T00:00:30Z");
  let wait: { atMs: number; call: () => void } | undefined;
  let runs = 0;
  const asked: string[] = [];
  const away = { is: false };
  const { triggers } = store;
  const allSeen: typeof triggers.allSeen = (ids, at) => {
    asked.push(...ids);
    return triggers.allSeen(ids, at);
  };
  const decide: typeof triggers.decide = (...args) =>
    away.is ? { ok: false, error: { code: "store-full", message: "full" } as never } : triggers.decide(...args);
  const schedules = new Schedules({
    store: { ...store, triggers: { ...triggers, allSeen, decide } },
    log: { error: () => {} } as never,
    clock: {
      nowMs: () => nowMs,
      upMs: () => nowMs,
      at: (atMs, call) => {
        wait = { atMs, call };
        return () => (wait = undefined);
      },
    },
    newRunId: () => `run-${++runs}`,
    isUnfinished: async () => false,
    waiting: async () => 0,
    decided: () => {},
  });
  /** Moves the clock to the next moment waited for and returns it. */
  const turn = async (): Promise<string> => {
    const next = wait!;
    nowMs = next.atMs;
    next.call();
    await schedules.look();
    return new Date(nowMs).toISOString().slice(0, 19);
  };
  const due = () => {
    const all = triggers.due();
    return all.ok ? all.value.map(({ trigger, key }) => `${trigger} ${key.slice(0, 16)}`) : [];
  };
  const started = (id: string) => {
    const waiting = triggers.waiting(id);
    return waiting.ok ? waiting.value : undefined;
  };
  return { schedules, asked, away, turn, due, started, sleep: (ms: number) => (nowMs += ms) };
}

const DAY_MS = 86_400_000;

test("setting the clock back starts nothing twice, and later times start when the clock reaches them", async () => {
  const { schedules, turn, started, sleep } = turned();
  await schedules.arm([schedule("nine", "0 9 * * *")]);
  expect(await turn()).toBe("2026-03-01T09:00:00");
  expect(started("nine")).toBe(1);
  sleep(-2 * 3_600_000);
  await schedules.look();
  expect(await turn()).toBe("2026-03-01T09:00:00");
  expect(started("nine")).toBe(1);
  expect(await turn()).toBe("2026-03-02T09:00:00");
  expect(started("nine")).toBe(2);
  sleep(-365 * DAY_MS);
  await schedules.look();
  expect(await turn()).toBe("2025-03-03T09:00:00");
  expect(started("nine")).toBe(3);
});

test("of many triggers only the due ones are checked, even after a document was saved", async () => {
  const { schedules, asked, turn, due } = turned();
  const all = [
    schedule("often", "* * * * *"),
    ...Array.from({ length: 30 }, (_, n) => schedule(`night${n}`, "0 4 * * *")),
  ];
  await schedules.arm(all);
  expect(new Set(asked.splice(0)).size).toBe(31);
  expect([await turn(), await turn()]).toEqual(["2026-03-01T00:01:00", "2026-03-01T00:02:00"]);
  expect(asked.splice(0)).toEqual(["often", "often"]);
  await schedules.arm([...all.slice(1), schedule("new", "0 5 * * *")]);
  expect(asked.splice(0)).toEqual(["new"]);
  expect(await turn()).toBe("2026-03-01T04:00:00");
  expect(asked).toHaveLength(30);
  expect(due()).toHaveLength(31);
});

test("a time that could not be recorded is tried again soon, and decided once", async () => {
  const { schedules, away, turn, due } = turned();
  await schedules.arm([schedule("a", "0 * * * *")]);
  away.is = true;
  expect(await turn()).toBe("2026-03-01T01:00:00");
  expect(due()).toEqual([]);
  away.is = false;
  expect(await turn()).toBe(
    new Date(Date.parse("2026-03-01T01:00:00Z") + limits.triggerAgainMs).toISOString().slice(0, 19),
  );
  expect(due()).toEqual(["a 2026-03-01T01:00"]);
  expect(await turn()).toBe("2026-03-01T02:00:00");
});

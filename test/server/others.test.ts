// The writes of another process are published once, soon, and in order.

import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { limits } from "../../src/base/limits.ts";
import { EventBus } from "../../src/server/events/event-bus.ts";
import { type LocalStore, openStore } from "../../src/store/index.ts";
import { tempFolder } from "../setup/folders.ts";
import { events, id, must, newRun, owner } from "../store/fixture.ts";

function opened(home: string): LocalStore {
  const store = must(openStore(home));
  onTestFinished(() => store.close());
  return store;
}

afterEach(() => void vi.useRealTimers());

test("each write of another process is noticed at the next look", async () => {
  const home = tempFolder();
  const [store, other] = [opened(home), opened(home)];
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] });
  const bus = new EventBus();
  onTestFinished(() => bus.close());
  const told: string[] = [];
  await bus.follow(store.journal);
  bus.listen({ onEvents: (all) => told.push(...all.map(({ event }) => `${event.run} ${event.seq}`)) });
  for (const n of [1, 2, 3]) {
    await vi.advanceTimersByTimeAsync(60_000);
    must(other.journal.createRun(newRun(n), { owner: owner("you"), events: events(id(n), 1, 2) }));
    await vi.advanceTimersByTimeAsync(limits.followEveryMs);
    expect(told.splice(0)).toEqual([`${id(n)} 1`, `${id(n)} 2`]);
  }
});

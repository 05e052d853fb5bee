// An idle server asks its store hardly ever, and still hears at once what another process writes (spec 5.4 "idle").

import { join } from "node:path";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { limits } from "../../src/base/limits.ts";
import { EventBus } from "../../src/server/events/event-bus.ts";
import { openStore, type Store } from "../../src/store/index.ts";
import { events, id, must, newRun, owner } from "../store/fixture.ts";
import { tempFolder } from "../store/folders.ts";

/** A hub over a store whose time stands still, and how often it has asked. */
function following(home: string, log: string | undefined) {
  const store = opened(home);
  let asked = 0;
  const othersChange = () => {
    asked += 1;
    return store.journal.othersChange();
  };
  const journal: Store["journal"] = Object.assign(Object.create(store.journal), { othersChange });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const bus = new EventBus();
  const told: string[] = [];
  bus.follow(journal, log === undefined ? {} : { log });
  bus.listen({ onEvents: (all) => told.push(...all.map(({ event }) => `${event.run} ${event.seq}`)) });
  onTestFinished(() => bus.close());
  const asks = () => asked;
  return { told, asks };
}

function opened(home: string): Store {
  const store = must(openStore(home));
  onTestFinished(() => store.close());
  return store;
}

/** Lets the system tell what it has seen of files; no timer of ours runs meanwhile. */
const becomes = (isSo: () => boolean) => vi.waitUntil(isSo, { timeout: 10_000, interval: 1 });

afterEach(() => void vi.useRealTimers());

const writes = (store: Store, n: number) =>
  must(store.journal.createRun(newRun(n), { owner: owner("you"), events: events(id(n), 1, 2) }));

test.runIf(process.platform === "linux")(
  "while nobody writes it is asked seldom; what is written is told at once, again and again",
  async () => {
    const home = tempFolder();
    const { told, asks } = following(home, join(home, "curlew.db-wal"));
    const other = opened(home);
    vi.advanceTimersByTime(limits.followQuietMs + 1_000);
    for (const n of [1, 2, 3]) {
      const before = asks();
      vi.advanceTimersByTime(60_000);
      expect(asks() - before).toBeLessThanOrEqual(60_000 / limits.followRestMs + 1);
      writes(other, n);
      await becomes(() => told.length === 2 * n);
      expect(told.slice(-2)).toEqual([`${id(n)} 1`, `${id(n)} 2`]);
      // Who has written goes on writing, as often as not: it is asked often for a while, without being heard.
      const asked = asks();
      vi.advanceTimersByTime(1_000);
      expect(asks() - asked).toBeGreaterThanOrEqual(1_000 / limits.followEveryMs - 1);
      vi.advanceTimersByTime(limits.followQuietMs + limits.followEveryMs);
    }
  },
);

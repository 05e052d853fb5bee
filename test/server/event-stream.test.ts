// An event stream and its reader: one that reads nothing is dropped, and misses nothing when it comes back. Events of
// other processes arrive soon (spec 2.4).

import { getEventListeners } from "node:events";
import { createParser } from "eventsource-parser";
import { expect, onTestFinished, test } from "vitest";
import { limits } from "../../src/base/limits.ts";
import { EventBus } from "../../src/server/events/event-bus.ts";
import { eventStream } from "../../src/server/events/event-stream.ts";
import { type LocalStore, openStore } from "../../src/store/index.ts";
import { tempFolder } from "../setup/folders.ts";
import { events, id, must, newRun, owner } from "../store/fixture.ts";

const TEXT = "x".repeat(1_000);

function opened(home: string): LocalStore {
  const store = must(openStore(home));
  onTestFinished(() => store.close());
  return store;
}

async function following(store: LocalStore): Promise<EventBus> {
  const bus = new EventBus();
  await bus.follow(store.journal);
  onTestFinished(() => bus.close());
  return bus;
}

/** Reads until the stream has sent this many events, and returns their ids. */
async function read(response: Response, count: number): Promise<number[]> {
  const ids: number[] = [];
  const parser = createParser({ onEvent: (message) => message.id !== undefined && ids.push(Number(message.id)) });
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  while (ids.length < count) {
    const { value, done } = await reader.read();
    if (done) break;
    parser.feed(decoder.decode(value, { stream: true }));
  }
  await reader.cancel();
  return ids;
}

test("a reader that reads nothing is dropped at the limit, and continues from its last id without a gap", async () => {
  const store = opened(tempFolder());
  const bus = await following(store);
  const { signal } = new AbortController();
  const slow = eventStream({ after: 0, signal }, bus, store);
  const reader = slow.body!.getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toContain("event: live");
  const run = must(store.journal.createRun(newRun(1), { owner: owner("me") })).id;
  const batches = Math.ceil(limits.streamBytesMax / 1_000 / 100) + 2;
  for (let n = 0; n < batches; n++) {
    must(store.journal.append(run, events(run, n * 100 + 1, n * 100 + 100, TEXT)));
    await bus.drain();
  }
  await expect(reader.read()).rejects.toThrow("too slow");
  // Its buffered messages are freed too.
  expect(getEventListeners(signal, "abort")).toEqual([]);
  const again = eventStream({ after: 50, signal }, bus, store);
  expect(await read(again, batches * 100 - 50)).toEqual(Array.from({ length: batches * 100 - 50 }, (_, n) => n + 51));
});

test("another process's events arrive within a moment, each once, in the stream of one run and of all", async () => {
  const home = tempFolder();
  const store = opened(home);
  const other = opened(home);
  const bus = await following(store);
  const { signal } = new AbortController();
  const run = must(other.journal.createRun(newRun(1), { owner: owner("you"), events: events(id(1), 1, 3) })).id;
  const streams = [
    eventStream({ run, after: 0, signal }, bus, store),
    eventStream({ run, after: 2, signal }, bus, store),
    eventStream({ after: 0, signal }, bus, store),
  ];
  const seen = Promise.all([read(streams[0]!, 5), read(streams[1]!, 3), read(streams[2]!, 7)]);
  must(other.journal.append(run, events(run, 4, 5)));
  must(other.journal.createRun(newRun(2), { owner: owner("you"), events: events(id(2), 1, 2) }));
  const from = performance.now();
  expect(await seen).toEqual([
    [1, 2, 3, 4, 5],
    [3, 4, 5],
    [1, 2, 3, 4, 5, 6, 7],
  ]);
  expect(performance.now() - from).toBeLessThan(1_000);
});

test("the newest output is sent in short, and a character is never cut in half", async () => {
  const store = opened(tempFolder());
  const bus = await following(store);
  const told: string[] = [];
  bus.listen({ onMessage: (message) => message.kind === "output" && told.push(message.text) });
  const output = { run: id(1), path: "n", number: 1, stream: "stdout" as const };
  const bytes = Buffer.from(`${"a".repeat(limits.outputToldChars)}é end`);
  bus.output({ ...output, bytes: bytes.subarray(0, limits.outputToldChars + 1) });
  bus.output({ ...output, bytes: bytes.subarray(limits.outputToldChars + 1) });
  await expect.poll(() => told).toHaveLength(1);
  expect(told[0]).toHaveLength(limits.outputToldChars);
  expect(told[0]).toMatch(/aé end$/);
});

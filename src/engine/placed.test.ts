// A subflow that its parent has given up does not begin on another machine.

import { expect, onTestFinished, test } from "vitest";
import { tempFolder } from "../../test/setup/folders.ts";
import { at, event, id, must, newRun, owner } from "../../test/store/fixture.ts";
import type { EventBody, RunEvent } from "../scheduler/event.ts";
import { openStore } from "../store/index.ts";
import { isGivenUp } from "./placed.ts";

const place = { node: "sub", path: "sub" };

test("E2: a subflow is given up when its attempt has ended, was never started, or its parent has ended", async () => {
  const store = must(openStore(tempFolder()));
  onTestFinished(() => store.close());
  const child = async (n: number, ...bodies: EventBody[]) => {
    const run = id(n);
    const attempt: EventBody = { type: "attempt.started", ...place, number: 1, detail: { childRun: id(n + 1) } };
    const events = [attempt, ...bodies].map((body, of): RunEvent => ({ seq: of + 2, at: at(of), run, ...body }));
    must(await store.journal.createRun(newRun(n), { owner: owner("a"), events: [event(run, 1), ...events] }));
    const within = { parent: { run, path: "sub" } };
    const started = [{ seq: 1, at: at(0), run: id(n + 1), type: "run.started", ...within } as RunEvent];
    must(await store.journal.createRun(newRun(n + 1, within), { owner: owner("a"), events: started }));
    return id(n + 1);
  };
  expect(await isGivenUp(await child(1), store)).toBe(false);
  const ended = { number: 1, failure: { code: "x", message: "x" }, value: { text: "" }, end: { durationMs: 0 } };
  expect(await isGivenUp(await child(3, { type: "attempt.failed", ...place, ...ended }), store)).toBe(true);
  expect(await isGivenUp(await child(5, { type: "attempt.not-started", ...place, number: 1 }), store)).toBe(true);
  expect(await isGivenUp(await child(7, { type: "run.cancelled" }), store)).toBe(true);
  // Someone who can write to the database, but has no key, changes a row.
  const forged = must(await store.journal.createRun(newRun(9, { parent: { run: id(10), path: "sub" } })));
  expect(await isGivenUp(forged.id, store)).toBe(false);
});

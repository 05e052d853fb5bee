// A view that is folded event by event, and read in between, always equals one that is folded from the start (W3).
// Generated runs; CHECK_SEED=n starts there.

import { expect, test } from "vitest";
import { applyTo, beginView, viewFrom, viewOf } from "../../src/scheduler/view.ts";
import { generate, randomFrom } from "./generate.ts";
import { listenerDrawing } from "./generate-listener.ts";
import { simulate } from "./simulate.ts";

const RUNS = process.env.CHECK_FULL === "1" ? 1_000 : 20;

/** Changes of an attempt (spec 3.1). */
const STATUSES = ["running", "succeeded", "failed", "cancelled", "timed-out", "lost"];

test(`${RUNS} generated runs look the same during the run as when they are read from the start`, () => {
  const from = Number(process.env.CHECK_SEED ?? Math.floor(Math.random() * 1_000_000_000));
  console.log(`views: seeds ${from} to ${from + RUNS - 1}`);
  let looks = 0;
  for (let seed = from; seed < from + RUNS; seed++) looks += watched(seed);
  expect(looks).toBeGreaterThan(RUNS * 3);
});

/** How often the view was read. */
function watched(seed: number): number {
  const random = randomFrom(seed);
  const drawing = seed % 4 === 0 ? listenerDrawing(seed) : generate(seed);
  const cancelled = seed % 3 === 0 ? { cancelAfter: 1 + Math.floor(random() * 30) } : {};
  const { graph, events } = simulate(drawing, { random, ...cancelled });
  const fold = beginView(graph);
  let looks = 0;
  for (const [index, event] of events.entries()) {
    applyTo(fold, event);
    if (random() > 0.3 && index < events.length - 1) continue;
    looks += 1;
    const said = `seed ${seed}, after event ${index + 1}`;
    expect(viewFrom(fold), said).toEqual(viewOf(graph, events.slice(0, index + 1)));
    for (const { path, attempts } of fold.nodes.values())
      for (const { status, endedAt } of attempts) {
        expect(STATUSES, `${said}, ${path}`).toContain(status);
        expect(endedAt === undefined, `${said}, ${path}`).toBe(status === "running");
      }
  }
  return looks;
}

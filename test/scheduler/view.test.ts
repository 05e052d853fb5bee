// A view that is folded event by event, and looked at in between, says at every moment what it says when folded from the start (W3), and
// names every path that it changed. Generated runs; CHECK_SEED=n starts there.

import { expect, test } from "vitest";
import { applyTo, beginView, type NodeView, viewFrom, viewOf } from "../../src/scheduler/view.ts";
import { generate, randomFrom } from "./generate.ts";
import { listenerDrawing } from "./generate-listener.ts";
import { simulate } from "./simulate.ts";

const RUNS = process.env.CHECK_FULL === "1" ? 1_000 : 20;

/** Of an attempt (spec 3.1). */
const STATUSES = ["running", "succeeded", "failed", "cancelled", "timed-out", "lost"];

test(`${RUNS} generated runs, looked at while they go on, are shown as when they are read from the start`, () => {
  const from = Number(process.env.CHECK_SEED ?? Math.floor(Math.random() * 1_000_000_000));
  console.log(`views: seeds ${from} to ${from + RUNS - 1}`);
  let looks = 0;
  for (let seed = from; seed < from + RUNS; seed++) looks += watched(seed);
  expect(looks).toBeGreaterThan(RUNS * 3);
});

/** How often it was looked at. */
function watched(seed: number): number {
  const random = randomFrom(seed);
  const drawing = seed % 4 === 0 ? listenerDrawing(seed) : generate(seed);
  const cancelled = seed % 3 === 0 ? { cancelAfter: 1 + Math.floor(random() * 30) } : {};
  const { graph, events } = simulate(drawing, { random, ...cancelled });
  const fold = beginView(graph);
  let before = new Map<string, NodeView>();
  let looks = 0;
  for (const [index, event] of events.entries()) {
    applyTo(fold, event);
    if (random() > 0.3 && index < events.length - 1) continue;
    looks += 1;
    const said = `seed ${seed}, after event ${index + 1}`;
    expect(viewFrom(fold), said).toEqual(viewOf(graph, events.slice(0, index + 1)));
    const now = new Map([...fold.nodes].map(([path, view]) => [path, structuredClone(view)]));
    expect([...fold.changed], said).toEqual(expect.arrayContaining(differing(before, now)));
    fold.changed.clear();
    for (const { path, attempts } of now.values())
      for (const { status, endedAt } of attempts) {
        expect(STATUSES, `${said}, ${path}`).toContain(status);
        expect(endedAt === undefined, `${said}, ${path}`).toBe(status === "running");
      }
    before = now;
  }
  return looks;
}

function differing(before: Map<string, NodeView>, now: Map<string, NodeView>): string[] {
  const paths = new Set([...before.keys(), ...now.keys()]);
  return [...paths].filter((path) => JSON.stringify(before.get(path)) !== JSON.stringify(now.get(path)));
}

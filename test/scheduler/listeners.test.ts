// listeners: thousands of small workflows with a listener, in random order, with crashes, cancels, lost and failed attempts, must come to
// what the oracle of listeners says. CHECK_FULL=1 runs 8,000 instead of 1,000; CHECK_SEED=n starts there.

import { expect, test } from "vitest";
import { check } from "./check.ts";
import { type Drawing, printDrawing } from "./drawing.ts";
import { listenerDrawing } from "./generate-listener.ts";
import { shrink } from "./shrink.ts";

const RUNS = process.env.CHECK_FULL === "1" ? 8_000 : 150;

test(`${RUNS} generated workflows with a listener come to what the oracle says`, { timeout: 300_000 }, () => {
  const from = Number(process.env.CHECK_SEED ?? Math.floor(Math.random() * 1_000_000_000));
  console.log(`generated listeners: seeds ${from} to ${from + RUNS - 1}`);
  for (let seed = from; seed < from + RUNS; seed++) {
    const drawing = listenerDrawing(seed);
    if (differs(drawing, seed).length > 0) expect.fail(report(drawing, seed));
  }
});

function differs(drawing: Drawing, seed: number): string[] {
  try {
    return check(drawing, seed);
  } catch (thrown) {
    return [`thrown: ${thrown instanceof Error ? thrown.stack : String(thrown)}`];
  }
}

function report(drawing: Drawing, seed: number): string {
  const isListener = (candidate: Drawing): boolean =>
    candidate.edges.some(({ from, handle }) => from === "listen" && handle === undefined) &&
    candidate.nodes.every(({ type, content }) => type !== "if" || content === true);
  const small = shrink(drawing, (candidate) => isListener(candidate) && differs(candidate, seed).length > 0);
  return `seed ${seed}\n${printDrawing(small)}\n${differs(small, seed).join("\n")}`;
}

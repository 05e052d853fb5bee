// generated: thousands of small workflows run in random order, with crashes, cancels and timeouts, and must have the
// result that the oracle predicts. A difference is printed with its seed and the smallest drawing that still shows it.
// Such finds are stored in finds/ and replayed first. CHECK_FULL=1 runs ten times as many; CHECK_SEED=n starts there.

import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { check } from "./check.ts";
import { type Drawing, parseDrawing, printDrawing } from "./drawing.ts";
import { generate } from "./generate.ts";
import { listenerDrawing } from "./generate-listener.ts";
import { shrink } from "./shrink.ts";

const TIMES = process.env.CHECK_FULL === "1" ? 10 : 1;
/** Every find is run in this many orders. */
const ORDERS = 20;
const FINDS = new URL("finds/", import.meta.url);

for (const file of readdirSync(FINDS))
  test(`find: ${file.replace(".txt", "").replaceAll("-", " ")}`, () => {
    const drawing = parseDrawing(readFileSync(new URL(file, FINDS), "utf8"));
    for (let order = 0; order < ORDERS; order++) expect(differs(drawing, order)).toEqual([]);
    if (drawing.seed !== undefined) expect(differs(drawing, drawing.seed)).toEqual([]);
  });

const isAny = () => true;
const hasBody = ({ nodes, edges }: Drawing): boolean =>
  edges.some(({ from, handle }) => from === "listen" && handle === undefined) &&
  nodes.every(({ type, content }) => type !== "if" || content === true);

test.each([
  { what: "workflows", runs: 2_500 * TIMES, draw: generate, isDrawing: isAny },
  { what: "workflows with a listener", runs: 1_000 * TIMES, draw: listenerDrawing, isDrawing: hasBody },
])("$runs generated $what come to what the oracle says", { timeout: 300_000 }, ({ what, runs, draw, isDrawing }) => {
  const from = Number(process.env.CHECK_SEED ?? Math.floor(Math.random() * 1_000_000_000));
  console.log(`generated ${what}: seeds ${from} to ${from + runs - 1}`);
  for (let seed = from; seed < from + runs; seed++) {
    if (differs(draw(seed), seed).length === 0) continue;
    const small = shrink(draw(seed), (candidate) => isDrawing(candidate) && differs(candidate, seed).length > 0);
    expect.fail(`seed ${seed}\n${printDrawing(small)}\n${differs(small, seed).join("\n")}`);
  }
});

function differs(drawing: Drawing, seed: number): string[] {
  try {
    return check(drawing, seed);
  } catch (thrown) {
    return [`thrown: ${thrown instanceof Error ? thrown.stack : String(thrown)}`];
  }
}

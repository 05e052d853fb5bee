// generated: thousands of small workflows run in random order, with crashes, cancels and timeouts, and must come to what the oracle says.
// A difference is printed with its seed and the smallest drawing that still shows it; such finds are kept in finds/ and replayed first.
// CHECK_FULL=1 runs 25,000 instead of 2,500; CHECK_SEED=n starts there.

import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { check } from "./check.ts";
import { type Drawing, parseDrawing, printDrawing } from "./drawing.ts";
import { generate } from "./generate.ts";
import { shrink } from "./shrink.ts";

const RUNS = process.env.CHECK_FULL === "1" ? 25_000 : 2_500;
/** Every find is run in this many orders. */
const ORDERS = 20;
const FINDS = new URL("finds/", import.meta.url);

for (const file of readdirSync(FINDS))
  test(`find: ${file.replace(".txt", "").replaceAll("-", " ")}`, () => {
    const drawing = parseDrawing(readFileSync(new URL(file, FINDS), "utf8"));
    for (let order = 0; order < ORDERS; order++) expect(differs(drawing, order)).toEqual([]);
    if (drawing.seed !== undefined) expect(differs(drawing, drawing.seed)).toEqual([]);
  });

test(`${RUNS} generated workflows come to what the oracle says`, { timeout: 300_000 }, () => {
  const from = Number(process.env.CHECK_SEED ?? Math.floor(Math.random() * 1_000_000_000));
  console.log(`generated workflows: seeds ${from} to ${from + RUNS - 1}`);
  for (let seed = from; seed < from + RUNS; seed++) {
    const drawing = generate(seed);
    if (differs(drawing, seed).length > 0) expect.fail(report(drawing, seed));
  }
});

function differs(drawing: Drawing, seed: number): string[] {
  try {
    return check(drawing, seed);
  } catch (thrown) {
    return [`thrown: ${thrown instanceof Error ? thrown.message : String(thrown)}`];
  }
}

function report(drawing: Drawing, seed: number): string {
  const small = shrink(drawing, (candidate) => differs(candidate, seed).length > 0);
  return `seed ${seed}\n${printDrawing(small)}\n${differs(small, seed).join("\n")}`;
}

// suite: all checks of the scheduler's tests as one program without a test runner: `node test/scheduler/suite.ts
// [RUNS]`. Exits with 1 and a line at the first difference. The mutants are judged by it, because it starts quickly.

import { readdirSync, readFileSync } from "node:fs";
import { check } from "./check.ts";
import { differences } from "./compare.ts";
import { parseDrawing } from "./drawing.ts";
import { generate } from "./generate.ts";
import { listenerDrawing } from "./generate-listener.ts";
import { stories } from "./stories.ts";

const FINDS = new URL("finds/", import.meta.url);
const FIRST_SEED = 1;

function firstDifference(runs: number): string | undefined {
  for (const { name, run, told, expected } of stories()) {
    if (told !== expected) return `story ${name}: other events`;
    const found = differences(run);
    if (found.length > 0) return `story ${name}: ${found[0]}`;
  }
  for (const file of readdirSync(FINDS)) {
    const drawing = parseDrawing(readFileSync(new URL(file, FINDS), "utf8"));
    const found = check(drawing, drawing.seed ?? 0);
    if (found.length > 0) return `find ${file}: ${found[0]}`;
  }
  for (let seed = FIRST_SEED; seed < FIRST_SEED + runs; seed++) {
    const found = check(generate(seed), seed);
    if (found.length > 0) return `seed ${seed}: ${found[0]}`;
  }
  for (let seed = FIRST_SEED; seed < FIRST_SEED + runs / 4; seed++) {
    const found = check(listenerDrawing(seed), seed);
    if (found.length > 0) return `listener, seed ${seed}: ${found[0]}`;
  }
  return undefined;
}

let difference: string | undefined;
try {
  difference = firstDifference(Number(process.argv[2] ?? 2_000));
} catch (thrown) {
  difference = `thrown: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
}
console.log(difference ?? "no difference");
process.exitCode = difference === undefined ? 0 : 1;

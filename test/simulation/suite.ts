// suite: the simulation as a program without a test runner: `node test/simulation/suite.ts [DRAWINGS] [FIRST_SEED]`.
// Exits with 1 and a line at the first difference. The mutants are judged by it.

import { readdirSync, readFileSync } from "node:fs";
import { type Drawing, parseDrawing, printDrawing } from "../scheduler/drawing.ts";
import { generate } from "../scheduler/generate.ts";
import { dieAtEachStep, dieOften, openDeps, type Tally } from "./check.ts";

const FINDS = new URL("finds/", import.meta.url);

/** The first difference, with its seed and drawing. Earlier finds come first. */
export async function firstDifference(
  drawings: number,
  firstSeed: number,
  tally: Tally,
  options: { finds?: boolean } = {},
): Promise<string | undefined> {
  const ground = openDeps();
  const differs = async (drawing: Drawing, seed: number): Promise<string | undefined> => {
    const found = [
      ...(await dieAtEachStep(drawing, seed, ground, tally)),
      ...(await dieOften(drawing, seed, ground, tally)),
      ...(await dieAtEachStep(drawing, seed, ground, tally, { first: 1 + (seed % 5), stride: 5, isLate: true })),
      ...(await dieOften(drawing, seed, ground, tally, { isLate: true })),
    ];
    return found.length === 0 ? undefined : `seed ${seed}: ${found.slice(0, 5).join("\n")}\n${printDrawing(drawing)}`;
  };
  try {
    for (const file of options.finds === false ? [] : readdirSync(FINDS).filter((name) => name.endsWith(".txt"))) {
      const drawing = parseDrawing(readFileSync(new URL(file, FINDS), "utf8"));
      const found = await differs(drawing, drawing.seed ?? 0);
      if (found !== undefined) return `find ${file}: ${found}`;
    }
    for (let seed = firstSeed; seed < firstSeed + drawings; seed++) {
      const found = await differs(generate(seed), seed);
      if (found !== undefined) return found;
    }
    return undefined;
  } finally {
    ground.close();
  }
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const tally = { lives: 0, deaths: 0 };
  let difference: string | undefined;
  try {
    difference = await firstDifference(Number(process.argv[2] ?? 40), Number(process.argv[3] ?? 1), tally);
  } catch (thrown) {
    difference = `thrown: ${thrown instanceof Error ? thrown.stack : String(thrown)}`;
  }
  console.log(difference ?? `no difference in ${tally.lives} lives with ${tally.deaths} deaths`);
  process.exit(difference === undefined ? 0 : 1);
}

import { mkdtempSync } from "node:fs";
import { printDrawing } from "../scheduler/drawing.ts";
import { generate, randomFrom } from "../scheduler/generate.ts";
import { openSharedDatabase } from "./disk.ts";
import { followable } from "./document.ts";
import { judge } from "./judge.ts";
import { live } from "./live.ts";
import { World } from "./world.ts";

setInterval(() => {
  const w = (globalThis as any).W;
  console.log("..", w?.steps, w?.stirs, w?.nowMs, process.getActiveResourcesInfo().join());
}, 3000).unref();
const home = mkdtempSync("/dev/shm/curlew-sim-");
const database = openSharedDatabase(`${home}/b.db`);
const from = Number(process.argv[2] ?? 1),
  n = Number(process.argv[3] ?? 20),
  rate = Number(process.argv[4] ?? 0);
let deaths = 0,
  bad = 0,
  steps = 0;
const t0 = performance.now();
for (let seed = from; seed < from + n; seed++) {
  if (process.argv[6]) console.log("seed", seed);
  const drawing = followable(generate(seed));
  const random = randomFrom(seed ^ 77);
  const world = new World(random, () => (random() < rate ? (random() < 0.3 ? "power" : "kill") : undefined));
  (globalThis as any).W = world;
  let found: string[];
  try {
    const lived = ((globalThis as any).L = await live(drawing, world, { home, folder: home, database }));
    found = judge(lived);
  } catch (e) {
    found = [`thrown ${(e as Error).stack}`];
  }
  deaths += world.deaths;
  steps += world.steps;
  if (process.argv[5])
    for (const e of (globalThis as any).L?.events ?? []) console.log(JSON.stringify(e).slice(0, 260));
  if (found.length) {
    bad++;
    if (bad <= 3) console.log(seed, found.slice(0, 5), printDrawing(drawing));
  }
}
console.log({ bad, deaths, steps, ms: performance.now() - t0 });

// check: a drawing, lived without a death, with one death at each step, and with deaths at random: all must come to the same.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunEvent } from "../../src/scheduler/event.ts";
import type { Drawing } from "../scheduler/drawing.ts";
import { randomFrom } from "../scheduler/generate.ts";
import { openSharedDatabase } from "./disk.ts";
import { followable } from "./document.ts";
import { judge } from "./judge.ts";
import { type Deps, type Lived, live } from "./live.ts";
import { type Death, World } from "./world.ts";

export interface Tally {
  lives: number;
  deaths: number;
}

/** Where worlds have their files; `close` removes them. */
export function openDeps(): Deps & { close(): void } {
  const home = mkdtempSync(join(tmpdir(), "curlew-simulated-"));
  const database = openSharedDatabase(join(home, "budgets.db"));
  return {
    home,
    folder: home,
    database,
    close: () => {
      database.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** One death at every `stride`th step from `first` on: kill and power cut take turns. The first difference, or none. */
export async function dieAtEachStep(
  drawing: Drawing,
  seed: number,
  ground: Deps,
  tally: Tally,
  { first = 1, stride = 1 } = {},
): Promise<string[]> {
  const calm = await lived(drawing, seed, ground, tally, () => undefined);
  const found = judge(calm);
  if (found.length > 0) return found.map((difference) => `without a death: ${difference}`);
  for (let at = first; at <= calm.world.steps; at += stride) {
    const death: Death = (at + seed) % 2 === 0 ? "kill" : "power";
    const dead = await lived(drawing, seed, ground, tally, (step) => (step === at ? death : undefined));
    const differences = [...judge(dead), ...otherValues(calm, dead)];
    if (differences.length > 0) return differences.map((difference) => `${death} at step ${at}: ${difference}`);
  }
  return [];
}

/** Deaths come by chance, also in the lives after the first, and sometimes somebody cancels. */
export async function dieOften(drawing: Drawing, seed: number, ground: Deps, tally: Tally): Promise<string[]> {
  const random = randomFrom(seed ^ 0x2545f491);
  const share = [0.01, 0.03, 0.08][seed % 3]!;
  const cancelAt = random() < 0.15 ? Math.floor(random() * 40) : undefined;
  const dies = (): Death | undefined => (random() < share ? (random() < 0.3 ? "power" : "kill") : undefined);
  const found = judge(await lived(drawing, seed, ground, tally, dies, cancelAt));
  return found.map((difference) => `deaths at random: ${difference}`);
}

async function lived(
  drawing: Drawing,
  seed: number,
  ground: Deps,
  tally: Tally,
  dies: (step: number) => Death | undefined,
  cancelAt?: number,
): Promise<Lived> {
  const world = new World(randomFrom(seed), dies);
  const one = await live(followable(drawing), world, ground, cancelAt);
  tally.lives += world.deaths + 1;
  tally.deaths += world.deaths;
  return one;
}

/** What a node came to does not depend on who died meanwhile. */
function otherValues(calm: Lived, dead: Lived): string[] {
  if ([...dead.world.told.values()].flat().some(({ type }) => type === "attempt.lost")) return [];
  // How far a run came before it was ended depends on the deaths, and so does what `finally` sees.
  const isWhole = [calm, dead].every(({ events }) => events.at(-1)?.type === "run.succeeded");
  const late = new Set(isWhole ? [] : calm.drawing.finally);
  const [meant, seen] = [valuesOf(calm.events), valuesOf(dead.events)];
  return [...seen].flatMap(([path, value]) =>
    meant.has(path) && meant.get(path) !== value && !late.has(path.split(" ")[1] ?? "")
      ? [`${path} has ${value}, and ${meant.get(path)} without a death`]
      : [],
  );
}

function valuesOf(events: readonly RunEvent[]): Map<string, string> {
  const values = new Map<string, string>();
  for (const event of events) {
    if (event.type !== "attempt.succeeded" && event.type !== "node.succeeded" && event.type !== "pass.succeeded")
      continue;
    const made =
      "added" in event && event.added !== undefined ? event.added : "value" in event ? event.value : undefined;
    // A file is named after the event it belongs to, and that may have another number.
    values.set(
      `${event.type} ${event.path}`,
      JSON.stringify(made, (key, value) => (key === "file" ? "…" : value)),
    );
  }
  return values;
}

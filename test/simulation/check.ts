// check: runs a drawing without a death, with one death at each step, and with random deaths: all must have the same
// result.

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

/**
 * One death at every `stride`th step from `first` on, alternating between kill and power cut. The first difference, if
 * there is one.
 */
export async function dieAtEachStep(
  drawing: Drawing,
  seed: number,
  ground: Deps,
  tally: Tally,
  { first = 1, stride = 1, isLate = false } = {},
): Promise<string[]> {
  const calm = await lived(drawing, seed, ground, tally, () => undefined, { isLate });
  const found = judge(calm);
  if (found.length > 0) return found.map((difference) => `without a death: ${difference}`);
  for (let at = first; at <= calm.world.steps; at += stride) {
    const death: Death = (at + seed) % 2 === 0 ? "kill" : "power";
    const dead = await lived(drawing, seed, ground, tally, (step) => (step === at ? death : undefined), { isLate });
    const differences = [...judge(dead), ...otherValues(calm, dead)];
    if (differences.length > 0) return differences.map((difference) => `${death} at step ${at}: ${difference}`);
  }
  return [];
}

/** Deaths come at random, also in later lives, and sometimes the run is cancelled. */
export async function dieOften(
  drawing: Drawing,
  seed: number,
  ground: Deps,
  tally: Tally,
  { isLate = false } = {},
): Promise<string[]> {
  const random = randomFrom(seed ^ 0x2545f491);
  const share = [0.01, 0.03, 0.08][seed % 3]!;
  const cancelAt = random() < 0.15 ? Math.floor(random() * 40) : undefined;
  const dies = (): Death | undefined => (random() < share ? (random() < 0.3 ? "power" : "kill") : undefined);
  const found = judge(await lived(drawing, seed, ground, tally, dies, { cancelAt, isLate }));
  return found.map((difference) => `deaths at random: ${difference}`);
}

async function lived(
  drawing: Drawing,
  seed: number,
  ground: Deps,
  tally: Tally,
  dies: (step: number) => Death | undefined,
  more: { cancelAt?: number; isLate: boolean },
): Promise<Lived> {
  const world = new World(randomFrom(seed), dies);
  const one = await live(followable(drawing), world, ground, more);
  tally.lives += world.deaths + 1;
  tally.deaths += world.deaths;
  return one;
}

/** A node's result does not depend on deaths. */
function otherValues(calm: Lived, dead: Lived): string[] {
  if ([...dead.world.told.values()].flat().some(({ type }) => type === "attempt.lost")) return [];
  // How far a run came before it was ended depends on the deaths, and so does what `finally` sees.
  const isWhole = [calm, dead].every(({ events }) => events.at(-1)?.type === "run.succeeded");
  const late = new Set(isWhole ? [] : [...(calm.drawing.onFailure ?? []), ...calm.drawing.finally]);
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
    // A file is named after its event, which may have another number.
    values.set(
      `${event.type} ${event.path}`,
      JSON.stringify(made, (key, value) => (key === "file" ? "…" : value)),
    );
  }
  return values;
}

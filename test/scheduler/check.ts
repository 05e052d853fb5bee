// check: one simulated run of a drawing, compared with the oracle. A seed decides the order and the interruptions.

import { differences, hesitations } from "./compare.ts";
import type { Drawing } from "./drawing.ts";
import { randomFrom } from "./generate.ts";
import { hasListener } from "./listener-oracle.ts";
import { checkAgain } from "./retried.ts";
import { type Options, simulate } from "./simulate.ts";

/** One run of the drawing, in an order and with interruptions that the seed decides. */
export function check(drawing: Drawing, seed: number): string[] {
  const random = randomFrom(seed ^ 0x5bd1e995);
  const options: Options = { random };
  const retried = seed % 3 === 0 && !hasListener(drawing) ? checkAgain(drawing, seed) : [];
  if (retried.length > 0) return retried;
  const kind = Math.floor(random() * 6);
  if (kind === 0) options.crashes = 0.1;
  if (kind === 1) options.cancelAfter = 1 + Math.floor(random() * 30);
  if (kind === 2) options.timeoutAfter = 1 + Math.floor(random() * 30);
  if (kind !== 3) return differences(simulate(drawing, options));
  // Without chance a command ends only if nothing else can happen, so everything that could start must have started.
  delete options.random;
  const run = simulate(drawing, options);
  return hasListener(drawing) ? differences(run) : [...differences(run), ...hesitations(run)];
}

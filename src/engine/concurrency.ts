// concurrency: the default number of concurrent nodes of a run (spec 1.1).

import { availableParallelism } from "node:os";

/** 2 × cores, at least 4. */
export function concurrencyHere(): number {
  return Math.max(4, 2 * availableParallelism());
}

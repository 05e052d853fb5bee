// concurrency: how many nodes of one run are at work at a time when neither the document nor anybody else says (spec 1.1).

import { availableParallelism } from "node:os";

/** 2 × cores, at least 4. */
export function concurrencyHere(): number {
  return Math.max(4, 2 * availableParallelism());
}

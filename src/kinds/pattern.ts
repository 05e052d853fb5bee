// pattern: matches an input's `pattern` within a deadline, because a regular expression can take years (spec 4.3, S10).
//   P1. One match takes at most limits.patternMs, all matches of one checker together at most limits.patternsTotalMs.
//   P2. The expression runs in its own context and is stopped from outside. Nothing of it continues.

import { createContext, Script } from "node:vm";
import { limits } from "../base/limits.ts";
import type { Matches } from "../workflow/inputs.ts";

/** A checker for one workflow or one set of inputs. It returns `undefined` if a match took too long. */
export function patternsWithin(totalMs: number = limits.patternsTotalMs): Matches {
  let left = totalMs;
  return (pattern, text) => {
    if (left <= 0) return undefined;
    const started = performance.now();
    try {
      return TRY.runInContext(createContext({ pattern, text }), {
        timeout: Math.ceil(Math.min(left, limits.patternMs)),
      });
    } catch {
      // Out of time, or too large for the engine.
      return undefined;
    } finally {
      left -= performance.now() - started;
    }
  };
}

const TRY = new Script("pattern.test(text)");

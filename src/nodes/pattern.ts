// pattern: an input's `pattern` tried on a value within a deadline: a regular expression can take years (spec 4.3, S10).
//   P1. One try takes at most limits.patternMs, all tries of one checker together at most limits.patternsTotalMs.
//   P2. The expression runs alone, in a context of its own, and is stopped from outside; nothing of it goes on.

import { createContext, Script } from "node:vm";
import { limits } from "../base/limits.ts";
import type { Matches } from "../workflow/inputs.ts";

/** A checker for one document or one set of inputs. It answers `undefined` when it took too long. */
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
      // Out of time, or the engine found it too large.
      return undefined;
    } finally {
      left -= performance.now() - started;
    }
  };
}

const TRY = new Script("pattern.test(text)");

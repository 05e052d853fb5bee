// safety/lints/finding: a problem in a script, with its position in the node's content.

import type { Diagnostic } from "../../diagnostic.ts";
import type { At } from "../../diagnostics/base.ts";
import * as diagnostics from "../../diagnostics/safety.ts";

export interface Finding {
  start: number;
  end: number;
  tell(at: At): Diagnostic;
}

export function finding(place: { start: number; end: number }, tell: (at: At) => Diagnostic): Finding {
  return { start: place.start, end: place.end, tell };
}

/**
 * Characters that change the direction, have no width, or are tags. Those needed for writing (joiners, marks) are
 * allowed.
 */
const HIDES =
  /[\u200b\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|(?<!\u{1f3f4}[\u{e0061}-\u{e007a}]*)[\u{e0000}-\u{e007f}]/u;

/** The first invisible character: it makes the command look different from the one that runs. */
export function hiddenFindings(content: string): Finding[] {
  const found = HIDES.exec(content);
  if (found === null) return [];
  const code = found[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
  const place = { start: found.index, end: found.index + found[0].length };
  return [finding(place, (at) => diagnostics.hiddenCharacter(at, code))];
}

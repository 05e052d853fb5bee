// safety/lints/hidden: characters that nobody sees, and by which a command reads as another than the one that runs.
//   H1. Told once, at the first. Marks that people write with are left alone: joiners of letters and emoji, marks of direction.

import * as told from "../../diagnostics/safety.ts";
import { type Finding, finding } from "./finding.ts";

/** What turns the order around, has no width, or is a tag. */
const HIDES =
  /[\u200b\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|(?<!\u{1f3f4}[\u{e0061}-\u{e007a}]*)[\u{e0000}-\u{e007f}]/u;

export function hiddenFindings(content: string): Finding[] {
  const found = HIDES.exec(content);
  if (found === null) return [];
  const code = found[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
  const place = { start: found.index, end: found.index + found[0].length };
  return [finding(place, (at) => told.hiddenCharacter(at, code))];
}

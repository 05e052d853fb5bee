// settle: builds the text from the user's choices when the same lines were changed here and elsewhere (spec 2.3). Pure.
//   T1. Both texts of a conflict can be kept only if the result is valid YAML with unique node ids, for example two new
//       nodes.

import { mergeTexts, nodesOf, openDoc } from "../document/index.ts";
import type { Clash } from "./session.ts";

export type Side = "ours" | "theirs" | "both";

/** The merged text with the chosen side of each conflict. */
export function settled(base: string, mine: string, clash: Clash, sides: readonly Side[]): string {
  const lines = linesOf(mergeTexts(base, mine, clash.theirs.text).text);
  for (const [at, conflict] of [...clash.conflicts.entries()].reverse()) {
    if (sides[at] === "ours") continue;
    const taken = sides[at] === "both" ? conflict.ours + conflict.theirs : conflict.theirs;
    lines.splice(conflict.line, linesOf(conflict.ours).length, taken);
  }
  return lines.join("");
}

/** Whether both texts of a conflict can be kept (T1). */
export function canKeepBoth(base: string, mine: string, clash: Clash, place: number): boolean {
  const conflict = clash.conflicts[place];
  if (conflict === undefined || conflict.ours === "" || conflict.theirs === "") return false;
  const text = settled(
    base,
    mine,
    clash,
    clash.conflicts.map((_, index) => (index === place ? "both" : "ours")),
  );
  const { plain, parsed } = openDoc(text, "both.flow.yaml");
  const ids = nodesOf(plain ?? {}).map(({ id }) => id);
  const twice = new Set(ids).size < ids.length || parsed.diagnostics.some(({ code }) => code === "duplicate-key");
  return plain !== undefined && !twice;
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

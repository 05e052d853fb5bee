// edit: writes the script with an expansion in place of each mark, quoted for its position: the right column of the
// table in spec 4.1.

import type { SyntaxNode } from "unbash";
import type { Reference } from "../template.ts";
import type { Mark, Marked } from "./marks.ts";
import type { Placement } from "./place.ts";

interface Names {
  of(reference: Reference): { variable: string };
}

export function rewritten(
  text: string,
  marked: Marked,
  places: ReadonlyMap<Mark, Placement>,
  comments: ReadonlySet<Mark>,
  names: Names,
): string {
  const edits: { from: number; to: number; text: string }[] = [];
  const parts = new Map<SyntaxNode, "'" | "$'">();
  for (const mark of marked.marks) {
    const place = places.get(mark);
    if (comments.has(mark) || place === undefined)
      edits.push({ from: mark.at, to: mark.end, text: original(text, mark) });
    else if (place.part !== undefined) parts.set(place.part, place.quote === "ansi" ? "$'" : "'");
    else edits.push({ from: mark.at, to: mark.end, text: inPlace(mark, place, marked.text, names) });
  }
  for (const [part, open] of parts)
    edits.push({ from: part.pos, to: part.end, text: requoted(part, open, marked, names) });

  let script = "";
  let from = 0;
  for (const edit of edits.sort((a, b) => a.from - b.from)) {
    script += marked.text.slice(from, edit.from) + edit.text;
    from = edit.to;
  }
  return script + marked.text.slice(from);
}

function original(text: string, mark: Mark): string {
  return mark.kind === "literal" ? `$${mark.text}` : text.slice(mark.reference.start, mark.reference.end);
}

function inPlace(mark: Mark, place: Placement, source: string, names: Names): string {
  if (mark.kind === "literal") return place.quote === "bare" ? `'${mark.text}'` : `\\${mark.text}`;
  const expansion = `\${${names.of(mark.reference).variable}}`;
  if (place.quote === "bare") return `"${expansion}"`;
  // A negative number after a minus sign must not become "--".
  return place.quote === "arithmetic" && /[-+]/.test(source[mark.at - 1] ?? "") ? ` ${expansion}` : expansion;
}

/** `'a Qk0z b'` → `'a '"${V}"' b'`, without empty quotes. */
function requoted(part: SyntaxNode, open: "'" | "$'", marked: Marked, names: Names): string {
  const inner = marked.text.slice(part.pos + open.length, part.end - 1);
  const pieces: string[] = [];
  let literal = "";
  let from = 0;
  const flush = () => {
    if (literal !== "") pieces.push(`${open}${literal}'`);
    literal = "";
  };
  for (const match of inner.matchAll(marked.pattern)) {
    literal += inner.slice(from, match.index);
    from = match.index + match[0].length;
    const mark = marked.marks[Number(match[1])];
    if (mark === undefined) continue;
    if (mark.kind === "literal") {
      literal += mark.text;
      continue;
    }
    flush();
    pieces.push(`"\${${names.of(mark.reference).variable}}"`);
  }
  literal += inner.slice(from);
  flush();
  return pieces.join("");
}

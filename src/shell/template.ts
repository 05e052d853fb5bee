// template: parses `${…}` references in text (spec 1.3). One pass; values are never scanned. rewrite.ts handles
// positions in a shell script.
//   T1. The parts joined give the original text, except that `$${` stands for a literal `${`.
//   T2. Anything but `${name}` or `${1}`, with optional members and filter, stays text: it belongs to the shell.

export interface Reference {
  kind: "reference";
  /** A name, or a parent's number from 1 as a string. */
  root: string;
  /** `${1.items[0].id}` → ["items", 0, "id"]. */
  members: (string | number)[];
  filter?: string;
  /** Offsets in the text; `end` is exclusive. */
  start: number;
  end: number;
}
export type TemplatePart = { kind: "text"; text: string } | Reference;

export const FILTERS = ["json", "uri", "b64", "int", "arg", "sh", "file"] as const;
export type Filter = (typeof FILTERS)[number];

const NEXT =
  /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*|[1-9][0-9]*)((?:\.[A-Za-z_][A-Za-z0-9_-]*|\[(?:0|[1-9][0-9]*)\])*)(?:\|([a-z0-9]+))?\}/g;
const MEMBER = /\.([A-Za-z_][A-Za-z0-9_-]*)|\[([0-9]+)\]/g;

export function parseTemplate(text: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let literal = "";
  let from = 0;
  for (const match of text.matchAll(NEXT)) {
    literal += text.slice(from, match.index);
    from = match.index + match[0].length;
    if (match[1] === undefined) {
      literal += "${";
      continue;
    }
    if (literal !== "") parts.push({ kind: "text", text: literal });
    literal = "";
    parts.push({
      kind: "reference",
      root: match[1],
      members: membersOf(match[2] ?? ""),
      ...(match[3] === undefined ? {} : { filter: match[3] }),
      start: match.index,
      end: from,
    });
  }
  literal += text.slice(from);
  if (literal !== "" || parts.length === 0) parts.push({ kind: "text", text: literal });
  return parts;
}

export function referencesOf(text: string): Reference[] {
  return text.includes("${") ? parseTemplate(text).filter((part) => part.kind === "reference") : [];
}

function membersOf(text: string): (string | number)[] {
  return [...text.matchAll(MEMBER)].map((match) => match[1] ?? Number(match[2]));
}

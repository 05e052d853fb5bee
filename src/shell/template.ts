// template: parses `${…}` references in text (spec 1.3). One pass; values are never scanned. rewrite.ts handles
// positions in a shell script.
//   T1. The parts joined give the original text, except that `$${` stands for a literal `${`.
//   T2. Anything but `${name}` or `${1}`, with optional members, default and filter, stays text: it belongs to the shell.

import { parseJson } from "../base/tolerant.ts";

export interface Reference {
  kind: "reference";
  /** A name, or a parent's number from 1 as a string. */
  root: string;
  /** `${1.items[0].id}` → ["items", 0, "id"]. */
  members: (string | number)[];
  /** `${id|default("none")}`: the text for a node that was skipped, and for members of its value (spec 8.1 L3). */
  default?: string;
  filter?: string;
  /** Offsets in the text; `end` is exclusive. */
  start: number;
  end: number;
}
/** Whether a name, as this reference writes it, belongs to the workflow. */
export type Known = (root: string, members?: Reference["members"]) => boolean;

export type TemplatePart = { kind: "text"; text: string } | Reference;

export const FILTERS = ["json", "uri", "b64", "int", "arg", "sh", "file"] as const;
export type Filter = (typeof FILTERS)[number];

/** A default is a JSON string, so that any text can be written. */
const NEXT =
  /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*|[1-9][0-9]*)((?:\.[A-Za-z_][A-Za-z0-9_-]*|\[(?:0|[1-9][0-9]*)\])*)(?:\|default\(("(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")\))?(?:\|([a-z0-9]+))?\}/gu;
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
      default: match[3] === undefined ? undefined : String(JSON.parse(match[3])),
      filter: match[4],
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

/**
 * References inside the strings of a text that is JSON once they are filled in. Those whose filter gives no character
 * that needs escaping (`uri`, `b64`, `int`) are left out.
 */
export function stringReferencesOf(text: string): Reference[] {
  if (!text.includes("${")) return [];
  const pieces = parseTemplate(text).map((part) => (part.kind === "reference" ? part : part.text));
  return insideJsonStrings(pieces).filter(({ filter = "" }) => !/^(?:uri|b64|int)$/.test(filter));
}

/** The values that are inside a string of the text, if the text is JSON once its values are filled in. */
export function insideJsonStrings<Value extends object>(pieces: readonly (string | Value)[]): Value[] {
  const [first] = pieces;
  if (typeof first !== "string" || !/^\s*[{[]/.test(first)) return [];
  const inside: Value[] = [];
  let json = "";
  let inString = false;
  for (const piece of pieces) {
    if (typeof piece !== "string") {
      // In a string it is text, elsewhere a JSON value.
      json += inString ? "x" : "0";
      if (inString) inside.push(piece);
      continue;
    }
    json += piece;
    if (piece.replaceAll(/\\./gs, "").split('"').length % 2 === 0) inString = !inString;
  }
  return inside.length > 0 && parseJson(json) !== undefined ? inside : [];
}

/** The failure of a value there that needs escaping. `says` follows the reference. */
export const JSON_STRING = {
  code: "value-json-string",
  says: "is inside a JSON string and contains characters that need escaping there.",
  hint: 'Take the quotes off and write |json: {"q": ${name|json}}.',
};

/** A reference as the author wrote it: `${1.items[0].id|json}`. */
export function describeReference(reference: Pick<Reference, "root" | "members" | "default" | "filter">): string {
  const fallback = reference.default === undefined ? "" : `|default(${JSON.stringify(reference.default)})`;
  const filter = reference.filter === undefined ? "" : `|${reference.filter}`;
  return `\${${reference.root}${memberPath(reference.members)}${fallback}${filter}}`;
}

/** Members as written after a name: `.items[0].id`. */
export function memberPath(members: Reference["members"]): string {
  return members.map((member) => (typeof member === "number" ? `[${member}]` : `.${member}`)).join("");
}

function membersOf(text: string): (string | number)[] {
  return [...text.matchAll(MEMBER)].map((match) => match[1] ?? Number(match[2]));
}

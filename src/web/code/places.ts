// places: finds the field that a finding is about, and the range in that field's value (ui 6.3: lint with fix-its,
// inside the field).
//   L1. Every finding has a field. If something is missing, it is the nearest enclosing field.
//   L2. Offsets refer to the value that the user edits, not to its YAML source with indentation, quotes, and folds.
//       This inverts source-map.ts.

import { isAlias, isMap, isScalar, isSeq, type Node, parseDocument } from "yaml";
import type { Diagnostic } from "../../workflow/diagnostic.ts";
import { CONTENT_KEYS, NODE_KEYS } from "../../workflow/short-form.ts";
import { keyText, lineStartsOf, type Path } from "../../workflow/source-map.ts";

export interface Finding {
  severity: Diagnostic["severity"];
  code: string;
  message: string;
  help?: string;
  edge?: Diagnostic["edge"];
  /** The field: `["nodes", 0, "data", "content"]`. */
  path: Path;
  /** Range in the field's value if it is a string, otherwise both are 0. `end` is exclusive. */
  start: number;
  end: number;
}

export interface Findings {
  all: readonly Finding[];
  /** Findings of exactly this field. */
  at(path: Path): readonly Finding[];
  /** Findings of this field and the fields within it. */
  under(path: Path): readonly Finding[];
}

/**
 * Returns the same object for the same list, because several parts of the screen need it. `tree` is the parsed text, if
 * the caller has it.
 */
export function findingsOf(text: string, diagnostics: readonly Diagnostic[], tree?: () => Node | undefined): Findings {
  const before = known.get(diagnostics);
  if (before?.text === text) return before.findings;
  const findings = diagnostics.length === 0 ? lookup([]) : placed(text, diagnostics, tree);
  known.set(diagnostics, { text, findings });
  return findings;
}

const known = new WeakMap<readonly Diagnostic[], { text: string; findings: Findings }>();

function placed(
  text: string,
  diagnostics: readonly Diagnostic[],
  tree: (() => Node | undefined) | undefined,
): Findings {
  const plain = text.startsWith("\ufeff") ? text.slice(1) : text;
  const root = tree?.() ?? treeOf(plain);
  const lines = lineStartsOf(plain);
  const offset = ({ line, column }: { line: number; column: number }) => (lines[line - 1] ?? plain.length) + column - 1;
  return lookup(
    diagnostics.map(({ severity, code, message, help, edge, range }) => {
      const [start, end] = [offset(range.start), offset(range.end)];
      const place = placeAt(root, start);
      const inside = place.value === undefined ? undefined : offsetsIn(plain, place, start, end);
      return {
        severity,
        code,
        message,
        help,
        edge,
        path: longPath(place.path),
        start: inside?.[0] ?? 0,
        end: inside?.[1] ?? 0,
      };
    }),
  );
}

/** The place in the long form of a node, which the rest of the screen uses. */
function longPath(path: Path): Path {
  const [list, index, key, ...rest] = path;
  if (list !== "nodes" || key === undefined || NODE_KEYS.includes(String(key)) || String(key).startsWith("x-"))
    return path;
  return [list, index!, "data", Object.hasOwn(CONTENT_KEYS, key) ? "content" : key, ...rest];
}

function treeOf(text: string): Node | null {
  return parseDocument(text, { logLevel: "silent", strict: false, uniqueKeys: false }).contents as Node | null;
}

function lookup(all: Finding[]): Findings {
  const exact = new Map<string, Finding[]>();
  const below = new Map<string, Finding[]>();
  const put = (map: Map<string, Finding[]>, path: Path, finding: Finding) => {
    const key = keyOf(path);
    const known = map.get(key);
    if (known === undefined) map.set(key, [finding]);
    else known.push(finding);
  };
  for (const finding of all) {
    put(exact, finding.path, finding);
    for (let length = 0; length <= finding.path.length; length++) put(below, finding.path.slice(0, length), finding);
  }
  return {
    all,
    at: (path) => exact.get(keyOf(path)) ?? NONE,
    under: (path) => below.get(keyOf(path)) ?? NONE,
  };
}

const NONE: readonly Finding[] = [];

function keyOf(path: Path): string {
  return JSON.stringify(path);
}

interface PathRange {
  path: (string | number)[];
  /** For a string: its value, and its range in the source. */
  value?: string;
  from: number;
  to: number;
}

/** The innermost key or value at the offset. */
export function placeAt(root: Node | null, offset: number): PathRange {
  const path: (string | number)[] = [];
  let node: Node | null = root;
  for (;;) {
    if (isMap(node)) {
      // A block ends where the next key starts. The offset there belongs to the next key.
      const pair = node.items.findLast((item) => {
        const [key, value] = [item.key as Node | null, item.value as Node | null];
        const from = key?.range?.[0] ?? value?.range?.[0];
        const to = Math.max(key?.range?.[1] ?? 0, value?.range?.[1] ?? 0);
        return from !== undefined && from <= offset && (offset < to || (offset === to && from < to));
      });
      const name = pair === undefined ? undefined : keyText(pair);
      if (pair === undefined || name === undefined) break;
      path.push(name);
      node = pair.value as Node | null;
    } else if (isSeq(node)) {
      const at = node.items.findLastIndex((item) => {
        const range = (item as Node | null)?.range;
        return range != null && range[0] <= offset && offset <= range[1];
      });
      if (at === -1) break;
      path.push(at);
      node = node.items[at] as Node | null;
    } else break;
  }
  if (!isScalar(node) || isAlias(node) || typeof node.value !== "string" || !node.range)
    return { path, from: 0, to: 0 };
  return { path, value: node.value, from: node.range[0], to: node.range[1] };
}

/**
 * The range of the same characters in the value, found by counting, because indentation and escapes can precede them.
 */
function offsetsIn(text: string, { value = "", from, to }: PathRange, start: number, end: number): [number, number] {
  if (start < from) return [0, 0];
  const source = text.slice(from, to);
  const whole = source.indexOf(value);
  if (whole >= 0 && value !== "") return clipped(start - from - whole, end - from - whole, value);
  const needle = text.slice(start, Math.max(start, end));
  if (needle === "") return [0, 0];
  let nth = 0;
  for (let at = source.indexOf(needle); at >= 0 && at < start - from; at = source.indexOf(needle, at + 1)) nth++;
  let found = value.indexOf(needle);
  while (found >= 0 && nth-- > 0) found = value.indexOf(needle, found + 1);
  return found < 0 ? [0, 0] : [found, found + needle.length];
}

function clipped(start: number, end: number, value: string): [number, number] {
  const inside = (at: number) => Math.min(Math.max(at, 0), value.length);
  return [inside(start), inside(end)];
}

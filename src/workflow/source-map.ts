// source-map: finds the position in the text for a path in the workflow. Offsets and columns count UTF-16 units, as in
// editors, without a byte order mark.
//   S1. Nothing is computed before a position is requested: a workflow without findings costs nothing.
//   S2. A position is always found: for a path that does not exist, the nearest enclosing one.
//   S3. A path names the long form of a node. In a node of the short form it leads to the short key: data.content to run.

import {
  type Alias,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
} from "yaml";
import { shownText } from "./credentials.ts";
import type { Position, Range } from "./diagnostic.ts";
import { CONTENT_KEYS } from "./short-form.ts";

export type Path = readonly (string | number)[];

export interface SourceMap {
  /** The path as the user gave it. */
  file: string;
  /** The text without a byte order mark. */
  text: string;
  /** The text for display: literal credentials are replaced by stars. Same length and lines. */
  readonly shown: string;
  /** The value at the path (only its first line), or its key. */
  range(path: Path, what?: "value" | "key"): Range;
  /** The same with the file, for a diagnostic. Without a path, the start of the file. */
  at(path?: Path, what?: "value" | "key"): { file: string; range: Range };
  /** The range of characters `start` to `end` of the string at the path. */
  rangeInside(path: Path, value: string, start: number, end: number): Range;
  /** Offsets in the text. */
  rangeAt(start: number, end: number): Range;
  offsetOf(position: Position): number;
  /** The value at exactly this path as the author wrote it, if it is a number, true or false. */
  spelling(path: Path): string | undefined;
}

/** The same positions, with a different text for display. */
export function withShown(source: SourceMap, shown: string): SourceMap {
  const { file, text, range, at, rangeInside, rangeAt, offsetOf, spelling } = source;
  return { file, text, shown, range, at, rangeInside, rangeAt, offsetOf, spelling };
}

export interface Anchors {
  root: Node | null;
  /** The node that an alias refers to. */
  resolve(alias: Alias): Node | undefined;
}

export function sourceMap(file: string, text: string, tree: () => Anchors): SourceMap {
  let lineStarts: number[] | undefined;
  let anchors: Anchors | undefined;
  const position = (offset: number): Position => {
    lineStarts ??= lineStartsOf(text);
    return positionIn(lineStarts, offset);
  };
  const rangeAt = (start: number, end: number): Range => ({
    start: position(start),
    end: position(Math.max(start, end)),
  });
  const find = (path: Path): Found => {
    anchors ??= tree();
    return follow(anchors, path);
  };
  const range: SourceMap["range"] = (path, what = "value") => {
    const [start, end] = extent(find(path), what);
    return rangeAt(start, firstLineEnd(text, start, end));
  };
  return {
    file,
    text,
    range,
    at: (path, what) => ({ file, range: path === undefined ? rangeAt(0, 0) : range(path, what) }),
    get shown() {
      return shownText(text);
    },
    rangeAt,
    offsetOf({ line, column }) {
      lineStarts ??= lineStartsOf(text);
      return (lineStarts[line - 1] ?? text.length) + column - 1;
    },
    spelling(path) {
      const { value, whole } = find(path);
      return whole && isScalar(value) ? value.source : undefined;
    },
    rangeInside(path, value, start, end) {
      const [from, to] = extent(find(path), "value");
      const at = offsetInside(text.slice(from, to), value, start, end);
      if (at === undefined) return rangeAt(from, firstLineEnd(text, from, to));
      const first = from + at;
      return rangeAt(first, firstLineEnd(text, first, first + (end - start)));
    },
  };
}

/** `whole`: it is the value at the path, not at an enclosing one. */
type Found = { key?: Node; value?: Node | null; whole?: boolean };

function follow(anchors: Anchors, path: Path): Found {
  let found: Found = { value: anchors.root };
  let isShort = false;
  for (const [depth, part] of path.entries()) {
    const inNode = path[0] === "nodes" && depth === (isShort ? 3 : 2);
    const step =
      stepInto(anchors, found.value, part) ?? (inNode ? contentStep(anchors, found.value, part, isShort) : undefined);
    if (step !== undefined) found = step;
    // A node of the short form has the fields of its data itself.
    else if (inNode && part === "data") isShort = true;
    else return found;
  }
  return { ...found, whole: true };
}

/** The content of a short node also says its type, and whether it is a script. */
function contentStep(anchors: Anchors, node: Node | null | undefined, part: string | number, isShort: boolean) {
  if (!(isShort ? ["content", "mode"] : ["type"]).includes(String(part))) return undefined;
  for (const key of part === "mode" ? ["script", "run"] : Object.keys(CONTENT_KEYS)) {
    const step = stepInto(anchors, node, key);
    if (step !== undefined) return step;
  }
  return undefined;
}

function stepInto(anchors: Anchors, node: Node | null | undefined, part: string | number): Found | undefined {
  const here = isAlias(node) ? anchors.resolve(node) : node;
  if (isSeq(here) && typeof part === "number") {
    const item = here.items[part];
    if (isPair(item)) return { value: item.value as Node };
    return item === undefined ? undefined : { value: item as Node };
  }
  if (!isMap(here)) return undefined;
  const own = pairsOf(here).get(String(part));
  if (own) return { key: own.key as Node, value: own.value as Node | null };
  for (const pair of here.items) {
    if (keyText(pair) !== "<<") continue;
    const bases = isSeq(pair.value) ? pair.value.items : [pair.value];
    for (const base of bases) {
      const inherited = stepInto(anchors, base as Node, part);
      if (inherited) return inherited;
    }
  }
  return undefined;
}

/** Pairs by key, computed once per object, so that thousands of findings in one object stay fast. */
function pairsOf(map: YAMLMap): ReadonlyMap<string, Pair> {
  let pairs = PAIRS.get(map);
  if (pairs === undefined) {
    pairs = new Map(map.items.map((pair) => [keyText(pair) ?? "", pair]));
    PAIRS.set(map, pairs);
  }
  return pairs;
}
const PAIRS = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>();

export function keyText(pair: Pair): string | undefined {
  const key = pair.key as Node | null;
  if (!isScalar(key)) return undefined;
  const scalar = key as Scalar;
  return typeof scalar.value === "string" ? scalar.value : (scalar.source ?? String(scalar.value));
}

function extent(found: Found, what: "value" | "key"): [number, number] {
  const node = what === "key" ? (found.key ?? found.value) : (found.value ?? found.key);
  const range = node?.range ?? found.key?.range;
  if (!range) return [0, 0];
  // An empty value has no width: use the position of its key.
  if (range[0] === range[1] && found.key?.range) return [found.key.range[0], found.key.range[1]];
  return [range[0], range[1]];
}

/** The offset of `value.slice(start, end)` in its source, which may contain escapes and indentation. */
function offsetInside(source: string, value: string, start: number, end: number): number | undefined {
  const whole = source.indexOf(value);
  if (whole >= 0 && value !== "") return whole + start;
  const needle = value.slice(start, end).split("\n", 1)[0]!;
  if (needle === "") return undefined;
  let nth = 0;
  for (let at = value.indexOf(needle); at >= 0 && at < start; at = value.indexOf(needle, at + 1)) nth++;
  let offset = source.indexOf(needle);
  while (offset >= 0 && nth-- > 0) offset = source.indexOf(needle, offset + 1);
  return offset < 0 ? undefined : offset;
}

function firstLineEnd(text: string, start: number, end: number): number {
  const lineEnd = text.indexOf("\n", start);
  if (lineEnd < 0 || lineEnd >= end) return end;
  return text[lineEnd - 1] === "\r" && lineEnd > start ? lineEnd - 1 : lineEnd;
}

export function lineStartsOf(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function positionIn(lineStarts: readonly number[], offset: number): Position {
  let low = 0;
  let high = lineStarts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (lineStarts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - lineStarts[low]! + 1 };
}

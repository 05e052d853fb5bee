// write: writes one entry of a YAML text with other values, in the style of the examples.
//   W1. The `yaml` package prints the entry with the old and with the new values. Only the lines that differ are
//       changed in the author's text, so comments, quotes, and spacing elsewhere in the entry stay.
//   W2. Strings of several lines become blocks (`|`). Small maps and lists of plain values are on one line.

import {
  Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  Scalar,
  stringify,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { keyText } from "../../workflow/source-map.ts";
import { printYaml, styleLines } from "../../workflow/yaml-style.ts";
import { COMPOSE } from "../../workflow/yaml-tree.ts";
import { align, renamedKeys } from "./align.ts";
import { isMapValue, isSame } from "./equal.ts";
import { mergeTexts } from "./merge.ts";
import type { Plain } from "./types.ts";

export interface Style {
  indent: number;
  /** Whether a list in a map is indented. */
  indentSeq: boolean;
}

const SOURCES = new WeakMap<object, { lines: string; written: Plain }>();

/** Remembers the lines of a node that comes from another text, and their value. They are used where it is added. */
export function withSource<T extends object>(value: T, lines: string, yamlOf: Plain): T {
  SOURCES.set(value, { lines, written: yamlOf });
  return value;
}

export function sourceOf(value: unknown): string | undefined {
  return typeof value === "object" && value !== null ? SOURCES.get(value)?.lines : undefined;
}

/** The value of those lines. */
export function writtenOf(value: object): Plain | undefined {
  return SOURCES.get(value)?.written;
}

/** Lines of YAML for a new value. */
export function written(value: unknown, style: Style = { indent: 2, indentSeq: true }): string {
  const document = new Document(null);
  document.contents = fresh(document, value);
  return print(document, style);
}

/** The lines with other values. `exactly`: all of them in the house style, if the author's spelling is in the way. */
export function rewritten(
  lines: string,
  { before, after, style, exactly }: { before: unknown; after: unknown; style: Style; exactly: boolean },
): string {
  const document = parseDocument(lines, COMPOSE) as Document;
  const old = print(document, style);
  document.contents = changed(document, document.contents, before, after);
  const wanted = print(document, style);
  return exactly ? wanted : mergeTexts(old, wanted, lines).text;
}

const LINE = 110;

function print(document: Document, style: Style): string {
  visit(document, {
    Collection: (_, node) => {
      if (node.flow === true && !fitsLine(node)) node.flow = false;
    },
  });
  return printYaml(document, { ...style, verifyAliasOrder: false });
}

function fitsLine(node: YAMLMap | YAMLSeq): boolean {
  let hasLines = false;
  visit(node, {
    Scalar(_, { value }) {
      if (typeof value === "string" && value.includes("\n")) hasLines = true;
    },
  });
  if (hasLines) return false;
  const line = stringify(node, { lineWidth: 0, verifyAliasOrder: false }).trimEnd();
  return line.length <= LINE && !line.includes("\n");
}

function changed(document: Document, node: unknown, before: unknown, after: unknown): Node {
  if (isNode(node) && isSame(before, after)) return node;
  if (isMap(node) && isMapValue(after)) changeMap(document, node, isMapValue(before) ? before : {}, after);
  else if (isSeq(node) && Array.isArray(after)) changeSeq(document, node, before as unknown[], after);
  else return replaced(node, fresh(document, after));
  return node;
}

/** The new value with the comments and the anchor of the old one. A scalar keeps its quotes. */
function replaced(old: unknown, value: Node): Node {
  if (!isNode(old)) return value;
  value.comment = old.comment;
  value.commentBefore = old.commentBefore;
  value.spaceBefore = old.spaceBefore;
  if (!isScalar(old) || !isScalar(value)) return value;
  value.anchor = old.anchor;
  if (typeof value.value === "string" && value.type === undefined && typeof old.value === "string")
    value.type = old.type;
  return value;
}

/** Fields that stay keep their order. A new field goes below the one before it. */
function changeMap(document: Document, map: YAMLMap, before: Plain, after: Plain): void {
  const renamed = renamedKeys(before, after);
  const names = new Map<Pair, string>();
  for (const pair of map.items as Pair[]) {
    const name = keyText(pair) ?? "";
    if (Object.hasOwn(after, renamed.get(name) ?? name)) names.set(pair, name);
  }
  const pairs = new Map([...names].map(([pair, name]) => [renamed.get(name) ?? name, pair]));
  const items = [...names.keys()];
  let previous: Pair | undefined;
  for (const [key, value] of Object.entries(after)) {
    let pair = pairs.get(key);
    if (pair === undefined) {
      pair = document.createPair(key, fresh(document, value, key));
      items.splice(previous === undefined ? 0 : items.indexOf(previous) + 1, 0, pair);
    } else {
      const name = names.get(pair)!;
      if (name !== key) pair.key = replaced(pair.key, document.createNode(key) as Node);
      if (!isSame(before[name], value)) pair.value = changed(document, pair.value, before[name], value);
    }
    previous = pair;
  }
  map.items = items;
}

function changeSeq(document: Document, seq: YAMLSeq, before: unknown[], after: unknown[]): void {
  const from = align(before, after);
  // Nodes in the brackets of an empty list would be one long line.
  if (before.length === 0 && after.some(isMapValue)) seq.flow = false;
  seq.items = after.map((value, at) =>
    from[at] === -1 ? fresh(document, value) : changed(document, seq.items[from[at]!], before[from[at]!], value),
  );
}

const BLOCK_KEYS = new Set(["data", "nodes", "edges", "layout", "inputs", "on", "auth"]);

/** `key` is the key of the value, absent for an item of a list. */
function fresh(document: Document, value: unknown, key?: string): Node {
  if (Array.isArray(value) || isMapValue(value)) {
    const node = document.createNode(Array.isArray(value) ? [] : {}) as YAMLMap | YAMLSeq;
    if (isSeq(node) && Array.isArray(value)) node.items = value.map((item) => fresh(document, item));
    else if (isMap(node))
      node.items = Object.entries(value).map(([name, member]) =>
        document.createPair(name, fresh(document, member, name)),
      );
    node.flow = key === undefined ? isLongEdge(value) : !BLOCK_KEYS.has(key) && depthOf(value) <= 2;
    return node;
  }
  const scalar = new Scalar(value);
  if (typeof value === "string" && value.includes("\n")) scalar.type = Scalar.QUOTE_DOUBLE;
  styleLines(scalar);
  return scalar;
}

function isLongEdge(value: object): boolean {
  return "source" in value && "target" in value;
}

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

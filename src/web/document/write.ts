// write: writes plain values as YAML, in the style of the examples.
//   W1. Strings of several lines become blocks (`|`). Small maps and lists of plain values are on one line.
//   W2. A value cut from a text (`withSource`) is written with its source lines, indented again.
//   W3. A scalar that is certainly plain is written directly. The result is the same, but the library would create a
//       document for each word.

import { Document, Scalar, stringify, type YAMLMap } from "yaml";

export interface Style {
  /** Columns by which a nested map is indented. */
  step: number;
  /** The same for a list in a map: 0 or `step`. */
  listStep: number;
}

/** The source text of a list item, without indentation. */
export interface Source {
  /** Comments directly above its dash. */
  above: readonly string[];
  /** The text after its dash. */
  text: string;
}

const SOURCES = new WeakMap<object, Source>();

/** Remembers the source lines of a value. */
export function withSource<T extends object>(value: T, source: Source): T {
  SOURCES.set(value, source);
  return value;
}

/** The text after the `:` of a key at `column`, including the blank. */
export function afterKey(key: string, value: unknown, column: number, style: Style): string {
  if (isScalarValue(value)) return ` ${scalarText(value, column + style.step)}`;
  if (isEmpty(value) || fitsLine(key, value, column)) return ` ${flowText(value)}`;
  if (Array.isArray(value)) {
    const at = column + style.listStep;
    return value.map((item) => `\n${itemLines(item, at, style)}`).join("");
  }
  return `\n${" ".repeat(column + style.step)}${mapLines(value as object, column + style.step, style)}`;
}

/** A list item with its dash at `column`, and the comments above it (W2). */
export function itemLines(value: unknown, column: number, style: Style): string {
  const { above = [] } = SOURCES.get(value as object) ?? {};
  return [...above, `-${afterDash(value, column, style)}`].map((line) => " ".repeat(column) + line).join("\n");
}

/** The text after the `-` of an item at `column`, including the blank. */
export function afterDash(value: unknown, column: number, style: Style): string {
  if (isScalarValue(value)) return ` ${scalarText(value, column + 2)}`;
  const source = SOURCES.get(value as object);
  if (source !== undefined) return ` ${indented(source.text, column + 2)}`;
  if (isEmpty(value) || isLongEdge(value)) return ` ${flowText(value)}`;
  if (Array.isArray(value))
    return ` ${value.map((item) => `-${afterDash(item, column + 2, style)}`).join(`\n${" ".repeat(column + 2)}`)}`;
  return ` ${mapLines(value as object, column + 2, style)}`;
}

function mapLines(map: object, column: number, style: Style): string {
  return Object.entries(map)
    .map(([key, value]) => `${keyScalar(key)}:${afterKey(key, value, column, style)}`)
    .join(`\n${" ".repeat(column)}`);
}

function indented(source: string, column: number): string {
  return source
    .split("\n")
    .map((line, index) => (index === 0 || line === "" ? line : " ".repeat(column) + line))
    .join("\n");
}

export function keyScalar(key: string): string {
  return scalarIn("map", key).trimEnd();
}

/**
 * A string, number, boolean, or null after a key or dash. `column` is that of a block's lines, `type` the earlier
 * style.
 */
export function scalarText(value: unknown, column: number, type?: Scalar.Type): string {
  if (typeof value === "string" && value.includes("\n") && !NOT_FOR_BLOCKS.test(value)) return block(value, column);
  return scalarIn("map", value, type);
}

export function scalarInFlow(value: unknown, type?: Scalar.Type): string {
  return scalarIn("flow", value, type);
}

/** Strings that a block would change. Same as in format.ts. */
const NOT_FOR_BLOCKS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff]|[ \t](?:\n|$)|^\s|\n\n$/;

function block(value: string, column: number): string {
  const lines = value.replace(/\n$/, "").split("\n");
  const body = lines.map((line) => (line === "" ? "" : " ".repeat(column) + line)).join("\n");
  return `|${value.endsWith("\n") ? "" : "-"}\n${body}`;
}

const OPTIONS = {
  lineWidth: 0,
  singleQuote: null,
  doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  blockQuote: false,
} as const;

/** Ids, most keys, and edges, which are written without quotes. */
const WORD = /^[A-Za-z_][\w-]*(?:(?::[a-z]+)? -> [A-Za-z_][\w-]*)?$/;
const NO_TEXT = /^(?:null|true|false)$/i;

/** The text of a scalar that is certainly plain, otherwise `undefined` (W3). */
function plainly(value: unknown): string | undefined {
  if (typeof value === "string") return WORD.test(value) && !NO_TEXT.test(value) ? value : undefined;
  return typeof value === "number" && Number.isSafeInteger(value) && !Object.is(value, -0) ? String(value) : undefined;
}

function scalarIn(where: "map" | "flow", value: unknown, type?: Scalar.Type): string {
  const known = type === undefined || type === Scalar.PLAIN ? plainly(value) : undefined;
  if (known !== undefined) return known;
  const scalar = new Scalar(value);
  if (type === Scalar.QUOTE_DOUBLE || type === Scalar.QUOTE_SINGLE) scalar.type = type;
  if (where === "map") return stringify({ k: scalar }, OPTIONS).slice(3).trimEnd();
  const document = new Document([scalar]);
  (document.contents as unknown as YAMLMap).flow = true;
  return document
    .toString({ ...OPTIONS, flowCollectionPadding: false })
    .trimEnd()
    .slice(1, -1);
}

/** On one line: `{ a: 1 }` with blanks inside, `[a, b]` without. */
export function flowText(value: unknown): string {
  if (isScalarValue(value)) return scalarInFlow(value);
  if (Array.isArray(value)) return `[${value.map(flowText).join(", ")}]`;
  const pairs = Object.entries(value as object).map(([key, item]) => `${scalarInFlow(key)}: ${flowText(item)}`);
  return pairs.length === 0 ? "{}" : `{ ${pairs.join(", ")} }`;
}

const LINE = 110;
const BLOCK_KEYS = new Set(["data", "nodes", "edges", "layout", "inputs", "on", "auth"]);

function fitsLine(key: string, value: unknown, column: number): boolean {
  if (BLOCK_KEYS.has(key) || hasLines(value) || depthOf(value) > 2) return false;
  return column + key.length + 2 + flowText(value).length <= LINE;
}

function depthOf(value: unknown): number {
  if (isScalarValue(value)) return 0;
  return 1 + Math.max(0, ...Object.values(value as object).map(depthOf));
}

export function hasLines(value: unknown): boolean {
  if (typeof value === "string") return value.includes("\n");
  return !isScalarValue(value) && Object.values(value as object).some(hasLines);
}

function isLongEdge(value: unknown): boolean {
  return value !== null && typeof value === "object" && "source" in value && "target" in value;
}

export function isScalarValue(value: unknown): boolean {
  return value === null || value === undefined || typeof value !== "object";
}

export function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

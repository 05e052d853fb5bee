// reconcile: finds the smallest change that makes a YAML text have other values (D1, D2 of types.ts).
//   R1. Only differences are written. A rewritten value keeps its style.
//   R2. The caller parses and compares the result. A case that this file cannot handle is rejected, never guessed.
// JSON files are printed in open.ts.

import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, Scalar, type YAMLMap, type YAMLSeq } from "yaml";
import { keyText } from "../../workflow/source-map.ts";
import { align, renamedKeys, staying } from "./align.ts";
import { isMapValue, isSame } from "./equal.ts";
import { changedFlow } from "./flow.ts";
import { blockWithComments, hasComment } from "./flow-comments.ts";
import { Lines } from "./lines.ts";
import { colonEnd, contentEnd, dashOf, isEmptyScalar, itemEnd, pairEnd } from "./tree.ts";
import type { Plain, TextEdit } from "./types.ts";
import {
  afterDash,
  afterKey,
  isEmpty,
  isScalarValue,
  itemLines,
  keyScalar,
  type Source,
  type Style,
  scalarText,
  withSource,
} from "./write.ts";

/** Unordered edits of `text`. `root` and `before` are its tree and values. */
export function reconcile(text: string, root: Node | null, before: Plain, after: Plain): TextEdit[] {
  const lines = new Lines(text);
  const style = styleOf(root, lines);
  if (!isMap(root) || root.items.length === 0 || isEmpty(after)) {
    const whole = Object.keys(after).length === 0 ? "{}" : afterKey("nodes", after, -style.step, style).trimStart();
    return [
      {
        from: root?.range?.[0] ?? text.length,
        to: root === null ? text.length : contentEnd(root),
        insert: `${whole}\n`,
      },
    ];
  }
  const work = new Reconciler(lines, style);
  work.change(root, before, after, { whole: () => undefined, lines: () => undefined });
  return work.edits;
}

/** The indentation of lists in maps of this document. */
function styleOf(root: Node | null, lines: Lines): Style {
  if (isMap(root))
    for (const pair of root.items)
      if (isSeq(pair.value) && pair.value.flow !== true && pair.value.items.length > 0) {
        return styleOfColumn(lines.column(dashOf(pair.value, 0)));
      }
  return styleOfColumn(2);
}

/** The style for the column of the document's first list in a map. */
function styleOfColumn(step: number): Style {
  return { step: step > 0 ? step : 2, listStep: step };
}

interface Place {
  /** Writes the value again if it cannot be changed in place. */
  whole(value: unknown): void;
  /** Replaces the value with lines of YAML. */
  lines(lines: readonly string[]): void;
}

class Reconciler {
  readonly edits: TextEdit[] = [];
  readonly #lines: Lines;
  readonly #style: Style;

  constructor(lines: Lines, style: Style) {
    this.#lines = lines;
    this.#style = style;
  }

  change(node: unknown, before: unknown, after: unknown, place: Place): void {
    if (isSame(before, after)) return;
    const filled = isMapValue(after) && !isEmpty(after);
    if (isMap(node) && filled && node.items.length > 0) {
      if (node.flow === true) this.#flow(node, before, after, place);
      else this.#map(node, before as Plain, after as Plain);
    } else if (isSeq(node) && Array.isArray(after) && after.length > 0 && node.items.length > 0) {
      if (node.flow === true) this.#flow(node, before, after, place);
      else this.#list(node, before as unknown[], after, place);
    } else place.whole(after);
  }

  #put(from: number, to: number, insert: string): void {
    this.edits.push({ from, to, insert });
  }

  #flow(node: YAMLMap | YAMLSeq, before: unknown, after: unknown, place: Place): void {
    if (hasComment(this.#lines.text, node)) {
      const block = blockWithComments(this.#lines.text, node, before, after, this.#style);
      if (block !== undefined) place.lines(block);
      return;
    }
    const changed = changedFlow(this.#lines.text, node, before, after);
    if (changed === undefined || this.#lines.column(node.range![0]) + changed.length > FLOW_MAX) place.whole(after);
    else this.#put(node.range![0], node.range![1], changed);
  }

  #map(node: YAMLMap, before: Plain, after: Plain): void {
    const pairs = node.items as Pair[];
    const names = pairs.map((pair) => keyText(pair) ?? "");
    const keys = Object.keys(after);
    const renamed = renamedKeys(names, keys, before, after);
    for (const [index, pair] of pairs.entries()) {
      const name = renamed.get(names[index]!) ?? names[index]!;
      const key = pair.key as Node;
      if (name !== names[index]) this.#put(key.range![0], key.range![1], keyScalar(name));
      if (!Object.hasOwn(after, name)) this.#removePair(pairs, index, after);
      else this.change(pair.value, before[names[index]!], after[name], this.#behindKey(pair, name));
    }
    const there = new Set(names.map((name) => renamed.get(name) ?? name));
    let previous: Pair | undefined;
    for (const key of keys) {
      if (there.has(key)) previous = pairs[names.findIndex((name) => (renamed.get(name) ?? name) === key)];
      else this.#addPair(pairs, previous, key, after[key]);
    }
  }

  #removePair(pairs: Pair[], index: number, after: Plain): void {
    const start = (pairs[index]!.key as Node).range![0];
    const column = this.#lines.column(start);
    if (this.#lines.isFirst(start)) {
      const end = this.#lines.endWithComments(pairEnd(pairs[index]!), column);
      this.#put(this.#lines.startWithComments(start), end, "");
      return;
    }
    // The first field of a list item is after the dash, so the next field takes its place.
    const next = pairs.slice(index + 1).find((pair) => Object.hasOwn(after, keyText(pair) ?? ""));
    if (next !== undefined && index === 0) this.#put(start, (next.key as Node).range![0], "");
    else this.#put(start, pairEnd(pairs[index]!), "");
  }

  #addPair(pairs: Pair[], previous: Pair | undefined, key: string, value: unknown): void {
    const first = (pairs[0]!.key as Node).range![0];
    const column = this.#lines.column(first);
    const written = `${keyScalar(key)}:${afterKey(key, value, column, this.#style)}`;
    if (previous === undefined) {
      this.#put(first, first, `${written}\n${" ".repeat(column)}`);
      return;
    }
    const end = this.#lines.endWithComments(pairEnd(previous), column);
    this.#insertLines(end, `${" ".repeat(column)}${written}`);
  }

  /** Inserts whole lines at the start of a line, or at the end of the file. */
  #insertLines(at: number, lines: string): void {
    const open = at > 0 && this.#lines.text[at - 1] !== "\n";
    this.#put(at, at, open ? `\n${lines}` : `${lines}\n`);
  }

  #behindKey(pair: Pair, key: string): Place {
    return {
      whole: (value) => {
        if (this.#inPlace(pair.value, value)) return;
        const column = this.#lines.column((pair.key as Node).range![0]);
        this.#replace(colonEnd(pair), pairEnd(pair), afterKey(key, value, column, this.#style));
      },
      lines: (lines) => {
        const step = isSeq(pair.value) ? this.#style.listStep : this.#style.step;
        const pad = " ".repeat(this.#lines.column((pair.key as Node).range![0]) + step);
        this.#replace(
          colonEnd(pair),
          pairEnd(pair),
          lines.map((line) => `\n${line === "" ? "" : pad + line}`).join(""),
        );
      },
    };
  }

  /** A block ends with a newline, which stays. */
  #replace(from: number, to: number, insert: string): void {
    let end = to;
    while (end > from && this.#lines.text[end - 1] === "\n") end -= this.#lines.text[end - 2] === "\r" ? 2 : 1;
    this.#put(from, end, insert);
  }

  /** Replaces a scalar with a scalar in the same style. */
  #inPlace(node: unknown, value: unknown): boolean {
    if (!isScalar(node) || isAlias(node) || isEmptyScalar(node) || !isScalarValue(value)) return false;
    const [from, to] = node.range!;
    const type = node.type as Scalar.Type | undefined;
    if (type === Scalar.BLOCK_LITERAL || type === Scalar.BLOCK_FOLDED) {
      const column = blockColumn(this.#lines.text.slice(from, to)) ?? this.#lines.column(this.#lines.startOf(from)) + 2;
      const literal = typeof value === "string" && value !== "" && isLiteral(value);
      const sign = type === Scalar.BLOCK_FOLDED && literal && !value.trimEnd().includes("\n") ? ">" : "|";
      this.#replace(from, to, literal ? blockText(sign, value, column) : scalarText(value, column));
      return true;
    }
    const parent = this.#lines.startOf(from);
    const indent = /^[ -]*/.exec(this.#lines.text.slice(parent, from))![0].length + this.#style.step;
    this.#put(from, to, scalarText(value, indent, type));
    return true;
  }

  #list(node: YAMLSeq, before: unknown[], after: unknown[], place: Place): void {
    const from = align(before, after);
    const stay = staying(from);
    if (stay.size === 0 || node.items.some((_, index) => !this.#lines.isFirst(dashOf(node, index)))) {
      place.whole(after);
      return;
    }
    const kept = new Set([...stay].map((at) => from[at]!));
    for (const index of node.items.keys()) if (!kept.has(index)) this.#removeItem(node, index);
    let previous = -1;
    for (const [at, value] of after.entries()) {
      const old = from[at]!;
      if (stay.has(at)) {
        this.change(node.items[old], before[old], value, this.#behindDash(node, old));
        previous = old;
      } else this.#addItem(node, previous, old === -1 ? value : this.#moved(node, old, before[old], value));
    }
  }

  #removeItem(node: YAMLSeq, index: number): void {
    const dash = dashOf(node, index);
    const end = this.#lines.endWithComments(itemEnd(node, index), this.#lines.column(dash));
    this.#put(this.#lines.startWithComments(dash), end, "");
  }

  #addItem(node: YAMLSeq, previous: number, value: unknown): void {
    const first = dashOf(node, 0);
    const column = this.#lines.column(first);
    const written = itemLines(value, column, this.#style);
    if (previous === -1) this.#put(this.#lines.startOf(first), this.#lines.startOf(first), `${written}\n`);
    else this.#insertLines(this.#lines.endWithComments(itemEnd(node, previous), column), written);
  }

  /** Keeps the source lines of an item that only moves. */
  #moved(node: YAMLSeq, index: number, before: unknown, after: unknown): unknown {
    if (!isSame(before, after) || typeof after !== "object" || after === null) return after;
    return withSource({ ...after }, itemSource(this.#lines, node, index));
  }

  #behindDash(node: YAMLSeq, index: number): Place {
    return {
      whole: (value) => {
        if (this.#inPlace(node.items[index], value)) return;
        const dash = dashOf(node, index);
        this.#replace(dash + 1, itemEnd(node, index), afterDash(value, this.#lines.column(dash), this.#style));
      },
      lines: (lines) => {
        const dash = dashOf(node, index);
        const pad = `\n${" ".repeat(this.#lines.column(dash) + 2)}`;
        this.#replace(dash + 1, itemEnd(node, index), ` ${lines.join(pad)}`);
      },
    };
  }
}

const FLOW_MAX = 118;

export function itemSource(lines: Lines, node: YAMLSeq, index: number): Source {
  const dash = dashOf(node, index);
  const start = (node.items[index] as Node).range![0];
  const end = lines.endWithComments(itemEnd(node, index), lines.column(dash));
  return { above: lines.commentsAbove(dash), text: lines.dedented(start, end) };
}

/** The column of a block's lines. */
function blockColumn(source: string): number | undefined {
  const columns = source
    .split("\n")
    .slice(1)
    .filter((line) => line.trim() !== "")
    .map((line) => line.length - line.trimStart().length);
  return columns.length === 0 ? undefined : Math.min(...columns);
}

function isLiteral(value: string): boolean {
  return !/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff]|^\s|\n\n$|[ \t]$/.test(value);
}

function blockText(sign: string, value: string, column: number): string {
  const body = value
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => (line === "" ? "" : " ".repeat(column) + line))
    .join("\n");
  return `${sign}${value.endsWith("\n") ? "" : "-"}\n${body}`;
}

// flow-comments: a collection in `{ }` or `[ ]` in which comments stand, with other values: only what differs is written, so that the
// comments stay where they are (D1 of types.ts). Without comments flow.ts writes it anew, more evenly.
//   F1. What goes takes the comment behind it on its line along, and those on lines of their own right above it.
//   F2. What is new stands on a line of its own where its neighbour does. Everything stays in `{ }` or `[ ]`: texts of several lines are
//       quoted.

import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, type Scalar, type YAMLMap, type YAMLSeq } from "yaml";
import { keyText } from "../../workflow/source-map.ts";
import { align, renamedKeys, staying } from "./align.ts";
import { isMapValue, isSame } from "./equal.ts";
import type { Lines } from "./lines.ts";
import { colonEnd, isEmptyScalar } from "./tree.ts";
import type { Plain, TextEdit } from "./types.ts";
import { flowText, hasLines, isEmpty, isScalarValue, scalarInFlow } from "./write.ts";

export function hasComment(text: string, node: YAMLMap | YAMLSeq): boolean {
  const source = text.slice(node.range![0], node.range![1]);
  return /[\s,]#/.test(source.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, ""));
}

export function flowEdits(lines: Lines, node: YAMLMap | YAMLSeq, before: unknown, after: unknown): TextEdit[] {
  const work = new FlowEdits(lines);
  work.change(node, before, after);
  return work.edits;
}

/** Of an item: its first character, and the one behind its last. */
interface Span {
  from: number;
  to: number;
}

class FlowEdits {
  readonly edits: TextEdit[] = [];
  readonly #lines: Lines;
  readonly #text: string;

  constructor(lines: Lines) {
    this.#lines = lines;
    this.#text = lines.text;
  }

  change(node: unknown, before: unknown, after: unknown): void {
    if (isSame(before, after)) return;
    if (isMap(node) && node.flow === true && isMapValue(after) && !isEmpty(after) && node.items.length > 0)
      this.#map(node, before as Plain, after);
    else if (isSeq(node) && node.flow === true && Array.isArray(after) && after.length > 0 && node.items.length > 0)
      this.#list(node, before as unknown[], after);
    else {
      const [from, to] = (node as Node).range!;
      const type = isScalar(node) && !isAlias(node) ? (node.type as Scalar.Type | undefined) : undefined;
      this.#put(from, to, isScalarValue(after) && !hasLines(after) ? scalarInFlow(after, type) : quoted(after));
    }
  }

  #put(from: number, to: number, insert: string): void {
    this.edits.push({ from, to, insert });
  }

  #map(node: YAMLMap, before: Plain, after: Plain): void {
    const pairs = node.items as Pair[];
    const names = pairs.map((pair) => keyText(pair) ?? "");
    const renamed = renamedKeys(names, Object.keys(after), before, after);
    const nameNow = (name: string): string => renamed.get(name) ?? name;
    const spans = pairs.map(spanOf);
    const gone = new Set<number>();
    for (const [index, pair] of pairs.entries()) {
      const old = names[index]!;
      const name = nameNow(old);
      const key = pair.key as Node;
      if (!Object.hasOwn(after, name)) {
        gone.add(index);
        continue;
      }
      if (name !== old) this.#put(key.range![0], key.range![1], scalarInFlow(name));
      if (!isEmptyScalar(pair.value)) this.change(pair.value, before[old], after[name]);
      else if (!isSame(before[old], after[name])) this.#fill(pair, after[name]);
    }
    const there = new Set(names.map(nameNow));
    const added = Object.keys(after).filter((key) => !there.has(key));
    this.#addLast(
      spans,
      gone,
      added.map((key) => `${scalarInFlow(key)}: ${quoted(after[key])}`),
    );
    this.#remove(spans, gone);
  }

  /** A key without a value. */
  #fill(pair: Pair, value: unknown): void {
    const end = colonEnd(pair);
    this.#put(end, end, this.#text[end - 1] === ":" ? ` ${quoted(value)}` : `: ${quoted(value)}`);
  }

  #list(node: YAMLSeq, before: unknown[], after: unknown[]): void {
    const spans = node.items.map((item) => {
      const [from, to] = (item as Node).range!;
      return { from, to };
    });
    const from = align(before, after);
    const stay = staying(from);
    const kept = new Map([...stay].map((at) => [from[at]!, at]));
    const gone = new Set([...spans.keys()].filter((index) => !kept.has(index)));
    for (const [index, at] of kept) this.change(node.items[index], before[index], after[at]);
    let fresh: string[] = [];
    for (const [at, value] of after.entries()) {
      if (!stay.has(at)) {
        fresh.push(quoted(value));
        continue;
      }
      this.#addBefore(spans[from[at]!]!, fresh);
      fresh = [];
    }
    this.#addLast(spans, gone, fresh);
    this.#remove(spans, gone);
  }

  #addBefore({ from }: Span, parts: string[]): void {
    if (parts.length === 0) return;
    if (!this.#lines.isFirst(from)) {
      this.#put(from, from, `${parts.join(", ")}, `);
      return;
    }
    const pad = " ".repeat(this.#lines.column(from));
    const at = this.#lines.startWithComments(from);
    this.#put(at, at, parts.map((part) => `${pad}${part},\n`).join(""));
  }

  /** Behind the last one that stays; in its place when none does. */
  #addLast(spans: readonly Span[], gone: Set<number>, parts: string[]): void {
    if (parts.length === 0) return;
    const last = spans.findLastIndex((_, index) => !gone.has(index));
    const span = spans[last];
    if (span === undefined) {
      // Nothing stays: what is new takes the place of the first.
      gone.delete(0);
      this.#put(spans[0]!.from, spans[0]!.to, parts.join(", "));
      return;
    }
    const comma = this.#commaBehind(span.to);
    const lineEnd = this.#rest(comma === undefined ? span.to : comma + 1);
    if (comma === undefined) this.#put(span.to, span.to, ",");
    const alone = this.#lines.isFirst(span.from) && lineEnd !== undefined && last === spans.length - 1;
    if (alone) {
      const pad = " ".repeat(this.#lines.column(span.from));
      this.#put(lineEnd, lineEnd, `\n${parts.map((part) => `${pad}${part}`).join(",\n")}`);
    } else {
      const at = comma === undefined ? span.to : comma + 1;
      const more = last < spans.length - 1 ? "," : "";
      this.#put(at, at, ` ${parts.join(", ")}${more}`);
    }
  }

  #remove(spans: readonly Span[], gone: ReadonlySet<number>): void {
    for (const index of gone) {
      const { from, to } = spans[index]!;
      const comma = this.#commaBehind(to);
      const behind = comma === undefined ? to : comma + 1;
      const lineEnd = this.#rest(behind);
      if (this.#lines.isFirst(from) && lineEnd !== undefined)
        this.#put(this.#lines.startWithComments(from), this.#lines.endOf(lineEnd), "");
      else if (lineEnd !== undefined) this.#put(gone.has(index - 1) ? from : this.#withBlanks(from), behind, "");
      else if (comma === undefined) this.#put(gone.has(index - 1) ? from : this.#withComma(from), to, "");
      else this.#put(from, behind + /^[ \t]*/.exec(this.#text.slice(behind))![0].length, "");
    }
  }

  #withBlanks(from: number): number {
    return from - /[ \t]*$/.exec(this.#text.slice(this.#lines.startOf(from), from))![0].length;
  }

  /** The comma before the last one goes too, where it stands on the same line. */
  #withComma(from: number): number {
    return from - (/,[ \t]*$/.exec(this.#text.slice(this.#lines.startOf(from), from))?.[0].length ?? 0);
  }

  /** Where the comma behind an item stands; comments may come first. */
  #commaBehind(end: number): number | undefined {
    const at = end + /^(?:\s|#[^\n]*)*/.exec(this.#text.slice(end))![0].length;
    return this.#text[at] === "," ? at : undefined;
  }

  /** The end of the line, where nothing but a comment follows on it. */
  #rest(at: number): number | undefined {
    const rest = /^[ \t]*(?:#[^\r\n]*)?(?=\r?\n)/.exec(this.#text.slice(at));
    return rest === null ? undefined : at + rest[0].length;
  }
}

/** On one line, whatever stands in it: JSON is YAML. */
function quoted(value: unknown): string {
  return hasLines(value) ? JSON.stringify(value) : flowText(value);
}

function spanOf(pair: Pair): Span {
  const value = pair.value as Node | null;
  return {
    from: (pair.key as Node).range![0],
    to: isEmptyScalar(value) ? Math.max(colonEnd(pair), (pair.key as Node).range![1]) : value!.range![1],
  };
}

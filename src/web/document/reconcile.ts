// reconcile: finds the smallest change that makes a YAML text have other values (D1, D2 of types.ts).
//   R1. Whole entries of the document and of its lists are kept, removed, moved, or written again (write.ts).
//   R2. The caller parses and compares the result, because the spelling of a file can be stranger than expected here.
// JSON files are printed in open.ts.

import { isMap, isSeq, type Node, type Pair, type YAMLSeq } from "yaml";
import { keyText } from "../../workflow/source-map.ts";
import { align } from "./align.ts";
import { isSame } from "./equal.ts";
import { columnOf, dedented, indented, type Span, spansOf } from "./spans.ts";
import type { Plain, TextEdit } from "./types.ts";
import { rewritten, type Style, sourceOf, written } from "./write.ts";

/** Ordered edits of `text`. `root` and `before` are its tree and values. `exactly`: see write.ts. */
export function reconcile(text: string, root: Node | null, before: Plain, after: Plain, exactly = false): TextEdit[] {
  const work = { text, style: styleOf(text, root), exactly, edits: [] };
  const spans = isMap(root) && Object.keys(after).length > 0 ? spansOf(text, root, text.length) : undefined;
  if (isMap(root) && spans !== undefined && spans.length > 0)
    changeFields(work, root.items as Pair[], spans, before, after);
  else if (root === null) put(work, text.length, text.length, written(after, work.style));
  else put(work, 0, text.length, rewritten(dedented(text, 0), { ...work, before, after }));
  return work.edits;
}

interface Work {
  text: string;
  style: Style;
  exactly: boolean;
  edits: TextEdit[];
}

/** The indentation of lists in maps of this document. */
function styleOf(text: string, root: Node | null): Style {
  const lists = isMap(root) ? root.items.map(({ value }) => value) : [];
  const list = lists.find((value): value is YAMLSeq => isSeq(value) && value.flow !== true && value.items.length > 0);
  const [first] = list === undefined ? [] : (spansOf(text, list, text.length) ?? []);
  const step = first === undefined ? 2 : columnOf(text, first.start);
  return { indent: step || 2, indentSeq: step > 0 };
}

function changeFields(work: Work, pairs: readonly Pair[], spans: readonly Span[], before: Plain, after: Plain): void {
  const names = pairs.map((pair) => keyText(pair) ?? "");
  const keys = Object.keys(after);
  const old = names.map((name) => ({ [name]: before[name] }));
  const next = keys.map((key) => ({ [key]: after[key] }));
  const change = (index: number, at: number): void => {
    const value = pairs[index]!.value;
    const [was, is] = [before[names[index]!], after[keys[at]!]];
    const items = isSeq(value) && Array.isArray(is) && is.length > 0 ? spansOf(work.text, value, spans[index]!.to) : [];
    if (items === undefined || items.length === 0) changeEntry(work, spans[index]!, old[index], next[at]);
    else changeItems(work, items, was as unknown[], is as unknown[]);
  };
  changeEntries(
    work,
    spans,
    old,
    next,
    keys.map((key) => names.indexOf(key)),
    change,
  );
}

function changeItems(work: Work, spans: readonly Span[], before: readonly unknown[], after: readonly unknown[]): void {
  const from = align(before, after);
  const old = before.map((value) => [value]);
  const next = after.map((value) => [value]);
  changeEntries(work, spans, old, next, from, (index, at) => changeEntry(work, spans[index]!, old[index], next[at]));
}

/** `from` is the index of the old entry for each new one, or -1. Entries that no longer follow each other are moved. */
function changeEntries(
  work: Work,
  spans: readonly Span[],
  before: readonly object[],
  after: readonly object[],
  from: readonly number[],
  change: (index: number, at: number) => void,
): void {
  const column = columnOf(work.text, spans[0]!.start);
  let last = -1;
  const removeUntil = (index: number): void => {
    for (const { from, to } of spans.slice(last + 1, index)) put(work, from, to, "");
    last = index;
  };
  for (const [at, index] of from.entries()) {
    if (index > last) {
      removeUntil(index);
      if (!isSame(before[index], after[at])) change(index, at);
      continue;
    }
    const lines = index === -1 ? newLines(work, after[at]!) : entryLines(work, spans[index]!, before[index], after[at]);
    const place = last === -1 ? spans[0]!.from : spans[last]!.to;
    put(work, place, place, indented(lines, column));
  }
  removeUntil(spans.length);
}

function changeEntry(work: Work, span: Span, before: unknown, after: unknown): void {
  put(work, span.from, span.to, indented(entryLines(work, span, before, after), columnOf(work.text, span.start)));
}

function entryLines(work: Work, { from, start, to }: Span, before: unknown, after: unknown): string {
  const column = columnOf(work.text, start);
  const above = from < start - column ? dedented(work.text.slice(from, start - column), column) : "";
  const lines = dedented(work.text.slice(start - column, to), column);
  return above + (isSame(before, after) ? lines : rewritten(lines, { ...work, before, after }));
}

function newLines({ style }: Work, entry: object): string {
  return (Array.isArray(entry) ? sourceOf(entry[0]) : undefined) ?? written(entry, style);
}

function put({ text, edits }: Work, from: number, to: number, insert: string): void {
  const isOpen = to === text.length && text !== "" && !text.endsWith("\n");
  const lines = isOpen ? `${from === to ? "\n" : ""}${insert.replace(/\n$/, "")}` : insert;
  const last = edits.at(-1);
  if (last?.to !== from) edits.push({ from, to, insert: lines });
  else Object.assign(last, { to, insert: last.insert + lines });
}

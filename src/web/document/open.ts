// open: parses a text into an editable document, and turns an edit into a change of its text (D1 to D3 of types.ts).
//   O1. A changed text is parsed again. If it does not have the values that the edit meant, the changed entries are
//       written in the house style. If that does not help, the edit is rejected with a message.
//   O2. JSON files have no comments, so they are printed again in full with their own indentation.
//   O3. A text is parsed once. The same tree is used for edits, checks, and the places of findings.

import { isMap, isSeq, type Node, type YAMLMap } from "yaml";
import { err, ok, type Result } from "../../base/result.ts";
import { type ParsedWorkflow, parseWorkflow } from "../../workflow/parse.ts";
import { keyText } from "../../workflow/source-map.ts";
import { isMapValue, isSame } from "./equal.ts";
import { asWritten, isSameMeaning, longPlain } from "./forms.ts";
import { spoken } from "./plain.ts";
import { reconcile } from "./reconcile.ts";
import { columnOf, dedented, spansOf } from "./spans.ts";
import { applyEdits, editBetween, inverseOf, trimmed } from "./text-edits.ts";
import { readTree, type YamlTree } from "./tree.ts";
import type { Change, Doc, Edit, Plain, TextEdit } from "./types.ts";

/** The tree of each document (O3). */
const TREES = new WeakMap<Doc, YamlTree>();

/**
 * `before` is the same document with another text. Unchanged nodes keep their objects, so that they are not redrawn.
 */
export function openDoc(text: string, file: string, before?: Doc): Doc {
  let parsed: ParsedWorkflow | undefined;
  const read = readTree(text.slice(shiftOf(text)));
  const tree = "unread" in read ? undefined : read;
  const doc: Doc = {
    file,
    text,
    ...("unread" in read
      ? { unread: read.unread }
      : { plain: withSameNodes(longPlain(read.plain), before?.plain), written: read.plain }),
    get parsed() {
      parsed ??= parseWorkflow(text, file, MARKER.test(text) ? undefined : tree?.document);
      return parsed;
    },
  };
  if (tree !== undefined) TREES.set(doc, tree);
  return doc;
}

function withSameNodes(plain: Plain, before: Plain | undefined): Plain {
  if (!Array.isArray(plain.nodes) || !Array.isArray(before?.nodes)) return plain;
  const byId = new Map(before.nodes.map((node: unknown) => [isMapValue(node) ? node.id : undefined, node]));
  const nodes = plain.nodes.map((node: unknown) => {
    const old = isMapValue(node) ? byId.get(node.id) : undefined;
    return isSame(old, node) ? old : node;
  });
  return { ...plain, nodes };
}

function shiftOf(text: string): number {
  return text.startsWith(BOM) ? 1 : 0;
}

const BOM = "\ufeff";
/** Separates several YAML documents in one text. The tree has only the first. */
const MARKER = /\n(?:---|\.\.\.)/;

/** The document after the edit. An edit that changes nothing returns a change without edits. */
export function perform(doc: Doc, edit: Edit): Result<Change, string> {
  if (doc.plain === undefined) return err(`The file cannot be read: ${doc.unread} Fix it in the source first.`);
  const applied = edit.apply(doc.plain, doc);
  if (!applied.ok) return err(applied.error);
  const wanted = asWritten(applied.plain, doc);
  for (const exactly of [false, true]) {
    const change = changeOf(
      doc,
      spoken(edit.label, doc.plain),
      editsFor(doc, doc.written ?? {}, wanted, exactly),
      edit.key,
    );
    if (isSame(change.doc.written, wanted) && isSameMeaning(change.doc.plain ?? {}, applied.plain))
      return ok({ ...change, select: applied.select });
  }
  return err(UNMANAGED);
}

const UNMANAGED =
  "This part of the file is written in a way that cannot be changed from here. Change it in the source.";

/** A change made of finished text edits, such as typing in the source. */
export function changeOf(doc: Doc, label: string, edits: TextEdit[], key?: string): Change {
  const next = edits.length === 0 ? doc : openDoc(applyEdits(doc.text, edits), doc.file, doc);
  return { label, key, doc: next, edits, inverse: inverseOf(doc.text, edits) };
}

function editsFor(doc: Doc, before: Plain, after: Plain, exactly: boolean): TextEdit[] {
  if (isSame(before, after) && sameOrder(before, after)) return [];
  if (isJson(doc.file)) return editBetween(doc.text, printed(doc.text, after));
  const shift = shiftOf(doc.text);
  const text = doc.text.slice(shift);
  const newline = /\r\n/.test(text) ? "\r\n" : "\n";
  return reconcile(text, TREES.get(doc)?.root ?? null, before, after, exactly)
    .map((edit) => trimmed(text, { ...edit, insert: edit.insert.replace(/\r?\n/g, newline) }))
    .filter((edit) => edit.from < edit.to || edit.insert !== "")
    .map(({ from, to, insert }) => ({ from: from + shift, to: to + shift, insert }));
}

const isJson = (file: string): boolean => /\.json$/i.test(file);

function sameOrder(before: Plain, after: Plain): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}

function printed(text: string, plain: Plain): string {
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? (text.includes("\n") ? "  " : "");
  return JSON.stringify(plain, null, indent) + (/\n$/.test(text) ? "\n" : "");
}

/** The YAML tree of a document, for callers that need exact offsets. */
export function rootOf(doc: Doc): YAMLMap | undefined {
  const root = TREES.get(doc)?.root;
  return isMap(root) ? root : undefined;
}

/** The range of each node in the text, in order. */
export function nodeRanges(doc: Doc): { id: string; from: number; to: number }[] {
  const { shift, text, list, spans } = nodeSpans(doc);
  const nodes: unknown[] = Array.isArray(doc.plain?.nodes) ? doc.plain.nodes : [];
  return (list?.items ?? []).flatMap((item, index) => {
    const id = (nodes[index] as { id?: unknown } | null)?.id;
    const [from = 0, end = 0] = (item as Node | null)?.range ?? [];
    const { length } = text.slice(from, spans?.[index]?.to ?? end).trimEnd();
    return typeof id === "string" ? [{ id, from: from + shift, to: from + length + shift }] : [];
  });
}

/** The lines of each node with the comments above it, or `undefined` if the list is written in `[ ]`. */
export function nodeLines(doc: Doc): string[] | undefined {
  const { text, spans } = nodeSpans(doc);
  return spans?.map(({ from, start, to }) => dedented(text.slice(from, to), columnOf(text, start)));
}

function nodeSpans(doc: Doc) {
  const shift = shiftOf(doc.text);
  const text = doc.text.slice(shift);
  const root = rootOf(doc);
  const at = root?.items.findIndex((pair) => keyText(pair) === "nodes") ?? -1;
  const list = root?.items[at]?.value;
  if (root === undefined || !isSeq(list)) return { shift, text };
  const end = spansOf(text, root, text.length)?.[at]?.to;
  return { shift, text, list, spans: end === undefined ? undefined : spansOf(text, list, end) };
}

// open: a text becomes a document that can be edited, and an edit a change of its text (D1 to D3 of types.ts).
//   O1. A change is read back before it is handed out: it holds what the edit meant, or it is refused in words.
//   O2. JSON files hold no comments: they are printed anew with their own indentation.
//   O3. A text that can be read line by line gets no tree before one is asked for: that takes thirty times as long.
//   O4. An edit of such a text is found in the lines that it is about (parts.ts); parts.test.ts holds it against that of the whole tree.

import { isMap, isSeq, type Node, type YAMLMap } from "yaml";
import { err, ok, type Result } from "../../base/result.ts";
import { type Kept, keptFromBefore } from "../../workflow/kept.ts";
import { type ParsedWorkflow, parseWorkflow } from "../../workflow/parse.ts";
import { type PlainYaml, readPlainYaml } from "../../workflow/yaml-plain.ts";
import { isSame } from "./equal.ts";
import { Lines } from "./lines.ts";
import { changedParts, itemsIn } from "./parts.ts";
import { itemSource, reconcile } from "./reconcile.ts";
import { applyEdits, editBetween, inverseOf, ordered, trimmed } from "./text-edits.ts";
import { itemEnd, readTree, type YamlTree } from "./tree.ts";
import type { Change, Doc, Edit, Plain, TextEdit } from "./types.ts";
import type { Source } from "./write.ts";

/** Of a document that was read line by line: where its parts stand. */
const PARTS = new WeakMap<Doc, PlainYaml>();
const KEPT = new WeakMap<Doc, Kept>();
/** O3. */
const TREES = new WeakMap<Doc, YamlTree>();

/** `kept`: of an earlier text of this document. */
export function openDoc(text: string, file: string, kept = keptFromBefore()): Doc {
  let parsed: ParsedWorkflow | undefined;
  const body = text.slice(shiftOf(text));
  kept.turn();
  const parts = readPlainYaml(body, kept);
  const tree = parts === undefined ? readTree(body) : undefined;
  const unread = tree !== undefined && "unread" in tree ? tree.unread : undefined;
  const whole = tree === undefined || "unread" in tree ? undefined : tree;
  const doc: Doc = {
    file,
    text,
    ...(unread === undefined ? { plain: parts?.plain ?? whole?.plain ?? {} } : { unread }),
    get parsed() {
      const tree = whole === undefined || MARKER.test(text) ? undefined : whole.document;
      parsed ??= parseWorkflow(text, file, {
        ...(tree === undefined ? {} : { tree }),
        ...(parts === undefined || isJson(file) ? {} : { lines: parts }),
      });
      return parsed;
    },
  };
  KEPT.set(doc, kept);
  if (parts !== undefined) PARTS.set(doc, parts);
  if (whole !== undefined) TREES.set(doc, whole);
  return doc;
}

/** A document that was read line by line, as it was read. */
export function linesRead(doc: Doc): PlainYaml | undefined {
  return PARTS.get(doc);
}

/** Another text of the document: what did not change is not read anew. */
export function openNext(doc: Doc, text: string): Doc {
  return openDoc(text, doc.file, KEPT.get(doc));
}

function shiftOf(text: string): number {
  return text.startsWith(BOM) ? 1 : 0;
}

const BOM = "\ufeff";
/** Between documents of one text, of which the tree holds the first alone. */
const MARKER = /\n(?:---|\.\.\.)/;

/** The document after the edit. An edit that changes nothing gives a change without edits. */
export function perform(doc: Doc, edit: Edit): Result<Change, string> {
  if (doc.plain === undefined) return err(`The file cannot be read: ${doc.unread} Mend it in the source first.`);
  const applied = edit.apply(doc.plain, doc);
  if (!applied.ok) return err(applied.error);
  const edits = editsFor(doc, doc.plain, applied.plain);
  if (!edits.ok) return edits;
  const change = changeOf(doc, edit.label, edits.value, edit.key);
  if (change.doc.plain === undefined || !isSame(change.doc.plain, applied.plain)) return err(UNMANAGED);
  return ok(applied.select === undefined ? change : { ...change, select: applied.select });
}

const UNMANAGED =
  "This part of the file is written in a way that cannot be changed from here. Change it in the source.";

/** Edits of the text that somebody else found: typing in the source. */
export function changeOf(doc: Doc, label: string, edits: TextEdit[], key?: string): Change {
  const next = edits.length === 0 ? doc : openNext(doc, applyEdits(doc.text, edits));
  return { label, ...(key === undefined ? {} : { key }), doc: next, edits, inverse: inverseOf(doc.text, edits) };
}

function editsFor(doc: Doc, before: Plain, after: Plain): Result<TextEdit[], string> {
  if (isSame(before, after) && sameOrder(before, after)) return ok([]);
  if (isJson(doc.file)) return ok(editBetween(doc.text, printed(doc.text, after)));
  const shift = shiftOf(doc.text);
  const text = doc.text.slice(shift);
  const edits = ordered(editsInParts(doc, text, after) ?? reconcile(text, treeOf(doc)?.root ?? null, before, after));
  if (edits === undefined) return err(UNMANAGED);
  const breaks = /\r\n/.test(text);
  return ok(
    edits
      .map((edit) => (breaks ? { ...edit, insert: edit.insert.replace(/\r?\n/g, "\r\n") } : edit))
      .map((edit) => trimmed(text, edit))
      .filter((edit) => edit.from < edit.to || edit.insert !== "")
      .map(({ from, to, insert }) => ({ from: from + shift, to: to + shift, insert })),
  );
}

const isJson = (file: string): boolean => /\.json$/i.test(file);

/** O4. Undefined: the tree of the whole text is needed. */
function editsInParts(doc: Doc, text: string, after: Plain): TextEdit[] | undefined {
  const parts = PARTS.get(doc);
  const edits: TextEdit[] = [];
  for (const part of parts === undefined ? [] : changedParts(text, parts, after)) {
    const tree = readTree(part.text);
    if ("unread" in tree) return undefined;
    for (const { from, to, insert } of reconcile(part.text, tree.root, part.before, part.after, part.style))
      edits.push({ from: from + part.above, to: to + part.above, insert });
  }
  // Nothing is found where keys of the document come or go.
  return edits.length === 0 ? undefined : edits;
}

function sameOrder(before: Plain, after: Plain): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}

function printed(text: string, plain: Plain): string {
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? (text.includes("\n") ? "  " : "");
  return JSON.stringify(plain, null, indent) + (/\n$/.test(text) ? "\n" : "");
}

/** The tree of a document, for those who need its very characters. */
export function rootOf(doc: Doc): YAMLMap | undefined {
  const root = treeOf(doc)?.root;
  return isMap(root) ? root : undefined;
}

/** O3. */
function treeOf(doc: Doc): YamlTree | undefined {
  if (!TREES.has(doc) && PARTS.has(doc)) {
    const tree = readTree(doc.text.slice(shiftOf(doc.text)));
    if (!("unread" in tree)) TREES.set(doc, tree);
  }
  return TREES.get(doc);
}

/** Where each node stands in the text, in its order. */
export function nodeRanges(doc: Doc): { id: string; from: number; to: number }[] {
  const shift = shiftOf(doc.text);
  const parts = PARTS.get(doc);
  const places = parts === undefined ? placesInTree(doc) : itemsIn(doc.text.slice(shift), parts, "nodes");
  const nodes: unknown[] = Array.isArray(doc.plain?.nodes) ? doc.plain.nodes : [];
  return places.flatMap(([from, to], index) => {
    const id = (nodes[index] as { id?: unknown } | null)?.id;
    return typeof id === "string" ? [{ id, from: from + shift, to: to + shift }] : [];
  });
}

function placesInTree(doc: Doc): [from: number, to: number][] {
  const list = rootOf(doc)?.get("nodes", true);
  if (!isSeq(list)) return [];
  return list.items.map((item, index) => [(item as Node).range?.[0] ?? 0, itemEnd(list, index)]);
}

/** The nodes as they are written; undefined where they have no lines of their own. */
export function nodeSources(doc: Doc): ((index: number) => Source) | undefined {
  const text = doc.text.slice(shiftOf(doc.text));
  const lines = new Lines(text);
  const parts = PARTS.get(doc);
  if (parts !== undefined) {
    const items = itemsIn(text, parts, "nodes");
    if (items.length === 0) return undefined;
    return (index) => {
      const [from, to] = items[index]!;
      return { above: lines.commentsAbove(from - 2), text: lines.dedented(from, to) };
    };
  }
  const list = rootOf(doc)?.get("nodes", true);
  if (!isSeq(list) || list.flow === true) return undefined;
  return (index) => itemSource(lines, list, index);
}

// open: a text becomes a document that can be edited, and an edit a change of its text (D1 to D3 of types.ts).
//   O1. A change is read back before it is handed out: it holds what the edit meant, or it is refused in words.
//   O2. JSON files hold no comments: they are printed anew with their own indentation.

import { isMap, isSeq, type Node, type YAMLMap } from "yaml";
import { err, ok, type Result } from "../../base/result.ts";
import { type ParsedWorkflow, parseWorkflow } from "../../workflow/parse.ts";
import { isSame } from "./equal.ts";
import { reconcile } from "./reconcile.ts";
import { applyEdits, editBetween, inverseOf, ordered, trimmed } from "./text-edits.ts";
import { itemEnd, readTree } from "./tree.ts";
import type { Change, Doc, Edit, Plain, TextEdit } from "./types.ts";

const ROOTS = new WeakMap<Doc, Node | null>();

export function openDoc(text: string, file: string): Doc {
  let parsed: ParsedWorkflow | undefined;
  const tree = readTree(text.startsWith(BOM) ? text.slice(1) : text);
  const doc: Doc = {
    file,
    text,
    ...("unread" in tree ? { unread: tree.unread } : { plain: tree.plain }),
    get parsed() {
      parsed ??= parseWorkflow(text, file, "unread" in tree || MARKER.test(text) ? undefined : tree.document);
      return parsed;
    },
  };
  if (!("unread" in tree)) ROOTS.set(doc, tree.root);
  return doc;
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
  const next = edits.length === 0 ? doc : openDoc(applyEdits(doc.text, edits), doc.file);
  return { label, ...(key === undefined ? {} : { key }), doc: next, edits, inverse: inverseOf(doc.text, edits) };
}

function editsFor(doc: Doc, before: Plain, after: Plain): Result<TextEdit[], string> {
  if (isSame(before, after) && sameOrder(before, after)) return ok([]);
  if (/\.json$/i.test(doc.file)) return ok(editBetween(doc.text, printed(doc.text, after)));
  const shift = doc.text.startsWith(BOM) ? 1 : 0;
  const text = doc.text.slice(shift);
  const edits = ordered(reconcile(text, ROOTS.get(doc) ?? null, before, after));
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

function sameOrder(before: Plain, after: Plain): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}

function printed(text: string, plain: Plain): string {
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? (text.includes("\n") ? "  " : "");
  return JSON.stringify(plain, null, indent) + (/\n$/.test(text) ? "\n" : "");
}

/** The tree of a document, for those who need its very characters. */
export function rootOf(doc: Doc): YAMLMap | undefined {
  const root = ROOTS.get(doc);
  return isMap(root) ? root : undefined;
}

/** Where each node stands in the text, in its order. */
export function nodeRanges(doc: Doc): { id: string; from: number; to: number }[] {
  const list = rootOf(doc)?.get("nodes", true);
  if (!isSeq(list)) return [];
  const shift = doc.text.startsWith(BOM) ? 1 : 0;
  return list.items.flatMap((item, index) => {
    const id = isMap(item) ? item.get("id") : undefined;
    if (typeof id !== "string") return [];
    const [from, to] = [(item as Node).range?.[0] ?? 0, itemEnd(list, index)];
    return [{ id, from: from + shift, to: to + shift }];
  });
}

// types: the types of the editing model (spec 2.3, ui.md 6.2). The text is authoritative, and everything else is
// derived from it.
//   D1. An edit says which values the document must have (`Plain` to `Plain`). reconcile.ts finds the smallest change
//       of the text.
//   D2. Everything else keeps its bytes: comments, order, quotes, newlines.
//   D3. Every change can be undone, byte for byte.
// The types are independent of React, the disk, and the clock.

import type { ParsedWorkflow } from "../../workflow/parse.ts";

/** Replaces the characters `from` to `to` (exclusive) of a text. */
export interface TextEdit {
  from: number;
  to: number;
  insert: string;
}

/** The document without defaults or checks. */
export type Plain = Record<string, unknown>;

/** An open document. Made by `openDoc`, never changed. */
export interface Doc {
  file: string;
  text: string;
  /** In one form: long nodes, and all edges in `edges` (forms.ts). Absent if the text is not valid YAML or JSON. */
  plain?: Plain;
  /** As written, in the author's forms. */
  written?: Plain;
  /** Why `plain` is absent, as a message for the user. */
  unread?: string;
  /** The document as the rest of Curlew parses it. Computed on first use. */
  readonly parsed: ParsedWorkflow;
}

/** A change to the document and its label. Edits are values: the same edit can be tried on any document. */
export interface Edit {
  /** "Rename fetch", for the undo list. */
  label: string;
  /** Edits with the same key in quick succession become one undo step, as when the user types in a field. */
  key?: string;
  /** It takes a secret out of the text, which the undo history must not bring back. */
  hides?: true;
  apply(plain: Plain, doc: Doc): Applied;
}

export type Applied = { ok: true; plain: Plain; select?: string[] } | { ok: false; error: string };

/** An edit that was applied to a document. */
export interface Change {
  label: string;
  key?: string;
  doc: Doc;
  edits: TextEdit[];
  /** Turns the new text into the old one. */
  inverse: TextEdit[];
  /** Nodes to select after the change. */
  select?: string[];
}

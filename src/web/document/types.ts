// types: the words of the editing model (spec 2.3, ui.md 6.2). The document as text is the truth; everything else is read off it.
//   D1. An edit is told as what the document should hold (`Plain` to `Plain`); reconcile.ts finds the smallest change of the text.
//   D2. What an edit did not mean to change keeps its bytes: comments, order, quotes, line ends.
//   D3. Every change can be taken back to the byte.
// Deliberately absent: React, the disk, the clock.

import type { ParsedWorkflow } from "../../workflow/parse.ts";

/** Replaces the characters `from` to `to` (exclusive) of a text. */
export interface TextEdit {
  from: number;
  to: number;
  insert: string;
}

/** The document as written: before defaults, spellings and checks. */
export type Plain = Record<string, unknown>;

/** A document that is open. Made by `openDoc`; never changed. */
export interface Doc {
  file: string;
  text: string;
  /** Absent when the text cannot be read as YAML or JSON at all. */
  plain?: Plain;
  /** Why it is absent, for people. */
  unread?: string;
  /** The document as the rest of Curlew reads it; made when first asked for. */
  readonly parsed: ParsedWorkflow;
}

/** What a person does, in words, and how it changes the document. Edits are values: the same edit may be tried on any document. */
export interface Edit {
  /** "Rename fetch", for the undo list. */
  label: string;
  /** Edits with the same key that follow each other soon become one step of undo: typing in a field. */
  key?: string;
  apply(plain: Plain, doc: Doc): Applied;
}

export type Applied = { ok: true; plain: Plain; select?: string[] } | { ok: false; error: string };

/** An edit that was carried out on one document. */
export interface Change {
  label: string;
  key?: string;
  doc: Doc;
  edits: TextEdit[];
  /** Turns the new text into the old one. */
  inverse: TextEdit[];
  /** Nodes that should be selected now. */
  select?: string[];
}

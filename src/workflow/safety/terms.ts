// safety/terms: a word of a script as pieces: the author's text, values of the workflow, and expansions that only the shell can fill in.

import type { SyntaxNode } from "unbash";
import type { MarkedText, Segment } from "../shell/words.ts";
import type { Reference } from "../template.ts";

/** What is known of a reference or an exported variable. */
export interface Meaning {
  text?: string;
  /** The secret that it is, or is made of. */
  secret?: string;
}

export interface Source {
  meaningOf(reference: Pick<Reference, "root" | "members" | "filter">): Meaning;
  /** Of a variable that the node exports to its command (env.static, exposeParents). */
  exported(name: string): Meaning | undefined;
}

/** For scripts in which nothing is known of any value. */
export const NOTHING_KNOWN: Source = { meaningOf: () => ({}), exported: () => undefined };

export interface Piece {
  /** Undefined when it is not known before the script runs. */
  text?: string;
  /** A value of the workflow; `name` as the author wrote it. */
  value?: { name: string; meaning: Meaning; filter?: string };
  /** An expansion of the shell's own. */
  dynamic?: SyntaxNode;
}

export interface Term {
  pieces: Piece[];
  /** As the author wrote it, with marks for references. */
  raw: string;
  /** In the author's text; `end` is exclusive. */
  start: number;
  end: number;
}

export const EMPTY: Term = { pieces: [], raw: "", start: 0, end: 0 };

export interface Resolve {
  source: Source;
  /** What the script itself assigns to a variable, if it does so: undefined text when it does so in several places. */
  given(name: string): { value?: Term } | undefined;
  place(node: { pos: number; end: number }): { start: number; end: number };
}

export function termOf(node: SyntaxNode, segments: readonly Segment[], text: MarkedText, resolve: Resolve): Term {
  const pieces = segments.flatMap((segment): Piece[] => {
    if ("text" in segment) return [{ text: segment.text }];
    if (!("mark" in segment)) return expansion(segment.dynamic, resolve);
    if (segment.mark.kind === "literal") return [{ text: segment.mark.text }];
    const { reference } = segment.mark;
    return [valuePiece(nameOf(reference), resolve.source.meaningOf(reference), reference.filter)];
  });
  return { pieces, raw: text.source.slice(node.pos, node.end), ...resolve.place(node) };
}

function valuePiece(name: string, meaning: Meaning, filter?: string): Piece {
  return { text: meaning.text, value: { name, meaning, filter } };
}

function nameOf({ root, members, filter }: Pick<Reference, "root" | "members" | "filter">): string {
  const path = members.map((member) => (typeof member === "number" ? `[${member}]` : `.${member}`)).join("");
  return `\${${root}${path}${filter === undefined ? "" : `|${filter}`}}`;
}

/** `$x` is what the script assigns to it in one place, otherwise what the node exports under that name. */
function expansion(node: SyntaxNode, resolve: Resolve): Piece[] {
  const name = parameterOf(node);
  if (name === undefined) return [{ dynamic: node }];
  const given = resolve.given(name);
  if (given !== undefined)
    return (
      given.value?.pieces.map((piece) => (piece.dynamic === undefined ? piece : { dynamic: piece.dynamic })) ?? [
        { dynamic: node },
      ]
    );
  const meaning = resolve.source.exported(name);
  return meaning === undefined ? [{ dynamic: node }] : [valuePiece(`$${name}`, meaning)];
}

/** The variable of a plain `$x` or `${x}`. */
export function parameterOf(node: SyntaxNode): string | undefined {
  if (node.type === "SimpleExpansion") return node.text.slice(1);
  if (node.type !== "ParameterExpansion") return undefined;
  const isPlain = node.operation === undefined && node.prefix === undefined && node.index === undefined;
  return isPlain ? node.parameter : undefined;
}

/** The whole word, when it is known. */
export function textOf(term: Term): string | undefined {
  return term.pieces.some(({ text }) => text === undefined) ? undefined : headOf(term);
}

/** Its beginning, as far as it is known. */
export function headOf(term: Term): string {
  let text = "";
  for (const piece of term.pieces) {
    if (piece.text === undefined) return text;
    text += piece.text;
  }
  return text;
}

/** The word without its first characters, which are known text. */
export function tail(word: Term, characters: number): Term {
  let left = characters;
  const pieces = word.pieces.flatMap((piece) => {
    if (left <= 0 || piece.text === undefined) return [piece];
    const cut = Math.min(left, piece.text.length);
    left -= cut;
    return cut === piece.text.length ? [] : [{ ...piece, text: piece.text.slice(cut) }];
  });
  return { ...word, pieces };
}

/** The word for a message: the author's text; a value by its name, an expansion as `$x` or `…`. */
export function said(term: Term): string {
  const text = term.pieces
    .map((piece) => piece.value?.name ?? (piece.dynamic === undefined ? piece.text : dynamicName(piece.dynamic)))
    .join("")
    .replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, " ");
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

function dynamicName(node: SyntaxNode): string {
  const name = parameterOf(node);
  return name === undefined ? "…" : `$${name}`;
}

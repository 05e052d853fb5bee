// safety/terms: a word of a script as pieces: literal text, values of the workflow, and expansions that only the shell
// can evaluate.

import type { SyntaxNode } from "unbash";
import type { MarkedText, OptionWord, Segment } from "../rewrite/words.ts";
import { describeReference, type Reference } from "../template.ts";

/** The known facts about a reference or an exported variable. */
export interface Meaning {
  text?: string;
  /** The secret that it is or contains. */
  secret?: string;
}

export interface Source {
  meaningOf(reference: Pick<Reference, "root" | "members" | "default" | "filter">): Meaning;
  /** For a variable that the node exports to its command (env.static, exposeParents). */
  exported(name: string): Meaning | undefined;
}

/** For scripts whose values are all unknown. */
export const NO_VALUES: Source = { meaningOf: () => ({}), exported: () => undefined };

export interface Piece {
  /** Undefined if it is not known before the script runs. */
  text?: string;
  /** A value of the workflow; `name` as written in the script. */
  value?: { name: string; meaning: Meaning; filter?: string };
  /** An expansion by the shell. */
  dynamic?: SyntaxNode;
}

export interface Term extends OptionWord {
  pieces: Piece[];
  /** As written, with marks for references. */
  raw: string;
  /** Offsets in the original script; `end` is exclusive. */
  start: number;
  end: number;
}

export interface Resolve {
  source: Source;
  /** The value that the script assigns to a variable. Null if it is known only at run time. */
  assigned(name: string): Term | null | undefined;
  rangeOf(node: { pos: number; end: number }): { start: number; end: number };
}

export function termOf(node: SyntaxNode, segments: readonly Segment[], text: MarkedText, resolve: Resolve): Term {
  const pieces = segments.flatMap((segment): Piece[] => {
    if ("text" in segment) return [{ text: segment.text }];
    if (!("mark" in segment)) return expansion(segment.dynamic, resolve);
    if (segment.mark.kind === "literal") return [{ text: segment.mark.text }];
    const { reference } = segment.mark;
    return [valuePiece(describeReference(reference), resolve.source.meaningOf(reference), reference.filter)];
  });
  return withPieces(pieces, { raw: text.source.slice(node.pos, node.end), ...resolve.rangeOf(node) });
}

function withPieces(pieces: Piece[], place: Pick<Term, "raw" | "start" | "end">): Term {
  const { raw, start, end } = place;
  const unknown = pieces.findIndex(({ text }) => text === undefined);
  const known = unknown === -1 ? pieces : pieces.slice(0, unknown);
  const head = known.map(({ text }) => text).join("");
  return { pieces, raw, start, end, head, literal: unknown === -1 ? head : undefined };
}

function valuePiece(name: string, meaning: Meaning, filter?: string): Piece {
  return { text: meaning.text, value: { name, meaning, filter } };
}

/** `$x` is the value that the script assigns to it, otherwise the one that the node exports under that name. */
function expansion(node: SyntaxNode, resolve: Resolve): Piece[] {
  const name = parameterOf(node);
  if (name === undefined) return [{ dynamic: node }];
  const assigned = resolve.assigned(name);
  if (assigned === null) return [{ dynamic: node }];
  if (assigned !== undefined)
    return assigned.pieces.map((piece) => (piece.dynamic === undefined ? piece : { dynamic: piece.dynamic }));
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

/** The word without its first characters, which must be known text. */
export function tail(word: Term, characters: number): Term {
  let left = characters;
  const pieces = word.pieces.flatMap((piece) => {
    if (left <= 0 || piece.text === undefined) return [piece];
    const cut = Math.min(left, piece.text.length);
    left -= cut;
    return cut === piece.text.length ? [] : [{ ...piece, text: piece.text.slice(cut) }];
  });
  return withPieces(pieces, word);
}

/** The word, and the one that belongs to it. */
export function spanning(from: Term, to: Term | undefined): Term {
  return to === undefined || to.start < from.start ? from : { ...from, end: Math.max(from.end, to.end) };
}

/** The word for a message: literal text, values by name, expansions as `$x` or `…`. */
export function wordForMessage(term: Term): string {
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

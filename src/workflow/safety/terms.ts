// safety/terms: one word of a script as pieces: text, values of the workflow, and what only the shell will know.

import type { SyntaxNode } from "unbash";
import type { MarkedText, Segment } from "../shell/words.ts";
import type { Given, Meaning, Source } from "./script.ts";

export interface Piece {
  /** What it will say; undefined when nobody knows before the script runs. */
  text?: string;
  /** It is a value of the workflow and not the author's own text; `name` as the author wrote it. */
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

export interface Resolve {
  source: Source;
  given(name: string): Given[] | undefined;
  place(node: { pos: number; end: number }): { start: number; end: number };
}

export function termOf(node: SyntaxNode, segments: readonly Segment[], text: MarkedText, resolve: Resolve): Term {
  const pieces: Piece[] = [];
  for (const segment of segments) {
    if ("text" in segment) pieces.push({ text: segment.text });
    else if ("mark" in segment) {
      const { mark } = segment;
      if (mark.kind === "literal") pieces.push({ text: mark.text });
      else {
        const { root, members, filter } = mark.reference;
        pieces.push(valuePiece(nameOf(root, members, filter), resolve.source.meaningOf(mark.reference), filter));
      }
    } else pieces.push(...expansion(segment.dynamic, resolve));
  }
  return { pieces, raw: text.source.slice(node.pos, node.end), ...resolve.place(node) };
}

function valuePiece(name: string, meaning: Meaning, filter?: string): Piece {
  return {
    ...(meaning.text === undefined ? {} : { text: meaning.text }),
    value: { name, meaning, ...(filter === undefined ? {} : { filter }) },
  };
}

function nameOf(root: string, members: readonly (string | number)[], filter: string | undefined): string {
  const path = members.map((member) => (typeof member === "number" ? `[${member}]` : `.${member}`)).join("");
  return `\${${root}${path}${filter === undefined ? "" : `|${filter}`}}`;
}

/** `$x`: what the script gave it, what the node exports under that name, what the environment says. */
function expansion(node: SyntaxNode, resolve: Resolve): Piece[] {
  const name = parameterOf(node);
  if (name === undefined) return [{ dynamic: node }];
  const given = resolve.given(name);
  if (given !== undefined) {
    const value = given.length === 1 ? given[0]?.value : undefined;
    return (
      value?.pieces.map((piece) => (piece.dynamic === undefined ? piece : { dynamic: piece.dynamic })) ?? [
        { dynamic: node },
      ]
    );
  }
  const meaning = resolve.source.exported(name);
  if (meaning !== undefined) return [valuePiece(`$${name}`, meaning)];
  const outside = resolve.source.environment(name);
  return outside === undefined ? [{ dynamic: node }] : [{ text: outside, dynamic: node }];
}

/** The variable of a plain `$x` or `${x}`. */
export function parameterOf(node: SyntaxNode): string | undefined {
  if (node.type === "SimpleExpansion") return node.text.slice(1);
  if (
    node.type === "ParameterExpansion" &&
    node.operation === undefined &&
    node.prefix === undefined &&
    node.index === undefined
  )
    return node.parameter;
  return undefined;
}

/** What the word will be, when that is known. */
export function textOf(term: Term): string | undefined {
  let text = "";
  for (const piece of term.pieces) {
    if (piece.text === undefined) return undefined;
    text += piece.text;
  }
  return text;
}

/** What is known of its beginning. */
export function headOf(term: Term): string {
  let text = "";
  for (const piece of term.pieces) {
    if (piece.text === undefined) return text;
    text += piece.text;
  }
  return text;
}

/** Whether a value of the workflow decides something of it. */
export function valuesIn(term: Term): NonNullable<Piece["value"]>[] {
  return term.pieces.flatMap((piece) => (piece.value === undefined ? [] : [piece.value]));
}

/** The word for a message: the author's text; a value by its name, what only the shell knows as …. */
export function said(term: Term): string {
  const text = term.pieces
    .map((piece) => piece.value?.name ?? (piece.dynamic === undefined ? piece.text : dynamicName(piece.dynamic)))
    .join("")
    .replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, " ");
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

function dynamicName(node: SyntaxNode): string {
  return parameterOf(node) === undefined ? "…" : `$${parameterOf(node)}`;
}

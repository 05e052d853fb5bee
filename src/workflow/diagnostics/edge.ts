// diagnostics/edge: findings about edges, in all three spellings.

import type { Diagnostic } from "../diagnostic.ts";
import { didYouMean, listed } from "../nearest.ts";
import { type At, error, said, warning } from "./base.ts";

const SPELLINGS = "Write a chain like a -> b -> c, a handle like check:true -> b, or { source: a, target: b }.";

export function edgeSyntax(at: At, seen: string): Diagnostic {
  return error(at, "edge-syntax", `The edge "${said(seen)}" cannot be read.`, SPELLINGS);
}

export function edgeOfOne(at: At, seen: string): Diagnostic {
  return error(
    at,
    "edge-syntax",
    `The edge "${said(seen)}" names only one node; an edge leads from one to another.`,
    SPELLINGS,
  );
}

/** `- check: true -> post`, which YAML reads as a map. */
export function edgeWithSpace(at: At, key: string, rest: string): Diagnostic {
  return error(
    at,
    "edge-syntax",
    `YAML reads "${said(key)}: ${said(rest)}" as a map, because of the space after the colon.`,
    `Write it without the space: ${said(key)}:${said(rest)}`,
  );
}

export function handleAtEnd(at: At, node: string, handle: string): Diagnostic {
  return error(
    at,
    "edge-handle-at-end",
    `"${said(node)}:${said(handle)}" ends the chain, but a handle says by which exit an edge leaves a node.`,
    `Write the handle where the edge begins: ${said(node)}:${said(handle)} -> NEXT`,
  );
}

export function edgeFromMissing(at: At, edge: string, source: string, known: Iterable<string>): Diagnostic {
  return error(
    at,
    "edge-from-missing-node",
    `Edge "${said(edge)}" comes from "${said(source)}"; no node has that id.${didYouMean(source, known)}`,
  );
}

export function edgeToMissing(at: At, edge: string, target: string, known: Iterable<string>): Diagnostic {
  return error(
    at,
    "edge-to-missing-node",
    `Edge "${said(edge)}" points to "${said(target)}"; no node has that id.${didYouMean(target, known)}`,
  );
}

export function duplicateEdge(at: At, edge: string, line: number): Diagnostic {
  return error(
    at,
    "duplicate-edge",
    `Edge "${said(edge)}" stands twice; the first is on line ${line}.`,
    "Remove one: a second edge would make the same node a parent twice.",
  );
}

export function selfEdge(at: At, node: string): Diagnostic {
  return error(
    at,
    "edge-to-itself",
    `"${said(node)}" leads to itself.`,
    "To repeat a node, put it between a loop-start and a loop-end node.",
  );
}

export function unknownHandle(
  at: At,
  handle: string,
  node: string,
  type: string,
  handles: readonly string[],
): Diagnostic {
  const near = didYouMean(handle, handles);
  const has =
    handles.length === 0
      ? `${aNode(type)} has one exit without a name: leave out ":${said(handle)}".`
      : `${aNode(type)} has ${handles.length === 1 ? "the handle" : "the handles"} ${listed(handles)}${type === "if" ? "" : "; its plain exit has no name"}.`;
  return error(at, "unknown-handle", `"${said(node)}" has no handle "${said(handle)}".${near}`, has);
}

function aNode(type: string): string {
  return `${/^[aio]/.test(type) ? "An" : "A"} ${type} node`;
}

export function ifEdgeWithoutHandle(at: At, node: string, target: string): Diagnostic {
  return error(
    at,
    "if-edge-without-handle",
    `The edge from the if node "${said(node)}" to "${said(target)}" does not say for which answer.`,
    `Write ${said(node)}:true -> ${said(target)} or ${said(node)}:false -> ${said(target)}. For both, write both.`,
  );
}

export function ifWithoutEdges(at: At, node: string): Diagnostic {
  return warning(
    at,
    "if-without-branch",
    `No node follows the if node "${said(node)}": its answer changes nothing.`,
    `Connect it: ${said(node)}:true -> NEXT`,
  );
}

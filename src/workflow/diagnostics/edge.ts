// diagnostics/edge: findings about edges, in all three spellings.

import { didYouMean, listed } from "../nearest.ts";
import { error, excerpt, warning } from "./base.ts";

const SPELLINGS = "Write a chain like a -> b -> c, a handle like check:true -> b, or { source: a, target: b }.";

export const edgeSyntax = error("edge-syntax", (seen: string) => [
  `"${excerpt(seen)}" is not a valid edge.`,
  SPELLINGS,
]);
export const edgeOfOne = error("edge-syntax", (seen: string) => [
  `The edge "${excerpt(seen)}" names only one node, but an edge connects two.`,
  SPELLINGS,
]);

/** `- check: true -> post`, which YAML reads as a map. */
export const edgeWithSpace = error("edge-syntax", (key: string, rest: string) => [
  `YAML reads "${excerpt(key)}: ${excerpt(rest)}" as an object, because of the space after the colon.`,
  `Write it without the space: ${excerpt(key)}:${excerpt(rest)}`,
]);
export const afterSyntax = error("edge-syntax", (seen: string) => [
  seen.trim() === "" ? '"after" is empty.' : `"${excerpt(seen)}" in "after" is not the id of a node.`,
  "Write one node (after: a), a branch of it (after: check:true), or several (after: [a, b:error]).",
]);

/** `after: { check: true }`, which YAML makes of `- check: true`. */
export const afterWithSpace = error("edge-syntax", (key: string, handle: string) => [
  `YAML reads "${excerpt(key)}: ${excerpt(handle)}" as an object, because of the space after the colon.`,
  `Write it without the space: ${excerpt(key)}:${excerpt(handle)}`,
]);
export const handleAtEnd = error("edge-handle-at-end", (node: string, handle: string) => [
  `The chain ends with "${excerpt(node)}:${excerpt(handle)}", but a handle belongs to the node that an edge leaves.`,
  `Write the handle at the start of an edge: ${excerpt(node)}:${excerpt(handle)} -> NEXT`,
]);
export const edgeFromMissing = error(
  "edge-from-missing-node",
  (edge: string, source: string, known: Iterable<string>) => [
    `Edge "${excerpt(edge)}" starts at "${excerpt(source)}", but there is no node with that id.${didYouMean(source, known)}`,
  ],
);
export const edgeToMissing = error("edge-to-missing-node", (edge: string, target: string, known: Iterable<string>) => [
  `Edge "${excerpt(edge)}" leads to "${excerpt(target)}", but there is no node with that id.${didYouMean(target, known)}`,
]);
export const duplicateEdge = error("duplicate-edge", (edge: string, line: number) => [
  `Edge "${excerpt(edge)}" is already defined on line ${line}.`,
  "Remove one of them. Otherwise the same node would be a parent twice.",
]);
export const selfEdge = error("edge-to-itself", (node: string) => [
  `Node "${excerpt(node)}" has an edge to itself.`,
  "To repeat a node, put it between a loop-start and a loop-end node.",
]);
export const unknownHandle = error(
  "unknown-handle",
  (handle: string, node: string, type: string, handles: readonly string[]) => {
    const near = didYouMean(handle, handles);
    const has =
      handles.length === 0
        ? `${aNode(type)} has no handles. Remove ":${excerpt(handle)}".`
        : `${aNode(type)} has ${handles.length === 1 ? "the handle" : "the handles"} ${listed(handles)}${type === "if" ? "" : ". For its normal output, write no handle"}.`;
    return [`Node "${excerpt(node)}" has no handle "${excerpt(handle)}".${near}`, has];
  },
);

function aNode(type: string): string {
  return `${/^[aio]/.test(type) ? "An" : "A"} ${type} node`;
}

export const ifEdgeWithoutHandle = error("if-edge-without-handle", (node: string, target: string) => [
  `The edge from the if node "${excerpt(node)}" to "${excerpt(target)}" names no branch.`,
  `Write ${excerpt(node)}:true -> ${excerpt(target)} or ${excerpt(node)}:false -> ${excerpt(target)}. For both branches, write both edges.`,
]);
export const ifWithoutEdges = warning("if-without-branch", (node: string) => [
  `The if node "${excerpt(node)}" has no edges, so its result has no effect.`,
  `Connect it: ${excerpt(node)}:true -> NEXT`,
]);

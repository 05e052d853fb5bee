// fed: whether a node uses the value of a parent, or only runs after it (ui-2 U3). Pure.

import type { GraphNode } from "../../workflow/graph.ts";
import { NODE_VIEWS } from "../kinds.ts";

/** `at`: the index of the parent. */
export function usesParent({ node, parents, refers }: GraphNode, at: number): boolean {
  const parent = parents[at];
  if (parent === undefined || parent.reference || [...refers.values()].some(({ source }) => source === parent.source))
    return true;
  const { type, data } = node;
  if (NODE_VIEWS[type].takesFirst && at === 0) return true;
  if (type === "cli") {
    const { stdin, env } = data;
    if (env?.exposeParents === true || stdin?.source === "parents-all") return true;
    if (stdin?.source === "parent-index" && (stdin.parentIndex ?? 0) === at) return true;
  }
  const text = JSON.stringify(data);
  if (parent.handle === "error" && text.includes("failure.")) return true;
  // `inputs` alone stands for all parents.
  return new RegExp(`\\$\\{${at + 1}[^0-9]|\\binputs\\[${at}\\]|\\binputs\\b(?!\\[)`).test(text);
}

// The nodes that are approved before a run starts: `--approve`, and `approve` in the API (spec 2.2).
//   V1. Unknown node names are rejected, and so is the name of a subflow itself. Otherwise the run
//       would unexpectedly wait for approval.

import { dirname, resolve } from "node:path";
import type { Failure } from "../../base/failure.ts";
import { didYouMean } from "../../workflow/nearest.ts";
import { parseWorkflow } from "../../workflow/parse.ts";
import type { Stored } from "../documents/stored.ts";

type Document = Pick<Stored, "file" | "workflow" | "subflows">;

/**
 * The problem with the first name that no node has. `*` stands for every node. `word`: the option or member that the
 * names came from.
 */
export function approveMistake(
  names: readonly string[] = [],
  document: Document,
  word: "approve" | "--approve" = "approve",
): Failure | undefined {
  const depth = Math.max(0, ...names.map((name) => name.split("/").length));
  const known = namesIn(document, depth);
  const wrong = names.find((name) => name !== "*" && !known.includes(name));
  if (wrong === undefined) return undefined;
  return {
    code: "unknown-node",
    message: `${word} names "${wrong}", but no node of that name can ask for approval.${didYouMean(wrong, known)}`,
    hint: "A node in a loop is approved in every iteration. A node of a subflow has the subflow's id before its own, as in deploy/publish.",
  };
}

/** The nodes of a subflow are written after the subflow's node: `deploy/publish`. */
function namesIn({ workflow, file, subflows }: Document, depth: number): string[] {
  return workflow.nodes.flatMap((node) => {
    if (node.type !== "subflow") return [node.id];
    const inner = resolve(dirname(file), node.data.workflow);
    const within = depth <= 1 ? undefined : parseWorkflow(subflows[inner] ?? "", inner).workflow;
    if (within === undefined) return [];
    return namesIn({ workflow: within, file: inner, subflows }, depth - 1).map((name) => `${node.id}/${name}`);
  });
}

// The nodes that are approved before a run starts: `--approve`, and `approve` in the API (spec 2.2).
//   V1. Unknown node names are rejected, and so is the name of a subflow itself. Otherwise the run
//       would unexpectedly wait for approval.

import { dirname, resolve } from "node:path";
import type { Failure } from "../../base/failure.ts";
import type { Workflow } from "../../workflow/model.ts";
import { didYouMean } from "../../workflow/nearest.ts";
import { parseWorkflow } from "../../workflow/parse.ts";
import type { Stored } from "../documents/stored.ts";

type Document = Pick<Stored, "file" | "workflow" | "subflows">;

/** The problem with the first name that has one. `*` stands for every node. */
export function approveMistake(names: readonly string[] = [], document: Document): Failure | undefined {
  return names.map((name) => (name === "*" ? undefined : inAdvanceMistake(name, document))).find(Boolean);
}

/**
 * The problem with a name, or undefined. Nodes of a subflow are written after the subflow's node: `deploy/publish`.
 * `word`: the option or member that the name came from.
 */
export function inAdvanceMistake(
  name: string,
  { workflow, file, subflows }: Document,
  word: "approve" | "--approve" = "approve",
): Failure | undefined {
  if (/\[\d+\]/.test(name)) {
    const all = name.replaceAll(/\[\d+\]/g, "");
    const says = `${word} names "${name}", but you can't approve a single iteration in advance.`;
    return unknown(says, `"${asSaid(all, word)}" approves the node in every iteration.`);
  }
  let place: { workflow: Workflow; file: string } | undefined = { workflow, file };
  let before = "";
  for (const id of name.split("/")) {
    if (place === undefined)
      return unknown(`${word} names "${name}", but "${before}" is not a subflow and has no nodes.`);
    const known: string[] = place.workflow.nodes.map((node) => node.id);
    if (!known.includes(id)) {
      const where = before === "" ? "" : ` in the subflow "${before}"`;
      return unknown(`${word} names "${name}", but there is no node${where} with that id.${didYouMean(id, known)}`);
    }
    before = before === "" ? id : `${before}/${id}`;
    place = inside(place, id, subflows);
  }
  return place === undefined ? undefined : onlyTheSubflow(name, place.workflow, word);
}

/** V1 for a subflow itself: its nodes need approval, the subflow does not. */
function onlyTheSubflow(name: string, { nodes }: Workflow, word: "approve" | "--approve"): Failure {
  const first = nodes.find((node) => node.type === "cli" && node.data.needsUserApproval) ?? nodes[0];
  const says = `${word} names "${name}", which is a subflow. Its nodes ask, not the subflow.`;
  return unknown(
    says,
    `Name the node, as in "${asSaid(`${name}/${first?.id ?? "NODE"}`, word)}"${word === "approve" ? "" : ", or use --yes"}.`,
  );
}

function inside(place: { workflow: Workflow; file: string }, id: string, subflows: Readonly<Record<string, string>>) {
  const node = place.workflow.nodes.find((each) => each.id === id);
  if (node?.type !== "subflow") return undefined;
  const file = resolve(dirname(place.file), node.data.workflow);
  const text = subflows[file];
  const workflow = text === undefined ? undefined : parseWorkflow(text, file).workflow;
  return workflow === undefined ? undefined : { workflow, file };
}

function asSaid(name: string, word: "approve" | "--approve"): string {
  return word === "approve" ? name : `${word} ${name}`;
}

function unknown(message: string, hint?: string): Failure {
  return { code: "unknown-node", message, hint };
}

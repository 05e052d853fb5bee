// in-advance: the nodes that `--approve` and `--yes` approve before the run starts (spec 2.2).
//   V1. A name that no node has is refused, and a subflow's own: somebody would wait for an answer that was thought to be given.

import { dirname, resolve } from "node:path";
import type { Workflow } from "../workflow/model.ts";
import { didYouMean } from "../workflow/nearest.ts";
import { parseWorkflow } from "../workflow/parse.ts";
import type { Loaded } from "./load.ts";
import { type Problem, problem } from "./problem.ts";
import type { Terminal } from "./terminal.ts";

/** `unknown`, after a word on stderr. A node of a subflow is named behind the subflow's node: `deploy/publish`. */
export function approvedInAdvance(
  loaded: Loaded,
  options: { approve?: string[]; yes?: boolean },
  terminal: Terminal,
): string[] | undefined | "unknown" {
  for (const name of options.approve ?? []) {
    const wrong = mistakeIn(name, loaded);
    if (wrong === undefined) continue;
    terminal.problem(wrong);
    return "unknown";
  }
  if (options.yes) return ["*"];
  return options.approve?.length ? options.approve : undefined;
}

function mistakeIn(name: string, { workflow, file, subflows }: Loaded): Problem | undefined {
  if (/\[\d+\]/.test(name)) {
    const all = name.replaceAll(/\[\d+\]/g, "");
    const says = `--approve names "${name}", and a pass cannot be approved in advance.`;
    return problem("unknown-node", says, `"--approve ${all}" approves the node in every pass.`);
  }
  let place: { workflow: Workflow; file: string } | undefined = { workflow, file };
  let before = "";
  for (const id of name.split("/")) {
    if (place === undefined)
      return problem("unknown-node", `--approve names "${name}"; "${before}" is no subflow, so it has no nodes.`);
    const known: string[] = place.workflow.nodes.map((node) => node.id);
    if (!known.includes(id)) {
      const where = before === "" ? "" : ` in the subflow "${before}"`;
      return problem("unknown-node", `--approve names "${name}"; no node${where} has that id.${didYouMean(id, known)}`);
    }
    before = before === "" ? id : `${before}/${id}`;
    place = inside(place, id, subflows);
  }
  return place === undefined ? undefined : onlyTheSubflow(name, place.workflow);
}

/** V1 for a subflow itself: its nodes ask, it does not. */
function onlyTheSubflow(name: string, { nodes }: Workflow): Problem {
  const first = nodes.find((node) => node.type === "cli" && node.data.needsUserApproval) ?? nodes[0];
  const says = `--approve names "${name}", which is a subflow: what asks are the nodes inside it.`;
  return problem(
    "unknown-node",
    says,
    `Name the node, as in "--approve ${name}/${first?.id ?? "NODE"}", or use --yes.`,
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

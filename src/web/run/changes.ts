// changes: what differs between the document that a run recorded and another text of it, by node. Pure.
//   C1. A retry of an edited file starts at the first edited node that had succeeded, otherwise at the failure.

import type { RunEvent } from "../../scheduler/event.ts";
import type { Workflow } from "../../workflow/model.ts";
import { parseWorkflow } from "../../workflow/parse.ts";
import { compareGraphs, shownTitle } from "../compare/graphs.ts";
import { isSame } from "../document/equal.ts";
import type { RunModel } from "./run-model.ts";

type Started = Extract<RunEvent, { type: "run.started" }>;

export interface FileChanges {
  /** Nodes that changed or were added. */
  nodes: readonly { id: string; title: string }[];
  /** Other changes, in words: "its edges", "lib.flow.yaml". */
  others: readonly string[];
  /** The file has errors, so only the recorded document can run. */
  isBroken: boolean;
}

export const NO_CHANGES: FileChanges = { nodes: [], others: [], isBroken: false };

export function isChanged({ nodes, others, isBroken }: FileChanges): boolean {
  return nodes.length + others.length > 0 && !isBroken;
}

/** `texts`: the files of the workflow and its subflows as they are now, by the path in the record. */
export function changesSince(started: Started, texts: Readonly<Record<string, string | undefined>>): FileChanges {
  const { file, text } = started.workflow;
  const now = texts[file];
  if (now === undefined) return NO_CHANGES;
  const changes =
    now === text ? NO_CHANGES : changesBetween(recordedWorkflow(started), parseWorkflow(now, file).workflow);
  const inside = Object.entries(started.subflows ?? {}).filter(([path, then]) => {
    const other = texts[path];
    if (other === undefined || other === then) return false;
    const changes = changesBetween(parseWorkflow(then, path).workflow, parseWorkflow(other, path).workflow);
    return changes.isBroken || isChanged(changes);
  });
  return { ...changes, others: [...changes.others, ...inside.map(([path]) => path.split("/").at(-1) ?? path)] };
}

/** `now` is undefined if it cannot run. */
export function changesBetween(then: Workflow | undefined, now: Workflow | undefined): FileChanges {
  if (then === undefined || now === undefined) return { ...NO_CHANGES, isBroken: now === undefined };
  const { nodes, edges } = compareGraphs(then, now);
  const others = nodes.flatMap(({ kind, before }) => (kind === "removed" ? [`without ${shownTitle(before!)}`] : []));
  if (edges.length > 0) others.push("its edges");
  if (!isSame(rest(then), rest(now))) others.push("its settings");
  const edited = nodes.flatMap(({ after }) =>
    after === undefined ? [] : [{ id: after.id, title: shownTitle(after) }],
  );
  return { nodes: edited, others, isBroken: false };
}

const known = new WeakMap<Started, Workflow>();

/** The document that the run recorded, parsed once. */
export function recordedWorkflow(started: Started): Workflow | undefined {
  const workflow = known.get(started) ?? parseWorkflow(started.workflow.text, started.workflow.file).workflow;
  if (workflow !== undefined) known.set(started, workflow);
  return workflow;
}

const SHOWN = 3;

/** "Publish the report", "Fetch, Join and 2 more". */
export function changesWords({ nodes, others }: FileChanges): string {
  const names = [...nodes.map(({ title }) => title), ...others];
  const more = names.length - SHOWN;
  if (more > 0) return `${names.slice(0, SHOWN).join(", ")} and ${more} more`;
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** C1. In a loop, the failed iteration is retried, and the ones before it are kept. */
export function retryFrom(model: RunModel, edits: FileChanges): string {
  const { failure, graph } = model;
  const edited = new Set(edits.nodes.map(({ id }) => id));
  const first = graph.nodes.find(
    ({ id, index, loops }) =>
      loops.length === 0 && !graph.loops.has(index) && edited.has(id) && model.node(id)?.status === "succeeded",
  );
  return first?.id ?? failure?.path ?? "";
}

function rest({ layout: _layout, nodes: _nodes, edges: _edges, ...others }: Workflow): object {
  return others;
}

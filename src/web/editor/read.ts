// read: what the parts of the editor read from a document: its drawing, and the node that each problem belongs to.

import type { Point } from "../../workflow/drawing/layout.ts";
import type { Workflow, WorkflowNode } from "../../workflow/model.ts";
import type { Badge } from "../canvas/card.tsx";
import { type CanvasModel, canvasModel } from "../canvas/model.ts";
import type { Finding } from "../code/places.ts";
import { type Doc, linksOf, nodesOf, type PlainNode, withBases } from "../document/index.ts";

const EMPTY: Workflow = { curlew: 1, name: "", inputs: {}, secrets: [], finally: [], nodes: [], edges: [] };

/**
 * Accepts incomplete documents: invalid nodes are drawn as far as possible. `seen` has the earlier positions of nodes
 * without one in the file.
 */
export function drawingOf(doc: Doc, seen?: ReadonlyMap<string, Point>): CanvasModel {
  const plain = doc.plain ?? {};
  const nodes = [...new Map(nodesOf(plain).map((node) => [node.id, whole(node)])).values()];
  const edges = linksOf(plain.edges).map(({ source, target, handle }) => ({
    source,
    target,
    sourceHandle: handle,
  }));
  const workflow = doc.parsed.draft?.workflow ?? EMPTY;
  return canvasModel({ nodes, edges, layout: plain.layout, seen }, withBroken(workflow, nodes));
}

/** Includes fields from YAML merge keys. */
function whole(node: PlainNode): PlainNode {
  const data = withBases(node.data ?? {});
  return node.data === undefined || data === node.data ? node : { ...node, data };
}

/** A node with an invalid field stays in the graph, so that the loop around it stays a loop. */
function withBroken(workflow: Workflow, nodes: readonly PlainNode[]): Workflow {
  if (workflow.nodes.length === nodes.length) return workflow;
  const whole = new Map(workflow.nodes.map((node) => [node.id, node]));
  return { ...workflow, nodes: nodes.map(({ id, type }) => whole.get(id) ?? standIn(id, type)) };
}

/** A node of the same kind without its fields, which is enough for the graph. */
function standIn(id: string, type: string): WorkflowNode {
  switch (type) {
    case "loop-start":
      return { id, type, data: { title: id, iterations: 1 } };
    case "loop-end":
    case "start":
      return { id, type, data: { title: id } };
    case "if":
      return { id, type, data: { title: id, content: "true" } };
    default:
      return { id, type: "text", data: { title: id, content: "" } };
  }
}

/** The id of the node that a problem is about, found by its index in the document's list. */
export function nodeOfFinding(doc: Doc, { path }: Pick<Finding, "path">): string | undefined {
  const [first, index] = path;
  if (first !== "nodes" || typeof index !== "number" || !Array.isArray(doc.plain?.nodes)) return undefined;
  const node: unknown = doc.plain.nodes[index];
  return typeof node === "object" && node !== null && "id" in node && typeof node.id === "string" ? node.id : undefined;
}

export type Badges = ReadonlyMap<string, Badge>;

/** `idOf` finds the node of a problem. Unchanged badges keep the objects of `before`, so that nothing is redrawn. */
export function badgesOf<Found extends Pick<Finding, "severity" | "message">>(
  findings: readonly Found[],
  idOf: (finding: Found, index: number) => string | undefined,
  before: Badges,
): Badges {
  const badges = new Map<string, Badge>();
  for (const [index, finding] of findings.entries()) {
    const id = idOf(finding, index);
    if (id === undefined) continue;
    const known = badges.get(id) ?? { errors: 0, warnings: 0, message: finding.message };
    if (finding.severity === "error") badges.set(id, { ...known, errors: known.errors + 1 });
    else badges.set(id, { ...known, warnings: known.warnings + 1 });
  }
  let isSame = badges.size === before.size;
  for (const [id, badge] of badges) {
    const old = before.get(id);
    if (old !== undefined && JSON.stringify(old) === JSON.stringify(badge)) badges.set(id, old);
    else isSame = false;
  }
  return isSame ? before : badges;
}

export function variableNames(doc: Doc): Set<string> {
  return new Set(nodesOf(doc.plain ?? {}).map((node) => String(node.data?.variableName)));
}

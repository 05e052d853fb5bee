// read: what the parts of the editor read from a document: its drawing, and the node that each problem belongs to.

import { limits } from "../../base/limits.ts";
import type { Point } from "../../workflow/drawing/layout.ts";
import { analyze, type Graph } from "../../workflow/graph.ts";
import { isNodeType, knows } from "../../workflow/kinds/index.ts";
import type { Workflow, WorkflowNode } from "../../workflow/model.ts";
import type { ParsedWorkflow } from "../../workflow/parse.ts";
import { longForm } from "../../workflow/short-form.ts";
import type { Badge } from "../canvas/card.tsx";
import { type CanvasModel, canvasModel } from "../canvas/model.ts";
import type { Finding } from "../code/places.ts";
import { isMapValue } from "../document/equal.ts";
import { type Doc, linksOf, nodesOf, type Plain, type PlainNode } from "../document/index.ts";
import { asNode } from "../document/plain.ts";

const EMPTY: Workflow = { curlew: 1, name: "", inputs: {}, secrets: [], finally: [], nodes: [], edges: [] };

/**
 * Accepts incomplete documents: invalid nodes are drawn as far as possible. `seen` has the earlier positions of nodes
 * without one in the file.
 */
export function drawingOf(doc: Doc, seen?: ReadonlyMap<string, Point>): CanvasModel {
  const plain = doc.plain ?? {};
  const nodes = [...new Map(drawnNodes(plain).map((node) => [node.id, node])).values()];
  const edges = linksOf(plain.edges).map(({ source, target, handle }) => ({
    source,
    target,
    sourceHandle: handle,
  }));
  const graph = sketchOf(doc.parsed, plain);
  return canvasModel({ nodes, edges, layout: plain.layout, seen }, graph.workflow, graph);
}

/** Also nodes whose keys contradict each other or do not say a type. They can only be corrected in the text. */
function drawnNodes(plain: Plain): PlainNode[] {
  const items: unknown[] = Array.isArray(plain.nodes) ? plain.nodes : [];
  return items.flatMap((item): PlainNode[] => {
    const node = asNode(item);
    if (node !== undefined) return [node];
    if (!isMapValue(item) || typeof item.id !== "string") return [];
    const { type = "", data } = longForm(item);
    return [{ id: item.id, type: String(type), data: isMapValue(data) ? data : undefined }];
  });
}

/** The graph of a document of which only some parts can be read. `raw` is the document as plain data. */
export function sketchOf(parsed: ParsedWorkflow, raw: unknown): Graph {
  const known = new Map(parsed.draft?.workflow.nodes.map((node) => [node.id, node]));
  const list = isMapValue(raw) && Array.isArray(raw.nodes) ? raw.nodes.slice(0, limits.nodesMax) : [];
  const seen = new Set<string>();
  const nodes = list.flatMap((item): WorkflowNode[] => {
    if (!isMapValue(item) || typeof item.id !== "string" || seen.has(item.id)) return [];
    seen.add(item.id);
    return [known.get(item.id) ?? bareNode(item.id, item)];
  });
  return analyze({ ...EMPTY, ...parsed.draft?.workflow, nodes }).graph;
}

/** The parts of an invalid node that names and loops need. */
function bareNode(id: string, item: Record<string, unknown>): WorkflowNode {
  const given = isMapValue(item.data) ? item.data : {};
  const type = typeof item.type === "string" && isNodeType(item.type) ? item.type : "start";
  const data: Record<string, unknown> = { title: text(given.title) ?? id, content: text(given.content) ?? "" };
  for (const key of ["loopVariable", "as", "items", "emit"]) if (text(given[key])) data[key] = given[key];
  if (knows({ type }, "variableName")) data.variableName = text(given.variableName) ?? "";
  if (given.secret === true) data.secret = true;
  const statics = isMapValue(given.env) && isMapValue(given.env.static) ? given.env.static : undefined;
  if (statics !== undefined)
    data.env = { static: Object.fromEntries(Object.entries(statics).map(([name, value]) => [name, String(value)])) };
  return { id, type, data } as unknown as WorkflowNode;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
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
    if (id === undefined || finding.severity === "info") continue;
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

// graphs: what differs between the graphs of two versions of a workflow. Pure.
//   G1. Only differences that a run notices count: comments, spelling and positions do not.
//   G2. A node with another id but the same type and fields is renamed. Its title may follow the id.
//   G3. The order of the edges into a node belongs to the node, because `${1}` and `${2}` name them.

import { visibleLine } from "../../base/visible.ts";
import type { Edge, Workflow, WorkflowNode } from "../../workflow/model.ts";
import { titleFromId } from "../../workflow/short-form.ts";
import { type ChangeKind, edgeKey } from "../canvas/overlay.ts";
import { isSame } from "../document/equal.ts";
import { merged } from "./runs.ts";

export interface NodeChange {
  kind: ChangeKind;
  /** Absent: the node was added. */
  before?: WorkflowNode;
  /** Absent: the node was removed. */
  after?: WorkflowNode;
}

export interface EdgeChange {
  kind: "added" | "removed";
  /** With the new ids of renamed nodes. */
  edge: Edge;
}

export interface GraphChanges {
  /** In the order of the newer version. A removed node follows the node that it followed. */
  nodes: readonly NodeChange[];
  edges: readonly EdgeChange[];
  /** All edges of the older version, with the new ids of renamed nodes. */
  edgesThen: readonly Edge[];
}

export function compareGraphs(then: Workflow, now: Workflow): GraphChanges {
  const newIds = renamed(then.nodes, now.nodes);
  const idNow = (id: string): string => newIds.get(id) ?? id;
  const before = new Map(then.nodes.map((node) => [idNow(node.id), node]));
  const after = new Map(now.nodes.map((node) => [node.id, node]));
  const edgesThen = then.edges.map((edge) => ({ ...edge, source: idNow(edge.source), target: idNow(edge.target) }));
  const [had, has] = [edgesThen, now.edges].map((edges) => new Set(edges.map(edgeKey)));
  const isKept = (edge: Edge): boolean => had!.has(edgeKey(edge)) && has!.has(edgeKey(edge));
  const [orderThen, orderNow] = [edgesThen, now.edges].map((edges) => parentsOf(edges.filter(isKept)));
  const nodes = merged([...after.keys()], [...before.keys()]).flatMap((id): NodeChange[] => {
    const [was, is] = [before.get(id), after.get(id)];
    if (was === undefined) return [{ kind: "added", after: is }];
    if (is === undefined) return [{ kind: "removed", before: was }];
    if (was.id !== is.id) return [{ kind: "renamed", before: was, after: is }];
    const isEqual = isSame(meaningOf(was), meaningOf(is)) && isSame(orderThen!.get(id), orderNow!.get(id));
    return isEqual ? [] : [{ kind: "changed", before: was, after: is }];
  });
  const edges: EdgeChange[] = [
    ...now.edges.flatMap((edge) => (isKept(edge) ? [] : [{ kind: "added", edge } as const])),
    ...edgesThen.flatMap((edge) => (isKept(edge) ? [] : [{ kind: "removed", edge } as const])),
  ];
  return { nodes, edges, edgesThen };
}

/** G2. Old ids with the new ones. */
function renamed(then: readonly WorkflowNode[], now: readonly WorkflowNode[]): Map<string, string> {
  const [idsThen, idsNow] = [then, now].map((nodes) => new Set(nodes.map(({ id }) => id)));
  const added = now.filter(({ id }) => !idsThen!.has(id));
  const ids = new Map<string, string>();
  for (const node of then) {
    if (idsNow!.has(node.id)) continue;
    const at = added.findIndex((other) => isSame(untitled(node), untitled(other)));
    if (at >= 0) ids.set(node.id, added.splice(at, 1)[0]!.id);
  }
  return ids;
}

export function shownTitle({ id, data }: WorkflowNode): string {
  return visibleLine(data.title || titleFromId(id));
}

function meaningOf({ type, data }: WorkflowNode): object {
  return { type, data };
}

function untitled({ type, data }: WorkflowNode): object {
  const { title: _, ...others } = data;
  return { type, data: others };
}

/** G3. The sources of the edges into each node. */
function parentsOf(edges: readonly Edge[]): Map<string, string[]> {
  const parents = new Map<string, string[]>();
  for (const edge of edges) parents.set(edge.target, [...(parents.get(edge.target) ?? []), edgeKey(edge)]);
  return parents;
}

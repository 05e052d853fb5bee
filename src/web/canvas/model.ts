// model: what the canvas draws, from a workflow. Pure.
//   M1. Sizes are known, so nothing is measured. Nodes are in topological order, which is also the order of the Tab
//       key.
//   M2. A loop is one box around its body. Its start and end are ports of the box and have no cards.
//   M3. An incomplete node is drawn as far as possible.
//   M4. An unchanged node keeps its card object, so that it is not redrawn.

import { visibleLine } from "../../base/visible.ts";
import {
  type Drawing,
  type DrawnEdge,
  type DrawnLoop,
  drawnLoops,
  layout,
  type Point,
  wiresOf,
} from "../../workflow/drawing/layout.ts";
import { analyze, type Graph, type GraphNode, type Stage } from "../../workflow/graph.ts";
import { inOrder } from "../../workflow/graph-order.ts";
import { isNodeType, portsOf } from "../../workflow/kinds/index.ts";
import type { Edge, Workflow } from "../../workflow/model.ts";
import { titleFromId } from "../../workflow/short-form.ts";
import { isSame } from "../document/equal.ts";
import { usesParent } from "./fed.ts";
import { edgeKey, referenceKey } from "./overlay.ts";
import { factsOf, iconOf, previewOf } from "./words.ts";

export interface CanvasInput {
  nodes: readonly { id: string; type: string; data?: unknown }[];
  edges: readonly Edge[];
  layout?: unknown;
  /** Positions to keep for nodes that have none in the file. */
  seen?: ReadonlyMap<string, Point>;
}

export interface CardNode {
  id: string;
  type: string;
  /** Its type, or `http` for a command that calls an API. */
  icon: string;
  title: string;
  preview: string;
  facts: string;
  /** Handles with outgoing edges. "" is the plain one. */
  outs: readonly string[];
  /** Whether an edge leaves by `error`. If so, its port is always shown, otherwise only when it could be used. */
  fails: boolean;
  /** Whether the node cannot have incoming edges. */
  isStart: boolean;
  /** Whether the value of a parent is used. */
  isFed: boolean;
  /** A node that runs at the end. */
  stage?: Exclude<Stage, "nodes">;
  inputs: number;
  outputs: number;
  /** The start of the loop whose box contains the node. */
  loop?: string;
}

export interface LoopShape extends DrawnLoop {
  start: CardNode;
  end: CardNode;
}

export interface CanvasEdge extends DrawnEdge {
  /** Names the value that a reference uses: `${posts}`. */
  label?: string;
}

export interface CanvasModel extends Drawing {
  edges: readonly CanvasEdge[];
  /** In topological order, without the starts and ends of drawn loops. */
  cards: readonly CardNode[];
  byId: ReadonlyMap<string, CardNode>;
  loops: ReadonlyMap<string, LoopShape>;
  positions: ReadonlyMap<string, Point>;
  /** Nodes without a position in the file. */
  unplaced: readonly string[];
}

/** Draws the nodes of a workflow. Pass its graph to avoid analysing twice. */
export function canvasModel(input: CanvasInput, workflow: Workflow, known?: Graph): CanvasModel {
  const graph = known ?? analyze(workflow).graph;
  const cards = new Map<string, CardNode>();
  for (const node of input.nodes) {
    const known = graph.nodes[graph.indexOf.get(node.id) ?? -1];
    if (known !== undefined) cards.set(node.id, cardOf(node, known, graph));
  }
  const { loops, startOf } = loopsOf(graph, cards);
  const order = inOrder(graph.nodes, (node) => node.children).map((index) => graph.nodes[index]!.id);
  const edges = edgesOf(input.edges, graph, cards);
  const given = placesOf(input.layout, cards);
  const unplaced = order.filter((id) => !given.has(id));
  const drawn = order.flatMap((id) => (loops.has(id) || startOf.has(id) ? [] : (cards.get(id) ?? [])));
  const positions =
    unplaced.length === 0 ? given : layout({ order, edges, loops, startOf }, given, keptOf(unplaced, input.seen));
  return { cards: drawn, byId: cards, loops, startOf, edges, positions, order, unplaced };
}

/** Card objects by the node of the document (M4). */
const CARDS = new WeakMap<object, CardNode>();

function cardOf(node: CanvasInput["nodes"][number], known: GraphNode, graph: Graph): CardNode {
  const { parents, outgoing, loop, stage } = known;
  const before = CARDS.get(node);
  const made: CardNode = {
    ...(before ?? saidBy(node)),
    isFed: parents.some((_, at) => usesParent(known, at)),
    fails: outgoing.some(({ handle }) => handle === "error"),
    inputs: parents.length,
    outputs: outgoing.length,
    loop: loop === -1 || graph.loops.get(loop)?.listener ? undefined : graph.nodes[loop]!.id,
    stage: stage === "nodes" ? undefined : stage,
  };
  if (before !== undefined && isSame(before, made)) return before;
  CARDS.set(node, made);
  return made;
}

function dataOf({ data }: CanvasInput["nodes"][number]): Record<string, unknown> {
  return typeof data === "object" && data !== null ? (data as Record<string, unknown>) : {};
}

/** The parts of a card that depend on the node alone. */
function saidBy(node: CanvasInput["nodes"][number]) {
  const data = dataOf(node);
  return {
    id: node.id,
    type: node.type,
    icon: iconOf(node.type, data),
    title: typeof data.title === "string" && data.title.trim() !== "" ? visibleLine(data.title) : titleFromId(node.id),
    preview: previewOf(node.type, data),
    facts: factsOf(node.type, data),
    outs: isNodeType(node.type) ? portsOf(node.type).map((port) => port ?? "") : [""],
    isStart: node.type === "start",
  };
}

function loopsOf(graph: Graph, cards: ReadonlyMap<string, CardNode>) {
  const loops = new Map<string, LoopShape>();
  const startOf = new Map<string, string>();
  for (const [id, loop] of drawnLoops(graph)) {
    const [start, end] = [cards.get(id), cards.get(loop.end.id)];
    if (start === undefined || end === undefined) continue;
    loops.set(id, { ...loop, start, end });
    startOf.set(end.id, id);
  }
  return { loops, startOf };
}

function edgesOf(edges: readonly Edge[], graph: Graph, cards: ReadonlyMap<string, CardNode>): CanvasEdge[] {
  const drawn = new Map<string, CanvasEdge>();
  for (const edge of edges) {
    const { source, target, sourceHandle: handle } = edge;
    if (cards.has(source) && cards.has(target))
      drawn.set(edgeKey(edge), { key: edgeKey(edge), source, target, kind: "edge", handle });
  }
  for (const wire of wiresOf(graph)) {
    const [source, target] = [graph.nodes[wire.source]!, graph.nodes[wire.target]!];
    if (wire.kind === "edge" || !cards.has(source.id) || !cards.has(target.id)) continue;
    // A loop's start has an implicit wait, which the edge into its body already shows.
    if (wire.kind === "wait" && target.node.type === "loop-start") continue;
    const key = referenceKey(source.id, target.id);
    drawn.set(key, { key, source: source.id, target: target.id, kind: wire.kind, label: labelOf(source, target) });
  }
  return [...drawn.values()];
}

/** How the target names the value. */
function labelOf({ id, node }: GraphNode, target: GraphNode): string {
  const stdin = "stdin" in target.node.data ? target.node.data.stdin : undefined;
  if (stdin?.source === "node" && stdin.node === id) return "stdin";
  const name = "variableName" in node.data ? node.data.variableName : id;
  return `\${${name.length > LABEL_CHARS ? `${name.slice(0, LABEL_CHARS)}…` : name}}`;
}

const LABEL_CHARS = 20;

function keptOf(unplaced: readonly string[], seen: CanvasInput["seen"]): Map<string, Point> {
  return new Map(unplaced.flatMap((id): [string, Point][] => (seen?.has(id) ? [[id, seen.get(id)!]] : [])));
}

function placesOf(layout: unknown, cards: ReadonlyMap<string, CardNode>): Map<string, Point> {
  const places = new Map<string, Point>();
  if (typeof layout !== "object" || layout === null) return places;
  for (const [id, place] of Object.entries(layout))
    if (cards.has(id) && Array.isArray(place) && typeof place[0] === "number" && typeof place[1] === "number")
      places.set(id, { x: place[0], y: place[1] });
  return places;
}

// model: what the canvas draws, read off a document (spec ui.md 6.2, 6.6). Pure; positions come from the layout or from layered.ts.
//   M1. Sizes are known: nothing is measured. Nodes stand in topological order, which is the order of the keyboard too.
//   M2. A loop is one box around its body: its start and end are ports of the box, not cards of their own.
//   M3. A node that is half written is drawn as far as it goes.
//   M4. Of a node that an edit did not touch the card is the same object, as long as it would say the same: nobody looks at it again.

import { visibleLine } from "../../base/visible.ts";
import { analyze, type Graph } from "../../workflow/graph.ts";
import { inOrder } from "../../workflow/graph-order.ts";
import type { Edge, Workflow } from "../../workflow/model.ts";
import { isSame } from "../document/equal.ts";
import { layered } from "./layered.ts";
import { factsOf, previewOf } from "./words.ts";

/** For what has no place in the file. */
export interface Drawn {
  /** It stays there. */
  seen?: ReadonlyMap<string, Point>;
  /** It gets a free place there, or below. */
  near?: ReadonlyMap<string, Point>;
}

export interface CanvasInput extends Drawn {
  nodes: readonly { id: string; type: string; data?: unknown }[];
  edges: readonly Edge[];
  layout?: unknown;
}

export interface Point {
  x: number;
  y: number;
}

export interface CardNode {
  id: string;
  type: string;
  title: string;
  preview: string;
  facts: string;
  /** Handles that edges leave by; "" is the plain one. */
  outs: readonly string[];
  /** An edge leaves by `error`: its port is shown, else it is for whoever is about to use it. */
  fails: boolean;
  /** Nothing may lead to it. */
  isStart: boolean;
  inputs: number;
  outputs: number;
  /** Loop start whose box it lies in. */
  loop?: string;
}

export interface LoopShape {
  start: CardNode;
  end: CardNode;
  /** Everything inside of it at any depth, inner loops' ends included. */
  inside: readonly string[];
  /** Directly inside: cards, and inner loops by their start. */
  body: readonly string[];
  parent?: string;
  depth: number;
}

export interface CanvasEdge {
  key: string;
  source: string;
  target: string;
  handle?: string;
  /** `wait`: it names the value of the other, no edge is written (drawn dashed). */
  kind: "edge" | "wait";
}

export interface CanvasModel {
  /** In topological order; starts and ends of drawn loops are not among the cards. */
  cards: readonly CardNode[];
  byId: ReadonlyMap<string, CardNode>;
  loops: ReadonlyMap<string, LoopShape>;
  /** Loop end to loop start. */
  startOf: ReadonlyMap<string, string>;
  edges: readonly CanvasEdge[];
  positions: ReadonlyMap<string, Point>;
  /** Ids, topological. */
  order: readonly string[];
  /** Without a place in the file. */
  unplaced: readonly string[];
}

export { CARD } from "./sizes.ts";

/** Of a whole workflow, or of what can be read of a document that is being written. `graph` saves analysing twice. */
export function canvasModel(input: CanvasInput, workflow: Workflow, known?: Graph): CanvasModel {
  const graph = known ?? analyze(workflow).graph;
  const cards = new Map<string, CardNode>();
  for (const node of input.nodes) cards.set(node.id, cardOf(node, graph, input.edges));
  const { loops, startOf } = loopsOf(graph, cards);
  const order = orderOf(graph, [...cards.keys()]);
  const edges = edgesOf(input.edges, graph, cards);
  const given = placesOf(input.layout, cards);
  const unplaced = order.filter((id) => !given.has(id));
  const drawn = order.flatMap((id) => (loops.has(id) || startOf.has(id) ? [] : (cards.get(id) ?? [])));
  const positions =
    unplaced.length === 0
      ? given
      : layered({ order, edges, loops, startOf }, withSeen(given, unplaced, input), input.near);
  return { cards: drawn, byId: cards, loops, startOf, edges, positions, order, unplaced };
}

/** M4. By the node of the document. */
const CARDS = new WeakMap<object, CardNode>();

function cardOf(node: CanvasInput["nodes"][number], graph: Graph, edges: readonly Edge[]): CardNode {
  const before = CARDS.get(node);
  const known = graph.nodes[graph.indexOf.get(node.id) ?? -1];
  const made: CardNode = {
    ...(before ?? saidBy(node)),
    fails: known?.outgoing.some(({ handle }) => handle === "error") ?? false,
    inputs: known?.parents.length ?? edges.filter(({ target }) => target === node.id).length,
    outputs: known?.outgoing.length ?? edges.filter(({ source }) => source === node.id).length,
  };
  if (known === undefined || known.loop === -1 || graph.loops.get(known.loop)?.listener) delete made.loop;
  else made.loop = graph.nodes[known.loop]!.id;
  if (before !== undefined && isSame(before, made)) return before;
  CARDS.set(node, made);
  return made;
}

/** What stands on its card without a look at any other. */
function saidBy(node: CanvasInput["nodes"][number]) {
  const data = typeof node.data === "object" && node.data !== null ? (node.data as Record<string, unknown>) : {};
  return {
    id: node.id,
    type: node.type,
    title: typeof data.title === "string" && data.title.trim() !== "" ? visibleLine(data.title) : node.id,
    preview: previewOf(node.type, data),
    facts: factsOf(node.type, data),
    outs: outsOf(node.type),
    isStart: node.type === "start",
  };
}

export function outsOf(type: string): readonly string[] {
  if (type === "if") return ["true", "false"];
  if (type === "cli" || type === "llm" || type === "subflow") return ["", "error"];
  return [""];
}

function loopsOf(graph: Graph, cards: ReadonlyMap<string, CardNode>) {
  const loops = new Map<string, LoopShape>();
  const startOf = new Map<string, string>();
  for (const loop of graph.loops.values()) {
    const start = cards.get(graph.nodes[loop.start]?.id ?? "");
    const end = cards.get(graph.nodes[loop.end]?.id ?? "");
    if (loop.listener || start === undefined || end === undefined) continue;
    const body = graph.nodes.filter((node) => node.loop === loop.start);
    const inside = graph.nodes.filter((node) => node.loops.includes(loop.start)).map(({ id }) => id);
    const parent = graph.nodes[loop.parent];
    loops.set(start.id, {
      start,
      end,
      inside,
      body: body.filter((node) => !graph.startOf.has(node.index)).map(({ id }) => id),
      ...(parent === undefined || graph.loops.get(loop.parent)?.listener ? {} : { parent: parent.id }),
      depth: loop.inside.length - 1,
    });
    startOf.set(end.id, start.id);
  }
  return { loops, startOf };
}

function orderOf(graph: Graph, ids: readonly string[]): string[] {
  const sorted = inOrder(graph.nodes, (node) => node.children).map((index) => graph.nodes[index]!.id);
  const seen = new Set(sorted);
  return [...sorted, ...ids.filter((id) => !seen.has(id))];
}

function edgesOf(edges: readonly Edge[], graph: Graph, cards: ReadonlyMap<string, CardNode>): CanvasEdge[] {
  const result: CanvasEdge[] = [];
  const seen = new Set<string>();
  for (const { source, target, sourceHandle } of edges) {
    const key = `${source}${sourceHandle === undefined ? "" : `:${sourceHandle}`}->${target}`;
    if (seen.has(key) || !cards.has(source) || !cards.has(target)) continue;
    seen.add(key);
    result.push({ key, source, target, kind: "edge", ...(sourceHandle === undefined ? {} : { handle: sourceHandle }) });
  }
  for (const node of graph.nodes)
    for (const wait of node.waits) {
      const source = graph.nodes[wait]!.id;
      const linked = node.parents.some((parent) => parent.source === wait);
      if (linked || node.node.type === "loop-start" || !cards.has(source) || !cards.has(node.id)) continue;
      result.push({ key: `${source}~>${node.id}`, source, target: node.id, kind: "wait" });
    }
  return result;
}

function withSeen(
  given: ReadonlyMap<string, Point>,
  unplaced: readonly string[],
  { seen }: Drawn,
): ReadonlyMap<string, Point> {
  if (seen === undefined || seen.size === 0) return given;
  return new Map([...given, ...unplaced.flatMap((id) => (seen.has(id) ? [[id, seen.get(id)!] as const] : []))]);
}

function placesOf(layout: unknown, cards: ReadonlyMap<string, CardNode>): Map<string, Point> {
  const places = new Map<string, Point>();
  if (typeof layout !== "object" || layout === null) return places;
  for (const [id, place] of Object.entries(layout))
    if (cards.has(id) && Array.isArray(place) && typeof place[0] === "number" && typeof place[1] === "number")
      places.set(id, { x: place[0], y: place[1] });
  return places;
}

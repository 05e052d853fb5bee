// layout: where each node of a graph stands: layers from top to bottom, a loop as a box with its body inside. Pure.
//   Y1. Edges point downwards; nodes of one layer do not overlap; a box holds its whole body and nothing else.
//   Y2. The work grows with nodes and edges: beyond BENDS_MAX a long edge gets no bends of its own and runs straight.
// Within a scope (the whole graph, or one loop's body) an inner loop is one item, laid out before the scope around it.

import type { Graph, GraphNode, Loop } from "../../workflow/graph.ts";
import { type Item, place, untangle } from "./layers.ts";

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Wire {
  source: number;
  target: number;
  handle?: string;
  /** Waits because it names a value; drawn dashed. */
  implicit: boolean;
  /** From the source's lower edge to the target's upper edge. */
  points: { x: number; y: number }[];
}

export interface Layout {
  width: number;
  height: number;
  /** By node index. */
  nodes: Box[];
  /** By index of the loop start. */
  loops: Map<number, Box>;
  wires: Wire[];
}

export interface Sizes {
  node(node: GraphNode): { width: number; height: number };
  gapX: number;
  gapY: number;
  /** Between a loop's box and its body; `head` is above, for its name. */
  padding: number;
  head: number;
}

const BENDS_MAX = 20_000;

interface Scoped {
  width: number;
  height: number;
  /** Relative to the scope. */
  places: Map<number, Box>;
  boxes: Map<number, Box>;
  bends: Map<string, { x: number; y: number }[]>;
}

export function layOut(graph: Graph, sizes: Sizes): Layout {
  const whole = layOutScope(-1, graph, sizes);
  const nodes = graph.nodes.map((node) => whole.places.get(node.index) ?? { x: 0, y: 0, width: 0, height: 0 });
  const wires = wiresOf(graph).map((wire) => ({ ...wire, points: pointsOf(wire, nodes, whole.bends) }));
  return { width: whole.width, height: whole.height, nodes, loops: whole.boxes, wires };
}

/** Every edge of the document, then every wait for a named value. */
export function wiresOf(graph: Graph): Omit<Wire, "points">[] {
  const wires: Omit<Wire, "points">[] = [];
  for (const node of graph.nodes) {
    for (const { source, handle } of node.parents)
      wires.push({ source, target: node.index, implicit: false, ...(handle === undefined ? {} : { handle }) });
  }
  for (const node of graph.nodes) {
    const drawn = new Set(node.parents.map((parent) => parent.source));
    for (const source of node.waits) if (!drawn.has(source)) wires.push({ source, target: node.index, implicit: true });
  }
  return wires;
}

function layOutScope(loop: number, graph: Graph, sizes: Sizes): Scoped {
  const result: Scoped = { width: 0, height: 0, places: new Map(), boxes: new Map(), bends: new Map() };
  const { items, inner } = itemsOf(loop, graph, sizes, result);
  const bendsOf = connect(loop, items, graph);
  const layers = layersOf(items);
  untangle(layers);
  place(layers, sizes, result);
  for (const [key, bends] of bendsOf)
    result.bends.set(
      key,
      bends.flatMap((bend) => [
        { x: bend.x, y: bend.y },
        { x: bend.x, y: bend.y + bend.height },
      ]),
    );
  for (const item of new Set(items.values())) settle(item, inner, graph, sizes, result);
  return result;
}

/** The scope's items by node index; the start, the end and the body of an inner loop share one. */
function itemsOf(
  scope: number,
  graph: Graph,
  sizes: Sizes,
  result: Scoped,
): { items: Map<number, Item>; inner: Map<number, Scoped> } {
  const items = new Map<number, Item>();
  const inner = new Map<number, Scoped>();
  for (const node of graph.nodes) {
    if (node.loop !== scope || items.has(node.index)) continue;
    const start = graph.startOf.get(node.index);
    if (start !== undefined) continue;
    const loop = graph.loops.get(node.index);
    if (loop === undefined) items.set(node.index, itemOf(node.index, sizes.node(node)));
    else {
      const body = boxed(loop, graph, sizes);
      inner.set(node.index, body);
      const item = itemOf(node.index, body);
      items.set(node.index, item);
      if (loop.end !== -1) items.set(loop.end, item);
      for (const [key, bends] of body.bends) result.bends.set(key, bends);
    }
  }
  return { items, inner };
}

/** A loop's start on top, its body, its end below, with room for the frame around them. */
function boxed(loop: Loop, graph: Graph, sizes: Sizes): Scoped {
  const body = layOutScope(loop.start, graph, sizes);
  const start = sizes.node(graph.nodes[loop.start]!);
  const end = loop.end === -1 ? { width: 0, height: 0 } : sizes.node(graph.nodes[loop.end]!);
  const width = Math.max(body.width, start.width, end.width) + 2 * sizes.padding;
  const startY = sizes.head;
  const bodyY = startY + start.height + sizes.gapY;
  const endY = body.height === 0 ? bodyY : bodyY + body.height + sizes.gapY;
  move(body, (width - body.width) / 2, bodyY);
  body.places.set(loop.start, { x: (width - start.width) / 2, y: startY, ...start });
  if (loop.end !== -1) body.places.set(loop.end, { x: (width - end.width) / 2, y: endY, ...end });
  return { ...body, width, height: endY + end.height + sizes.padding };
}

function itemOf(node: number | undefined, { width, height }: { width: number; height: number }): Item {
  return { node, layer: 0, width, height, above: [], below: [], x: 0, y: 0, order: 0 };
}

/** Layers by the longest way from the top; bends for edges that pass layers. Answers with the bends by edge. */
function connect(scope: number, items: Map<number, Item>, graph: Graph): Map<string, Item[]> {
  // Which item of this scope a node lies in: itself, or the box of the inner loop around it.
  const itemAt = (node: GraphNode): Item | undefined => {
    if (node.loop === scope) return items.get(node.index);
    const depth = scope === -1 ? 0 : node.loops.indexOf(scope) + 1;
    return scope !== -1 && !node.loops.includes(scope) ? undefined : items.get(node.loops[depth] ?? -1);
  };
  const links: { from: Item; to: Item; key: string }[] = [];
  for (const wire of wiresOf(graph)) {
    const from = itemAt(graph.nodes[wire.source]!);
    const to = itemAt(graph.nodes[wire.target]!);
    if (from !== undefined && to !== undefined && from !== to)
      links.push({ from, to, key: `${wire.source} ${wire.target}` });
  }
  const all = [...new Set(items.values())];
  setLayers(all, links);
  lowerFinally(all, graph);
  return bend(links, items);
}

function setLayers(all: Item[], links: { from: Item; to: Item }[]): void {
  const open = new Map<Item, number>(all.map((item) => [item, 0]));
  const next = new Map<Item, Item[]>(all.map((item) => [item, []]));
  for (const { from, to } of links) {
    open.set(to, open.get(to)! + 1);
    next.get(from)!.push(to);
  }
  const queue = all.filter((item) => open.get(item) === 0);
  for (let at = 0; at < queue.length; at++) {
    const item = queue[at]!;
    for (const to of next.get(item)!) {
      to.layer = Math.max(to.layer, item.layer + 1);
      open.set(to, open.get(to)! - 1);
      if (open.get(to) === 0) queue.push(to);
    }
  }
  // What waits for nothing (a variable, say) stands just above whoever needs it first.
  const fed = new Set(links.map((link) => link.to));
  for (const item of all) {
    const below = fed.has(item) ? [] : next.get(item)!;
    if (below.length > 0)
      item.layer = below.reduce((least, to) => Math.min(least, to.layer), Number.POSITIVE_INFINITY) - 1;
  }
}

/** What runs always, at the end, stands below everything else. */
function lowerFinally(all: Item[], graph: Graph): void {
  const isFinally = (item: Item): boolean => graph.nodes[item.node!]!.finally;
  let lowest = 0;
  for (const item of all) if (!isFinally(item)) lowest = Math.max(lowest, item.layer + 1);
  for (const item of all) if (isFinally(item)) item.layer += lowest;
}

function bend(links: { from: Item; to: Item; key: string }[], items: Map<number, Item>): Map<string, Item[]> {
  const bends = new Map<string, Item[]>();
  let made = 0;
  for (const { from, to, key } of links) {
    const between = Math.max(0, to.layer - from.layer - 1);
    if (made + between > BENDS_MAX || bends.has(key)) continue;
    made += between;
    const chain: Item[] = [];
    let last = from;
    for (let layer = from.layer + 1; layer < to.layer; layer++) {
      const step = itemOf(undefined, { width: 12, height: 0 });
      step.layer = layer;
      join(last, step);
      chain.push(step);
      // Bends are items of their layer; a key that no node has keeps them apart.
      items.set(-2 - items.size, step);
      last = step;
    }
    join(last, to);
    if (chain.length > 0) bends.set(key, chain);
  }
  return bends;
}

function join(above: Item, below: Item): void {
  above.below.push(below);
  below.above.push(above);
}

function layersOf(items: Map<number, Item>): Item[][] {
  const layers: Item[][] = [];
  for (const item of new Set(items.values())) {
    const layer = layers[item.layer] ?? [];
    layers[item.layer] = layer;
    item.order = layer.length;
    layer.push(item);
  }
  return layers;
}

/** Writes where an item, and everything inside it, has come to stand. */
function settle(item: Item, inner: Map<number, Scoped>, graph: Graph, sizes: Sizes, result: Scoped): void {
  if (item.node === undefined) return;
  const x = item.x - item.width / 2;
  const body = inner.get(item.node);
  if (body === undefined) {
    result.places.set(item.node, { x, y: item.y, ...sizes.node(graph.nodes[item.node]!) });
    return;
  }
  move(body, x, item.y);
  for (const [node, box] of body.places) result.places.set(node, box);
  for (const [loop, box] of body.boxes) result.boxes.set(loop, box);
  result.boxes.set(item.node, { x, y: item.y, width: body.width, height: body.height });
}

function move(scope: Scoped, x: number, y: number): void {
  for (const each of [...scope.places.values(), ...scope.boxes.values(), ...[...scope.bends.values()].flat()]) {
    each.x += x;
    each.y += y;
  }
}

function pointsOf(
  wire: Omit<Wire, "points">,
  nodes: Box[],
  bends: Map<string, { x: number; y: number }[]>,
): { x: number; y: number }[] {
  const from = nodes[wire.source]!;
  const to = nodes[wire.target]!;
  return [
    { x: from.x + from.width / 2, y: from.y + from.height },
    ...(bends.get(`${wire.source} ${wire.target}`) ?? []),
    { x: to.x + to.width / 2, y: to.y },
  ];
}

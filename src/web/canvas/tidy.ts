// tidy: computes positions with ELK, in a worker that is loaded on first use (spec ui.md 6.5, L).
//   Y1. Loops are groups, so that no other node gets a position in their boxes. Positions are whole pixels, and the
//       upper left corner of the drawing stays where it was.

import type { ElkNode } from "elkjs";
import workerUrl from "elkjs/lib/elk-worker.min.js?url";
import { boundsOf, CARD, type Point } from "../../workflow/drawing/layout.ts";
import { startWorker } from "../app/worker.ts";
import type { CanvasModel } from "./model.ts";

interface Elk {
  layout(graph: ElkNode): Promise<ElkNode>;
}

let elk: Promise<Elk> | undefined;

function start(): Promise<Elk> {
  elk ??= import("elkjs/lib/elk-api.js").then(
    ({ default: ELK }) => new ELK({ workerFactory: () => startWorker(workerUrl) }) as unknown as Elk,
  );
  return elk;
}

const OPTIONS = {
  "elk.algorithm": "layered",
  "elk.direction": "RIGHT",
  "elk.hierarchyHandling": "INCLUDE_CHILDREN",
  "elk.layered.spacing.nodeNodeBetweenLayers": "72",
  "elk.spacing.nodeNode": "36",
  "elk.layered.considerModelOrder.strategy": "NODES_AND_EDGES",
  "elk.layered.nodePlacement.strategy": "BRANDES_KOEPF",
  "elk.layered.nodePlacement.favorStraightEdges": "true",
};

export async function tidy(model: CanvasModel): Promise<Record<string, [number, number]>> {
  const result = await (await start()).layout({
    id: "root",
    layoutOptions: OPTIONS,
    children: groups(model, undefined),
    edges: model.edges.flatMap(({ key, source, target }) => {
      const [from, to] = [shown(model, source), shown(model, target)];
      // Nodes within a box are already together, so an edge between the box and its nodes is not needed.
      if (from === to || isIn(model, to, from) || isIn(model, from, to)) return [];
      return [{ id: key, sources: [from], targets: [to] }];
    }),
  });
  const places = new Map<string, Point>();
  collect(result, 0, 0, places);
  const before = boundsOf(model, model.positions);
  const after = boundsOf(model, places);
  return Object.fromEntries(
    [...places].map(([id, { x, y }]) => [id, [Math.round(x + before.x - after.x), Math.round(y + before.y - after.y)]]),
  );
}

function shown(model: CanvasModel, id: string): string {
  return model.startOf.get(id) ?? id;
}

function isIn(model: CanvasModel, id: string, box: string): boolean {
  return model.loops.get(box)?.inside.includes(id) === true;
}

function groups(model: CanvasModel, parent: string | undefined): ElkNode[] {
  const nodes: ElkNode[] = [];
  for (const id of model.order) {
    const loop = model.loops.get(id);
    if (loop !== undefined && loop.parent === parent)
      nodes.push({
        id,
        layoutOptions: { "elk.padding": "[top=44,left=44,bottom=20,right=44]", "elk.direction": "RIGHT" },
        children: groups(model, id),
      });
    else if (loop === undefined && !model.startOf.has(id) && boxOf(model, id) === parent) nodes.push({ id, ...CARD });
  }
  return nodes;
}

function boxOf(model: CanvasModel, id: string): string | undefined {
  const loop = model.byId.get(id)?.loop;
  return loop !== undefined && model.loops.has(loop) ? loop : undefined;
}

function collect(node: ElkNode, x: number, y: number, places: Map<string, Point>): void {
  for (const child of node.children ?? []) {
    const at = { x: x + (child.x ?? 0), y: y + (child.y ?? 0) };
    places.set(child.id, at);
    collect(child, at.x, at.y, places);
  }
}

// ports: React Flow's handles for cards and boxes, and the workflow node that each handle belongs to.

import { type Node, Position } from "@xyflow/react";
import { BOX_PORT, portTop } from "../../workflow/drawing/edge-routing.ts";
import { type Box, CARD } from "../../workflow/drawing/layout.ts";
import type { CanvasEdge, CanvasModel, CardNode } from "./model.ts";

type Handles = NonNullable<Node["handles"]>;
const SIZE = 10;

export function cardHandles(card: CardNode): Handles {
  const handles: Handles = card.isStart ? [] : [port("in", "target", Position.Left, 0, CARD.height / 2)];
  for (const handle of card.outs)
    handles.push(port(handle === "" ? "out" : handle, "source", Position.Right, CARD.width, portTop(handle)));
  return handles;
}

/** `in` and `out` are on the outside of the border, `body` and `end` on the inside. */
export function boxHandles(box: Box): Handles {
  return [
    port("in", "target", Position.Left, 0, BOX_PORT.y),
    port("body", "source", Position.Right, BOX_PORT.inner, BOX_PORT.y),
    port("end", "target", Position.Left, box.width - BOX_PORT.inner, BOX_PORT.y),
    port("out", "source", Position.Right, box.width, BOX_PORT.y),
  ];
}

function port(id: string, type: "source" | "target", position: Position, x: number, y: number): Handles[number] {
  return { id, type, position, x: x - SIZE / 2, y: y - SIZE / 2, width: SIZE, height: SIZE };
}

/** The handles that an edge connects. */
export function portsOf(model: CanvasModel, edge: Pick<CanvasEdge, "source" | "target" | "handle">) {
  const closed = model.startOf.get(edge.source);
  const closes = model.startOf.get(edge.target);
  return {
    source: closed ?? edge.source,
    sourceHandle: closed !== undefined ? "out" : model.loops.has(edge.source) ? "body" : (edge.handle ?? "out"),
    target: closes ?? edge.target,
    targetHandle: closes !== undefined ? "end" : "in",
  };
}

/** The source of an edge that is dragged from a handle. */
export function sourceOf(
  model: CanvasModel,
  id: string,
  handle: string | null | undefined,
): { source: string; handle?: string } {
  const loop = model.loops.get(id);
  if (loop !== undefined) return { source: handle === "out" ? loop.end.id : id };
  return handle && handle !== "out" ? { source: id, handle } : { source: id };
}

export function targetOf(model: CanvasModel, id: string, handle: string | null | undefined): string {
  const loop = model.loops.get(id);
  return loop !== undefined && handle === "end" ? loop.end.id : id;
}

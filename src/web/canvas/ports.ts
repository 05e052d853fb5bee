// ports: where edges meet nodes, and which node of the document a handle on the screen belongs to (M1, M2 of model.ts).

import { type Node, Position } from "@xyflow/react";
import { CARD, type CanvasEdge, type CanvasModel, type CardNode } from "./model.ts";
import type { Box } from "./sizes.ts";

type Handles = NonNullable<Node["handles"]>;
const SIZE = 10;

/** For the style of a port: its place is counted from inside of the card's border. */
export function portStyleTop(outs: readonly string[], handle: string): number {
  return portTop(outs, handle) - 1;
}

/** From the top of the card, in pixels. */
function portTop(outs: readonly string[], handle: string): number {
  if (handle === "true") return CARD.height * 0.3;
  if (handle === "false") return CARD.height * 0.7;
  if (handle === "error") return CARD.height - 13;
  return outs.includes("true") ? CARD.height * 0.3 : CARD.height / 2;
}

export function cardHandles(card: CardNode): Handles {
  const handles: Handles = card.isStart ? [] : [port("in", "target", Position.Left, 0, CARD.height / 2)];
  for (const handle of card.outs)
    handles.push(
      port(handle === "" ? "out" : handle, "source", Position.Right, CARD.width, portTop(card.outs, handle)),
    );
  return handles;
}

export const PORT_Y = 56;
/** The inner ports stand beside the outer ones. */
export const INNER = 16;

/** `in` and `out` at the outside, `body` and `end` at the inside of the same border. */
export function boxHandles(box: Box): Handles {
  return [
    port("in", "target", Position.Left, 0, PORT_Y),
    port("body", "source", Position.Right, INNER, PORT_Y),
    port("end", "target", Position.Left, box.width - INNER, PORT_Y),
    port("out", "source", Position.Right, box.width, PORT_Y),
  ];
}

function port(id: string, type: "source" | "target", position: Position, x: number, y: number): Handles[number] {
  return { id, type, position, x: x - SIZE / 2, y: y - SIZE / 2, width: SIZE, height: SIZE };
}

/** The ends of an edge on the screen. */
export function endsOf(model: CanvasModel, edge: Pick<CanvasEdge, "source" | "target" | "handle">) {
  const closed = model.startOf.get(edge.source);
  const closes = model.startOf.get(edge.target);
  return {
    source: closed ?? edge.source,
    sourceHandle: closed !== undefined ? "out" : model.loops.has(edge.source) ? "body" : (edge.handle ?? "out"),
    target: closes ?? edge.target,
    targetHandle: closes !== undefined ? "end" : "in",
  };
}

/** What a person means who drags from `source` and `sourceHandle`. */
export function sourceOf(model: CanvasModel, id: string, handle: string | null | undefined) {
  const loop = model.loops.get(id);
  if (loop !== undefined) return { source: handle === "out" ? loop.end.id : loop.start.id };
  return { source: id, ...(handle && handle !== "out" ? { handle } : {}) };
}

export function targetOf(model: CanvasModel, id: string, handle: string | null | undefined): string {
  const loop = model.loops.get(id);
  return loop !== undefined && handle === "end" ? loop.end.id : id;
}

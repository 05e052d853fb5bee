// useChanges: turns React Flow's drag and selection changes into selections and positions.

import type { EdgeChange, NodeChange, NodeMouseHandler } from "@xyflow/react";
import { useEffect, useRef, useState } from "react";
import { boxesOf, type Point } from "../../workflow/drawing/layout.ts";
import { useSteady } from "../ui/use-steady.ts";
import type { CanvasProps } from "./canvas.tsx";
import type { FlowNode } from "./flow-items.ts";
import type { LinkFlowEdge } from "./link.tsx";
import type { CanvasModel } from "./model.ts";

const NONE: ReadonlySet<string> = new Set();

type Positions = ReadonlyMap<string, Point>;

export function useChanges({ model, selected, onSelect, editing }: CanvasProps, selectedEdges: ReadonlySet<string>) {
  const [dragged, setDragged] = useState<Positions>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: new positions in the workflow end the drag.
  useEffect(() => setDragged(undefined), [model.positions]);
  const positions = dragged ?? model.positions;
  // React Flow reports the nodes and then the edges of one press, before anything is rendered.
  const chosen = useRef({ nodes: selected, edges: selectedEdges });
  chosen.current = { nodes: selected, edges: selectedEdges };
  const choose = (nodes: ReadonlySet<string>, edges: ReadonlySet<string>): void => {
    chosen.current = { nodes, edges };
    onSelect([...nodes], [...edges]);
  };
  const onNodesChange = useSteady((changes: NodeChange<FlowNode>[]): void => {
    const moved = editing === undefined ? undefined : movedAfter(model, positions, changes);
    if (moved !== undefined) {
      setDragged(moved);
      const isDropped = changes.some((change) => change.type === "position" && change.dragging === false);
      const places = isDropped ? placesChanged(model.positions, moved) : {};
      if (Object.keys(places).length > 0) editing?.onMove(places);
    }
    const { nodes, edges } = chosen.current;
    const next = selectedAfter(nodes, changes, (id) => model.loops.get(id)?.end.id);
    if (next !== undefined) choose(next, next.size > 0 ? NONE : edges);
  });
  const onEdgesChange = useSteady((changes: EdgeChange<LinkFlowEdge>[]): void => {
    const { nodes, edges } = chosen.current;
    const next = selectedAfter(edges, changes);
    if (next !== undefined) choose(next.size > 0 ? NONE : nodes, next);
  });
  const onNodeClick = useSteady<Parameters<NodeMouseHandler<FlowNode>>, void>(
    ({ shiftKey, ctrlKey, metaKey }, { id }) => {
      if (selected.size > 1 && !shiftKey && !ctrlKey && !metaKey) onSelect([id], []);
    },
  );
  return { positions, handlers: { onNodesChange, onEdgesChange, onNodeClick } };
}

/** The selection after these changes, or `undefined` if it stays the same. For a loop, either end can be selected. */
function selectedAfter(
  selected: ReadonlySet<string>,
  changes: readonly (NodeChange<FlowNode> | EdgeChange<LinkFlowEdge>)[],
  endOf: (id: string) => string | undefined = () => undefined,
): ReadonlySet<string> | undefined {
  const selects = changes.filter((change) => change.type === "select");
  if (selects.length === 0) return undefined;
  const next = new Set(selected);
  for (const { id, selected: isOn } of selects) {
    const end = endOf(id) ?? id;
    if (isOn && !next.has(end)) next.add(id);
    if (!isOn) {
      next.delete(id);
      next.delete(end);
    }
  }
  return next;
}

function movedAfter(
  model: CanvasModel,
  positions: Positions,
  changes: readonly NodeChange<FlowNode>[],
): Positions | undefined {
  const moves = changes.flatMap((change) =>
    change.type === "position" && change.position !== undefined ? [{ id: change.id, to: change.position }] : [],
  );
  if (moves.length === 0) return undefined;
  const boxes = boxesOf(model, positions);
  const next = new Map(positions);
  const own = new Set(moves.map(({ id }) => id));
  for (const { id, to } of moves) {
    const loop = model.loops.get(id);
    const box = boxes.get(id);
    if (loop === undefined || box === undefined) {
      next.set(id, to);
      continue;
    }
    // The position of a box follows from its body, so moving the box moves the body.
    for (const inside of [loop.start.id, loop.end.id, ...loop.inside]) {
      const at = positions.get(inside);
      if (at !== undefined && (!own.has(inside) || inside === id))
        next.set(inside, { x: at.x + to.x - box.x, y: at.y + to.y - box.y });
    }
  }
  return next;
}

function placesChanged(before: Positions, after: Positions): Record<string, [number, number]> {
  const places: Record<string, [number, number]> = {};
  for (const [id, { x, y }] of after) {
    const was = before.get(id);
    if (was?.x !== x || was.y !== y) places[id] = [x, y];
  }
  return places;
}

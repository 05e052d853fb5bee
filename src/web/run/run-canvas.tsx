// RunCanvas: the read-only graph with the run's states (spec ui 6.4). A separate chunk, because it needs React Flow.

import { useMemo } from "react";
import { Canvas } from "../canvas/canvas.tsx";
import { canvasModel } from "../canvas/model.ts";
import type { CanvasOverlay } from "../canvas/overlay.ts";
import { carriedIn } from "./overlay.ts";
import type { RunModel } from "./run-model.ts";
import { useRunPage } from "./run-store.ts";

export interface RunCanvasProps {
  model: RunModel;
  overlay: CanvasOverlay;
  selected: string | undefined;
  onSelect: (id: string | undefined) => void;
  /** Pixels at the right edge that the details cover. */
  covered: number;
}

export function RunCanvas({ model, overlay, selected, onSelect, covered }: RunCanvasProps) {
  const { graph } = model;
  const passes = useRunPage((page) => page.chosen);
  const drawing = useMemo(() => canvasModel(graph.workflow, graph.workflow, graph), [graph]);
  const chosen = useMemo(() => new Set(selected === undefined ? [] : [selected]), [selected]);
  return (
    <Canvas
      model={drawing}
      label={`Run of ${graph.workflow.name}`}
      selected={chosen}
      covered={covered}
      onSelect={(ids) => {
        const next = ids.findLast((id) => id !== selected) ?? ids[0];
        if (next !== selected) onSelect(next);
      }}
      onOpen={onSelect}
      overlay={overlay}
      carried={(edge) => carriedIn(model, passes, edge)}
    />
  );
}

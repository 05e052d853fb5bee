// Link: an edge. It is dashed for a wait without an edge, and for a branch that was not taken.

import { BaseEdge, type Edge, type EdgeProps } from "@xyflow/react";
import { memo } from "react";
import { pathOf } from "../../workflow/drawing/edge-routing.ts";
import type { CanvasEdge } from "./model.ts";
import type { EdgeOverlay, OverlayStatus } from "./overlay.ts";

export interface LinkData extends Record<string, unknown> {
  edge: CanvasEdge;
  /** The height at which the edge passes other nodes. */
  level?: number;
  overlay?: { state: EdgeOverlay; status?: OverlayStatus };
}

export type LinkFlowEdge = Edge<LinkData, "link">;

export const LinkLine = memo(function LinkLine(props: EdgeProps<LinkFlowEdge>) {
  const { id, sourceX, sourceY, targetX, targetY, data, selected } = props;
  const { state, status = "succeeded" } = data?.overlay ?? {};
  const colour = selected ? "focus" : state === "taken" && status !== "ready" ? status : "edge";
  return (
    <BaseEdge
      id={id}
      path={pathOf({ from: { x: sourceX, y: sourceY }, to: { x: targetX, y: targetY } }, data?.level)}
      interactionWidth={24}
      style={{
        stroke: `var(--${colour})`,
        strokeWidth: selected ? 2.5 : 1.5,
        opacity: state === "untaken" ? 0.6 : 1,
        strokeDasharray: data?.edge.kind === "wait" ? "2 4" : state === "untaken" ? "6 5" : undefined,
      }}
    />
  );
});

// Link: an edge: 1.5 px; dashed where a name alone makes one wait for the other, and where a branch was not taken (spec ui.md 6.6).

import { BaseEdge, type Edge, type EdgeProps } from "@xyflow/react";
import { memo } from "react";
import type { CanvasEdge } from "./model.ts";
import type { EdgeOverlay, OverlayStatus } from "./overlay.ts";
import { pathOf } from "./ways.ts";

export interface LinkData extends Record<string, unknown> {
  edge: CanvasEdge;
  /** The height on which it runs, where it goes around something. */
  level?: number;
  overlay?: { state: EdgeOverlay; status?: OverlayStatus };
}

export type LinkFlowEdge = Edge<LinkData, "link">;

export const LinkLine = memo(function LinkLine(props: EdgeProps<LinkFlowEdge>) {
  const { id, sourceX, sourceY, targetX, targetY, data, selected, markerEnd } = props;
  const path = pathOf({ sourceX, sourceY, targetX, targetY }, data?.level);
  const taken = data?.overlay?.state === "taken" ? (data.overlay.status ?? "succeeded") : undefined;
  const untaken = data?.overlay?.state === "untaken";
  const stroke = selected
    ? "var(--focus)"
    : taken !== undefined && taken !== "ready"
      ? `var(--${taken})`
      : "var(--edge)";
  const dash = data?.edge.kind === "wait" ? "2 4" : untaken ? "6 5" : undefined;
  return (
    <BaseEdge
      id={id}
      path={path}
      interactionWidth={24}
      {...(markerEnd === undefined ? {} : { markerEnd })}
      style={{
        stroke,
        strokeWidth: selected ? 2.5 : 1.5,
        opacity: untaken ? 0.6 : 1,
        ...(dash === undefined ? {} : { strokeDasharray: dash }),
      }}
    />
  );
});

// Link: an edge. A value that is only named has a thin dotted line with its name. A branch that was not taken is dashed.

import { BaseEdge, type Edge, type EdgeProps } from "@xyflow/react";
import { memo, useContext } from "react";
import { type Ends, middleOf, pathOf } from "../../workflow/drawing/edge-routing.ts";
import { CARD } from "../../workflow/drawing/layout.ts";
import { TextPxOf, useDetail } from "./detail.ts";
import type { CanvasEdge } from "./model.ts";
import { CHANGES, type EdgeLook, lookIn } from "./overlay.ts";

export interface LinkData extends Record<string, unknown> {
  edge: CanvasEdge;
  /** The height at which the edge passes other nodes. */
  level?: number;
  overlay?: EdgeLook;
  /** The target uses the value that passes. */
  isFed: boolean;
}

export type LinkFlowEdge = Edge<LinkData, "link">;

export const LinkLine = memo(function LinkLine(props: EdgeProps<LinkFlowEdge>) {
  const { id, sourceX, sourceY, targetX, targetY, data, selected } = props;
  const { state, status = "succeeded", change } = data?.overlay ?? {};
  const name = change === undefined ? data?.edge.label : CHANGES[change].sign;
  const amount = data?.isFed ? data.overlay?.amount : undefined;
  const isNamed = data !== undefined && data.edge.kind !== "edge";
  const look = change === undefined && state !== "taken" ? undefined : lookIn({ status, change });
  const colour = selected ? "focus" : (look ?? "edge");
  const ends = { from: { x: sourceX, y: sourceY }, to: { x: targetX, y: targetY } };
  return (
    <>
      <BaseEdge
        id={id}
        path={pathOf(ends, data?.level)}
        interactionWidth={24}
        style={{
          stroke: `var(--${colour})`,
          strokeWidth: selected ? 2.5 : (isNamed ? 1 : 1.5) + (look === undefined ? 0 : 0.5),
          opacity: state === "untaken" ? 0.6 : 1,
          strokeDasharray: isNamed ? "2 4" : state === "untaken" || change === "removed" ? "6 5" : undefined,
        }}
      />
      {(name ?? amount) !== undefined && (
        <Label {...{ name, amount, ends }} level={data?.level} fill={change && `var(--${colour})`} />
      )}
    </>
  );
});

interface LabelProps {
  /** The name of the value, such as `${posts}`. */
  name: string | undefined;
  amount: string | undefined;
  ends: Ends;
  level: number | undefined;
  /** Its colour, if it is that of a change. */
  fill: string | undefined;
}

/** Between two cards in the same row, a label that has no room is left out or shortened. */
function Label({ name, amount, ends, level, fill }: LabelProps) {
  const textPx = useContext(TextPxOf);
  const isBlock = useDetail() === "block";
  const middle = middleOf(ends, level);
  // Near the target, because the references from one node share their way.
  const at = level === undefined ? middle : { ...middle, x: (ends.from.x + 3 * ends.to.x) / 4 };
  const isTight = level === undefined && Math.abs(ends.to.y - ends.from.y) < CARD.height;
  const chars = isTight ? (Math.abs(ends.to.x - ends.from.x) - PORTS_PX) / (textPx * CHAR_EM) : LABEL_CHARS;
  const both = [name, amount].filter(Boolean).join(" · ");
  const words = [both, name, name?.replace(/[${}]/g, ""), amount].find((one) => one && one.length <= chars);
  if (isBlock || words === undefined) return null;
  return (
    <text {...at} dy="-0.6em" className="edge-label" style={fill === undefined ? undefined : { fill, fontWeight: 700 }}>
      {words}
    </text>
  );
}

/** Width of both ports, and of a letter per size. */
const PORTS_PX = 14;
const CHAR_EM = 0.56;
const LABEL_CHARS = 32;

// FarLayer: all of a drawing from far away, in a handful of shapes instead of a thousand cards (far.ts says which).

import { ViewportPortal } from "@xyflow/react";
import { memo, useMemo } from "react";
import { type Far, type FarCards, type FarLinks, farDrawing } from "./far.ts";

export const FarLayer = memo(function FarLayer({ titled, ...far }: Far & { titled: boolean }) {
  const { model, positions, boxes, ways, selected, selectedEdges, overlay, badges } = far;
  const drawing = useMemo(
    () => farDrawing({ model, positions, boxes, ways, selected, selectedEdges, overlay, badges }, titled),
    [model, positions, boxes, ways, selected, selectedEdges, overlay, badges, titled],
  );
  return (
    <ViewportPortal>
      <svg className="far-layer" aria-hidden="true">
        {drawing.loops !== "" && <path d={drawing.loops} className="far-loop" />}
        {drawing.links.map((links) => (
          <Links key={`${links.look} ${links.dash} ${links.selected}`} {...links} />
        ))}
        {drawing.cards.map((cards) => (
          <Cards key={`${cards.look} ${cards.dimmed}`} {...cards} />
        ))}
        {drawing.chosen !== "" && <path d={drawing.chosen} className="far-chosen" />}
      </svg>
    </ViewportPortal>
  );
});

function Links({ look, dash, selected, path }: FarLinks) {
  const stroke = selected ? "var(--focus)" : look === "ready" ? "var(--edge)" : `var(--${look})`;
  return <path d={path} className="far-link" data-dash={dash} style={{ stroke }} />;
}

function Cards({ look, dimmed, cards, signs }: FarCards) {
  const colour = look === "error" ? "var(--failed)" : look === "ready" ? "var(--edge)" : `var(--${look})`;
  return (
    <g opacity={dimmed ? 0.6 : undefined} style={{ stroke: colour }}>
      <path
        d={cards}
        className="far-card"
        style={{ fill: look === "ready" ? "var(--node)" : `color-mix(in srgb, ${colour} 18%, var(--node))` }}
      />
      {signs !== "" && <path d={signs} className="far-sign" />}
    </g>
  );
}

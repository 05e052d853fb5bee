// Card: one node as a card of fixed size: icon, title on one line, a slot for its state, a preview, and facts.

import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { TriangleAlert } from "lucide-react";
import { memo } from "react";
import { portTop } from "../../workflow/drawing/edge-routing.ts";
import { classes } from "../ui/classes.ts";
import { LOOKS } from "../ui/state.ts";
import { StateIcon } from "../ui/state-icon.tsx";
import { useDetail } from "./detail.ts";
import { KindIcon } from "./kind-icon.tsx";
import type { CardNode } from "./model.ts";
import type { NodeOverlay } from "./overlay.ts";

export interface CardData extends Record<string, unknown> {
  card: CardNode;
  overlay?: NodeOverlay;
  badge?: Badge;
  /** Whether the handles can be dragged. */
  editing: boolean;
}

export interface Badge {
  errors: number;
  warnings: number;
  /** The first error. */
  message: string;
}

export type CardFlowNode = Node<CardData, "card">;

export const Card = memo(function Card({ data, selected }: NodeProps<CardFlowNode>) {
  const { card, overlay, badge, editing } = data;
  const detail = useDetail();
  const look = overlay === undefined || overlay.status === "ready" ? undefined : LOOKS[overlay.status];
  // The border in the state's colour. A separate element would cost one more per node.
  const stripe = classes("rounded-l-md border-l-4", look?.border ?? "border-edge/60");
  if (detail === "block")
    return (
      <div
        className={classes(
          "flex h-full items-center justify-center rounded-md border-8 bg-node",
          selected ? "border-focus" : (look?.border ?? "border-edge"),
          overlay?.dimmed !== undefined && "opacity-60",
        )}
      >
        <Mark overlay={overlay} badge={badge} size={48} />
      </div>
    );
  return (
    <div
      className={classes(
        "node-card relative h-full w-full rounded-md border bg-node text-left",
        selected ? "border-focus outline-2 outline-focus" : "border-edge",
        overlay?.status === "waiting" && "outline-2 outline-waiting",
        overlay?.dimmed !== undefined && "faded",
      )}
      title={overlay?.dimmed}
    >
      {detail === "title" ? (
        <FromAfar card={card} overlay={overlay} badge={badge} stripe={stripe} />
      ) : (
        <div className={classes("flex h-full flex-col justify-center gap-px overflow-hidden py-1.5 px-2.5", stripe)}>
          <div className="flex h-5 items-center gap-1.5">
            <KindIcon type={card.type} className="shrink-0 text-muted" />
            <span className="min-w-0 flex-1 truncate font-semibold">{card.title}</span>
            <Slot overlay={overlay} badge={badge} />
          </div>
          <code className="block h-[18px] truncate text-muted">{overlay?.preview ?? card.preview}</code>
          <Facts text={overlay?.facts ?? overlay?.dimmed ?? card.facts} overlay={overlay} />
        </div>
      )}
      <Ports card={card} editing={editing} />
    </div>
  );
});

interface Signs {
  overlay: NodeOverlay | undefined;
  badge: Badge | undefined;
}

/** The card at small zooms. The title and icons are large enough to read at a third of their size. */
function FromAfar({ card, overlay, badge, stripe }: { card: CardNode; stripe: string } & Signs) {
  return (
    <div className={classes("flex h-full items-center gap-2 px-2.5", stripe)}>
      <span className="line-clamp-2 min-w-0 flex-1 text-[27px] leading-[32px] font-semibold">{card.title}</span>
      <Mark overlay={overlay} badge={badge} size={30} />
    </div>
  );
}

/** The icon of the node's state, or of an error. */
export function Mark({ overlay, badge, size }: Signs & { size: number }) {
  if (overlay !== undefined && overlay.status !== "ready")
    return <StateIcon status={overlay.status} bare size={size} />;
  if (badge === undefined || badge.errors === 0) return null;
  return <TriangleAlert size={size} className="shrink-0 text-failed" aria-hidden="true" />;
}

/** The slot to the right of the title. Its width is limited so that the title stays on one line. */
function Slot({ overlay, badge }: Signs) {
  if (overlay !== undefined && overlay.status !== "ready")
    return (
      <span className="flex max-w-[112px] shrink-0 items-center gap-1 overflow-hidden text-xs">
        <StateIcon status={overlay.status} bare size={13} />
        <span className={classes("truncate", LOOKS[overlay.status].text)}>
          {overlay.status === "succeeded" && overlay.duration !== undefined
            ? overlay.duration
            : [overlay.word, overlay.duration].filter(Boolean).join(" ")}
        </span>
      </span>
    );
  if (badge === undefined || badge.errors + badge.warnings === 0) return null;
  const count = badge.errors > 0 ? badge.errors : badge.warnings;
  return (
    <span
      className={classes(
        "flex shrink-0 items-center gap-1 text-xs font-semibold",
        badge.errors > 0 ? "text-failed" : "text-waiting",
      )}
      title={badge.message}
    >
      <TriangleAlert size={13} role="img" aria-label={badge.errors > 0 ? "errors" : "warnings"} />
      {count}
    </span>
  );
}

function Facts({ text, overlay }: { text: string; overlay: NodeOverlay | undefined }) {
  return (
    <div className="flex h-4 items-center gap-2 text-xs text-muted">
      <span className="min-w-0 flex-1 truncate">{text}</span>
      {overlay?.attempts !== undefined && overlay.attempts.length > 1 && (
        <span className="flex shrink-0 gap-0.5" title={`${overlay.attempts.length} attempts`}>
          {overlay.attempts.slice(-8).map(({ status }, index) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: attempts only grow at the end.
              key={index}
              className={classes("size-1.5 rounded-full", status === "ready" ? "bg-edge" : LOOKS[status].fill)}
            />
          ))}
        </span>
      )}
    </div>
  );
}

/** Measured from inside the card's border. */
function portStyleTop(handle: string): number {
  return portTop(handle) - 1;
}

function Ports({ card, editing }: { card: CardNode; editing: boolean }) {
  return (
    <>
      {!card.isStart && (
        <Handle
          type="target"
          position={Position.Left}
          id="in"
          className="port"
          style={{ top: portStyleTop("") }}
          isConnectable={editing}
        />
      )}
      {card.outs.map((handle) => (
        <Handle
          key={handle}
          type="source"
          position={Position.Right}
          id={handle === "" ? "out" : handle}
          className={classes("port", handle === "error" && "port-error", handle === "error" && card.fails && "used")}
          style={{ top: portStyleTop(handle) }}
          isConnectable={editing}
        >
          {handle !== "" && <span className="port-label">{handle}</span>}
        </Handle>
      ))}
    </>
  );
}

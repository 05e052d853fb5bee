// Card: one node as a card of fixed size: the icon of its kind, a title of up to two lines, a slot for its state, a
// preview, and facts. At small zooms it has fewer parts (detail.ts).

import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { Flag, LifeBuoy, Pencil, TriangleAlert } from "lucide-react";
import { memo } from "react";
import { portTop } from "../../workflow/drawing/edge-routing.ts";
import { classes } from "../ui/classes.ts";
import { LOOKS } from "../ui/state.ts";
import { StateIcon } from "../ui/state-icon.tsx";
import { ChangeSign } from "./change-sign.tsx";
import { useDetail } from "./detail.ts";
import { KindIcon } from "./kind-icon.tsx";
import type { CardNode } from "./model.ts";
import { lookIn, type NodeOverlay, type OverlayStatus } from "./overlay.ts";
import { STAGE_WORDS } from "./words.ts";

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
  const look = lookIn(overlay);
  const isUrgent = overlay !== undefined && (overlay.change !== undefined || URGENT.has(overlay.status));
  return (
    <div
      className={classes(
        "node-card flex h-full w-full flex-col justify-center text-left",
        detail,
        overlay?.dimmed !== undefined && "faded",
        overlay?.change,
        detail === "block" ? "items-center" : "relative",
      )}
      data-kind={card.type}
      style={(isUrgent || detail === "block") && !selected && look ? { borderColor: `var(--${look})` } : undefined}
      title={overlay?.dimmed}
    >
      {detail === "full" && <Complete card={card} overlay={overlay} badge={badge} />}
      {detail === "short" && <TwoLines card={card} overlay={overlay} badge={badge} />}
      {detail === "block" && <Mark overlay={overlay} badge={badge} size={52} />}
      {detail !== "block" && <Stage card={card} />}
      {detail !== "block" && <Ports card={card} editing={editing} />}
    </div>
  );
});

/** States whose colour the border has too. */
const URGENT: ReadonlySet<OverlayStatus> = new Set(["running", "waiting", "failed"]);

interface Signs {
  overlay: NodeOverlay | undefined;
  badge: Badge | undefined;
}

function Complete({ card, overlay, badge }: { card: CardNode } & Signs) {
  return (
    <div className="flex flex-col gap-0.5 px-3">
      <div className="flex items-center gap-2">
        <KindIcon type={card.icon} size={18} />
        <span className="-mb-0.5 line-clamp-2 min-w-0 flex-1 pb-0.5 text-[14px] leading-[17px] font-semibold break-words">
          {card.title}
        </span>
        <Slot overlay={overlay} badge={badge} />
      </div>
      <code className="block truncate text-[length:var(--card-text)] leading-4 text-muted">
        {overlay?.preview ?? card.preview}
      </code>
      <Facts card={card} overlay={overlay} />
    </div>
  );
}

/** The card at small zooms. A title that takes both lines leaves none for what follows it. */
function TwoLines({ card, overlay, badge }: { card: CardNode } & Signs) {
  return (
    <div className="text-from-afar flex items-start gap-[0.5em] px-2.5">
      <div className="max-h-[2.3em] min-w-0 flex-1 overflow-hidden">
        <span className="line-clamp-2 font-semibold break-words">{card.title}</span>
        <span className="block truncate text-muted">{askedIn(overlay) ?? (saidOf(overlay) || card.preview)}</span>
      </div>
      <Mark overlay={overlay} badge={badge} size="1.3em" />
    </div>
  );
}

/** The icon of the node's state or change, or of an error. */
export function Mark({ overlay, badge, size }: Signs & { size: number | string }) {
  if (overlay?.change !== undefined)
    return overlay.change === "same" ? null : <ChangeSign kind={overlay.change} {...{ size }} />;
  if (overlay !== undefined && overlay.status !== "ready")
    return <StateIcon status={overlay.status} filled size={size} />;
  if (badge === undefined || badge.errors === 0) return null;
  return <TriangleAlert size={size} className="shrink-0 text-failed" aria-hidden="true" />;
}

/** The upper right corner: the state of a run, or the number of problems. */
function Slot({ overlay, badge }: Signs) {
  if (overlay !== undefined && (overlay.status !== "ready" || overlay.change !== undefined))
    return (
      <span className="flex shrink-0 items-center gap-1">
        {badge !== undefined && badge.errors > 0 && (
          <TriangleAlert size={14} role="img" aria-label="errors" className="text-failed" />
        )}
        <Mark overlay={overlay} badge={badge} size={20} />
      </span>
    );
  if (badge === undefined || badge.errors + badge.warnings === 0) return null;
  const count = badge.errors > 0 ? badge.errors : badge.warnings;
  return (
    <span
      className={classes(
        "flex shrink-0 items-center gap-1 text-[length:var(--card-text)] font-semibold",
        badge.errors > 0 ? "text-failed" : "text-waiting",
      )}
      title={badge.message}
    >
      <TriangleAlert size={14} role="img" aria-label={badge.errors > 0 ? "errors" : "warnings"} />
      {count}
    </span>
  );
}

/** The first fact has the colour of the state if it is the result: an HTTP status, a decision, or a failure. */
function Facts({ card, overlay }: { card: CardNode; overlay: NodeOverlay | undefined }) {
  const said = saidOf(overlay);
  const all = said || card.facts;
  if (all === "") return null;
  const [lead = "", ...others] = all.split(" · ");
  const isResult = overlay !== undefined && (lead === overlay.word || overlay.status === "failed" || HTTP.test(lead));
  const look = isResult ? lookIn(overlay) : undefined;
  return (
    <div className="flex h-4 items-center gap-2 text-[length:var(--card-text)] text-muted tabular-nums">
      <span className="min-w-0 flex-1 truncate">
        <span className={classes(look !== undefined && "font-semibold", look !== undefined && LOOKS[look].text)}>
          {lead}
        </span>
        {others.map((other) => ` · ${other}`)}
      </span>
      {said !== "" && overlay?.duration !== undefined && <span className="shrink-0">{overlay.duration}</span>}
      {overlay?.edited && (
        <span className="flex shrink-0 items-center gap-1 text-waiting" title="Edited after this run">
          <Pencil size={12} aria-hidden="true" /> edited
        </span>
      )}
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

const HTTP = /^(?:HTTP )?\d{3}$/;

/** The command that waits for approval. The icon says that it waits. */
function askedIn(overlay: NodeOverlay | undefined): string | undefined {
  return overlay?.status === "waiting" ? overlay.preview : undefined;
}

/** The word of the state, unless the facts say it, then the facts. */
function saidOf(overlay: NodeOverlay | undefined): string {
  if (overlay === undefined || overlay.change === "same") return "";
  const { status, word, facts, dimmed } = overlay;
  const isOver = status === "succeeded" || status === "failed";
  return [isOver && facts !== undefined ? "" : (dimmed ?? word), facts].filter(Boolean).join(" · ");
}

/** When a node runs that is not in the flow. */
function Stage({ card: { stage } }: { card: CardNode }) {
  if (stage === undefined) return null;
  const Icon = stage === "finally" ? Flag : LifeBuoy;
  return (
    <span className="stage">
      <Icon size="1em" aria-hidden="true" />
      {STAGE_WORDS[stage]}
    </span>
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
          className={classes("port", card.isFed && "port-fed")}
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

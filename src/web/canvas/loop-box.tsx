// LoopBox: a loop as one box around its body. The ports of its start are at the left border, those of its end at the
// right, and its iterations in the head (spec ui.md 6.2, 6.4).

import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { type MouseEvent, memo } from "react";
import { BOX_PORT } from "../../workflow/drawing/edge-routing.ts";
import { classes } from "../ui/classes.ts";
import { LOOKS } from "../ui/state.ts";
import { StateIcon } from "../ui/state-icon.tsx";
import { grouped } from "../ui/words.ts";
import { type Badge, Mark } from "./card.tsx";
import { useDetail } from "./detail.ts";
import { KindIcon } from "./kind-icon.tsx";
import type { LoopShape } from "./model.ts";
import type { NodeOverlay, OverlayStatus, PassInfo } from "./overlay.ts";

export interface LoopData extends Record<string, unknown> {
  loop: LoopShape;
  overlay?: NodeOverlay;
  badge?: Badge;
  editing: boolean;
  /** Which end of the loop is selected. */
  chosen: "start" | "end" | undefined;
  onChoose: (id: string) => void;
  onPass?: (loopStart: string, pass: number) => void;
}

export type LoopFlowNode = Node<LoopData, "loop">;

/** Must match `boxHandles` in ports.ts. */
const PORTS = [
  { id: "in", type: "target", position: Position.Left, style: {} },
  { id: "body", type: "source", position: Position.Right, style: { left: BOX_PORT.inner, right: "auto" } },
  { id: "end", type: "target", position: Position.Left, style: { left: "auto", right: BOX_PORT.inner } },
  { id: "out", type: "source", position: Position.Right, style: {} },
] as const;

export const LoopBox = memo(function LoopBox({ data, width }: NodeProps<LoopFlowNode>) {
  const { loop, overlay, editing, chosen } = data;
  const status = overlay?.status;
  const detail = useDetail();
  const end = loop.end.preview === "" ? loop.end.title : loop.end.preview;
  return (
    <div
      className={classes(
        "relative h-full w-full rounded-lg border border-dashed bg-running/4",
        chosen === undefined ? "border-edge" : "border-focus outline-2 outline-focus",
        overlay?.dimmed !== undefined && "faded",
      )}
    >
      {detail !== "full" ? (
        <HeadFromAfar
          title={loop.start.title}
          overlay={overlay}
          badge={data.badge}
          start={loop.start.id}
          onPass={data.onPass}
        />
      ) : (
        <div className="loop-head flex h-9 items-center gap-2 overflow-x-clip px-3 text-sm">
          <KindIcon type="loop-start" size={14} className="shrink-0 text-muted" />
          <span className="truncate font-semibold">{loop.start.title}</span>
          <span className="min-w-0 flex-1 truncate text-xs text-muted">{loop.start.preview}</span>
          {data.badge !== undefined && data.badge.errors > 0 && <span className="text-xs text-failed">error</span>}
          {status !== undefined && status !== "ready" && <StateIcon status={status} bare size={13} />}
          {overlay?.pass !== undefined && (
            <Passes pass={overlay.pass} start={loop.start.id} cells={cellsIn(width)} onPass={data.onPass} />
          )}
          <button
            type="button"
            className={classes(
              // At half size on the screen, the button still has a target of 24 pixels.
              "nodrag relative h-6 max-w-24 min-w-14 shrink-0 rounded-md px-1.5 text-xs text-muted hover:bg-hover",
              "after:absolute after:inset-x-0 after:-inset-y-4 after:content-['']",
              chosen === "end" && "bg-selected text-text",
            )}
            onClick={(event) => {
              event.stopPropagation();
              data.onChoose(loop.end.id);
            }}
          >
            <span className="block truncate">{end}</span>
          </button>
        </div>
      )}
      {PORTS.map(({ id, type, position, style }) => (
        <Handle
          key={id}
          id={id}
          type={type}
          position={position}
          className="port"
          style={{ top: BOX_PORT.y, ...style }}
          isConnectable={editing}
        />
      ))}
    </div>
  );
});

/**
 * The head at small zooms, in letters that can still be read, as on a card (card.tsx). The user can choose between the
 * two ends only at larger zooms, or in the outline.
 */
function HeadFromAfar({
  title,
  overlay,
  badge,
  start,
  onPass,
}: {
  title: string;
  overlay: NodeOverlay | undefined;
  badge: Badge | undefined;
} & Pick<PassesProps, "start" | "onPass">) {
  return (
    <div className="loop-head flex h-9 items-center gap-2 px-3">
      <span className="min-w-0 flex-1 truncate text-[25px] leading-[32px] font-semibold">{title}</span>
      {overlay?.pass !== undefined && <Steps pass={overlay.pass} {...{ start, onPass }} size="large" />}
      <Mark overlay={overlay} badge={badge} size={26} />
    </div>
  );
}

interface PassesProps {
  pass: PassInfo;
  start: string;
  /** How many cells fit. */
  cells: number;
  onPass: ((loopStart: string, pass: number) => void) | undefined;
}

const CELLS_MAX = 24;
const CELL_PX = 5;
/** Width in pixels of the head without the strip. */
const HEAD_PX = 360;

/** The words and the arrows come first, so a narrow box has no strip. */
function cellsIn(width = 0): number {
  return Math.max(0, Math.min(CELLS_MAX, Math.floor((width - HEAD_PX) / CELL_PX)));
}

function Passes({ pass, start, cells: room, onPass }: PassesProps) {
  const { shown, cells } = pass;
  const from = Math.max(0, Math.min(shown - Math.floor(room / 2), cells.length - room));
  return (
    <span className="flex shrink-0 items-center gap-1">
      <span className="flex gap-px" aria-hidden="true">
        {cells.slice(from, from + room).map((cell, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: the cell of an iteration is identified by its number.
            key={from + index}
            className={classes("h-3 w-1", fillOf(cell), from + index === shown && "outline-1 outline-text")}
          />
        ))}
      </span>
      <Steps {...{ pass, start, onPass }} size="small" />
    </span>
  );
}

/** The number of the iteration, between arrows to the ones before and after it. */
function Steps({
  pass: { shown, total, cells },
  start,
  onPass,
  size,
}: Omit<PassesProps, "cells"> & { size: "small" | "large" }) {
  const last = Math.max(cells.length, total ?? 0) - 1;
  const step = (event: MouseEvent, to: number) => {
    // The selection stays: only the shown iteration changes.
    event.stopPropagation();
    onPass?.(start, to);
  };
  const isLarge = size === "large";
  const icon = { size: isLarge ? 26 : 14, className: "mx-auto", "aria-hidden": true } as const;
  const button = classes("rounded-md hover:bg-hover disabled:opacity-40", isLarge ? "size-9" : "size-6");
  return (
    <span className={classes("nodrag flex shrink-0 items-center gap-1", isLarge ? "text-[22px]" : "text-xs")}>
      <button
        type="button"
        aria-label="Pass before"
        className={button}
        disabled={shown <= 0}
        onClick={(event) => step(event, shown - 1)}
      >
        <ChevronLeft {...icon} />
      </button>
      <span className="whitespace-nowrap">
        <span className="sr-only">pass </span>
        {grouped(shown + 1)}
        {total !== undefined && ` of ${grouped(total)}`}
      </span>
      <button
        type="button"
        aria-label="Next pass"
        className={button}
        disabled={shown >= last}
        onClick={(event) => step(event, shown + 1)}
      >
        <ChevronRight {...icon} />
      </button>
    </span>
  );
}

function fillOf(status: OverlayStatus): string {
  return status === "ready" ? "bg-edge/40" : LOOKS[status].fill;
}

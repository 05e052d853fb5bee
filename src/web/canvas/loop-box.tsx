// LoopBox: a loop as one box around its body. The ports of its start are at the left border, those of its end at the
// right, and its iterations in the head (spec ui.md 6.2, 6.4).

import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { ChevronLeft, ChevronRight, Plus } from "lucide-react";
import { memo, type ReactNode } from "react";
import { BOX_PORT } from "../../workflow/drawing/edge-routing.ts";
import { classes } from "../ui/classes.ts";
import { LOOKS } from "../ui/state.ts";
import { grouped } from "../ui/words.ts";
import { type Badge, Mark } from "./card.tsx";
import { useDetail } from "./detail.ts";
import { KindIcon } from "./kind-icon.tsx";
import type { LoopShape } from "./model.ts";
import { lookIn, type NodeOverlay, type PassInfo } from "./overlay.ts";

export interface LoopData extends Record<string, unknown> {
  loop: LoopShape;
  overlay?: NodeOverlay;
  badge?: Badge;
  editing: boolean;
  /** Which end of the loop is selected. */
  chosen: "start" | "end" | undefined;
  onChoose: (id: string) => void;
  /** Adds a node to the empty body. */
  onFill: (start: string, screen: { x: number; y: number }) => void;
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

export const LoopBox = memo(function LoopBox({ data, width = 0 }: NodeProps<LoopFlowNode>) {
  const { overlay, editing, chosen } = data;
  const detail = useDetail();
  const look = overlay?.change === undefined ? undefined : lookIn(overlay);
  return (
    <div
      className={classes(
        "relative h-full w-full rounded-lg border border-dashed bg-running/4",
        chosen !== undefined
          ? "border-focus outline-2 outline-focus"
          : look === undefined
            ? "border-edge"
            : LOOKS[look].border,
        overlay?.dimmed !== undefined && "faded",
      )}
    >
      {detail === "full" ? <Head data={data} width={width} /> : <HeadFromAfar data={data} width={width} />}
      {editing && data.loop.inside.length === 0 && <FillButton data={data} />}
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

/** In an empty loop, between its head and its edge. */
function FillButton({ data: { loop, onFill } }: { data: LoopData }) {
  return (
    <button
      type="button"
      style={{ top: BOX_PORT.y - 26 }}
      className="nodrag text-from-afar absolute left-1/2 flex h-7 -translate-1/2 items-center gap-1.5 rounded-md border border-edge bg-node px-3 whitespace-nowrap hover:bg-hover"
      onClick={(event) => {
        event.stopPropagation();
        const { right, top } = event.currentTarget.getBoundingClientRect();
        onFill(loop.start.id, { x: right + 12, y: top });
      }}
    >
      <Plus size={14} aria-hidden="true" /> Add what repeats
    </button>
  );
}

interface HeadProps {
  data: LoopData;
  width: number;
}

function Head({ data, width }: HeadProps) {
  const { start } = data.loop;
  const pass = data.overlay?.pass;
  return (
    <div className="loop-head flex h-9 items-center gap-2 overflow-x-clip px-3 text-sm">
      <KindIcon type="loop-start" />
      <span className="truncate text-[14px] font-semibold">{start.title}</span>
      <span className="min-w-0 flex-1 truncate text-[length:var(--card-text)] text-muted">{start.preview}</span>
      {data.badge !== undefined && data.badge.errors > 0 && (
        <span className="text-[length:var(--card-text)] text-failed">error</span>
      )}
      <Mark overlay={data.overlay} badge={undefined} size={18} />
      {pass !== undefined && <Cells pass={pass} width={width} />}
      <Iterations data={data} hasWord={width > WORD_PX.small} />
      <EndButton data={data} className="max-w-24 min-w-14 text-[length:var(--card-text)]" />
    </div>
  );
}

/** Selects the end of the loop. */
function EndButton({ data, className }: { data: LoopData; className: string }) {
  const { end } = data.loop;
  return (
    <button
      type="button"
      className={classes(
        // At a third of its size on the screen, the button still has a target of 24 pixels.
        "nodrag relative h-6 shrink-0 rounded-md px-1.5 text-muted hover:bg-hover",
        "after:absolute after:inset-x-0 after:-inset-y-5 after:content-['']",
        data.chosen === "end" && "bg-selected text-text",
        className,
      )}
      onClick={(event) => {
        event.stopPropagation();
        data.onChoose(end.id);
      }}
    >
      <span className="block truncate leading-6">{end.preview === "" ? end.title : end.preview}</span>
    </button>
  );
}

/** At small zooms, in letters that can still be read. A block shows only the state and the iteration. */
function HeadFromAfar({ data, width }: HeadProps) {
  return (
    <div className="loop-head flex h-9 items-center gap-2 px-3">
      <span className="text-from-afar min-w-0 flex-1 truncate font-semibold">{data.loop.start.title}</span>
      <Mark overlay={data.overlay} badge={data.badge} size={26} />
      <Iterations data={data} isLarge hasWord={width > WORD_PX.large} />
      {useDetail() === "short" && <EndButton data={data} className="text-from-afar max-w-[6em]" />}
    </div>
  );
}

const CELLS_MAX = 24;
const CELL_PX = 5;
/** Width in pixels of the head without the cells. */
const HEAD_PX = 400;
/** The word "iteration" fits from this width on. */
const WORD_PX = { small: 340, large: 600 };

/** One cell per iteration, around the one that is shown. The words and the arrows come first: a narrow box has none. */
function Cells({ pass: { shown, cells }, width }: { pass: PassInfo; width: number }) {
  const room = Math.max(0, Math.min(CELLS_MAX, Math.floor((width - HEAD_PX) / CELL_PX)));
  const from = Math.max(0, Math.min(shown - Math.floor(room / 2), cells.length - room));
  return (
    <span className="flex shrink-0 gap-px" aria-hidden="true">
      {cells.slice(from, from + room).map((cell, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the cell of an iteration is identified by its number.
          key={from + index}
          className={classes(
            "h-3 w-1",
            cell === "ready" ? "bg-edge/40" : LOOKS[cell].fill,
            from + index === shown && "outline-1 outline-text",
          )}
        />
      ))}
    </span>
  );
}

/** The number of the shown iteration, between arrows to the ones before and after it. */
function Iterations({ data, isLarge, hasWord }: { data: LoopData; isLarge?: boolean; hasWord: boolean }) {
  const pass = data.overlay?.pass;
  if (pass === undefined) return null;
  const { shown, newest, total } = pass;
  const icon = { size: isLarge ? 26 : 14, className: "mx-auto", "aria-hidden": true } as const;
  const arrow = (label: string, to: number, content: ReactNode) => (
    <button
      type="button"
      aria-label={label}
      className={classes("rounded-md hover:bg-hover disabled:opacity-40", isLarge ? "size-9" : "size-6")}
      disabled={to < 0 || to > newest}
      onClick={(event) => {
        // The selection stays: only the shown iteration changes.
        event.stopPropagation();
        data.onPass?.(data.loop.start.id, to);
      }}
    >
      {content}
    </button>
  );
  return (
    <span
      className={classes(
        "nodrag flex shrink-0 items-center gap-1",
        isLarge ? "text-from-afar" : "text-[length:var(--card-text)]",
      )}
    >
      {arrow("Previous iteration", shown - 1, <ChevronLeft {...icon} />)}
      <span className="whitespace-nowrap">
        <span className={hasWord ? "" : "sr-only"}>iteration </span>
        {grouped(shown + 1)}
        {total !== undefined && ` of ${grouped(total)}`}
      </span>
      {arrow("Next iteration", shown + 1, <ChevronRight {...icon} />)}
    </span>
  );
}

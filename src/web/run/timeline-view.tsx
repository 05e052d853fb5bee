// TimelineView: the timeline as rows of bars, with long pauses folded. Dragging over the axis zooms in (spec ui 6.4).
//   B1. A bar has a shape and a pattern as well as a colour, and a text label.

import { ChevronDown, ChevronRight, ZoomIn, ZoomOut } from "lucide-react";
import { type PointerEvent, useMemo, useState } from "react";
import { Button } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { useRows, VirtualRows } from "../ui/virtual-rows.tsx";
import { clock, duration, tookText } from "../ui/words.ts";
import { useShownRun } from "./run-store.ts";
import { axisText, marksOf, type TimeScale, timeScale } from "./time-scale.ts";
import { type Bar, barMs, type Row, tookMs } from "./timeline.ts";

const ROW_PX = 26;
const OPEN_PASSES_MAX = 5;

interface Span {
  fromMs: number;
  toMs: number;
}

interface Shown {
  row: Row;
  depth: number;
}

export interface TimelineViewProps {
  selected: string | undefined;
  onSelect: (path: string) => void;
}

export function TimelineView({ selected, onSelect }: TimelineViewProps) {
  const { model, nowMs } = useShownRun();
  const { timeline } = model;
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [zoom, setZoom] = useState<Span | undefined>(undefined);
  const { startMs, gaps } = timeline;
  const endMs = timeline.over ? timeline.lastMs : Math.max(nowMs, timeline.lastMs);
  const from = zoom?.fromMs ?? startMs;
  const to = zoom?.toMs ?? endMs;
  const scale = useMemo(() => timeScale(from, to, gaps), [from, to, gaps]);
  const rows = shownRows(timeline.rows, toggled);
  const isSelected = (row: Row) => row.path === selected && row.kind !== "pass";
  const { scroller, list } = useRows(rows.length, ROW_PX, { keyOf: (index) => keyOf(rows[index]!.row) });
  if (rows.length === 0) return <p className="p-4 text-muted">Not started yet</p>;
  return (
    <div className="flex h-full flex-col">
      <div className="flex h-7 shrink-0 items-center border-b border-line">
        <ZoomButton
          zoomed={zoom !== undefined}
          onZoom={setZoom}
          selected={timeOf(rows.find(({ row }) => isSelected(row))?.row, endMs)}
        />
        <Axis scale={scale} startMs={startMs} onZoom={setZoom} />
      </div>
      <section ref={scroller} aria-label="Timeline" tabIndex={0} className="min-h-0 flex-1 overflow-auto">
        <VirtualRows list={list}>
          {(index) => {
            const { row, depth } = rows[index]!;
            return (
              <div className={classes("flex h-full items-center", isSelected(row) && "bg-selected")}>
                <Name
                  {...{ row, depth, endMs }}
                  open={isOpen(row, toggled)}
                  onToggle={() => setToggled(toggle(toggled, keyOf(row)))}
                  onSelect={() => onSelect(nodeOf(row))}
                />
                {/* biome-ignore lint/a11y/noStaticElementInteractions: by keyboard the name beside it does the same. */}
                {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above. */}
                <div
                  className="relative mr-3 h-full min-w-0 flex-1 cursor-pointer"
                  onClick={() => onSelect(nodeOf(row))}
                >
                  {row.bars.map((bar) => (
                    <BarShape
                      key={`${bar.kind} ${bar.fromMs} ${bar.number ?? ""}`}
                      {...{ bar, scale, endMs, startMs }}
                    />
                  ))}
                </div>
              </div>
            );
          }}
        </VirtualRows>
      </section>
    </div>
  );
}

/** The name of a row and its duration, with a button that unfolds the rows below it. */
function Name({ row, depth, endMs, open, onToggle, onSelect }: NameProps) {
  return (
    <div className="flex w-56 shrink-0 items-center gap-1 pl-2 max-sm:w-36" style={{ paddingLeft: 8 + depth * 14 }}>
      {row.children.length > 0 ? (
        <button
          type="button"
          aria-expanded={open}
          aria-label={`${open ? "Fold" : "Unfold"} ${row.title}`}
          onClick={onToggle}
          className="inline-flex size-6 items-center justify-center text-muted"
        >
          {open ? <ChevronDown size={12} /> : <ChevronRight size={12} />}
        </button>
      ) : (
        <span className="w-6" />
      )}
      <button type="button" onClick={onSelect} className="h-6 min-w-0 flex-1 truncate text-left hover:underline">
        {row.title}
      </button>
      <span className="pr-2 text-sm text-muted tabular-nums">{lengthOf(row, endMs)}</span>
    </div>
  );
}

interface NameProps extends Shown {
  endMs: number;
  open: boolean;
  onToggle: () => void;
  onSelect: () => void;
}

function keyOf({ kind, path }: Row): string {
  return `${kind} ${path}`;
}

/** That of an iteration is its first one, so that the iteration is shown. */
function nodeOf({ kind, path, children }: Row): string {
  return kind === "pass" ? (children[0]?.path ?? path.replace(/\[\d+\]$/, "")) : path;
}

/** From its first bar to its last. A single moment would not be visible. */
function timeOf(row: Row | undefined, endMs: number): Span | undefined {
  const [first] = row?.bars ?? [];
  if (row === undefined || first === undefined) return undefined;
  const toMs = row.bars.at(-1)?.toMs ?? endMs;
  return toMs > first.fromMs ? { fromMs: first.fromMs, toMs } : undefined;
}

/** B1. */
const SHAPES: Record<Bar["kind"], string> = {
  queued: "h-1.5 bg-queued/60",
  approval: "h-3 border border-waiting bg-waiting/25",
  running: "h-3.5 rounded-sm",
  retry: "h-1.5 border-y border-dashed border-queued",
  tick: "h-3.5 w-0.5!",
};
const FILLS: Record<string, string> = {
  running: "bg-running",
  succeeded: "bg-succeeded",
  failed: "bg-failed",
  "timed-out": "bg-failed",
  lost: "bg-failed",
  cancelled: "bg-cancelled",
};
const WORDS: Record<Bar["kind"], string> = {
  queued: "queued",
  approval: "waiting for approval",
  running: "running",
  retry: "waiting to retry",
  tick: "decided",
};

function BarShape({ bar, scale, endMs, startMs }: { bar: Bar; scale: TimeScale; endMs: number; startMs: number }) {
  const toMs = bar.toMs ?? endMs;
  const left = scale.place(bar.fromMs);
  const right = scale.place(toMs);
  // Outside the zoomed part.
  if (left === right && (bar.fromMs < scale.moment(0) || toMs > scale.moment(1))) return null;
  const attempt = bar.number === undefined ? "" : `, attempt ${bar.number}`;
  const words = `${WORDS[bar.kind]}${attempt}${bar.status === undefined ? "" : `, ${bar.status}`}${bar.note === undefined ? "" : ` for ${bar.note}`}: ${duration(barMs(bar, endMs))} from ${clock(bar.fromMs - startMs)}`;
  return (
    <span
      role="img"
      aria-label={words}
      title={words}
      style={{ left: `${left * 100}%`, width: `max(2px, ${(right - left) * 100}%)` }}
      className={classes(
        "absolute top-1/2 -translate-y-1/2",
        SHAPES[bar.kind],
        (bar.kind === "running" || bar.kind === "tick") && FILLS[bar.status ?? "running"],
      )}
    />
  );
}

/** Zooms by keyboard: to the time of the selected node, or back to the whole run. */
function ZoomButton({ zoomed, onZoom, selected }: ZoomButtonProps) {
  const [Icon, word, span] = zoomed ? [ZoomOut, "Whole run", undefined] : [ZoomIn, "Selected node", selected];
  return (
    <div className="flex w-56 shrink-0 items-center pl-2 max-sm:w-36">
      {(zoomed || selected !== undefined) && (
        <Button size="small" kind="quiet" icon={<Icon />} onClick={() => onZoom(span)}>
          {word}
        </Button>
      )}
    </div>
  );
}

interface ZoomButtonProps {
  zoomed: boolean;
  onZoom: (zoom: Span | undefined) => void;
  selected: Span | undefined;
}

/** Dragging over it zooms in. */
function Axis({ scale, startMs, onZoom }: { scale: TimeScale; startMs: number; onZoom: (zoom: Span) => void }) {
  const [drag, setDrag] = useState<{ from: number; to: number } | undefined>(undefined);
  const placeOf = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - left) / Math.max(1, width)));
  };
  const [from, to] = drag === undefined ? [0, 0] : [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)];
  return (
    <div
      aria-hidden="true"
      className="@container relative mr-3 h-full min-w-0 flex-1 cursor-crosshair touch-none text-xs text-muted tabular-nums select-none"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrag({ from: placeOf(event), to: placeOf(event) });
      }}
      onPointerMove={(event) => drag !== undefined && setDrag({ ...drag, to: placeOf(event) })}
      onPointerUp={() => {
        if (to - from > 0.01) onZoom({ fromMs: scale.moment(from), toMs: scale.moment(to) });
        setDrag(undefined);
      }}
    >
      {marksOf(scale, startMs).map((at) => (
        <span
          key={at}
          style={{ left: percent(scale.place(at)) }}
          className="absolute top-1 border-l border-line pl-1 whitespace-nowrap @max-[20rem]:even:hidden"
        >
          {axisText(at - startMs, scale.moment(1) - scale.moment(0))}
        </span>
      ))}
      {scale.folds.map(({ fromMs, toMs }) => (
        <span
          key={fromMs}
          style={{ left: percent(scale.place(fromMs)), width: percent(scale.place(toMs) - scale.place(fromMs)) }}
          className="absolute top-0 h-full overflow-hidden border-x border-dashed border-edge bg-hover text-center"
          title={`${duration(toMs - fromMs)} in which nothing ran`}
        >
          ⋯
        </span>
      ))}
      {drag !== undefined && (
        <span
          style={{ left: percent(from), width: percent(to - from) }}
          className="absolute top-0 h-full bg-accent/25"
        />
      )}
    </div>
  );
}

function percent(share: number): string {
  return `${share * 100}%`;
}

function shownRows(rows: readonly Row[], toggled: ReadonlySet<string>, depth = 0, shown: Shown[] = []): Shown[] {
  for (const row of rows) {
    shown.push({ row, depth });
    if (isOpen(row, toggled)) shownRows(row.children, toggled, depth + 1, shown);
  }
  return shown;
}

/** Loops with few iterations start open, others folded. The user can toggle them. */
function isOpen(row: Row, toggled: ReadonlySet<string>): boolean {
  if (row.children.length === 0) return false;
  const open = row.kind === "pass" || row.children.length <= OPEN_PASSES_MAX;
  return open !== toggled.has(keyOf(row));
}

function toggle(set: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(key)) next.add(key);
  return next;
}

function lengthOf(row: Row, endMs: number): string {
  const ms = tookMs(row, endMs);
  return ms === undefined ? "" : tookText(ms, row.bars.at(-1)?.toMs === undefined);
}

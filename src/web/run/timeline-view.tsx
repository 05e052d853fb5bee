// TimelineView: the timeline as rows of bars, with long pauses folded. Dragging over the axis zooms in (spec ui 6.4).
//   B1. A bar has a shape and a pattern as well as a colour, and a text label.

import { useVirtualizer } from "@tanstack/react-virtual";
import { ChevronDown, ChevronRight, ZoomIn, ZoomOut } from "lucide-react";
import { type PointerEvent, useMemo, useRef, useState } from "react";
import { Button } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { clock, duration } from "../ui/words.ts";
import { useShownRun } from "./run-store.ts";
import { marksOf, type TimeScale, timeScale } from "./time-scale.ts";
import type { Bar, Row } from "./timeline.ts";

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

export function TimelineView({
  selected,
  onSelect,
}: {
  selected: string | undefined;
  onSelect: (path: string) => void;
}) {
  const { model, nowMs } = useShownRun();
  const { timeline } = model;
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [zoom, setZoom] = useState<Span | undefined>(undefined);
  const scroller = useRef<HTMLDivElement>(null);
  const toMs = timeline.over ? timeline.lastMs : Math.max(nowMs, timeline.lastMs);
  const from = zoom?.fromMs ?? timeline.startMs;
  const to = zoom?.toMs ?? toMs;
  const scale = useMemo(() => timeScale(from, to, timeline.gaps), [from, to, timeline.gaps]);
  const rows = shownRows(timeline.rows, toggled);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 10,
  });
  if (rows.length === 0) return <p className="p-4 text-muted">Not started yet</p>;
  return (
    <div className="flex h-full flex-col">
      <Brush
        scale={scale}
        startMs={timeline.startMs}
        zoomed={zoom !== undefined}
        onZoom={setZoom}
        chosen={timeOf(rows.find(({ row }) => row.path === selected && row.kind !== "pass")?.row, toMs)}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section ref={scroller} aria-label="Timeline" tabIndex={0} className="min-h-0 flex-1 overflow-auto">
        <div style={{ height: virtual.getTotalSize() }} className="relative">
          {virtual.getVirtualItems().map(({ index, start }) => {
            const { row, depth } = rows[index]!;
            const key = `${row.kind} ${row.path}`;
            const open = isOpen(row, toggled);
            return (
              <div
                key={key}
                style={{ transform: `translateY(${start}px)`, height: ROW_PX }}
                className={classes(
                  "absolute flex w-full items-center",
                  row.path === selected && row.kind !== "pass" && "bg-selected",
                )}
              >
                <div
                  className="flex w-56 shrink-0 items-center gap-1 pl-2 max-sm:w-36"
                  style={{ paddingLeft: 8 + depth * 14 }}
                >
                  {row.children.length > 0 ? (
                    <button
                      type="button"
                      aria-expanded={open}
                      aria-label={`${open ? "Fold" : "Unfold"} ${row.title}`}
                      onClick={() => setToggled(toggle(toggled, key))}
                      className="inline-flex size-6 items-center justify-center text-muted"
                    >
                      {open ? <ChevronDown size={12} /> : <ChevronRight size={12} />}
                    </button>
                  ) : (
                    <span className="w-6" />
                  )}
                  <button
                    type="button"
                    onClick={() => onSelect(nodeOf(row))}
                    className="h-6 min-w-0 flex-1 truncate text-left hover:underline"
                  >
                    {row.title}
                  </button>
                  <span className="pr-2 text-sm text-muted tabular-nums">{duration(lengthOf(row, toMs))}</span>
                </div>
                {/* biome-ignore lint/a11y/noStaticElementInteractions: by keyboard the name beside it does the same. */}
                {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above. */}
                <div
                  className="relative mr-3 h-full min-w-0 flex-1 cursor-pointer"
                  onClick={() => onSelect(nodeOf(row))}
                >
                  {row.bars.map((bar) => (
                    <BarShape
                      key={`${bar.kind} ${bar.fromMs} ${bar.number ?? ""}`}
                      bar={bar}
                      scale={scale}
                      endMs={toMs}
                      startMs={timeline.startMs}
                    />
                  ))}
                </div>
              </div>
            );
          })}
        </div>
      </section>
    </div>
  );
}

function nodeOf({ kind, path }: Row): string {
  return kind === "pass" ? path.replace(/\[\d+\]$/, "") : path;
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
  const words = `${WORDS[bar.kind]}${attempt}${bar.status === undefined ? "" : `, ${bar.status}`}${bar.note === undefined ? "" : ` for ${bar.note}`}: ${duration(toMs - bar.fromMs)} from ${clock(bar.fromMs - startMs)}`;
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

/** The axis. Dragging over it zooms in. */
function Brush(props: {
  scale: TimeScale;
  startMs: number;
  zoomed: boolean;
  onZoom: (zoom: Span | undefined) => void;
  /** The time span of the selected node, for zooming by keyboard. */
  chosen: Span | undefined;
}) {
  const { scale, startMs, zoomed, onZoom, chosen } = props;
  const [drag, setDrag] = useState<{ from: number; to: number } | undefined>(undefined);
  const placeOf = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - left) / Math.max(1, width)));
  };
  return (
    <div className="flex h-7 shrink-0 items-center border-b border-line">
      <div className="flex w-56 shrink-0 items-center pl-2 max-sm:w-36">
        {zoomed ? (
          <Button size="small" kind="quiet" icon={<ZoomOut />} onClick={() => onZoom(undefined)}>
            Whole run
          </Button>
        ) : (
          chosen !== undefined && (
            <Button size="small" kind="quiet" icon={<ZoomIn />} onClick={() => onZoom(chosen)}>
              Selected node
            </Button>
          )
        )}
      </div>
      <div
        aria-hidden="true"
        className="relative mr-3 h-full min-w-0 flex-1 cursor-crosshair touch-none text-xs text-muted tabular-nums select-none"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setDrag({ from: placeOf(event), to: placeOf(event) });
        }}
        onPointerMove={(event) => drag !== undefined && setDrag({ ...drag, to: placeOf(event) })}
        onPointerUp={() => {
          if (drag !== undefined && Math.abs(drag.to - drag.from) > 0.01)
            onZoom({
              fromMs: scale.moment(Math.min(drag.from, drag.to)),
              toMs: scale.moment(Math.max(drag.from, drag.to)),
            });
          setDrag(undefined);
        }}
      >
        {marksOf(scale, startMs).map((at) => (
          <span
            key={at}
            style={{ left: `${scale.place(at) * 100}%` }}
            className="absolute top-1 border-l border-line pl-1 whitespace-nowrap"
          >
            {axisText(at - startMs, scale.moment(1) - scale.moment(0))}
          </span>
        ))}
        {scale.folds.map((fold) => (
          <span
            key={fold.fromMs}
            style={{
              left: `${scale.place(fold.fromMs) * 100}%`,
              width: `${(scale.place(fold.toMs) - scale.place(fold.fromMs)) * 100}%`,
            }}
            className="absolute top-0 h-full overflow-hidden border-x border-dashed border-edge bg-hover text-center"
            title={`${duration(fold.toMs - fold.fromMs)} in which nothing ran`}
          >
            ⋯
          </span>
        ))}
        {drag !== undefined && (
          <span
            style={{ left: `${Math.min(drag.from, drag.to) * 100}%`, width: `${Math.abs(drag.to - drag.from) * 100}%` }}
            className="absolute top-0 h-full bg-accent/25"
          />
        )}
      </div>
    </div>
  );
}

/** For a span of seconds, a clock time is not precise enough. */
function axisText(ms: number, wholeMs: number): string {
  return wholeMs < 20_000 ? duration(ms) : clock(ms);
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
  return open !== toggled.has(`${row.kind} ${row.path}`);
}

function toggle(set: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(key)) next.add(key);
  return next;
}

function lengthOf({ bars }: Row, endMs: number): number {
  const first = bars.find(({ kind }) => kind === "running" || kind === "tick") ?? bars[0];
  return first === undefined ? 0 : (bars.at(-1)?.toMs ?? endMs) - first.fromMs;
}

// RunsTable: renders only the visible rows (spec ui 6.8: 100,000 runs).
//   B1. New rows at the top do not move the view of a user who has scrolled down.
//   B2. The grid has the focus. aria-activedescendant names the current row to screen readers.

import { useEffect, useLayoutEffect, useRef } from "react";
import type { RunItem } from "../../api/shapes.ts";
import type { MenuItem } from "../ui/menu.tsx";
import { useNow } from "../ui/now.ts";
import { useRows, VirtualRows } from "../ui/virtual-rows.tsx";
import { COLUMNS, ROW_PX, RunRow } from "./run-row.tsx";

export interface RunsTableProps {
  rows: readonly RunItem[];
  current: string | undefined;
  selected: ReadonlySet<string>;
  onPoint: (id: string) => void;
  onSelect: (id: string, selected: boolean) => void;
  menuFor: (run: RunItem) => readonly (MenuItem | "-")[];
  onEnd: (() => void) | undefined;
}

export function RunsTable({ rows, current, selected, onPoint, onSelect, menuFor, onEnd }: RunsTableProps) {
  const now = useNow(1000);
  const { scroller, list } = useRows(rows.length, ROW_PX, { keyOf: (at) => rows[at]?.id ?? at });
  useKeptPlace(scroller, rows);
  const drawn = list.getVirtualItems();
  const last = drawn.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= rows.length - 20) onEnd?.();
  }, [last, rows.length, onEnd]);
  const currentAt = rows.findIndex(({ id }) => id === current);
  const shownAt = useRef(current);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another current row scrolls, not rows that come.
  useEffect(() => {
    if (currentAt >= 0 && shownAt.current !== current) list.scrollToIndex(currentAt, { align: "auto" });
    shownAt.current = current;
  }, [current]);
  const seen = drawn.some(({ index }) => index === currentAt);
  return (
    <div
      ref={scroller}
      role="grid"
      aria-label="Runs"
      data-scroll-restoration-id="runs"
      aria-rowcount={rows.length + 1}
      aria-multiselectable="true"
      tabIndex={0}
      aria-activedescendant={seen ? `run-${current}` : undefined}
      className="min-h-0 flex-1 overflow-auto focus-visible:-outline-offset-2"
    >
      <Head />
      <VirtualRows list={list}>
        {(index) => {
          const run = rows[index]!;
          return (
            <RunRow
              run={run}
              now={now}
              current={run.id === current}
              selected={selected.has(run.id)}
              onSelect={(is) => onSelect(run.id, is)}
              onPoint={() => onPoint(run.id)}
              menu={menuFor(run)}
            />
          );
        }}
      </VirtualRows>
    </div>
  );
}

/** `hidden` titles are for screen readers only. */
const TITLES = [
  { title: "Selected", hidden: true },
  { title: "State" },
  { title: "Workflow" },
  { title: "Kind" },
  { title: "Started" },
  { title: "Took", className: "pr-6 text-right" },
  { title: "Run" },
  { title: "More", hidden: true },
];

function Head() {
  return (
    <div
      role="row"
      className={`${COLUMNS} sticky top-0 z-10 h-8 border-b border-line bg-panel px-1 text-xs text-muted max-lg:hidden`}
    >
      {TITLES.map(({ title, hidden, className }) => (
        <span role="columnheader" key={title} className={className}>
          <span className={hidden ? "sr-only" : ""}>{title}</span>
        </span>
      ))}
    </div>
  );
}

/** B1. */
function useKeptPlace(scroller: React.RefObject<HTMLDivElement | null>, rows: readonly RunItem[]): void {
  const before = useRef(rows);
  useLayoutEffect(() => {
    const element = scroller.current;
    const old = before.current;
    before.current = rows;
    if (element === null || old === rows || element.scrollTop < ROW_PX) return;
    const top = old[Math.floor(element.scrollTop / ROW_PX)];
    const moved = top === undefined ? -1 : rows.findIndex(({ id }) => id === top.id);
    if (moved >= 0) element.scrollTop += (moved - Math.floor(element.scrollTop / ROW_PX)) * ROW_PX;
  }, [scroller, rows]);
}

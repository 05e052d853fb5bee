// Outline: the workflow as a tree of nodes, in which loops contain their bodies (spec ui.md 6.7). Screen readers and
// narrow windows use it. The editor's keys work on its selected node.

import { useVirtualizer } from "@tanstack/react-virtual";
import { Plus, TriangleAlert } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef } from "react";
import type { Badge } from "../canvas/card.tsx";
import { edgeWords } from "../canvas/edge-data.ts";
import { KindIcon } from "../canvas/kind-icon.tsx";
import type { CanvasModel } from "../canvas/model.ts";
import { spokenLabel } from "../canvas/words.ts";
import { classes } from "../ui/classes.ts";
import { focusSoon } from "../ui/focus.ts";
import { IconButton } from "../ui/icon-button.tsx";
import type { Bench } from "./bench.ts";
import { below } from "./moves.ts";

export interface OutlineProps {
  bench: Bench;
  /** Shown above the nodes. */
  tools?: ReactNode;
  /** Shown if there are no nodes. */
  empty: ReactNode;
}

const ROW = 32;
const TREE = { role: "tree", "aria-label": "Nodes", "aria-multiselectable": true } as const;

interface Row {
  id: string;
  level: number;
  /** Position within its group, counted from 1. */
  place: number;
  size: number;
}

export function Outline({ bench, tools, empty }: OutlineProps) {
  const { model, selected, badges } = bench;
  const tree = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => rowsOf(model), [model]);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => tree.current,
    estimateSize: () => ROW,
    overscan: 12,
  });
  const active = rows.find(({ id }) => selected.has(id)) ?? rows[0];
  // A node that was selected elsewhere scrolls into view here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a longer list does not scroll.
  useEffect(() => {
    if (active !== undefined) list.scrollToIndex(rows.indexOf(active));
  }, [active?.id]);
  const go = (row: Row | undefined): void => {
    if (row === undefined) return;
    bench.session.select([row.id]);
    list.scrollToIndex(rows.indexOf(row));
    // The row exists only after the list has scrolled to it.
    focusSoon(() => tree.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(row.id)}"]`));
  };
  return (
    <section aria-label="Outline" className="flex h-full min-h-0 flex-col bg-panel">
      <header className="flex h-10 shrink-0 items-center gap-2 border-b border-line pr-2 pl-4">
        <h2 className="flex-1 font-semibold">Outline</h2>
        {tools}
        <IconButton
          label="Add a node"
          shortcut="A"
          size="small"
          icon={<Plus size={15} />}
          onClick={(event) => bench.setBox({ kind: "add", screen: below(event.currentTarget), where: {} })}
        />
      </header>
      {rows.length === 0 && empty}
      <div
        ref={tree}
        // An empty tree would be an accessibility error.
        {...(rows.length > 0 && TREE)}
        className="flex-1 overflow-y-auto p-1"
      >
        <div className="relative" style={{ height: list.getTotalSize() }}>
          {list.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            return (
              row !== undefined && (
                <div key={row.id} className="absolute inset-x-0" style={{ top: start, height: ROW }}>
                  <OutlineRow
                    {...{ bench, row }}
                    badge={badges.get(row.id)}
                    isActive={row === active}
                    onKey={(event) => onKey(event, bench, rows, row, go)}
                  />
                </div>
              )
            );
          })}
        </div>
      </div>
    </section>
  );
}

function onKey(
  event: KeyboardEvent,
  { openInspector, session, selected }: Bench,
  rows: readonly Row[],
  row: Row,
  go: (row: Row | undefined) => void,
): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const at = rows.indexOf(row);
  const next = rows[at + 1];
  const acts = new Map([
    ["ArrowDown", () => go(next)],
    ["ArrowUp", () => go(rows[at - 1])],
    ["ArrowRight", () => go(next?.level === row.level + 1 ? next : undefined)],
    ["ArrowLeft", () => go(rows.slice(0, at).findLast(({ level }) => level < row.level))],
    ["Home", () => go(rows[0])],
    ["End", () => go(rows.at(-1))],
    ["Enter", openInspector],
    [" ", () => session.select(toggled(selected, row.id))],
  ]);
  const act = acts.get(event.key);
  if (act === undefined) return;
  event.preventDefault();
  act();
}

function toggled(selected: ReadonlySet<string>, id: string): string[] {
  return selected.has(id) ? [...selected].filter((one) => one !== id) : [...selected, id];
}

interface OutlineRowProps {
  bench: Bench;
  row: Row;
  badge: Badge | undefined;
  isActive: boolean;
  onKey: (event: KeyboardEvent) => void;
}

function OutlineRow({ bench, row: { id, level, place, size }, badge, isActive, onKey }: OutlineRowProps) {
  const { model, session, selected, carried, openInspector } = bench;
  const card = model.byId.get(id);
  if (card === undefined) return null;
  const errors = badge?.errors ?? 0;
  const next = model.edges
    .filter(({ source }) => source === id)
    .map((edge) => `${model.byId.get(edge.target)?.title} with ${edgeWords(carried(edge))}`);
  const label = [
    spokenLabel(card, errors === 0 ? [] : [`${errors} errors`]),
    next.length === 0 ? "leads nowhere" : `leads to ${next.join(", ")}`,
  ];
  return (
    <div
      role="treeitem"
      data-id={id}
      aria-level={level}
      aria-posinset={place}
      aria-setsize={size}
      aria-selected={selected.has(id)}
      aria-label={label.join(", ")}
      tabIndex={isActive ? 0 : -1}
      onKeyDown={onKey}
      onClick={({ shiftKey, ctrlKey, metaKey }) =>
        session.select(shiftKey || ctrlKey || metaKey ? toggled(selected, id) : [id])
      }
      onDoubleClick={openInspector}
      className={classes(
        "flex h-8 cursor-pointer items-center gap-2 rounded-md pr-1",
        selected.has(id) ? "bg-selected" : "hover:bg-hover",
      )}
      style={{ paddingLeft: level * 14 }}
    >
      <KindIcon type={card.type} size={14} className="shrink-0 text-muted" />
      <span className="min-w-0 flex-1 truncate">{card.title}</span>
      {errors > 0 && <TriangleAlert size={13} className="shrink-0 text-failed" aria-hidden="true" />}
    </div>
  );
}

function rowsOf(model: CanvasModel): Row[] {
  const groups = Map.groupBy(model.order, (id) => {
    const loop = model.byId.get(id)?.loop;
    return loop !== undefined && model.loops.has(loop) ? loop : undefined;
  });
  const rowsIn = (parent: string | undefined, level: number): Row[] => {
    const group = groups.get(parent) ?? [];
    return group.flatMap((id, at) => [
      { id, level, place: at + 1, size: group.length },
      ...(model.loops.has(id) ? rowsIn(id, level + 1) : []),
    ]);
  };
  return rowsIn(undefined, 1);
}

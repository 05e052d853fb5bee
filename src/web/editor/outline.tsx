// Outline: the workflow as a tree of nodes, in which loops contain their bodies (spec ui.md 6.7). Screen readers and
// narrow windows use it, so every action on a node is available here.

import { useVirtualizer } from "@tanstack/react-virtual";
import { Link2, Plus, Trash2, TriangleAlert } from "lucide-react";
import { memo, type ReactNode, useEffect, useMemo, useRef } from "react";
import type { Badge } from "../canvas/card.tsx";
import { type EdgeData, edgeWords } from "../canvas/edge-data.ts";
import { KindIcon } from "../canvas/kind-icon.tsx";
import type { CanvasEdge, CanvasModel, CardNode } from "../canvas/model.ts";
import { spokenLabel } from "../canvas/words.ts";
import { classes } from "../ui/classes.ts";
import { focusSoon } from "../ui/focus.ts";
import { IconButton } from "../ui/icon-button.tsx";

export interface OutlineProps {
  model: CanvasModel;
  selected: ReadonlySet<string>;
  badges: ReadonlyMap<string, Badge>;
  /** The data that passed along an edge in the last run. */
  carried: (edge: CanvasEdge) => EdgeData;
  onSelect: (id: string, more: boolean) => void;
  onOpen: (id: string) => void;
  onAdd: (after: string | undefined, at: { x: number; y: number }) => void;
  onConnect: (id: string, at: { x: number; y: number }) => void;
  onDelete: (id: string) => void;
  /** Shown above the nodes. */
  tools?: ReactNode;
  /** Shown if there are no nodes. */
  empty: ReactNode;
}

const ROW = 32;

interface Row {
  id: string;
  level: number;
  /** Position within its group, counted from 1. */
  place: number;
  size: number;
}

export const Outline = memo(function Outline(props: OutlineProps) {
  const { model, selected, badges, carried, onSelect, onOpen, onAdd, onConnect, onDelete, tools, empty } = props;
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
    onSelect(row.id, false);
    list.scrollToIndex(rows.indexOf(row));
    // The row exists only after the list has scrolled to it.
    focusSoon(() => tree.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(row.id)}"]`));
  };
  const onKey = (event: React.KeyboardEvent, row: Row): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = rows.indexOf(row);
    const act = ((): (() => void) | undefined => {
      switch (event.key) {
        case "ArrowDown":
          return () => go(rows[at + 1]);
        case "ArrowUp":
          return () => go(rows[at - 1]);
        case "ArrowRight":
          return () => go(rows[at + 1]?.level === row.level + 1 ? rows[at + 1] : undefined);
        case "ArrowLeft":
          return () => go(rows.slice(0, at).findLast(({ level }) => level < row.level));
        case "Home":
          return () => go(rows[0]);
        case "End":
          return () => go(rows.at(-1));
        case "Enter":
          return () => onOpen(row.id);
        case " ":
          return () => onSelect(row.id, true);
        default:
          return undefined;
      }
    })();
    if (act === undefined || event.target !== event.currentTarget) return;
    event.preventDefault();
    act();
  };
  const below = (event: React.MouseEvent): { x: number; y: number } => {
    const box = event.currentTarget.getBoundingClientRect();
    return { x: box.left, y: box.bottom + 4 };
  };
  const rowOf = (row: Row, card: CardNode) => {
    const badge = badges.get(row.id);
    const next = model.edges
      .filter(({ source }) => source === row.id)
      .map((edge) => `${model.byId.get(edge.target)?.title} with ${edgeWords(carried(edge))}`);
    return (
      <div
        role="treeitem"
        data-id={row.id}
        aria-level={row.level}
        aria-posinset={row.place}
        aria-setsize={row.size}
        aria-selected={selected.has(row.id)}
        aria-label={[
          spokenLabel(card, badge === undefined || badge.errors === 0 ? [] : [`${badge.errors} errors`]),
          next.length === 0 ? "leads nowhere" : `leads to ${next.join(", ")}`,
        ].join(", ")}
        tabIndex={row.id === active?.id ? 0 : -1}
        onKeyDown={(event) => onKey(event, row)}
        onClick={(event) => onSelect(row.id, event.shiftKey || event.ctrlKey || event.metaKey)}
        onDoubleClick={() => onOpen(row.id)}
        className={classes(
          "group flex h-8 cursor-pointer items-center gap-2 rounded-md pr-1",
          selected.has(row.id) ? "bg-selected" : "hover:bg-hover",
        )}
        style={{ paddingLeft: row.level * 14 }}
      >
        <KindIcon type={card.type} size={14} className="shrink-0 text-muted" />
        <span className="min-w-0 flex-1 truncate">{card.title}</span>
        {badge !== undefined && badge.errors > 0 && (
          <TriangleAlert size={13} className="shrink-0 text-failed" aria-hidden="true" />
        )}
        <span className="hidden gap-0.5 group-focus-within:flex group-hover:flex">
          <Small label={`Connect ${card.title}`} onPress={(event) => onConnect(row.id, below(event))}>
            <Link2 size={14} aria-hidden="true" />
          </Small>
          <Small label={`Add after ${card.title}`} onPress={(event) => onAdd(row.id, below(event))}>
            <Plus size={14} aria-hidden="true" />
          </Small>
          <Small label={`Delete ${card.title}`} onPress={() => onDelete(row.id)}>
            <Trash2 size={14} aria-hidden="true" />
          </Small>
        </span>
      </div>
    );
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
          onClick={(event) => onAdd(undefined, below(event))}
        />
      </header>
      {rows.length === 0 && empty}
      <div
        ref={tree}
        {...(rows.length === 0 ? {} : { role: "tree", "aria-label": "Steps", "aria-multiselectable": true })}
        className="flex-1 overflow-y-auto p-1"
      >
        <div className="relative" style={{ height: list.getTotalSize() }}>
          {list.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            const card = row === undefined ? undefined : model.byId.get(row.id);
            if (row === undefined || card === undefined) return null;
            return (
              <div key={row.id} className="absolute inset-x-0" style={{ top: start, height: ROW }}>
                {rowOf(row, card)}
              </div>
            );
          })}
        </div>
      </div>
    </section>
  );
});

function Small({
  label,
  onPress,
  children,
}: {
  label: string;
  onPress: (event: React.MouseEvent) => void;
  children: React.ReactNode;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      tabIndex={-1}
      className="inline-flex size-6 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-text"
      onClick={(event) => {
        event.stopPropagation();
        onPress(event);
      }}
    >
      {children}
    </button>
  );
}

function rowsOf(model: CanvasModel): Row[] {
  const rows: Row[] = [];
  const groups = new Map<string | undefined, string[]>();
  for (const id of model.order) {
    const loop = model.byId.get(id)?.loop;
    const parent = loop !== undefined && model.loops.has(loop) ? loop : undefined;
    groups.set(parent, [...(groups.get(parent) ?? []), id]);
  }
  const walk = (parent: string | undefined, level: number): void => {
    const group = groups.get(parent) ?? [];
    for (const [at, id] of group.entries()) {
      rows.push({ id, level, place: at + 1, size: group.length });
      if (model.loops.has(id)) walk(id, level + 1);
    }
  };
  walk(undefined, 1);
  return rows;
}

// Outline: the nodes as a tree, in which loops contain their bodies (spec ui.md 6.7). Screen readers use it beside the
// canvas, narrow windows instead of it. With an overlay, rows have the states of a run, and loops arrows to choose the
// iteration.

import { ChevronLeft, ChevronRight, TriangleAlert } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useMemo } from "react";
import { classes } from "../ui/classes.ts";
import { focusSoon } from "../ui/focus.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { StateIcon } from "../ui/state-icon.tsx";
import { useRows, VirtualRows } from "../ui/virtual-rows.tsx";
import type { Badge } from "./card.tsx";
import { type EdgeData, edgeWords } from "./edge-data.ts";
import { KindIcon } from "./kind-icon.tsx";
import type { CanvasEdge, CanvasModel, CardNode } from "./model.ts";
import type { CanvasOverlay, NodeOverlay, PassInfo } from "./overlay.ts";
import { spokenLabel } from "./words.ts";

export interface OutlineProps {
  model: CanvasModel;
  overlay?: CanvasOverlay;
  badges?: ReadonlyMap<string, Badge>;
  selected: ReadonlySet<string>;
  /** Several nodes can be selected. */
  isMany?: boolean;
  onSelect: (ids: string[]) => void;
  onOpen: (id: string) => void;
  carried: (edge: CanvasEdge) => EdgeData;
  /** Above the nodes. */
  children?: ReactNode;
}

const ROW_PX = { design: 32, states: 48 };

interface Row {
  id: string;
  level: number;
  /** Position within its group, counted from 1. */
  place: number;
  size: number;
}

export function Outline(props: OutlineProps) {
  const { model, overlay, selected, isMany, onSelect, children } = props;
  const rows = useMemo(() => rowsOf(model), [model]);
  const rowPx = overlay === undefined ? ROW_PX.design : ROW_PX.states;
  const { scroller, list } = useRows(rows.length, rowPx);
  // The list keeps the heights of before.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the heights depend on it.
  useEffect(() => list.measure(), [list, rowPx]);
  const active = rows.find(({ id }) => selected.has(id)) ?? rows[0];
  // A node that was selected elsewhere scrolls into view here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a longer list does not scroll.
  useEffect(() => {
    if (active !== undefined) list.scrollToIndex(rows.indexOf(active));
  }, [active?.id]);
  const go = (row: Row | undefined): void => {
    if (row === undefined) return;
    onSelect([row.id]);
    list.scrollToIndex(rows.indexOf(row));
    // The row exists only after the list has scrolled to it.
    focusSoon(() => scroller.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(row.id)}"]`));
  };
  // An empty tree would be an accessibility error.
  const tree = rows.length > 0 && ({ role: "tree", "aria-label": "Nodes", "aria-multiselectable": isMany } as const);
  return (
    <section aria-label="Outline" className="flex h-full min-h-0 flex-col bg-panel">
      {children}
      <div ref={scroller} {...tree} className="flex-1 overflow-y-auto p-1">
        <VirtualRows list={list}>
          {(index) => {
            const row = rows[index]!;
            return (
              <OutlineRow
                {...{ props, row }}
                isActive={row === active}
                onKey={(event) => onKey(event, props, rows, row, go)}
              />
            );
          }}
        </VirtualRows>
      </div>
    </section>
  );
}

function onKey(
  event: KeyboardEvent,
  { onOpen, onSelect, selected, isMany }: OutlineProps,
  rows: readonly Row[],
  row: Row,
  go: (row: Row | undefined) => void,
): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return;
  const at = rows.indexOf(row);
  const next = rows[at + 1];
  const acts = new Map([
    ["ArrowDown", () => go(next)],
    ["ArrowUp", () => go(rows[at - 1])],
    ["ArrowRight", () => go(next?.level === row.level + 1 ? next : undefined)],
    ["ArrowLeft", () => go(rows.slice(0, at).findLast(({ level }) => level < row.level))],
    ["Home", () => go(rows[0])],
    ["End", () => go(rows.at(-1))],
    ["Enter", () => onOpen(row.id)],
    [" ", () => onSelect(isMany ? toggled(selected, row.id) : [row.id])],
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
  props: OutlineProps;
  row: Row;
  isActive: boolean;
  onKey: (event: KeyboardEvent) => void;
}

function OutlineRow({ props, row: { id, level, place, size }, isActive, onKey }: OutlineRowProps) {
  const { model, overlay, badges, selected, isMany, onSelect, onOpen, carried } = props;
  const card = model.byId.get(id);
  if (card === undefined) return null;
  const shown = overlay?.nodes.get(id);
  const errors = badges?.get(id)?.errors ?? 0;
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
      // With states, the row says what it shows.
      aria-label={shown === undefined ? label.join(", ") : undefined}
      tabIndex={isActive ? 0 : -1}
      onKeyDown={onKey}
      onClick={({ shiftKey, ctrlKey, metaKey }) =>
        onSelect(isMany && (shiftKey || ctrlKey || metaKey) ? toggled(selected, id) : [id])
      }
      onDoubleClick={() => onOpen(id)}
      className={classes(
        "flex h-full cursor-pointer items-center gap-2 rounded-md pr-2",
        selected.has(id) ? "bg-selected" : "hover:bg-hover",
        shown?.dimmed !== undefined && "text-skipped",
      )}
      style={{ paddingLeft: level * 14 }}
    >
      <KindIcon type={card.icon} />
      {shown === undefined ? (
        <span className="min-w-0 flex-1 truncate">{card.title}</span>
      ) : (
        <States card={card} node={shown} onPass={(pass) => overlay?.onPass?.(id, pass)} />
      )}
      {errors > 0 && <TriangleAlert size={13} className="shrink-0 text-failed" aria-hidden="true" />}
    </div>
  );
}

interface StatesProps {
  card: CardNode;
  node: NodeOverlay;
  onPass: (pass: number) => void;
}

function States({ card, node, onPass }: StatesProps) {
  return (
    <span className="flex min-w-0 flex-1 flex-col">
      <span className="flex items-center gap-2">
        <span className="min-w-0 flex-1 truncate font-medium">{card.title}</span>
        {node.status !== "ready" && (
          <span className="flex shrink-0 items-center gap-1.5 text-sm tabular-nums">
            <StateIcon status={node.status} bare="silent" />
            <span>{node.word}</span>
            {node.duration !== undefined && <span className="text-muted">{node.duration}</span>}
          </span>
        )}
      </span>
      {node.pass === undefined ? (
        <span className="truncate text-sm text-muted">
          {[node.dimmed, node.facts].filter((fact) => fact !== undefined && fact !== "").join(" · ")}
        </span>
      ) : (
        <PassArrows pass={node.pass} onPass={onPass} />
      )}
    </span>
  );
}

function PassArrows({ pass, onPass }: { pass: PassInfo; onPass: (pass: number) => void }) {
  const next = pass.cells[pass.shown + 1];
  return (
    <span className="flex items-center gap-0.5">
      <IconButton
        label="Previous iteration"
        size="small"
        icon={<ChevronLeft />}
        disabled={pass.shown === 0}
        onClick={() => onPass(pass.shown - 1)}
      />
      <span className="text-sm whitespace-nowrap tabular-nums">
        {pass.shown + 1} of {pass.total ?? pass.cells.length}
      </span>
      <IconButton
        label="Next iteration"
        size="small"
        icon={<ChevronRight />}
        disabled={next === undefined || next === "ready"}
        onClick={() => onPass(pass.shown + 1)}
      />
    </span>
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

// TableView: a list of objects as a table. The header stays in view, arrow keys move over the cells, and pressing a
// cell chooses it.

import { type KeyboardEvent, useId, useMemo, useState } from "react";
import { visibleLine } from "../../../base/visible.ts";
import { classes } from "../../ui/classes.ts";
import { useRows, VirtualRows } from "../../ui/virtual-rows.tsx";
import { cellText, columnWidths, filteredRows, type Table } from "./rows.ts";
import type { Members } from "./value.ts";

export interface TableViewProps {
  table: Table;
  filter: string;
  label: string;
  onPress: (members: Members, value: unknown) => void;
  onActive: (members: Members) => void;
}

const ROW_PX = 30;
const PAGE_ROWS = 10;
/** Characters for the padding of a cell, and for the column of numbers. */
const PADDING = 3;
const NUMBER = 7;

export function TableView({ table, filter, label, onPress, onActive }: TableViewProps) {
  const [cell, setCell] = useState({ row: 0, column: 0 });
  const prefix = useId();
  const { columns } = table;
  const rows = useMemo(() => filteredRows(table, filter), [table, filter]);
  const widths = useMemo(() => columnWidths(table).map((width) => width + PADDING), [table]);
  const { scroller, list } = useRows(rows.length, ROW_PX, { header: ROW_PX });
  const go = ({ row, column }: Cell, isPress = false): void => {
    const { at, item } = rows[row]!;
    const name = columns[column]!;
    setCell({ row, column });
    onActive([...table.members, at, name]);
    if (isPress) onPress([...table.members, at, name], item[name]);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.metaKey || event.altKey || rows.length === 0) return;
    const isPress = event.key === "Enter" || event.key === " ";
    const next = isPress ? cell : moved(event, cell, rows.length - 1, columns.length - 1);
    if (next === undefined) return;
    event.preventDefault();
    go(next, isPress);
    list.scrollToIndex(next.row);
    const header = scroller.current?.querySelectorAll('[role="columnheader"]')[next.column + 1];
    header?.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  const total = widths.reduce((sum, width) => sum + width, NUMBER);
  return (
    <div
      ref={scroller}
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-activedescendant={rows.length === 0 ? undefined : `${prefix}${cell.row}-${cell.column}`}
      onKeyDown={onKey}
      className="group h-full overflow-auto focus-visible:-outline-offset-2"
    >
      <div role="presentation" style={{ minWidth: `${total}ch` }}>
        <Row at="#" role="columnheader" texts={columns} widths={widths} className="sticky top-0 z-10 bg-panel" />
        <VirtualRows list={list}>
          {(index) => (
            <Row
              {...{ index, widths }}
              at={rows[index]!.at}
              role="gridcell"
              id={`${prefix}${index}-`}
              texts={columns.map((name) => cellText(rows[index]!.item[name]))}
              active={index === cell.row ? cell.column : undefined}
              onPress={(column) => go({ row: index, column }, true)}
              className="hover:bg-hover"
            />
          )}
        </VirtualRows>
      </div>
    </div>
  );
}

interface RowProps {
  at: number | "#";
  index?: number;
  role: "columnheader" | "gridcell";
  texts: readonly string[];
  widths: readonly number[];
  id?: string;
  active?: number;
  onPress?: (column: number) => void;
  className: string;
}

function Row({ at, index = -1, role, texts, widths, id, active, onPress, className }: RowProps) {
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      style={{ height: ROW_PX }}
      className={classes("flex items-center border-b border-line", className)}
    >
      <span
        role={role === "gridcell" ? "rowheader" : role}
        style={{ width: `${NUMBER}ch` }}
        className="shrink-0 px-2.5 text-muted tabular-nums"
      >
        {at}
      </span>
      {texts.map((text, column) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the focus and takes the keys.
        // biome-ignore lint/a11y/noStaticElementInteractions: its role is one of two.
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the columns never move.
          key={column}
          id={id && `${id}${column}`}
          role={role}
          tabIndex={-1}
          title={visibleLine(text)}
          style={{ flex: `${widths[column]} 0 ${widths[column]}ch` }}
          onClick={onPress && (() => onPress(column))}
          className={classes(
            "h-full truncate px-2.5 leading-[30px]",
            onPress === undefined ? "text-muted" : "cursor-pointer hover:bg-selected/60",
            column === active && "group-focus:bg-selected",
          )}
        >
          {/* The weight of the cell would change its width in characters. */}
          <span className={onPress === undefined ? "font-semibold" : undefined}>{visibleLine(text)}</span>
        </span>
      ))}
    </div>
  );
}

type Cell = { row: number; column: number };

/** The cell that a key leads to. */
function moved({ key, ctrlKey }: KeyboardEvent, { row, column }: Cell, last: number, right: number): Cell | undefined {
  const to: Record<string, Cell> = {
    ArrowDown: { row: row + 1, column },
    ArrowUp: { row: row - 1, column },
    PageDown: { row: row + PAGE_ROWS, column },
    PageUp: { row: row - PAGE_ROWS, column },
    ArrowRight: { row, column: column + 1 },
    ArrowLeft: { row, column: column - 1 },
    Home: { row: ctrlKey ? 0 : row, column: 0 },
    End: { row: ctrlKey ? last : row, column: right },
  };
  const next = to[key];
  return next && { row: Math.max(0, Math.min(last, next.row)), column: Math.max(0, Math.min(right, next.column)) };
}

// Table: rows of facts with a heading each. For few rows; the runs' table draws only what is seen (runs/).

import type { ReactNode } from "react";
import { classes } from "./classes.ts";

export interface Column<Row> {
  id: string;
  title: string;
  cell: (row: Row) => ReactNode;
  align?: "left" | "right";
  className?: string;
}

export interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
}

export function Table<Row>({ label, columns, rows, keyOf }: TableProps<Row>) {
  return (
    <div className="overflow-x-auto">
      <table aria-label={label} className="w-full border-collapse">
        <thead>
          <tr className="border-b border-line">
            {columns.map((column) => (
              <th
                key={column.id}
                scope="col"
                className={classes(
                  "h-8 px-4 text-xs font-medium text-muted",
                  column.align === "right" ? "text-right" : "text-left",
                )}
              >
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className="border-b border-line last:border-0">
              {columns.map((column) => (
                <td
                  key={column.id}
                  className={classes("px-4 py-2 align-top", column.align === "right" && "text-right", column.className)}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

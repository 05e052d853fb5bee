// list: prints a list on stdout, as a JSON array or as aligned columns. An empty list is a sentence on stderr.

import type { Look, Style } from "./style.ts";
import type { Terminal } from "./terminal.ts";
import { padEnd, width } from "./text.ts";

export type Cell = string | { look: Look; text: string };

export interface Listing<Item> {
  json?: boolean | undefined;
  /** The sentence for an empty list. */
  empty: string;
  /** Titles of the columns. */
  head?: string[];
  row(item: Item): Cell[];
  toJson?(item: Item): unknown;
}

export function printList<Item>(
  items: readonly Item[],
  { json, empty, head, row, toJson = (item) => item }: Listing<Item>,
  terminal: Terminal,
): void {
  const titles = head === undefined ? [] : [head.map((text): Cell => ({ look: "faint", text }))];
  if (json) terminal.json(items.map(toJson), true);
  else if (items.length === 0) terminal.err(`${empty}\n`);
  else terminal.out(columns([...titles, ...items.map(row)], terminal.outStyle));
}

/** Each column is as wide as its widest cell. The last one is not padded. */
function columns(rows: readonly Cell[][], style: Style): string {
  const textOf = (cell: Cell = ""): string => (typeof cell === "string" ? cell : cell.text);
  const wide = rows[0]!.map((_, column) => Math.max(...rows.map((row) => width(textOf(row[column])))));
  const lines = rows.map((row) => {
    const cells = row.map((cell, column) => {
      const text = column === row.length - 1 ? textOf(cell) : padEnd(textOf(cell), wide[column]!);
      return typeof cell === "string" ? text : style(cell.look, text);
    });
    return cells.join("  ").trimEnd();
  });
  return `${lines.join("\n")}\n`;
}

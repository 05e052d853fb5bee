// rows: a JSON value as the rows of a tree, and a list of objects as a table, both filtered. Pure.
//   R1. A filter keeps what contains the text, in a name or a value, with what it is in. Positions stay those of the
//       whole value, so that references stay true.
//   R2. A value nested deeper than DEPTH_MAX is not opened or searched.

import { type Members, scalarText } from "./value.ts";

export const DEPTH_MAX = 100;

export interface TreeRow {
  members: Members;
  id: string;
  value: unknown;
  /** For an object or a list: the number of its members. */
  size?: number;
  isOpen?: boolean;
}

/** `isOpen` is asked about objects and lists. With a filter, those that contain a match are open. */
export function treeRows(value: unknown, isOpen: (id: string, depth: number) => boolean, filter = ""): TreeRow[] {
  const wanted = filter.toLowerCase();
  const rows: TreeRow[] = [];
  /** Whether a row was added. `within`: a name above matches. */
  const add = (inner: unknown, members: Members, within: boolean): boolean => {
    const name = String(members.at(-1) ?? "");
    const isNamed = within || (wanted !== "" && members.length > 0 && name.toLowerCase().includes(wanted));
    const id = members.length === 0 ? "" : JSON.stringify(members);
    if (!isParent(inner)) {
      if (wanted !== "" && !isNamed && !scalarText(inner).toLowerCase().includes(wanted)) return false;
      rows.push({ members, id, value: inner });
      return true;
    }
    const isDeep = members.length >= DEPTH_MAX;
    const entries = entriesOf(inner);
    const row: TreeRow = { members, id, value: inner, size: entries.length, isOpen: isOpen(id, members.length) };
    const at = rows.push(row);
    if (isDeep) row.isOpen = false;
    const isSearched = wanted !== "" && !isNamed && !isDeep;
    let found = false;
    if (isSearched || (row.isOpen && !isDeep))
      for (const [key, member] of entries) found = add(member, [...members, key], isNamed) || found;
    if (isSearched && found) row.isOpen = true;
    if (isSearched && !found && members.length > 0) rows.length = at - 1;
    return wanted === "" || isNamed || found;
  };
  add(value, [], false);
  return rows;
}

function isParent(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function entriesOf(value: object): [string | number, unknown][] {
  return Array.isArray(value) ? value.map((item, at) => [at, item]) : Object.entries(value);
}

export interface Table {
  members: Members;
  columns: string[];
  more: number;
  rows: { at: number; item: Record<string, unknown> }[];
}

const COLUMNS_MAX = 40;
/** Columns are those of the first rows. */
const ROWS_READ = 500;

/** The value if it is a list of objects, or its first member that is one, as in `{"items": […], "next": 2}`. */
export function tableOf(value: unknown): Table | undefined {
  if (isRows(value)) return tableAt(value, []);
  if (!isParent(value) || Array.isArray(value)) return undefined;
  const [name, list] = Object.entries(value).find(([, member]) => isRows(member)) ?? [];
  return name === undefined ? undefined : tableAt(list as Item[], [name]);
}

type Item = Record<string, unknown>;

function isRows(value: unknown): value is Item[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => isParent(item) && !Array.isArray(item));
}

function tableAt(list: Item[], members: Members): Table | undefined {
  const names = [...new Set(list.slice(0, ROWS_READ).flatMap((item) => Object.keys(item)))];
  if (names.length === 0) return undefined;
  const columns = names.slice(0, COLUMNS_MAX);
  return { members, columns, more: names.length - columns.length, rows: list.map((item, at) => ({ at, item })) };
}

/** R1, for the rows of a table. */
export function filteredRows({ rows }: Table, filter: string): Table["rows"] {
  const wanted = filter.toLowerCase();
  if (wanted === "") return rows;
  return rows.filter(({ item }) => Object.values(item).some((value) => holds(value, wanted, 0)));
}

function holds(value: unknown, wanted: string, depth: number): boolean {
  if (!isParent(value)) return scalarText(value).toLowerCase().includes(wanted);
  return depth < DEPTH_MAX && Object.values(value).some((member) => holds(member, wanted, depth + 1));
}

const LISTED_MAX = 6;
const CELL_CHARS = 200;

/** One line: text without quotes, short lists as they are, other nested values in words. */
export function cellText(value: unknown): string {
  if (value === undefined) return "";
  if (typeof value === "string") return clipped(value);
  if (!isParent(value)) return scalarText(value);
  if (!Array.isArray(value)) return summary(value);
  const isShort = value.length <= LISTED_MAX && value.every((item) => !isParent(item));
  return isShort ? clipped(value.map(cellText).join(", ")) : summary(value);
}

function clipped(text: string): string {
  return text.length > CELL_CHARS ? `${text.slice(0, CELL_CHARS)}…` : text;
}

/** `57 items`, `3 members`. */
export function summary(value: object): string {
  const size = Array.isArray(value) ? value.length : Object.keys(value).length;
  const one = Array.isArray(value) ? "item" : "member";
  return `${size} ${one}${size === 1 ? "" : "s"}`;
}

const WIDTH = { min: 4, max: 36 };

/** Widths in characters, from the first rows, so that columns don't move while you scroll. */
export function columnWidths({ columns, rows }: Table): number[] {
  return columns.map((name) => {
    const lengths = rows.slice(0, ROWS_READ).map(({ item }) => cellText(item[name]).length);
    return Math.min(WIDTH.max, Math.max(WIDTH.min, name.length, ...lengths));
  });
}

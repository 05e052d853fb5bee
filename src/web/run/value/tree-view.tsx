// TreeView: JSON as a tree that folds. Pressing a row chooses its part, for example to copy its reference. Hidden
// characters in names and strings are made visible.

import { ChevronDown, ChevronRight } from "lucide-react";
import { type KeyboardEvent, type MouseEvent, useId, useMemo, useState } from "react";
import { visible } from "../../../base/visible.ts";
import { classes } from "../../ui/classes.ts";
import { useRows, VirtualRows } from "../../ui/virtual-rows.tsx";
import { summary, type TreeRow, treeRows } from "./rows.ts";
import { type Members, scalarText } from "./value.ts";

export interface TreeViewProps {
  value: unknown;
  filter?: string;
  label: string;
  onPress: (members: Members, value: unknown) => void;
  /** The active part, for a line that shows its reference. */
  onActive?: (members: Members) => void;
}

const ROW_PX = 22;
/** Open at first. The items of a long list are closed. */
const LEVELS_OPEN = 2;
const LONG_LIST = 100;
const STRING_CHARS = 2_000;
/** Rows of a tree within other text, which is not virtual. */
const INLINE_ROWS = 300;
const INDENTS_MAX = 24;

export function TreeView(props: TreeViewProps) {
  const tree = useTree(props);
  const { scroller, list } = useRows(tree.rows.length, ROW_PX);
  return (
    <div
      ref={scroller}
      role="tree"
      tabIndex={0}
      {...tree.attributes}
      onKeyDown={(event) => tree.onKey(event, (at) => list.scrollToIndex(at))}
      className="group h-full overflow-auto py-1 focus-visible:-outline-offset-2"
    >
      <VirtualRows list={list} measured>
        {(index) => <Row {...{ tree, index }} row={tree.rows[index]!} />}
      </VirtualRows>
    </div>
  );
}

/** A tree within other text, such as a line of output. */
export function InlineTree(props: TreeViewProps) {
  const tree = useTree(props);
  const left = tree.rows.length - INLINE_ROWS;
  return (
    <>
      <div
        role="tree"
        tabIndex={0}
        {...tree.attributes}
        onKeyDown={(event) => tree.onKey(event, () => {})}
        className="group"
      >
        {tree.rows.slice(0, INLINE_ROWS).map((row, index) => (
          <Row key={row.id} {...{ tree, row, index }} />
        ))}
      </div>
      {left > 0 && <p className="pl-6 text-muted">… {left} more rows. The Value tab shows all of them.</p>}
    </>
  );
}

type Tree = ReturnType<typeof useTree>;

function useTree({ value, filter = "", label, onPress, onActive }: TreeViewProps) {
  /** Rows that are not as they are at first. */
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [at, setAt] = useState(0);
  const prefix = useId();
  const rows = useMemo(() => {
    const isLong = typeof value === "object" && value !== null && Object.keys(value).length > LONG_LIST;
    const levels = isLong ? 1 : LEVELS_OPEN;
    return treeRows(value, (id, depth) => depth < levels !== toggled.has(id), filter);
  }, [value, filter, toggled]);
  const active = Math.min(at, rows.length - 1);
  const go = (next: number): void => {
    setAt(next);
    const row = rows[next];
    if (row !== undefined) onActive?.(row.members);
  };
  const toggle = ({ id }: TreeRow): void => {
    const next = new Set(toggled);
    if (!next.delete(id)) next.add(id);
    setToggled(next);
  };
  const press = (index: number): void => {
    go(index);
    const row = rows[index];
    if (row !== undefined) onPress(row.members, row.value);
  };
  const onKey = (event: KeyboardEvent, show: (at: number) => void): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = nextOf(event.key, rows, active);
    if (next === undefined) return;
    event.preventDefault();
    if (next === "toggle") toggle(rows[active]!);
    else if (next === "press") press(active);
    else {
      go(next);
      show(next);
    }
  };
  const attributes = {
    "aria-label": label,
    "aria-activedescendant": `${prefix}${active}`,
  } as const;
  return { rows, active, toggle, press, onKey, attributes, prefix };
}

/** The row that a key leads to. */
function nextOf(key: string, rows: readonly TreeRow[], at: number): number | "toggle" | "press" | undefined {
  const row = rows[at];
  if (row === undefined) return undefined;
  const isParent = row.size !== undefined;
  if (key === "ArrowRight" && isParent) return row.isOpen ? Math.min(at + 1, rows.length - 1) : "toggle";
  if (key === "ArrowLeft" && isParent && row.isOpen) return "toggle";
  if (key === "ArrowLeft") {
    const above = rows.slice(0, at).findLastIndex(({ members }) => members.length < row.members.length);
    return Math.max(0, above);
  }
  const acts: Record<string, number | "press"> = {
    ArrowDown: Math.min(at + 1, rows.length - 1),
    ArrowUp: Math.max(0, at - 1),
    Home: 0,
    End: rows.length - 1,
    Enter: "press",
    " ": "press",
  };
  return acts[key];
}

function Row({ tree, row, index }: { tree: Tree; row: TreeRow; index: number }) {
  const { members, value, size, isOpen } = row;
  const name = members.at(-1);
  const onFold = (event: MouseEvent): void => {
    event.stopPropagation();
    tree.toggle(row);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the focus and takes the keys.
    <div
      role="treeitem"
      tabIndex={-1}
      id={`${tree.prefix}${index}`}
      aria-level={members.length + 1}
      aria-expanded={isOpen}
      aria-selected={index === tree.active}
      onClick={() => tree.press(index)}
      style={{ paddingLeft: 8 + Math.min(members.length, INDENTS_MAX) * 14 }}
      className={classes(
        "flex min-h-[22px] cursor-pointer items-start pr-3 font-mono text-sm hover:bg-hover",
        index === tree.active && "group-focus:bg-selected",
      )}
    >
      <span aria-hidden="true" onClick={size === undefined ? undefined : onFold} className="mt-[3px] size-4 shrink-0">
        {size !== undefined && (isOpen ? <ChevronDown size={14} /> : <ChevronRight size={14} />)}
      </span>
      <span className="min-w-0 flex-1 break-words whitespace-pre-wrap">
        {name !== undefined && <span className="text-muted">{visible(String(name))}: </span>}
        {size === undefined ? <Scalar value={value} /> : <span className="text-muted">{parentText(row)}</span>}
      </span>
    </div>
  );
}

function parentText({ value, isOpen }: TreeRow): string {
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const words = summary(value as object);
  return isOpen ? words : `${open} ${words} ${close}`;
}

function Scalar({ value }: { value: unknown }) {
  const text = scalarText(value);
  const isString = typeof value === "string";
  const left = text.length - STRING_CHARS;
  return (
    <>
      <span className={isString ? "text-succeeded" : value === null ? "text-muted" : "text-running"}>
        {visible(left > 0 ? text.slice(0, STRING_CHARS) : text)}
      </span>
      {left > 0 && <span className="text-muted">… {left} more characters</span>}
    </>
  );
}

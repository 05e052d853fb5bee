// RunsScreen: the history (spec ui 6.2.5): filters in the address, a table that stays live, keys for everything.

import { useNavigate, useSearch } from "@tanstack/react-router";
import { Copy, GitCompareArrows, History, Play, RotateCcw, Square, Trash2, X } from "lucide-react";
import { useRef, useState } from "react";
import type { RunItem } from "../../api/shapes.ts";
import { useActions } from "../app/actions.ts";
import type { RunsSearch } from "../app/router.tsx";
import { TopBar } from "../app/top-bar.tsx";
import { problemOf } from "../client/queries.ts";
import { Button } from "../ui/button.tsx";
import { copyText } from "../ui/copy.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Empty } from "../ui/empty.tsx";
import { focusSoon } from "../ui/focus.ts";
import type { MenuItem } from "../ui/menu.tsx";
import { Problem } from "../ui/problem.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { count } from "../ui/words.ts";
import { FilterBar } from "./filter-bar.tsx";
import { useLeftPlace } from "./left-place.ts";
import { isOver, useRunActions } from "./run-actions.ts";
import { RunsTable } from "./runs-table.tsx";
import { useRows } from "./use-rows.ts";

export function RunsScreen() {
  const search = useSearch({ from: "/runs" });
  const navigate = useNavigate();
  const was = useLeftPlace(() => ({ top: top.current, current: currentNow.current }));
  const top = useRef(was?.top ?? 0);
  const { query, rows, remove } = useRows(search, was !== undefined);
  const { current, setCurrent, selected, setSelected, chosen } = useChosen(rows, was?.current);
  const currentNow = useRef(current);
  currentNow.current = current;
  const [doomed, setDoomed] = useState<readonly RunItem[]>([]);
  const actions = useRunActions();
  const searchRef = useRef<HTMLInputElement>(null);
  const setSearch = (next: RunsSearch) => void navigate({ to: "/runs", search: next, replace: true });
  const byId = new Map(rows.map((row) => [row.id, row]));
  const row = current === undefined ? undefined : byId.get(current);
  const pair = chosen.length === 2 ? chosen : undefined;
  const step = (by: number) => {
    const at = rows.findIndex(({ id }) => id === current);
    setCurrent(rows[Math.min(rows.length - 1, Math.max(0, at < 0 ? 0 : at + by))]?.id);
  };
  const over = (chosen.length > 0 ? chosen : row === undefined ? [] : [row]).filter(isOver);
  const compare = () => {
    const [newer, older] = pair ?? [];
    if (newer !== undefined && older !== undefined) actions.compare(older.id, newer.id);
  };

  useActions("Runs", [
    { id: "runs.next", title: "Next run", keys: "J or ArrowDown", keysOnly: true, held: true, run: () => step(1) },
    {
      id: "runs.previous",
      title: "Previous run",
      keys: "K or ArrowUp",
      keysOnly: true,
      held: true,
      run: () => step(-1),
    },
    {
      id: "runs.open",
      title: "Open the run",
      keys: "Enter",
      disabled: row === undefined,
      run: () => row && actions.open(row.id),
    },
    {
      id: "runs.select",
      title: "Select the run",
      keys: "X",
      disabled: row === undefined,
      run: () => row && setSelected(row.id, !selected.has(row.id)),
    },
    {
      id: "runs.compare",
      title: "Compare the two selected runs",
      keys: "C",
      disabled: pair === undefined,
      run: compare,
    },
    {
      id: "runs.again",
      title: "Run again",
      keys: "R",
      words: "re-run retry",
      disabled: row === undefined || !isOver(row),
      run: () => row && void actions.again(row, { all: true }),
    },
    { id: "runs.delete", title: "Delete…", keys: "Delete", disabled: over.length === 0, run: () => setDoomed(over) },
    { id: "runs.search", title: "Search runs", keys: "/", run: () => searchRef.current?.focus() },
    {
      id: "runs.none",
      title: "Select nothing",
      keys: "Escape",
      keysOnly: true,
      disabled: selected.size === 0,
      run: () => setSelected(undefined, false),
    },
  ]);

  const menuFor = (run: RunItem): (MenuItem | "-")[] => [
    { label: "Open", icon: <History size={14} />, shortcut: "Enter", onSelect: () => actions.open(run.id) },
    ...(isOver(run)
      ? [
          {
            label: "Run again",
            icon: <Play size={14} />,
            shortcut: "R",
            onSelect: () => void actions.again(run, { all: true }),
          },
          ...(run.status === "succeeded"
            ? []
            : [
                {
                  label: "Run again from the failure",
                  icon: <RotateCcw size={14} />,
                  onSelect: () => void actions.again(run, { all: false }),
                },
              ]),
        ]
      : [{ label: "Cancel", icon: <Square size={14} />, onSelect: () => void actions.cancel(run) }]),
    {
      label: "Copy the id",
      icon: <Copy size={14} />,
      onSelect: () => void copyText(run.id, "Copied the id"),
    },
    "-",
    {
      label: "Delete…",
      icon: <Trash2 size={14} />,
      shortcut: "Delete",
      danger: true,
      disabled: !isOver(run),
      onSelect: () => setDoomed([run]),
    },
  ];

  return (
    <>
      <TopBar title="Runs" />
      <div className="flex h-full flex-col">
        <div className="border-b border-line bg-panel px-4 py-3">
          {chosen.length === 0 ? (
            <FilterBar search={search} onChange={setSearch} searchRef={searchRef} />
          ) : (
            <div role="toolbar" aria-label="Selected runs" className="flex min-h-8 flex-wrap items-center gap-2">
              <span className="mr-2 font-semibold">{count(chosen.length, "run")} selected</span>
              <Button
                icon={<GitCompareArrows size={14} />}
                disabled={pair === undefined}
                shortcut="C"
                onClick={compare}
              >
                Compare
              </Button>
              <Button
                kind="danger"
                icon={<Trash2 size={14} />}
                disabled={over.length === 0}
                onClick={() => setDoomed(over)}
              >
                Delete {over.length < chosen.length && over.length > 0 ? over.length : ""}
              </Button>
              <Button kind="quiet" icon={<X size={14} />} onClick={() => setSelected(undefined, false)}>
                Clear
              </Button>
              {pair === undefined && (
                <span className="text-sm text-muted max-sm:hidden">Two runs can be compared.</span>
              )}
            </div>
          )}
        </div>
        {query.isPending && <Skeleton rows={8} className="p-4" />}
        {query.error !== null && query.data === undefined && (
          <div className="p-4">
            <Problem
              problem={problemOf(query.error)}
              action={<Button onClick={() => void query.refetch()}>Try again</Button>}
            />
          </div>
        )}
        {query.data !== undefined && rows.length === 0 && (
          <Nothing filtered={Object.keys(search).length > 0} onClear={() => setSearch({})} />
        )}
        {rows.length > 0 && (
          <RunsTable
            rows={rows}
            current={current}
            selected={selected}
            onPoint={setCurrent}
            onSelect={setSelected}
            top={top}
            menuFor={menuFor}
            onEnd={query.hasNextPage && !query.isFetchingNextPage ? () => void query.fetchNextPage() : undefined}
          />
        )}
      </div>
      <Dialog
        open={doomed.length > 0}
        onClose={() => setDoomed([])}
        title={`Delete ${count(doomed.length, "run")}?`}
        description="What they said, their outputs and events leave the history. This cannot be undone."
        actions={
          <>
            <Button kind="quiet" onClick={() => setDoomed([])}>
              Keep
            </Button>
            <Button
              kind="danger"
              onClick={() => {
                const runs = doomed;
                setDoomed([]);
                setSelected(undefined, false);
                setCurrent(besides(rows, current, runs));
                focusSoon(() => document.querySelector<HTMLElement>("[role=grid]"));
                void actions.remove(runs).then(remove);
              }}
            >
              Delete
            </Button>
          </>
        }
      />
    </>
  );
}

/** The current row and the selected ones, by id: rows that come move neither. */
function useChosen(rows: readonly RunItem[], before: string | undefined) {
  const [current, setCurrent] = useState(before);
  const [selected, setAll] = useState<ReadonlySet<string>>(new Set());
  /** Without an id: nothing is selected. */
  const setSelected = (id: string | undefined, is: boolean) => {
    if (id === undefined) return setAll(new Set());
    setCurrent(id);
    setAll((before) => {
      const next = new Set(before);
      if (is) next.add(id);
      else next.delete(id);
      return next;
    });
  };
  return { current, setCurrent, selected, setSelected, chosen: rows.filter(({ id }) => selected.has(id)) };
}

/** The row that stands where `current` stood once `gone` are deleted; `current` itself if it stays. */
function besides(rows: readonly RunItem[], current: string | undefined, gone: readonly RunItem[]): string | undefined {
  const doomed = new Set(gone.map(({ id }) => id));
  const at = rows.findIndex(({ id }) => id === current);
  const behind = rows.slice(Math.max(0, at)).find(({ id }) => !doomed.has(id));
  return current === undefined ? undefined : (behind ?? rows.findLast(({ id }) => !doomed.has(id)))?.id;
}

function Nothing({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (filtered)
    return (
      <Empty title="No run is like that" action={<Button onClick={onClear}>Clear the filters</Button>}>
        No run of the history meets all of these filters.
      </Empty>
    );
  return (
    <Empty icon={<History size={28} />} title="Nothing has run yet">
      Every run stands here from its first event on, whoever started it: this page, the command line, a trigger.
    </Empty>
  );
}

// RunsScreen: the run history (spec ui 6.2.5): filters in the URL, a live table, and a shortcut for every action.

import { useNavigate, useSearch } from "@tanstack/react-router";
import { Copy, GitCompareArrows, History, Play, RotateCcw, Square, Trash2, X } from "lucide-react";
import { useRef, useState } from "react";
import type { RunItem } from "../../api/shapes.ts";
import { useActions } from "../app/actions.ts";
import type { RunsSearch } from "../app/search.ts";
import { TopBar } from "../app/top-bar.tsx";
import { Button } from "../ui/button.tsx";
import { copyText } from "../ui/copy.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Empty } from "../ui/empty.tsx";
import { focusSoon } from "../ui/focus.ts";
import type { MenuItem } from "../ui/menu.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { count } from "../ui/words.ts";
import { FilterBar } from "./filter-bar.tsx";
import { isOver, useRunActions } from "./run-actions.ts";
import { RunsTable } from "./runs-table.tsx";
import { useRows } from "./use-rows.ts";

export function RunsScreen() {
  const search = useSearch({ from: "/runs" });
  const navigate = useNavigate();
  const { query, rows, remove } = useRows(search);
  const { current, setCurrent, selected, setSelected, chosen } = useChosen(rows);
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
    { label: "Open", icon: <History />, shortcut: "Enter", onSelect: () => actions.open(run.id) },
    ...(isOver(run)
      ? [
          { label: "Run again", icon: <Play />, shortcut: "R", onSelect: () => void actions.again(run, { all: true }) },
          ...(run.status === "succeeded"
            ? []
            : [
                {
                  label: "Run again from the failure",
                  icon: <RotateCcw />,
                  onSelect: () => void actions.again(run, { all: false }),
                },
              ]),
        ]
      : [{ label: "Cancel", icon: <Square />, onSelect: () => void actions.cancel(run) }]),
    { label: "Copy the id", icon: <Copy />, onSelect: () => void copyText(run.id, "Copied the id") },
    "-",
    {
      label: "Delete…",
      icon: <Trash2 />,
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
              <Button icon={<GitCompareArrows />} disabled={pair === undefined} shortcut="C" onClick={compare}>
                Compare
              </Button>
              <Button kind="danger" icon={<Trash2 />} disabled={over.length === 0} onClick={() => setDoomed(over)}>
                Delete {over.length < chosen.length && over.length > 0 ? over.length : ""}
              </Button>
              <Button kind="quiet" icon={<X />} onClick={() => setSelected(undefined, false)}>
                Clear
              </Button>
            </div>
          )}
        </div>
        <QueryView query={query} rows={8}>
          {() => rows.length === 0 && <Nothing search={search} onClear={() => setSearch({})} />}
        </QueryView>
        {rows.length > 0 && (
          <RunsTable
            rows={rows}
            current={current}
            selected={selected}
            onPoint={setCurrent}
            onSelect={setSelected}
            menuFor={menuFor}
            onEnd={query.hasNextPage && !query.isFetchingNextPage ? () => void query.fetchNextPage() : undefined}
          />
        )}
      </div>
      <Dialog
        open={doomed.length > 0}
        onClose={() => setDoomed([])}
        title={`Delete ${count(doomed.length, "run")}?`}
        description="Their results, outputs, and events are deleted. This cannot be undone."
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

/** The current and the selected rows, by id, so that new rows do not change them. */
function useChosen(rows: readonly RunItem[]) {
  const [current, setCurrent] = useState<string>();
  const [selected, setAll] = useState<ReadonlySet<string>>(new Set());
  /** Without an id, clears the selection. */
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

function Nothing({ search, onClear }: { search: RunsSearch; onClear: () => void }) {
  if (Object.keys(search).length === 0)
    return (
      <Empty icon={<History size={28} />} title="No runs yet">
        Runs appear here as soon as they start, from this page, the command line, or a trigger.
      </Empty>
    );
  return <Empty title="No matching runs" action={<Button onClick={onClear}>Clear filters</Button>} />;
}

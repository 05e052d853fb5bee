// RunsScreen: the run history (spec ui 6.2.5): filters in the URL, a live table, and a shortcut for every action.

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Copy, GitCompareArrows, History, Play, RotateCcw, Square, Trash2, X } from "lucide-react";
import { type ReactNode, type RefObject, useMemo, useRef, useState } from "react";
import type { RunItem } from "../../api/shapes.ts";
import { type Action, useActions } from "../app/actions.ts";
import type { RunsSearch } from "../app/search.ts";
import { TopBar } from "../app/top-bar.tsx";
import { keys, runsPage } from "../client/queries.ts";
import { Button } from "../ui/button.tsx";
import { copyText } from "../ui/copy.tsx";
import { Empty } from "../ui/empty.tsx";
import { focusSoon } from "../ui/focus.ts";
import { ConfirmDialog } from "../ui/form-dialog.tsx";
import type { MenuItem } from "../ui/menu.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { count } from "../ui/words.ts";
import { FilterBar } from "./filter-bar.tsx";
import { queryOf } from "./filters.ts";
import { canRetry, isOver, useRunActions } from "./run-actions.ts";
import { RunsTable } from "./runs-table.tsx";

export function RunsScreen() {
  const search = useSearch({ from: "/runs" });
  const navigate = useNavigate();
  const { query, rows } = useRows(search);
  const table = useTable(rows);
  const { chosen, doomed, setDoomed } = table;
  const actions = useRunActions();
  const searchRef = useRef<HTMLInputElement>(null);
  const setSearch = (next: RunsSearch) => void navigate({ to: "/runs", search: next, replace: true });
  useTableActions(table, actions, searchRef);
  const onDelete = () => {
    setDoomed([]);
    table.setSelected(undefined, false);
    focusSoon(() => document.querySelector<HTMLElement>("[role=grid]"));
    void actions.remove(doomed);
  };
  return (
    <>
      <TopBar title="Runs" />
      <div className="flex h-full flex-col">
        <div className="border-b border-line bg-panel px-4 py-3">
          {chosen.length === 0 ? (
            <FilterBar search={search} onChange={setSearch} searchRef={searchRef} />
          ) : (
            <Selection {...table} />
          )}
        </div>
        <QueryView query={query} rows={8}>
          {() => rows.length === 0 && <Nothing search={search} onChange={setSearch} />}
        </QueryView>
        {rows.length > 0 && (
          <RunsTable
            rows={rows}
            current={table.current}
            selected={table.selected}
            onPoint={table.setCurrent}
            onSelect={table.setSelected}
            menuFor={(run) => menuFor(run, actions, () => setDoomed([run]))}
            onEnd={query.hasNextPage && !query.isFetchingNextPage ? () => void query.fetchNextPage() : undefined}
          />
        )}
      </div>
      {doomed.length > 0 && (
        <ConfirmDialog
          title={`Delete ${count(doomed.length, "run")}?`}
          description="Their results, outputs, and events are deleted. This cannot be undone."
          action="Delete"
          onConfirm={onDelete}
          onClose={() => setDoomed([])}
        />
      )}
    </>
  );
}

type Table = ReturnType<typeof useTable>;

/** The current and the selected rows, by id, so that new rows do not change them, and what can be done with them. */
function useTable(rows: readonly RunItem[]) {
  const { compare } = useRunActions();
  const [current, setCurrent] = useState<string>();
  const [selected, setAll] = useState<ReadonlySet<string>>(new Set());
  const [doomed, setDoomed] = useState<readonly RunItem[]>([]);
  const row = rows.find(({ id }) => id === current);
  const chosen = rows.filter(({ id }) => selected.has(id));
  const meant = chosen.length > 0 ? chosen : row === undefined ? [] : [row];
  const [newer, older] = chosen.length === 2 ? chosen : [];
  return {
    ...{ rows, row, current, setCurrent, selected, chosen, doomed, setDoomed },
    /** The runs that Delete means. */
    over: meant.filter(isOver),
    compare: newer && older ? () => compare(older.id, newer.id) : undefined,
    /** Without an id, clears the selection. */
    setSelected(id: string | undefined, is: boolean): void {
      if (id !== undefined) setCurrent(id);
      setAll(
        (before) => new Set(id === undefined ? [] : is ? [...before, id] : [...before].filter((one) => one !== id)),
      );
    },
    step(by: number): void {
      const at = rows.findIndex(({ id }) => id === current);
      setCurrent(rows[Math.min(rows.length - 1, Math.max(0, at < 0 ? 0 : at + by))]?.id);
    },
  };
}

function useTableActions(table: Table, actions: RunActions, search: RefObject<HTMLInputElement | null>): void {
  const { row, over, compare, selected, setSelected, step, setDoomed } = table;
  const list = { keysOnly: true, held: true };
  const select = () => row && setSelected(row.id, !selected.has(row.id));
  const none = { keysOnly: true, disabled: selected.size === 0, run: () => setSelected(undefined, false) };
  useActions("Runs", [
    { id: "runs.next", title: "Next run", keys: "J or ArrowDown", ...list, run: () => step(1) },
    { id: "runs.previous", title: "Previous run", keys: "K or ArrowUp", ...list, run: () => step(-1) },
    ...choicesFor(row, actions).map(({ icon: _, ...action }) => action),
    { id: "runs.select", title: "Select the run", keys: "X", disabled: row === undefined, run: select },
    {
      id: "runs.compare",
      title: "Compare the two selected runs",
      keys: "C",
      disabled: compare === undefined,
      run: () => compare?.(),
    },
    { id: "runs.delete", title: "Delete…", keys: "Delete", disabled: over.length === 0, run: () => setDoomed(over) },
    { id: "runs.search", title: "Search runs", keys: "/", run: () => search.current?.focus() },
    { id: "runs.none", title: "Select nothing", keys: "Escape", ...none },
  ]);
}

type RunActions = ReturnType<typeof useRunActions>;

/** The actions on a run, in its menu and by keys. */
function choicesFor(run: RunItem | undefined, { open, again, cancel }: RunActions): (Action & { icon: ReactNode })[] {
  const over = run !== undefined && isOver(run);
  const choice = (id: string, title: string, keys: string | undefined, icon: ReactNode, isOffered: boolean) => ({
    ...{ id: `runs.${id}`, title, keys, icon, disabled: !isOffered },
    run: () => run && act[id]?.(run),
  });
  const act: Record<string, (run: RunItem) => unknown> = {
    open: ({ id }) => open(id),
    cancel,
    again: (one) => again(one, { all: true }),
    retry: (one) => again(one, { all: false }),
    copy: ({ id }) => copyText(id, "Copied the id"),
  };
  return [
    choice("open", "Open the run", "Enter", <History key="open" />, run !== undefined),
    choice("cancel", "Cancel the run", undefined, <Square key="cancel" />, run !== undefined && !over),
    choice("again", "Run again", "R", <Play key="again" />, over),
    choice("retry", "Retry from the failure", "Shift+R", <RotateCcw key="retry" />, over && canRetry(run)),
    choice("copy", "Copy the id", undefined, <Copy key="copy" />, run !== undefined),
  ];
}

function menuFor(run: RunItem, actions: RunActions, onDelete: () => void): (MenuItem | "-")[] {
  const deleting = { icon: <Trash2 />, shortcut: "Delete", danger: true, disabled: !isOver(run) };
  return [
    ...choicesFor(run, actions)
      .filter(({ disabled }) => !disabled)
      .map(({ title: label, icon, keys: shortcut, run: onSelect }) => ({ label, icon, shortcut, onSelect })),
    "-",
    { label: "Delete…", ...deleting, onSelect: onDelete },
  ];
}

function Selection({ chosen, over, compare, setDoomed, setSelected }: Table) {
  return (
    <div role="toolbar" aria-label="Selected runs" className="flex min-h-8 flex-wrap items-center gap-2">
      <span className="mr-2 font-semibold">{count(chosen.length, "run")} selected</span>
      <Button icon={<GitCompareArrows />} disabled={compare === undefined} shortcut="C" onClick={compare}>
        Compare
      </Button>
      <Button kind="danger" icon={<Trash2 />} disabled={over.length === 0} onClick={() => setDoomed(over)}>
        Delete {over.length < chosen.length && over.length > 0 ? over.length : ""}
      </Button>
      <Button kind="quiet" icon={<X />} onClick={() => setSelected(undefined, false)}>
        Clear
      </Button>
    </div>
  );
}

function Nothing({ search, onChange }: { search: RunsSearch; onChange: (search: RunsSearch) => void }) {
  const isPlain = Object.keys(search).length === 0;
  const { data: tests } = useQuery({
    queryKey: [...keys.runs, "any test"],
    queryFn: ({ signal }) => runsPage({ kind: ["test"], limit: 1, cursor: "" }, signal),
    enabled: isPlain,
  });
  const hasTests = tests !== undefined && tests.items.length > 0;
  const show = <Button onClick={() => onChange({ tests: "shown" })}>Show tests</Button>;
  if (isPlain)
    return (
      <Empty
        icon={<History size={28} />}
        title={hasTests ? "Only tests of single nodes so far" : "No runs yet"}
        docs={["reference/execution", "How a run proceeds"]}
        action={hasTests ? show : undefined}
      >
        Runs appear here as soon as they start, from this page, the command line, or a trigger.
      </Empty>
    );
  return <Empty title="No matching runs" action={<Button onClick={() => onChange({})}>Clear filters</Button>} />;
}

const pageSize = 100;

function useRows(search: RunsSearch) {
  const query = useInfiniteQuery({
    queryKey: [...keys.runs, "table", search],
    queryFn: ({ pageParam, signal }) =>
      runsPage({ ...queryOf(search, Date.now()), limit: pageSize, cursor: pageParam }, signal),
    initialPageParam: "",
    getNextPageParam: (last) => last.next,
    refetchOnMount: "always",
  });
  const rows = useMemo(() => query.data?.pages.flatMap(({ items }) => items) ?? [], [query.data]);
  return { query, rows };
}

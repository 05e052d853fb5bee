// HomeScreen: the workflows of the folder, or three ways to create the first one (spec ui 6.2.1).

import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import type { ServerInfo, WorkflowItem, WorkflowList } from "../../api/shapes.ts";
import { useActions } from "../app/actions.ts";
import { openOverlay } from "../app/overlays.ts";
import { Screen } from "../app/screen.tsx";
import { serverQuery, workflowListQuery } from "../client/queries.ts";
import { Button } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { InParts } from "../ui/in-parts.tsx";
import { Panel } from "../ui/panel.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { TypedSearch } from "../ui/typed-search.tsx";
import { count } from "../ui/words.ts";
import { foldersOf, inOrder, isShown, SHOWN } from "./choices.ts";
import { useNewWorkflow } from "./create.ts";
import { DemoBanner, FirstSteps } from "./first-steps.tsx";
import { Overview } from "./overview.tsx";
import { useStarred } from "./stars.ts";
import { COLUMNS, WorkflowRow } from "./workflow-row.tsx";

const searchFrom = 8;

export function HomeScreen() {
  const workflows = useQuery(workflowListQuery);
  const server = useQuery(serverQuery);
  const newWorkflow = useNewWorkflow();
  const actions = workflows.data !== undefined && workflows.data.items.length > 0 && (
    <>
      <Button onClick={() => openOverlay("paste-curl")} className="max-sm:hidden">
        Paste curl
      </Button>
      <Button kind="primary" icon={<Plus />} onClick={newWorkflow}>
        New
      </Button>
    </>
  );
  return (
    <Screen title="Workflows" wide actions={actions}>
      <QueryView query={workflows} rows={5}>
        {(list) => {
          // The server's message above the workflows would push them down.
          if (server.isPending) return <Skeleton rows={5} />;
          if (list.items.length === 0) return <FirstSteps folder={server.data?.folder} />;
          return <Workflows list={list} server={server.data} />;
        }}
      </QueryView>
    </Screen>
  );
}

function Workflows({ list: { items, cut }, server }: { list: WorkflowList; server: ServerInfo | undefined }) {
  const [text, setText] = useState("");
  const { show } = useSearch({ from: "/" });
  const navigate = useNavigate();
  const stars = useStarred();
  const find = useRef<HTMLInputElement>(null);
  const wanted = text.toLowerCase();
  const all = useInOrder(items);
  const shown = all.filter(
    (item) => isShown(item, show, stars) && `${item.name} ${item.path}`.toLowerCase().includes(wanted),
  );
  const canFind = items.length >= searchFrom;
  useActions("Workflows", [
    { id: "home.find", title: "Find a workflow", keys: "/", disabled: !canFind, run: () => find.current?.focus() },
  ]);
  const chips = [["", "Recent"], ...Object.entries(SHOWN), ...foldersOf(items).map((folder) => [folder, folder])];
  return (
    <>
      {server?.demoUrl !== undefined && <DemoBanner url={server.demoUrl} />}
      {items.some(({ recent }) => recent.length > 0) && <Overview items={items} />}
      <div className="mb-4 flex min-h-8 flex-wrap items-center gap-x-4 gap-y-2">
        <div role="group" aria-label="Show" className="flex min-w-0 basis-full flex-wrap gap-2 sm:flex-1">
          {chips.map(([id = "", title]) => (
            <button
              key={id}
              type="button"
              aria-pressed={id === (show ?? "")}
              onClick={() => void navigate({ to: "/", search: { show: id || undefined }, replace: true })}
              className={classes(
                "h-8 max-w-48 truncate rounded-full border px-3",
                id === (show ?? "") ? "border-accent bg-selected" : "border-line text-muted hover:text-text",
              )}
            >
              {title}
            </button>
          ))}
        </div>
        {canFind && (
          <TypedSearch
            label="Find a workflow"
            placeholder="Find…"
            value={text}
            onChange={setText}
            inputRef={find}
            icon
          />
        )}
      </div>
      {cut && (
        <p role="status" className="mb-4 rounded-lg border border-line bg-waiting/10 px-4 py-2">
          <strong className="font-semibold">Not everything is listed:</strong> the folder is larger than 2,000 files, or
          deeper than 8 folders. Serve the folder in which the workflows are: <code>curlew serve flows</code>
        </p>
      )}
      <Panel>
        <div
          aria-hidden="true"
          className={`${COLUMNS} border-b border-line px-4 py-2 text-sm font-semibold text-muted max-lg:hidden`}
        >
          <span>Name</span>
          <span>Last runs</span>
          <span>Last result</span>
          <span>Next</span>
        </div>
        <InParts key={`${wanted} ${show}`} label="Workflows" items={shown} first={100}>
          {(item) => <WorkflowRow key={item.path} item={item} starred={stars.includes(item.path)} />}
        </InParts>
        {shown.length === 0 && <None text={text} show={show} />}
      </Panel>
      <p className="mt-3 truncate text-sm text-muted">
        {count(items.length, "workflow")} in <span className="font-mono">{server?.folder}</span>
      </p>
    </>
  );
}

/** The order is that of the first look: rows don't move while runs start. New workflows come first. */
function useInOrder(items: readonly WorkflowItem[]): WorkflowItem[] {
  const before = useRef<string[]>([]);
  const ordered = useMemo(() => inOrder(items, before.current), [items]);
  before.current = ordered.map(({ path }) => path);
  return ordered;
}

const NONE: Record<string, string> = {
  starred: "No starred workflows. Press the star of a workflow to find it here.",
  failing: "The last run of every workflow succeeded.",
  scheduled: "No workflow starts automatically. Add a schedule in Triggers.",
};

function None({ text, show = "" }: { text: string; show: string | undefined }) {
  const what = text === "" ? (NONE[show] ?? "No workflows here.") : `No workflow has “${text}” in its name.`;
  return <p className="px-4 py-8 text-center text-muted">{what}</p>;
}

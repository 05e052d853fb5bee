// HomeScreen: the workflows of the folder, or three ways to create the first one (spec ui 6.2.1).

import { useQuery } from "@tanstack/react-query";
import { Plus, Search } from "lucide-react";
import { useRef, useState } from "react";
import { useActions } from "../app/actions.ts";
import { openOverlay } from "../app/overlays.ts";
import { Screen } from "../app/screen.tsx";
import { problemOf, serverQuery, workflowListQuery } from "../client/queries.ts";
import { Button } from "../ui/button.tsx";
import { inputClass } from "../ui/field.tsx";
import { InParts } from "../ui/in-parts.tsx";
import { Panel } from "../ui/panel.tsx";
import { Problem } from "../ui/problem.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { count } from "../ui/words.ts";
import { DemoBanner } from "./demo.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { WorkflowRow } from "./workflow-row.tsx";

const searchFrom = 8;

export function HomeScreen() {
  const workflows = useQuery(workflowListQuery);
  const about = useQuery(serverQuery);
  const server = about.data;
  const folder = server?.folder;
  const [text, setText] = useState("");
  // Waits for both, because the server's message above the workflows would push them down.
  const isPending = workflows.isPending || about.isPending;
  const items = isPending ? [] : (workflows.data?.items ?? []);
  const wanted = text.toLowerCase();
  const shown = items.filter(({ name, path }) => `${name} ${path}`.toLowerCase().includes(wanted));
  const find = useRef<HTMLInputElement>(null);
  useActions("Workflows", [
    {
      id: "home.find",
      title: "Find a workflow",
      keys: "/",
      disabled: items.length < searchFrom,
      run: () => find.current?.focus(),
    },
  ]);
  return (
    <Screen
      title="Workflows"
      actions={
        items.length > 0 && (
          <>
            <Button onClick={() => openOverlay("paste-curl")} className="max-sm:hidden">
              Paste curl
            </Button>
            <Button kind="primary" icon={<Plus />} onClick={() => openOverlay("new-workflow")}>
              New
            </Button>
          </>
        )
      }
    >
      {isPending && <Skeleton rows={5} />}
      {workflows.error !== null && workflows.data === undefined && (
        <Problem
          problem={problemOf(workflows.error)}
          action={<Button onClick={() => void workflows.refetch()}>Try again</Button>}
        />
      )}
      {!isPending && workflows.data !== undefined && items.length === 0 && <FirstSteps folder={folder} />}
      {items.length > 0 && (
        <>
          {server?.demoUrl !== undefined && <DemoBanner url={server.demoUrl} />}
          <div className="mb-4 flex min-h-8 items-center gap-4">
            <p className="min-w-0 flex-1 truncate text-muted">
              {count(items.length, "workflow")} in <span className="font-mono text-sm">{folder}</span>
            </p>
            {items.length >= searchFrom && (
              <label className="relative w-56 max-w-[50%]">
                <span className="sr-only">Find a workflow</span>
                <Search className="absolute top-2.25 left-2.5 text-muted" />
                <input
                  ref={find}
                  type="search"
                  value={text}
                  placeholder="Find…"
                  onChange={(event) => setText(event.target.value)}
                  className={`${inputClass} h-8 pl-8`}
                />
              </label>
            )}
          </div>
          {workflows.data?.cut === true && (
            <p role="status" className="mb-4 rounded-lg border border-line bg-waiting/10 px-4 py-2">
              <strong className="font-semibold">Not everything is listed:</strong> the folder is larger than 2,000
              files, or deeper than 8 folders. Serve the folder in which the workflows are:{" "}
              <code>curlew serve flows</code>
            </p>
          )}
          <Panel>
            <InParts key={wanted} label="Workflows" items={shown} first={100}>
              {(item) => <WorkflowRow key={item.path} item={item} />}
            </InParts>
            {shown.length === 0 && (
              <p className="px-4 py-8 text-center text-muted">No workflow has “{text}” in its name.</p>
            )}
          </Panel>
        </>
      )}
    </Screen>
  );
}

// HomeScreen: the workflows of the folder, or three ways to create the first one (spec ui 6.2.1).

import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useRef, useState } from "react";
import type { ServerInfo, WorkflowList } from "../../api/shapes.ts";
import { useActions } from "../app/actions.ts";
import { openOverlay } from "../app/overlays.ts";
import { Screen } from "../app/screen.tsx";
import { serverQuery, workflowListQuery } from "../client/queries.ts";
import { Button } from "../ui/button.tsx";
import { InParts } from "../ui/in-parts.tsx";
import { Panel } from "../ui/panel.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { TypedSearch } from "../ui/typed-search.tsx";
import { count } from "../ui/words.ts";
import { DemoBanner } from "./demo.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { WorkflowRow } from "./workflow-row.tsx";

const searchFrom = 8;

export function HomeScreen() {
  const workflows = useQuery(workflowListQuery);
  const server = useQuery(serverQuery);
  const actions = workflows.data !== undefined && workflows.data.items.length > 0 && (
    <>
      <Button onClick={() => openOverlay("paste-curl")} className="max-sm:hidden">
        Paste curl
      </Button>
      <Button kind="primary" icon={<Plus />} onClick={() => openOverlay("new-workflow")}>
        New
      </Button>
    </>
  );
  return (
    <Screen title="Workflows" actions={actions}>
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
  const find = useRef<HTMLInputElement>(null);
  const wanted = text.toLowerCase();
  const shown = items.filter(({ name, path }) => `${name} ${path}`.toLowerCase().includes(wanted));
  const canFind = items.length >= searchFrom;
  useActions("Workflows", [
    { id: "home.find", title: "Find a workflow", keys: "/", disabled: !canFind, run: () => find.current?.focus() },
  ]);
  return (
    <>
      {server?.demoUrl !== undefined && <DemoBanner url={server.demoUrl} />}
      <div className="mb-4 flex min-h-8 items-center gap-4">
        <p className="min-w-0 flex-1 truncate text-muted">
          {count(items.length, "workflow")} in <span className="font-mono text-sm">{server?.folder}</span>
        </p>
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
        <InParts key={wanted} label="Workflows" items={shown} first={100}>
          {(item) => <WorkflowRow key={item.path} item={item} />}
        </InParts>
        {shown.length === 0 && (
          <p className="px-4 py-8 text-center text-muted">No workflow has “{text}” in its name.</p>
        )}
      </Panel>
    </>
  );
}

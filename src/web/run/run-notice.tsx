// RunNotice: conditions that a run's events do not contain: it was removed, it waits in the queue of a cluster, or the
// server cannot continue it. Suggests a fix.

import { useMutation, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { at } from "../../api/address.ts";
import { visibleLine } from "../../base/visible.ts";
import { ask } from "../client/api.ts";
import { problemOf, queryClient, standingQuery } from "../client/queries.ts";
import { Button } from "../ui/button.tsx";
import { useRunPage, useShownRun } from "./run-store.ts";

export function RunNotice() {
  const { model } = useShownRun();
  const id = model.started.run;
  const isGone = useRunPage((page) => page.problem?.code === "run-not-found" || page.problem?.code === "run-removed");
  // Fetched again when the stream reconnects, because a restarted server may know more.
  const { status, runsOn, stuck } = useQuery({ ...standingQuery(id), enabled: !model.isOver && !isGone }).data ?? {};
  const again = useMutation({
    mutationFn: () => ask(`${at("runs", id)}/resume`, { method: "POST", body: {} }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: standingQuery(id).queryKey }),
  });
  if (isGone)
    return (
      <Notice title="This run was removed from the history.">
        This page shows what it had loaded. The outputs are deleted.
      </Notice>
    );
  if (status === "queued" && !model.hasBegun) return <Notice title="Queued.">{machineText(runsOn)}</Notice>;
  if (stuck === undefined || model.isOver) return null;
  const refused = again.error === null ? undefined : problemOf(again.error);
  return (
    <Notice
      title="The server can't continue this run."
      action={
        <Button size="small" busy={again.isPending} onClick={() => again.mutate()}>
          Try again
        </Button>
      }
    >
      {visibleLine(`${refused?.detail ?? stuck.message} ${refused?.hint ?? stuck.hint ?? ""}`)}
    </Notice>
  );
}

export function machineText(runsOn: readonly string[] = []): string {
  return `It waits for a machine with ${runsOn.length === 0 ? "a free slot" : visibleLine(runsOn.join(", "))}.`;
}

function Notice({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  return (
    <div role="status" className="flex items-center gap-3 border-b border-line bg-waiting/10 px-4 py-2">
      <p className="min-w-0 flex-1 break-words">
        <strong className="font-semibold">{title}</strong> {children}
      </p>
      {action}
    </div>
  );
}

// run-actions: actions on runs in a list, one or several: run again, delete, cancel, compare.

import { useNavigate } from "@tanstack/react-router";
import { at } from "../../api/address.ts";
import type { RunItem, StartedRun } from "../../api/shapes.ts";
import { useNotStarted } from "../app/start-run.tsx";
import { ask } from "../client/api.ts";
import { keys, queryClient, sentence } from "../client/queries.ts";
import { toast } from "../ui/toast.tsx";
import { count } from "../ui/words.ts";

/** It can be run again or deleted. */
export function isOver(run: RunItem): boolean {
  return run.endedAt !== undefined;
}

export function canRetry(run: RunItem): boolean {
  return isOver(run) && run.status !== "succeeded";
}

export function useRunActions() {
  const navigate = useNavigate();
  const notStarted = useNotStarted();
  const toastFailure = (what: string) => (reason: unknown) => toast(`${what}: ${sentence(reason)}`);
  const open = (id: string) => void navigate({ to: "/runs/$id", params: { id } });
  return {
    open,
    compare: (a: string, b: string) => void navigate({ to: "/runs/compare", search: { a, b } }),
    /**
     * With the current file. `all`: runs all nodes again. Otherwise the run starts at the failed nodes and reuses the
     * other results.
     */
    again: (run: RunItem, { all }: { all: boolean }): Promise<void> =>
      ask<StartedRun>(at("runs", run.id, "retry"), {
        method: "POST",
        body: { all: all || undefined, current: true },
      }).then(
        ({ id }) => open(id),
        (reason: unknown) => notStarted(run.workflow, reason),
      ),
    cancel: (run: RunItem) =>
      ask(at("runs", run.id, "cancel"), { method: "POST" }).then(
        () => toast(`${run.workflow} is being cancelled`),
        toastFailure(`${run.workflow} was not cancelled`),
      ),
    remove: async (runs: readonly RunItem[]): Promise<void> => {
      let gone = 0;
      for (const { id, workflow } of runs)
        await ask(at("runs", id), { method: "DELETE" }).then(
          () => (gone += 1),
          toastFailure(`A run of ${workflow} stays`),
        );
      if (gone > 0) toast(`${count(gone, "run")} deleted`);
      for (const queryKey of [keys.workflows, keys.runs]) void queryClient.invalidateQueries({ queryKey });
    },
  };
}

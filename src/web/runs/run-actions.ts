// run-actions: actions on runs in a list, one or several: run again, delete, cancel, compare.

import { useNavigate } from "@tanstack/react-router";
import { at } from "../../api/address.ts";
import type { RunItem, StartedRun } from "../../api/shapes.ts";
import { useNotStarted } from "../app/start-run.tsx";
import { ask } from "../client/api.ts";
import { keys, problemOf, queryClient } from "../client/queries.ts";
import { toast } from "../ui/toast.tsx";
import { count } from "../ui/words.ts";

/** It can be run again or deleted. */
export function isOver(run: RunItem): boolean {
  return run.endedAt !== undefined;
}

/** `all`: runs all nodes again. Otherwise the run starts at the failed nodes and reuses the other results. */
export function runAgain(id: string, { all }: { all: boolean }): Promise<StartedRun> {
  return ask<StartedRun>(`${at("runs", id)}/retry`, { method: "POST", body: all ? { all: true } : {} });
}

export function useRunActions() {
  const navigate = useNavigate();
  const notStarted = useNotStarted();
  const told = (what: string) => (reason: unknown) => {
    const { title, detail } = problemOf(reason);
    toast(`${what}: ${detail ?? title}`);
  };
  const open = (id: string) => void navigate({ to: "/runs/$id", params: { id } });
  return {
    open,
    compare: (a: string, b: string) => void navigate({ to: "/runs/compare", search: { a, b } }),
    again: (run: RunItem, how: { all: boolean }) =>
      runAgain(run.id, how).then(
        ({ id }) => open(id),
        (reason: unknown) => notStarted(run.workflow, reason),
      ),
    cancel: (run: RunItem) =>
      ask(`${at("runs", run.id)}/cancel`, { method: "POST" }).then(
        () => toast(`${run.workflow} is being cancelled`),
        told(`${run.workflow} was not cancelled`),
      ),
    /** Returns the deleted runs. */
    remove: async (runs: readonly RunItem[]): Promise<Set<string>> => {
      const gone = new Set<string>();
      for (const { id, workflow } of runs)
        await ask(at("runs", id), { method: "DELETE" }).then(() => gone.add(id), told(`A run of ${workflow} stays`));
      if (gone.size > 0) toast(`${count(gone.size, "run")} deleted`);
      void queryClient.invalidateQueries({ queryKey: keys.workflows });
      return gone;
    },
  };
}

// last-run: goes to the run whose values the workflow's panel shows: the one that the user chose, otherwise the newest.

import { useNavigate } from "@tanstack/react-router";
import type { Page, RunItem } from "../../api/shapes.ts";
import { ask } from "../client/api.ts";
import { problemOf } from "../client/queries.ts";
import { chosenRun } from "../inspector/last-values.ts";
import { toast } from "../ui/toast.tsx";

export function useLastRun(path: string): () => Promise<void> {
  const navigate = useNavigate();
  const show = (id: string) => navigate({ to: "/runs/$id", params: { id } });
  return async () => {
    const chosen = chosenRun(path);
    if (chosen !== undefined) {
      await show(chosen);
      return;
    }
    try {
      const { items } = await ask<Page<RunItem>>("/runs", { query: { path, limit: 1 } });
      if (items[0] === undefined) toast("Not run yet. Press R to run it.");
      else await show(items[0].id);
    } catch (reason) {
      toast(problemOf(reason).title);
    }
  };
}

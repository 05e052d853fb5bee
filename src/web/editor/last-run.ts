// last-run: from a document to its newest run, where there is one.

import type { Page, RunItem } from "../../api/shapes.ts";
import { useLead } from "../app/lead.ts";
import { ask } from "../client/api.ts";
import { problemOf } from "../client/queries.ts";
import { toast } from "../ui/toast.tsx";

export function useLastRun(path: string): () => Promise<void> {
  const lead = useLead();
  return async () => {
    const goOn = lead();
    try {
      const { items } = await ask<Page<RunItem>>("/runs", { query: { path, limit: 1 } });
      if (items[0] === undefined) toast("It has not run yet. Press R to run it.");
      else goOn({ run: items[0].id });
    } catch (reason) {
      toast(problemOf(reason).title);
    }
  };
}

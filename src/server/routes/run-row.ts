// Finds the run that a URL names. Only full run ids are accepted.

import type { RunRow, Store } from "../../store/index.ts";
import { failureProblem, problem } from "../problem.ts";

/** 404 if it does not exist, 503 if the store fails. */
export async function runOr404(id: string, store: Store): Promise<RunRow | Response> {
  const found = await store.journal.findRun(id);
  if (found.ok && found.value.id === id) return found.value;
  if (found.ok || found.error.code === "run-not-found" || found.error.code === "run-ambiguous")
    return problem("not-found", { detail: `There is no run ${id}.` });
  return failureProblem(found.error, 503);
}

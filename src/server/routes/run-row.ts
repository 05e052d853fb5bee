// run-row: the run that an address names: by its full id, nothing shorter.

import type { RunRow, Store } from "../../store/index.ts";
import { failureProblem, problem } from "../problem.ts";

/** 404 when there is none, 503 when the store cannot say. */
export function runOr404(id: string, store: Store): RunRow | Response {
  const found = store.journal.findRun(id);
  if (found.ok && found.value.id === id) return found.value;
  if (found.ok || found.error.code === "run-not-found" || found.error.code === "run-ambiguous")
    return problem("not-found", { detail: `There is no run ${id}.` });
  return failureProblem(found.error, 503);
}

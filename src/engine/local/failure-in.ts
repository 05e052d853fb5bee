// failure-in: where and why a run of a list failed: its last event, which is one look into the journal however long the run was.

import type { Failure } from "../../base/failure.ts";
import type { Journal, RunRow } from "../../store/index.ts";

/** As in `runs show --json`, in short. */
export interface FailureIn {
  failure?: { node: string; path: string; failure: Pick<Failure, "code" | "message"> };
}

/** Nothing of a run that did not fail, or whose last event cannot be read. */
export function failureIn({ id, status, lastSeq }: RunRow, journal: Pick<Journal, "read">): FailureIn {
  const last = status === "failed" ? journal.read(id, lastSeq, 1) : undefined;
  const [event] = last?.ok === true ? last.value : [];
  if (event?.type !== "run.failed") return {};
  const { node, path, failure } = event;
  return { failure: { node, path, failure: { code: failure.code, message: failure.message } } };
}

// failure-in: node and reason of a failed run for lists. It reads one event, however long the journal is.

import type { Failure } from "../base/failure.ts";
import type { Journal, RunRow } from "../store/index.ts";

/** A short form of the failure in `runs show --json`. */
export interface FailureIn {
  failure?: { node: string; path: string; failure: Pick<Failure, "code" | "message"> };
}

/** Empty for a run that did not fail, or whose last event cannot be read. */
export function failureIn({ id, status, lastSeq }: RunRow, journal: Pick<Journal, "read">): FailureIn {
  const last = status === "failed" ? journal.read(id, lastSeq, 1) : undefined;
  const [event] = last?.ok === true ? last.value : [];
  if (event?.type !== "run.failed") return {};
  const { node, path, failure } = event;
  return { failure: { node, path, failure: { code: failure.code, message: failure.message } } };
}

// failure-in: node and reason of a failed run for lists. It reads one event, however long the journal is.

import { type Failure, lastWords } from "../base/failure.ts";
import type { Journal, RunRow } from "../store/index.ts";

/** A short form of the failure in `runs show --json`. */
export interface FailureIn {
  node: string;
  path: string;
  failure: Pick<Failure, "code" | "message">;
  /** The message of the server or the command. */
  answer?: string;
}

/** Undefined for a run that did not fail, or whose last event cannot be read. */
export async function failureIn(
  { id, status, lastSeq }: RunRow,
  journal: Pick<Journal, "read">,
): Promise<FailureIn | undefined> {
  const last = status === "failed" ? await journal.read(id, lastSeq, 1) : undefined;
  const [event] = last?.ok === true ? last.value : [];
  if (event?.type !== "run.failed") return undefined;
  const { node, path, failure } = event;
  return { node, path, failure: { code: failure.code, message: failure.message }, answer: lastWords(failure) };
}

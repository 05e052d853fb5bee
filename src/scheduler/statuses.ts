// statuses: the words for where a run stands (spec 3.1), as data: filters, documents and screens offer these and no others.

export const RUN_STATUSES = [
  "queued",
  "running",
  "waiting",
  "cancelling",
  "succeeded",
  "failed",
  "cancelled",
  "timed-out",
] as const;
/** Of runs that have not ended. */
export const OPEN_STATUSES: readonly RunStatus[] = ["queued", "running", "waiting", "cancelling"];
export type RunStatus = (typeof RUN_STATUSES)[number];

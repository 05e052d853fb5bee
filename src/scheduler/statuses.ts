// statuses: the statuses of a run (spec 3.1), for filters, docs and screens.

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
/** Statuses of runs that have not ended. */
export const OPEN_STATUSES: readonly RunStatus[] = ["queued", "running", "waiting", "cancelling"];
export type RunStatus = (typeof RUN_STATUSES)[number];

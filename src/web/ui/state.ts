// state: the seven looks of runs, nodes and attempts, and the look of each status (spec ui 6.6). A look is a colour, a
// shape and a word, because colour alone is not enough.

import type { NodeStatus, RunStatus } from "../../scheduler/state.ts";

export type Look = "queued" | "running" | "waiting" | "succeeded" | "failed" | "skipped" | "cancelled";

/** Any status from the scheduler, of a run, a node or an attempt. */
export type AnyStatus = RunStatus | NodeStatus | "timed-out" | "lost";

export const LOOKS: Record<Look, Record<"text" | "fill" | "border" | "tint", string>> = {
  queued: { text: "text-queued", fill: "bg-queued", border: "border-queued", tint: "border-queued/25 bg-queued/10" },
  running: {
    text: "text-running",
    fill: "bg-running",
    border: "border-running",
    tint: "border-running/25 bg-running/10",
  },
  waiting: {
    text: "text-waiting",
    fill: "bg-waiting",
    border: "border-waiting",
    tint: "border-waiting/25 bg-waiting/10",
  },
  succeeded: {
    text: "text-succeeded",
    fill: "bg-succeeded",
    border: "border-succeeded",
    tint: "border-succeeded/25 bg-succeeded/10",
  },
  failed: { text: "text-failed", fill: "bg-failed", border: "border-failed", tint: "border-failed/25 bg-failed/10" },
  skipped: {
    text: "text-skipped",
    fill: "bg-skipped",
    border: "border-skipped",
    tint: "border-skipped/25 bg-skipped/10",
  },
  cancelled: {
    text: "text-cancelled",
    fill: "bg-cancelled",
    border: "border-cancelled",
    tint: "border-cancelled/25 bg-cancelled/10",
  },
};

/**
 * `waitingFor` of a node or run: only an approval counts as waiting. A retry or budget counts as queued, a listener as
 * running.
 */
export function styleOfState(status: AnyStatus, waitingFor?: string): Look {
  switch (status) {
    case "pending":
    case "queued":
      return "queued";
    case "waiting":
      return waitingFor === undefined || waitingFor === "approval" ? "waiting" : "queued";
    case "running":
      return "running";
    case "cancelling":
    case "cancelled":
      return "cancelled";
    case "timed-out":
    case "lost":
    case "failed":
      return "failed";
    case "succeeded":
    case "skipped":
      return status;
  }
}

/** The label of a status, where it says more than the look's own word. */
export function wordOf(status: AnyStatus, waitingFor?: string): string {
  if (status === "cancelling") return "cancelling";
  if (status === "timed-out") return "timed out";
  if (status === "lost") return "lost";
  if (status === "waiting" && waitingFor === "retry") return "waiting to retry";
  if (status === "waiting" && waitingFor === "line") return "listening";
  if (status === "waiting" && waitingFor === "something") return "waiting";
  if (status === "waiting" && waitingFor !== undefined && waitingFor !== "approval") return `waiting for ${waitingFor}`;
  const look = styleOfState(status, waitingFor);
  return look === "waiting" ? "waiting for you" : look;
}

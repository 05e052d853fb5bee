// state: the seven looks of runs, nodes and attempts, and the look of each status (spec ui 6.6). A look is a colour, a
// shape and a word, because colour alone is not enough.

import type { NodeStatus, RunStatus } from "../../scheduler/state.ts";

const NAMES = ["queued", "running", "waiting", "succeeded", "failed", "skipped", "cancelled"] as const;
export type Look = (typeof NAMES)[number];

/** Any status from the scheduler, of a run, a node or an attempt. */
export type AnyStatus = RunStatus | NodeStatus | "timed-out" | "lost";

/** Tailwind finds these classes in app/styles.css. */
const looksOf = (look: Look) => ({
  text: `text-${look}`,
  fill: `bg-${look}`,
  border: `border-${look}`,
  tint: `border-${look}/25 bg-${look}/10`,
});

export const LOOKS = Object.fromEntries(NAMES.map((look) => [look, looksOf(look)])) as Record<
  Look,
  ReturnType<typeof looksOf>
>;

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

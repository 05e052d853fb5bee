// approvals: nodes that a person must look at before they start, and subflows with such nodes inside, in the fold (spec 3.5, 4.2).
//   A1. An answer counts for the request that waits, when its hash is the same and its time is not over; any other changes nothing.
//   A2. A grant is for one start: `attempt.started` uses it up, another request takes its place, a next attempt is asked about anew.
//       A start that is known never to have been (`attempt.not-started`) gives it back.
//   A3. Waiting takes no slot, here and for a subflow that waits inside.
// Deliberately absent: what is asked and whether it is still the same (the engine's business), who may answer.

import type { GraphNode } from "../workflow/graph.ts";
import { programReference } from "../workflow/whole-program.ts";
import { leaveBudget } from "./budgets.ts";
import type { EventBody, Failure, RunEvent } from "./event.ts";
import { type NodeState, type RunState, workedMs } from "./state.ts";

type Requested = Extract<EventBody, { type: "approval.requested" }>;

/**
 * Whether the document wants a person to look before an attempt of this node. `advanced` bypasses that (1.2), approval in advance counts
 * as given: but not for a program that is itself a value, which nobody can have seen in advance.
 */
export function needsApproval(state: RunState, node: NodeState, { node: drawn, id }: GraphNode): boolean {
  if (drawn.type !== "cli" && drawn.type !== "llm") return false;
  if (drawn.data.needsUserApproval !== true || node.approved !== undefined) return false;
  if (drawn.type === "cli" && drawn.data.safetyLevel === "advanced") return false;
  return !isApprovedInAdvance(state, id) || (drawn.type === "cli" && programReference(drawn) !== undefined);
}

export function isApprovedInAdvance(state: RunState, id: string): boolean {
  return state.approvedInAdvance.includes("*") || state.approvedInAdvance.includes(id);
}

export function request(state: RunState, node: NodeState, event: Requested): void {
  if (node.status !== "pending" && node.status !== "waiting") return;
  node.status = "waiting";
  node.waitingFor = "approval";
  node.request = {
    hash: event.hash,
    bound: event.bound,
    number: event.number,
    onTimeout: event.onTimeout ?? "reject",
    ...(event.expiresAt === undefined ? {} : { expiresAtMs: Date.parse(event.expiresAt) }),
  };
  delete node.approved;
  delete node.retryAtMs;
  state.unasked.delete(node.path);
  state.ready.delete(node);
  state.waitingRetry.delete(node.path);
  leaveBudget(state, node);
  state.waitingApproval.set(node.path, node);
  if (event.expiresAt !== undefined) state.expiring.set(node.path, node);
}

/** A1: whether the event answers what is asked. An answer to something that nobody asks any more is no answer. */
export function isAnswer(state: RunState, node: NodeState, event: { hash: string; at: string }): boolean {
  if (state.waitingApproval.get(node.path) !== node || node.request?.hash !== event.hash) return false;
  const { expiresAtMs } = node.request;
  return expiresAtMs === undefined || Date.parse(event.at) < expiresAtMs;
}

/** `by`: nobody, when the time to answer was over and that counts as yes. */
export function grant(state: RunState, node: NodeState, by?: string, edited?: string): void {
  const { hash = "", bound = {} } = node.request ?? {};
  const who = by === undefined ? { timedOut: true as const } : { by };
  node.approved = { hash, bound, ...who, ...(edited === undefined ? {} : { edited }) };
  node.status = "pending";
  delete node.waitingFor;
  delete node.request;
  state.waitingApproval.delete(node.path);
  state.expiring.delete(node.path);
  state.ready.add(node);
}

export function pause(state: RunState, node: NodeState, event: Extract<RunEvent, { type: "attempt.paused" }>): void {
  node.workedMs = workedMs(node, Date.parse(event.at));
  delete node.workingSinceMs;
  node.status = "waiting";
  node.waitingFor = "approval";
  node.paused = {
    waiting: event.waiting,
    seen: event.seen,
    ...(event.wakeAt === undefined ? {} : { wakeAtMs: Date.parse(event.wakeAt) }),
  };
  state.running.delete(node.path);
  state.paused.set(node.path, node);
}

export function unpause(state: RunState, node: NodeState, atMs: number): void {
  node.workingSinceMs = atMs;
  node.status = "running";
  delete node.waitingFor;
  delete node.paused;
  state.paused.delete(node.path);
  state.running.set(node.path, node);
}

export function rejected(reason: string): Failure {
  return {
    code: "approval-rejected",
    message: `The approval was rejected: ${reason === "" ? "no reason was given" : reason}.`,
  };
}

export function expired(as: "reject" | "fail"): Failure {
  return as === "reject"
    ? { code: "approval-rejected", message: "Nobody answered in time, which counts as a rejection here." }
    : { code: "approval-expired", message: "Nobody answered the approval in time." };
}

// approvals: folds approval requests and decisions, for nodes and for subflows with such nodes inside (spec 3.5, 4.2).
//   A1. A decision counts only if its hash matches the pending request and the request has not expired. Otherwise it
//       changes nothing.
//   A2. A grant is good for one start: `attempt.started` uses it up, and a new request replaces it. The next attempt
//       needs a new one. `attempt.not-started` (known never to have run) gives it back.
//   A3. Waiting takes no slot, neither here nor in a subflow that waits inside.
// Not done here: the content of a request and whether it still applies (the engine decides), and who may approve.

import { type Failure, failureOf } from "../base/failure.ts";
import { programReference } from "../workflow/dynamic-command.ts";
import type { GraphNode } from "../workflow/graph.ts";
import { isAdvanced } from "../workflow/node-fields.ts";
import { leaveBudget } from "./budgets.ts";
import type { EventBody, RunEvent } from "./event.ts";
import { type NodeState, type RunState, workedMs } from "./state.ts";

type Requested = Extract<EventBody, { type: "approval.requested" }>;

/**
 * Whether the workflow requires approval before an attempt of this node. `advanced` bypasses it (1.2), and so does
 * approval in advance, except when the program itself is a value: no one can have seen it in advance.
 */
export function needsApproval(state: RunState, node: NodeState, { node: drawn, id }: GraphNode): boolean {
  const wanted = "needsUserApproval" in drawn.data && drawn.data.needsUserApproval === true;
  if (!wanted || node.approved !== undefined || isAdvanced(drawn)) return false;
  return !isApprovedInAdvance(state, id) || programReference(drawn) !== undefined;
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
    expiresAtMs: event.expiresAt === undefined ? undefined : Date.parse(event.expiresAt),
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

/** A1: whether the event decides the pending request. */
export function isAnswer(state: RunState, node: NodeState, event: { hash: string; at: string }): boolean {
  if (state.waitingApproval.get(node.path) !== node || node.request?.hash !== event.hash) return false;
  const { expiresAtMs } = node.request;
  return expiresAtMs === undefined || Date.parse(event.at) < expiresAtMs;
}

/** `by` is absent when the request expired and the workflow counts that as approved. */
export function grant(state: RunState, node: NodeState, by?: string, edited?: string): void {
  const { hash = "", bound = {} } = node.request ?? {};
  const who = by === undefined ? { timedOut: true as const } : { by };
  node.approved = { hash, bound, ...who, edited };
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
    wakeAtMs: event.wakeAt === undefined ? undefined : Date.parse(event.wakeAt),
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

export const rejected = failureOf("approval-rejected", (reason: string) => [
  `The approval was rejected: ${reason === "" ? "no reason given" : reason}.`,
]);

export function expired(as: "reject" | "fail"): Failure {
  return as === "reject"
    ? { code: "approval-rejected", message: "No one decided in time, which counts as a rejection here." }
    : { code: "approval-expired", message: "No one decided about the approval in time." };
}

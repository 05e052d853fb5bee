// evolve: applies one event to the state of a run. It reads no clock and starts nothing (spec 3.1, 5.3).
//   V1. The cost is proportional to the change: the node, its children, its iteration. Only ending a run early walks
//       over all open nodes.
//   V2. A node settles once. Later events about it, or about an iteration that is over, only end their attempt.
//   V3. The first untolerated failure ends the run: nothing new starts, running attempts are cancelled, and the rest is
//       skipped. Finally nodes start after that.

import type { AttemptEnd } from "../base/attempt.ts";
import { durationMs } from "../base/duration.ts";
import type { Failure } from "../base/failure.ts";
import type { HttpCall } from "../base/http-call.ts";
import { impossible } from "../base/result.ts";
import { EMPTY, type Value } from "../base/value.ts";
import { expired, grant, isAnswer, pause, rejected, request, unpause } from "./approvals.ts";
import { awaitBudget, freeBudget, leaveBudget } from "./budgets.ts";
import { endEarly } from "./ending.ts";
import type { EventBody, RunEvent } from "./event.ts";
import { listen, notListened } from "./listeners.ts";
import {
  closeLoop,
  endFailedPass,
  endIterations,
  endPass,
  openLoop,
  openScope,
  startPass,
  updateLoopReadiness,
} from "./loops.ts";
import {
  attemptOver,
  attemptStopped,
  attemptSucceeded,
  endNode,
  failed,
  lineFailed,
  listenerContinued,
  listenerProgress,
  progress,
} from "./node-ends.ts";
import { becomeReady, stoppedPass } from "./node-transitions.ts";
import { type NodeState, type RunState, stateAt } from "./state.ts";

export function evolve(state: RunState, event: RunEvent): RunState {
  if ("state" in event && event.type !== "run.started") Object.assign(state.stored, event.state);
  switch (event.type) {
    case "run.started":
      return startRun(state, event);
    case "run.cancel-requested":
      return endEarly(state, "cancelled");
    case "run.timed-out-requested":
      return endEarly(state, "timed-out");
    case "run.succeeded":
    case "run.failed":
    case "run.cancelled":
    case "run.timed-out":
      state.status = event.type.slice("run.".length) as RunState["status"];
      state.stage = "over";
      return state;
    case "loop.started":
      openLoop(state, nodeAt(state, event.path), event);
      return progress(state);
    case "pass.started":
      startPass(state, event);
      return progress(state);
    case "loop.exhausted":
      endIterations(state, event.path);
      return progress(state);
    case "pass.succeeded":
      endPass(state, event);
      return listenerProgress(state, event.path);
    case "pass.failed":
      endFailedPass(state, event);
      return lineFailed(state, event);
    case "line.received":
    case "lines.ended":
      return listenerContinued(state, event);
    default:
      return ofNode(state, event);
  }
}

function ofNode(state: RunState, event: RunEvent & Extract<EventBody, { path: string }>): RunState {
  const node = stateAt(state, event.path);
  if (node === undefined) {
    state.running.delete(event.path);
    state.paused.delete(event.path);
    state.stopping.delete(event.path);
    return progress(state);
  }
  switch (event.type) {
    case "attempt.started":
      return attemptStarted(state, node, event);
    case "attempt.succeeded":
      node.exitCode = event.end.exitCode ?? 0;
      answered(node, event.end.http);
      return attemptSucceeded(state, node, event);
    case "attempt.failed":
    case "attempt.timed-out":
      node.exitCode = event.end.exitCode ?? -1;
      answered(node, event.end.http);
      addSpent(node, event.end.usage);
      attemptStopped(state, event);
      return attemptFailed(state, node, event.failure, event.value, event.retryAt);
    case "attempt.lost":
      node.exitCode = -1;
      if (event.asks === true) node.inDoubt = true;
      attemptStopped(state, event);
      return attemptFailed(state, node, event.failure, EMPTY, event.retryAt);
    case "attempt.cancelled":
      return endNode(state, node, "cancelled", EMPTY);
    case "attempt.adopted":
      return state;
    case "attempt.not-started":
      return attemptNotStarted(state, node, event.number);
    case "node.succeeded":
      return nodeSucceeded(state, node, event.value, event.branch, event.added);
    case "node.failed":
      return failed(state, node, event.failure, EMPTY);
    case "node.kept":
      return kept(state, node, event);
    case "node.skipped":
      return endNode(state, node, node.attempts > 0 ? "cancelled" : "skipped", EMPTY);
    case "attempt.paused":
      if (state.running.has(node.path)) pause(state, node, event);
      return progress(state);
    case "attempt.resumed":
      if (state.paused.has(node.path)) unpause(state, node, Date.parse(event.at));
      return progress(state);
    case "budget.awaited":
      awaitBudget(state, node, event);
      return progress(state);
    case "budget.freed":
      freeBudget(state, node);
      return progress(state);
    case "cache.answered":
      node.exitCode = 0;
      node.cached = true;
      return endNode(state, node, "succeeded", event.value);
    case "approval.requested":
      request(state, node, event);
      return progress(state);
    case "approval.granted":
      if (isAnswer(state, node, event)) grant(state, node, event.by, event.edited);
      return progress(state);
    case "approval.rejected":
      return isAnswer(state, node, event) ? failed(state, node, rejected(event.reason), EMPTY) : state;
    case "approval.expired":
      return approvalExpired(state, node, event);
    default:
      return impossible(`event ${event.type} of a node`);
  }
}

function startRun(state: RunState, event: Extract<RunEvent, { type: "run.started" }>): RunState {
  state.status = "running";
  state.startedAtMs = Date.parse(event.at);
  state.approvedInAdvance = event.approvedInAdvance ?? [];
  state.stored = { ...event.state };
  state.timeoutMs = durationMs(state.graph.workflow.timeout);
  openScope(state, state.root, -1);
  return progress(state);
}

function attemptStarted(
  state: RunState,
  node: NodeState,
  event: Extract<RunEvent, { type: "attempt.started" }>,
): RunState {
  node.status = "running";
  node.attempts = event.number;
  node.firstStartedMs ??= Date.parse(event.at);
  delete node.waitingFor;
  delete node.retryAtMs;
  if (node.approved === undefined) delete node.used;
  else node.used = node.approved;
  delete node.approved;
  delete node.inDoubt;
  leaveBudget(state, node);
  if (event.detail.childRun !== undefined) {
    node.childRun = event.detail.childRun;
    node.workingSinceMs = Date.parse(event.at);
    delete node.workedMs;
  }
  state.ready.delete(node);
  state.waitingRetry.delete(node.path);
  state.running.set(node.path, node);
  if (state.graph.loops.get(node.node)?.listener) updateLoopReadiness(state, listen(state, node, event));
  return progress(state);
}

/** The run, its finally nodes, or the listener's iteration ends early: nothing more starts there. */
function isCutShort(state: RunState, node: NodeState): boolean {
  if (state.graph.nodes[node.node]!.finally) return state.finallyStopped === true;
  return state.ending !== undefined || stoppedPass(node.scope) !== undefined;
}

/** Nothing ran, so the approval that was used up is valid again. */
function attemptNotStarted(state: RunState, node: NodeState, number: number): RunState {
  if (!state.running.has(node.path) || node.attempts !== number) return state;
  if (isCutShort(state, node)) return endNode(state, node, "cancelled", EMPTY);
  attemptOver(state, node);
  node.status = "pending";
  node.attempts = number - 1;
  notListened(state.listening.get(node.path), number);
  if (node.used !== undefined) node.approved = node.used;
  delete node.used;
  becomeReady(state, node);
  return progress(state);
}

/** Applies `onTimeout` of the expired request. */
function approvalExpired(
  state: RunState,
  node: NodeState,
  event: Extract<RunEvent, { type: "approval.expired" }>,
): RunState {
  if (state.waitingApproval.get(node.path) !== node || node.request?.hash !== event.hash) return state;
  if (event.as !== "approve") return failed(state, node, expired(event.as), EMPTY);
  grant(state, node);
  return progress(state);
}

function attemptFailed(
  state: RunState,
  node: NodeState,
  failure: Failure,
  value: Value,
  retryAt: string | undefined,
): RunState {
  const isOver = isCutShort(state, node);
  if (retryAt === undefined || isOver) return failed(state, node, failure, value);
  attemptOver(state, node);
  node.status = "waiting";
  node.waitingFor = "retry";
  node.retryAtMs = Date.parse(retryAt);
  state.waitingRetry.set(node.path, node);
  return progress(state);
}

function nodeSucceeded(
  state: RunState,
  node: NodeState,
  value: Value | undefined,
  branch: boolean | undefined,
  added: Value[] | undefined,
): RunState {
  if (branch !== undefined) node.branch = branch;
  const loop = state.graph.startOf.get(node.node);
  if (loop !== undefined) closeLoop(state, node.scope, loop);
  if (added === undefined) return endNode(state, node, "succeeded", value ?? EMPTY);
  const parts = state.collected.get(node.node) ?? [];
  for (const part of added) parts.push(part);
  state.collected.set(node.node, parts);
  return endNode(state, node, "succeeded", collectedValue(state, node.node, parts));
}

/** The `status` and `headers` of expressions. A call without a response has none. */
function answered(node: NodeState, http: readonly HttpCall[] | undefined): void {
  const last = http?.at(-1);
  if (last === undefined || last.status === 0) delete node.answer;
  else node.answer = { status: last.status, headers: last.headers };
}

/** A result of an earlier run counts as if it had been computed here. */
function kept(state: RunState, node: NodeState, event: Extract<RunEvent, { type: "node.kept" }>): RunState {
  if (event.exitCode !== undefined) node.exitCode = event.exitCode;
  answered(node, event.attempt?.end?.http);
  if (event.status === "succeeded") return nodeSucceeded(state, node, event.value, event.branch, event.added);
  return failed(state, node, event.failure ?? impossible("a kept failure without one"), event.value ?? EMPTY);
}

function collectedValue(state: RunState, index: number, parts: Value[]): Value {
  const { node } = state.graph.nodes[index]!;
  if (node.type !== "accumulator") return impossible(`"${node.id}" collects but is not an accumulator`);
  const { format = "lines", flatten } = node.data;
  return { joined: format, parts, count: parts.length, flatten: flatten || undefined };
}

function nodeAt(state: RunState, path: string): NodeState {
  return stateAt(state, path) ?? impossible(`no node at "${path}"`);
}

/** Usage of failed attempts, counted against the node's budget. After a success no attempt follows. */
function addSpent(node: NodeState, usage: AttemptEnd["usage"]): void {
  if (usage === undefined) return;
  const { tokens, usd } = node.spent ?? { tokens: 0, usd: 0 };
  node.spent = { tokens: tokens + usage.tokensIn + usage.tokensOut, usd: usd + (usage.usd ?? 0) };
}

// plan: decides what a run does next from its recorded state. It reads no clock and starts nothing (spec 3.1).
//   P1. The same state and time give the same actions in the same order: attempts in file order, then by iteration;
//       everything else in the order in which it became possible.
//   P2. It never plans what is already started, finished or skipped, and repeats an action until its result is
//       recorded.
//   P3. At most ACTIONS_MAX actions of a kind at a time, so that the cost of a call does not grow with the graph.
// Not done here: priorities between runs (the engine decides).

import type { Action, Plan } from "./action.ts";
import { needsApproval } from "./approvals.ts";
import { toRead } from "./listeners.ts";
import { passPath } from "./node-transitions.ts";
import { busyCount, type NodeState, type RunState } from "./state.ts";

const ACTIONS_MAX = 1_000;

export function plan(state: RunState, nowMs: number): Plan {
  if (state.status === "queued" || state.stage === "over") return { actions: [] };
  const deadlineMs =
    state.timeoutMs === undefined || state.ending !== undefined || state.stage !== "nodes"
      ? undefined
      : state.startedAtMs + state.timeoutMs;
  if (deadlineMs !== undefined && nowMs >= deadlineMs) return { actions: [{ do: "time-out-run" }] };
  const actions: Action[] = [];
  cancels(state, actions);
  skips(state, actions);
  decisions(state, actions);
  loops(state, actions);
  lines(state, actions);
  const expiryMs = approvals(state, nowMs, actions);
  const laterMs = starts(state, nowMs, actions);
  if (isOver(state)) actions.push({ do: "finish-run", as: state.ending ?? "succeeded" });
  return { actions, wakeAtMs: earliest(earliest(deadlineMs, expiryMs), laterMs) };
}

function cancels(state: RunState, actions: Action[]): void {
  for (const node of state.stopping.values())
    actions.push({ do: "cancel-attempt", node: idOf(state, node), path: node.path, number: node.attempts });
  if (state.ending === undefined) return;
  for (const node of [...state.running.values(), ...state.paused.values()]) {
    if (isStopped(state, node))
      actions.push({ do: "cancel-attempt", node: idOf(state, node), path: node.path, number: node.attempts });
  }
}

/** Whether its attempt must be cancelled. */
function isStopped(state: RunState, node: NodeState): boolean {
  if (state.stopping.has(node.path)) return true;
  return state.graph.nodes[node.node]!.finally ? state.finallyStopped === true : state.ending !== undefined;
}

function skips(state: RunState, actions: Action[]): void {
  for (const { state: node, reason } of some(state.unskipped.values()))
    actions.push({ do: "skip", node: idOf(state, node), path: node.path, reason });
}

function decisions(state: RunState, actions: Action[]): void {
  for (const node of some(state.undecided.values())) {
    const drawn = state.graph.nodes[node.node]!;
    actions.push({ do: drawn.node.type === "loop-start" ? "open-loop" : "decide", node: drawn.id, path: node.path });
  }
}

/** Returns when the next approval request expires. */
function approvals(state: RunState, nowMs: number, actions: Action[]): number | undefined {
  let nextMs: number | undefined;
  for (const node of state.expiring.values()) {
    const { request, path } = node;
    if (request?.expiresAtMs === undefined) continue;
    if (request.expiresAtMs > nowMs) nextMs = earliest(nextMs, request.expiresAtMs);
    else
      actions.push({ do: "expire-approval", node: idOf(state, node), path, hash: request.hash, as: request.onTimeout });
  }
  for (const node of some(state.unasked.values())) actions.push(ask(state, node));
  return nextMs;
}

function ask(state: RunState, node: NodeState): Action {
  return { do: "request-approval", node: idOf(state, node), path: node.path, number: node.attempts + 1 };
}

function loops(state: RunState, actions: Action[]): void {
  for (const scope of some(state.passesToEnd.values())) {
    const loop = scope.loop!;
    const { id } = state.graph.nodes[loop.start]!;
    actions.push({ do: "end-pass", node: id, path: passPath(state, scope), index: scope.index });
  }
  for (const loop of some(state.loopsToDo.values())) {
    const node = state.graph.nodes[loop.start]!.id;
    if (!loop.exhausted) actions.push({ do: "start-pass", node, path: loop.path, index: loop.next });
    else {
      const { id } = state.graph.nodes[loop.end]!;
      actions.push({ do: "close-loop", node: id, path: `${id}${loop.scope.suffix}` });
    }
  }
}

function lines(state: RunState, actions: Action[]): void {
  for (const loop of state.listening.values()) {
    const read = toRead(loop);
    if (read === undefined) continue;
    const { number, file, next: from, over } = read.source;
    const at = { node: state.graph.nodes[loop.start]!.id, path: loop.path };
    actions.push({ do: "receive-lines", ...at, number, file, from, index: read.index, most: read.most, over });
  }
}

/** Returns when the next retry or budget is due, or a paused subflow continues. */
function starts(state: RunState, nowMs: number, actions: Action[]): number | undefined {
  let slots = state.concurrency - busyCount(state);
  let nextMs: number | undefined;
  for (const node of state.paused.values()) {
    const atMs = node.paused?.wakeAtMs;
    if (atMs === undefined || isStopped(state, node)) continue;
    if (atMs > nowMs) nextMs = earliest(nextMs, atMs);
    else if (slots > 0) {
      slots -= 1;
      actions.push({ do: "resume-attempt", node: idOf(state, node), path: node.path, number: node.attempts });
    }
  }
  for (const node of state.waitingRetry.values()) {
    const atMs = node.retryAtMs ?? 0;
    if (atMs > nowMs) nextMs = earliest(nextMs, atMs);
    else if (needsApproval(state, node, state.graph.nodes[node.node]!)) actions.push(ask(state, node));
    else if (slots > 0) {
      slots -= 1;
      actions.push(start(state, node));
    }
  }
  for (const node of state.dueBudget.first(Math.max(1, slots))) {
    const atMs = node.budget?.untilMs ?? 0;
    if (atMs > nowMs) nextMs = earliest(nextMs, atMs);
    else if (slots > 0) {
      slots -= 1;
      actions.push(start(state, node));
    }
  }
  if (slots > 0) for (const node of state.ready.first(slots)) actions.push(start(state, node));
  return nextMs;
}

function start(state: RunState, node: NodeState): Action {
  return { do: "start-attempt", node: idOf(state, node), path: node.path, number: node.attempts + 1 };
}

function isOver(state: RunState): boolean {
  const isQuiet = state.running.size === 0 && state.paused.size === 0 && state.unskipped.size === 0;
  return state.stage === "finally" && state.endOpen.finally === 0 && isQuiet;
}

function idOf(state: RunState, node: NodeState): string {
  return state.graph.nodes[node.node]!.id;
}

function earliest(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Math.min(one, other);
}

function* some<T>(items: Iterable<T>): Iterable<T> {
  let count = 0;
  for (const item of items) {
    if (count++ >= ACTIONS_MAX) return;
    yield item;
  }
}

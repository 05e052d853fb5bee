// state: a run as folded from its events. Everything that statuses, screens and plans are read from.
//   S1. `evolve` owns the state it is given and may change it in place; whoever wants an older state folds again. Folding the same
//       events from the start gives a deep-equal state.
//   S2. Only what can still matter is kept: a finished pass leaves its value, the values of its variables and nothing else.
//   S3. What plan reads (ready, undecided, unskipped, …) is kept up by evolve, so that no event costs a walk over the graph.
// Deliberately absent: output bytes, attempt records (view.ts folds those for people), clocks.

import { EMPTY, type Value } from "../base/value.ts";
import type { Graph } from "../workflow/graph.ts";
import type { Budget, Failure } from "./event.ts";
import { fileOrder, untilOrder } from "./order.ts";
import { Ordered } from "./ordered.ts";
import type { RunStatus } from "./statuses.ts";

export type { RunStatus } from "./statuses.ts";

export type NodeStatus = "pending" | "waiting" | "running" | "succeeded" | "failed" | "skipped" | "cancelled";

/** A node in one scope: the whole run, or one pass of the loop around it. */
export interface NodeState {
  node: number;
  path: string;
  scope: Scope;
  status: NodeStatus;
  /** `line`: a listener that runs, and has nothing to do. */
  waitingFor?: "approval" | "retry" | Budget | "line";
  /** Sources in this scope that are not settled yet. */
  open: number;
  /** Some edge into it is taken, or it has no edges. */
  live: boolean;
  /** Attempts started so far. */
  attempts: number;
  firstStartedMs?: number;
  retryAtMs?: number;
  /** What it waits for in a budget: the key as it may be shown; from when on to try again, where that is known. */
  budget?: { key: string; untilMs?: number };
  /** Its value came from the cache. */
  cached?: true;
  value: Value;
  branch?: boolean;
  exitCode?: number;
  /** The last HTTP answer to its last attempt. */
  answer?: { status: number; headers: Record<string, string> };
  /** What its attempts have spent on a language model (1.2 `budget`). */
  spent?: { tokens: number; usd: number };
  failure?: Failure;
  /** What a person was asked and has not answered. */
  request?: ApprovalRequest;
  /** Holds until an attempt starts or something else is asked: a grant is for one start of exactly that. */
  approved?: Grant;
  /** Nobody knows what its last attempt has done: a person decides whether there is another. */
  inDoubt?: true;
  /** The grant that the running attempt has used up. */
  used?: Grant;
  /** Of a subflow: its running attempt's child run, and what that waits for. */
  childRun?: string;
  paused?: Pause;
  /** Of a subflow: how long it has worked before its last rest, and since when it works again. */
  workedMs?: number;
  workingSinceMs?: number;
}

export interface ApprovalRequest {
  hash: string;
  bound: Readonly<Record<string, string>>;
  /** The attempt it is for. */
  number: number;
  expiresAtMs?: number;
  onTimeout: "reject" | "approve" | "fail";
}

export interface Grant {
  hash: string;
  bound: Readonly<Record<string, string>>;
  /** Who answered. */
  by?: string;
  /** The program that runs instead of the node's own. */
  edited?: string;
  /** Nobody answered in time, and the document says that this counts as yes. */
  timedOut?: true;
}

/** A subflow that only people can help on. */
export interface Pause {
  /** Paths such as `sub/gate`. */
  waiting: readonly string[];
  /** The last event of the child, and of those inside it, at that time: a later one means that it can go on. */
  seen: Readonly<Record<string, number>>;
  wakeAtMs?: number;
}

export interface Scope {
  /** Pass indexes, outermost first; empty for the whole run. */
  indexes: readonly number[];
  /** `[1][0]`. */
  suffix: string;
  outer?: Scope;
  /** The loop that this is a pass of. */
  loop?: LoopState;
  index: number;
  counter: number;
  item?: Value;
  nodes: Map<number, NodeState>;
  loops: Map<number, LoopState>;
  /** Nodes of this scope that are not settled; finally nodes are counted apart. */
  unsettled: number;
  /** Last values of the variables in loops of this scope, by node. */
  published: Map<number, Value>;
  /** A pass of a listener in which a node failed: it ends when everything in it is settled. */
  failed?: FailedPass;
}

export interface FailedPass {
  node: string;
  path: string;
  failure: Failure;
  /** Nodes of the pass, and of loops in it, that are not settled yet. */
  open: Set<NodeState>;
}

/** What a listener has printed, and what has become of it. */
export interface ListenerState {
  node: NodeState;
  /** Attempts whose output is not read to the end, in their order: the first is being read. */
  sources: LineSource[];
  /** Lines on record whose pass has not begun, by pass. */
  queue: Map<number, { value: Value; failure?: Failure }>;
  /** Lines on record. */
  received: number;
  /** Passes that failed, and the first of them. */
  failures: number;
  firstFailure?: { node: string; path: string; failure: Failure };
  /** Nodes outside the body that its passes wait for. */
  gates: number;
  /** How its last attempt ended; the node is settled when all lines are done with. */
  ending?: { failure?: Failure; value: Value };
}

export interface LineSource {
  number: number;
  file: string | undefined;
  next: number;
  over?: "exited" | "stopped";
}

/** A loop that has been opened in a scope. */
export interface LoopState {
  start: number;
  end: number;
  path: string;
  scope: Scope;
  first: number;
  passes?: number;
  items?: Value;
  next: number;
  exhausted: boolean;
  active: Map<number, Scope>;
  /** Highest pass whose value is known, and that value. */
  lastIndex: number;
  last: Value;
  /** For-each: the value of every pass. */
  results?: Value[];
  /** Of a node with `emit: lines`. */
  listener?: ListenerState;
}

export interface RunState {
  graph: Graph;
  status: RunStatus;
  /** Why no further node starts. A run may fail first and be cancelled later; the first reason stands. */
  ending?: "failed" | "cancelled" | "timed-out";
  /** `nodes`: the drawing runs. `finally`: everything else is settled. `over`: nothing is left to do. */
  stage: "nodes" | "finally" | "over";
  startedAtMs: number;
  timeoutMs?: number;
  concurrency: number;
  approvedInAdvance: readonly string[];
  root: Scope;
  finallyOpen: number;
  /** Finally nodes are being stopped too: the run was cancelled while they ran. */
  finallyStopped?: boolean;
  cancelRequested?: boolean;
  /** The first failure that nobody tolerated. */
  failure?: { node: string; path: string; failure: Failure };
  running: Map<string, NodeState>;
  /** Subflows that wait for people: their attempts have not ended, and hold no slot. */
  paused: Map<string, NodeState>;
  /** To be started (CLI, LLM, subflow), in file order. */
  ready: Ordered<NodeState>;
  /** Ready but for an approval that has not been asked for. */
  unasked: Map<string, NodeState>;
  /** To be decided without a process. */
  undecided: Map<string, NodeState>;
  unskipped: Map<string, { state: NodeState; reason: "branch-not-taken" | "run-ended" | "pass-failed" }>;
  waitingRetry: Map<string, NodeState>;
  waitingApproval: Map<string, NodeState>;
  /** Those that a budget has no room for; `dueBudget`: the ones of them with a time, the earliest first. */
  waitingBudget: Map<string, NodeState>;
  dueBudget: Ordered<NodeState>;
  /** Those of `waitingApproval` whose time to answer ends. */
  expiring: Map<string, NodeState>;
  /** Loops that may start a pass or close. */
  loopsToDo: Map<string, LoopState>;
  /** Listeners that are not settled, by path. */
  listening: Map<string, LoopState>;
  /** Attempts in a failed pass, which are to be cancelled. */
  stopping: Map<string, NodeState>;
  /** Passes whose every node is settled. */
  passesToEnd: Map<string, Scope>;
  /** Accumulators that wait for their turn among parallel passes. */
  held: Map<string, NodeState>;
  /** What each accumulator has collected, by node. */
  collected: Map<number, Value[]>;
}

export interface StateOptions {
  /** Nodes of one run at a time when the document says nothing. */
  concurrencyDefault: number;
}

export function initialState(graph: Graph, options: StateOptions): RunState {
  const root: Scope = {
    indexes: [],
    suffix: "",
    index: 0,
    counter: 0,
    nodes: new Map(),
    loops: new Map(),
    unsettled: 0,
    published: new Map(),
  };
  return {
    graph,
    status: "queued",
    stage: "nodes",
    startedAtMs: 0,
    concurrency: graph.workflow.concurrency ?? options.concurrencyDefault,
    approvedInAdvance: [],
    root,
    finallyOpen: graph.nodes.filter((node) => node.finally).length,
    running: new Map(),
    paused: new Map(),
    ready: new Ordered(fileOrder),
    unasked: new Map(),
    undecided: new Map(),
    unskipped: new Map(),
    waitingRetry: new Map(),
    waitingApproval: new Map(),
    waitingBudget: new Map(),
    dueBudget: new Ordered(untilOrder),
    expiring: new Map(),
    loopsToDo: new Map(),
    listening: new Map(),
    stopping: new Map(),
    passesToEnd: new Map(),
    held: new Map(),
    collected: new Map(),
  };
}

/** Attempts that take a slot of the run's `concurrency`: a listener takes none, else its passes might never find one. */
export function busyCount(state: RunState): number {
  return state.running.size - listeningCount(state);
}

/** Listeners whose command runs. */
export function listeningCount(state: RunState): number {
  let running = 0;
  for (const path of state.listening.keys()) if (state.running.has(path)) running += 1;
  return running;
}

/** How many things are waited for: approvals here and inside subflows, retry times, budgets and lines. */
export function waitingCount(state: RunState): number {
  let inside = 0;
  for (const loop of state.listening.values()) if (loop.listener?.node.waitingFor === "line") inside += 1;
  for (const node of state.paused.values()) inside += node.paused?.waiting.length ?? 0;
  return state.waitingApproval.size + state.waitingRetry.size + state.waitingBudget.size + inside;
}

/** Nothing runs but listeners, and nothing can start now. */
export function isAtRest(state: RunState): boolean {
  for (const { listener } of state.listening.values())
    if (listener?.sources[0]?.over !== undefined && listener.queue.size === 0) return false;
  return (
    busyCount(state) === 0 &&
    state.ready.size === 0 &&
    state.unasked.size === 0 &&
    state.undecided.size === 0 &&
    state.unskipped.size === 0 &&
    state.loopsToDo.size === 0 &&
    state.passesToEnd.size === 0
  );
}

const ENDS: ReadonlySet<string> = new Set(["succeeded", "failed", "cancelled", "timed-out"]);

export const isFinished = ({ status }: RunState): boolean => ENDS.has(status);

/** Nothing can go on without a person. That a time to answer ends some day is no reason to stay. */
export function waitsForPeople(state: RunState): boolean {
  if (state.waitingRetry.size > 0 || state.waitingBudget.size > 0 || listeningCount(state) > 0) return false;
  return isAtRest(state) && state.waitingApproval.size + state.paused.size > 0;
}

/** How long the attempt of a subflow has worked, its rests left out. */
export function workedMs(node: NodeState, nowMs: number): number {
  const current = node.workingSinceMs === undefined ? 0 : nowMs - node.workingSinceMs;
  return (node.workedMs ?? 0) + Math.max(0, current);
}

export function isSettled(state: NodeState): boolean {
  return (
    state.status === "succeeded" ||
    state.status === "failed" ||
    state.status === "skipped" ||
    state.status === "cancelled"
  );
}

/** The scope and node that a path names; undefined when its pass is over or has not begun. */
export function stateAt(state: RunState, path: string): NodeState | undefined {
  const bracket = path.indexOf("[");
  const node = state.graph.indexOf.get(bracket === -1 ? path : path.slice(0, bracket));
  if (node === undefined) return undefined;
  return scopeAt(state, state.graph.nodes[node]!.loops, indexesOf(path))?.nodes.get(node);
}

/** The pass of `loops` with these indexes. */
export function scopeAt(state: RunState, loops: readonly number[], indexes: readonly number[]): Scope | undefined {
  let scope: Scope | undefined = state.root;
  for (const [depth, loop] of loops.entries()) scope = scope?.loops.get(loop)?.active.get(indexes[depth] ?? -1);
  return scope;
}

export function indexesOf(path: string): number[] {
  const bracket = path.indexOf("[");
  return bracket === -1
    ? []
    : path
        .slice(bracket + 1, -1)
        .split("][")
        .map(Number);
}

export function emptyNode(node: number, path: string, scope: Scope, open: number, live: boolean): NodeState {
  return { node, path, scope, status: "pending", open, live, attempts: 0, value: EMPTY };
}

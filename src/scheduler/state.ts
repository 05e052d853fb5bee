// state: the state of a run, folded from its events. Statuses, screens and plans are derived from it. A node is settled
// when it has succeeded, failed, been skipped or been cancelled.
//   S1. `evolve` owns its state and changes it in place; for an older state, fold again. Folding the same events from
//       the start gives a deep-equal state.
//   S2. Only what can still matter is kept: a finished iteration leaves its value and the values of its variables.
//   S3. `evolve` maintains the lists that `plan` reads (ready, undecided, unskipped, …), so that no event costs a walk
//       over the graph.
// Not kept: output bytes, attempt records (view.ts folds those), clock readings.

import type { Failure } from "../base/failure.ts";
import { EMPTY, type Value } from "../base/value.ts";
import type { Graph, Stage } from "../workflow/graph.ts";
import type { Budget } from "./event.ts";
import { Ordered } from "./ordered.ts";
import type { RunStatus } from "./statuses.ts";

export type { RunStatus } from "./statuses.ts";

export type NodeStatus = "pending" | "waiting" | "running" | "succeeded" | "failed" | "skipped" | "cancelled";

/** A node in one scope: the whole run, or one iteration of the loop around it. */
export interface NodeState {
  node: number;
  path: string;
  scope: Scope;
  status: NodeStatus;
  /** `line`: a running listener that has nothing to do. */
  waitingFor?: "approval" | "retry" | Budget | "line";
  /** Sources in this scope that are not settled yet. */
  open: number;
  /** An edge into it is taken, or it has no edges. */
  live: boolean;
  /** Attempts started so far. */
  attempts: number;
  firstStartedMs?: number;
  retryAtMs?: number;
  /** The budget that it waits for: the key as it may be shown, and when to try again, if known. */
  budget?: { key: string; untilMs?: number };
  /** Its value came from the cache. */
  cached?: true;
  value: Value;
  branch?: boolean;
  exitCode?: number;
  /** The last HTTP response to its last attempt. */
  answer?: { status: number; headers: Record<string, string> };
  /** Spent by its attempts on a language model (1.2 `budget`). */
  spent?: { tokens: number; usd: number };
  failure?: Failure;
  /** The pending approval request. */
  request?: ApprovalRequest;
  /** Valid until an attempt starts or something else is requested: a grant covers one start of exactly that. */
  approved?: Grant;
  /** Its last attempt is lost: Curlew can't tell whether it finished. Another attempt needs approval. */
  inDoubt?: true;
  /** The grant that the running attempt has used up. */
  used?: Grant;
  /** For a subflow: the child run of its running attempt, and what that waits for. */
  childRun?: string;
  paused?: Pause;
  /** For a subflow: how long it worked before its last pause, and since when it has been working again. */
  workedMs?: number;
  workingSinceMs?: number;
}

interface ApprovalRequest {
  hash: string;
  bound: Readonly<Record<string, string>>;
  /** The attempt that it is for. */
  number: number;
  expiresAtMs?: number;
  onTimeout: "reject" | "approve" | "fail";
}

export interface Grant {
  hash: string;
  bound: Readonly<Record<string, string>>;
  /** The approver. */
  by?: string;
  /** The program that runs instead of the node's own. */
  edited?: string;
  /** The request expired, and the workflow counts that as approved. */
  timedOut?: true;
}

/** A subflow that only waits for approvals. */
export interface Pause {
  /** Paths such as `sub/gate`. */
  waiting: readonly string[];
  /** The last event of the child run, and of those inside it, at that time. A later one means that it can continue. */
  seen: Readonly<Record<string, number>>;
  wakeAtMs?: number;
}

export interface Scope {
  /** Iteration indexes, outermost first; empty for the whole run. */
  indexes: readonly number[];
  /** For example `[1][0]`. */
  suffix: string;
  outer?: Scope;
  /** The loop that this iteration belongs to. */
  loop?: LoopState;
  index: number;
  counter: number;
  item?: Value;
  nodes: Map<number, NodeState>;
  loops: Map<number, LoopState>;
  /** Nodes of this scope that are not settled. Finally nodes are counted separately. */
  unsettled: number;
  /** Last values of the variables in loops of this scope, by node. */
  published: Map<number, Value>;
  /** Set for an iteration of a listener in which a node failed. It ends when everything in it is settled. */
  failed?: FailedPass;
}

interface FailedPass {
  node: string;
  path: string;
  failure: Failure;
  /** Nodes of the iteration, and of loops in it, that are not settled yet. */
  open: Set<NodeState>;
}

/** The output of a listener and how far it has been processed. */
export interface ListenerState {
  node: NodeState;
  /** Attempts whose output is not read to the end, in order. The first is being read. */
  sources: LineSource[];
  /** Recorded lines whose iteration has not started, by index. */
  queue: Map<number, { value: Value; failure?: Failure }>;
  /** Number of recorded lines. */
  received: number;
  /** Number of failed iterations, and the first failure. */
  failures: number;
  firstFailure?: { node: string; path: string; failure: Failure };
  /** Nodes outside the body that its iterations still wait for. */
  gates: number;
  /** How its last attempt ended. The node settles when all lines have been processed. */
  ending?: { failure?: Failure; value: Value };
}

export interface LineSource {
  number: number;
  file: string | undefined;
  next: number;
  over?: "exited" | "stopped";
}

/** A loop that is open in a scope. */
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
  /** The highest iteration whose value is known, and that value. */
  lastIndex: number;
  last: Value;
  /** For-each: the value of every iteration. */
  results?: Value[];
  /** Set for a node with `emit: lines`. */
  listener?: ListenerState;
}

export interface RunState {
  graph: Graph;
  status: RunStatus;
  /** Why no further node starts. A run may fail first and be cancelled later; the first reason is kept. */
  ending?: "failed" | "cancelled" | "timed-out";
  /** `nodes`: the graph runs. Then the nodes of `onFailure`, then those of `finally`. `over`: nothing is left to do. */
  stage: Stage | "over";
  startedAtMs: number;
  timeoutMs?: number;
  concurrency: number;
  approvedInAdvance: readonly string[];
  /** The stored state when the run started, and what its nodes have stored since. */
  stored: Record<string, string>;
  root: Scope;
  /** Nodes of `onFailure` and `finally` that are not settled. */
  endOpen: Record<"onFailure" | "finally", number>;
  /** Finally nodes are being stopped too, because the run was cancelled while they ran. */
  finallyStopped?: boolean;
  cancelRequested?: boolean;
  /** The first failure that was not tolerated. */
  failure?: { node: string; path: string; failure: Failure };
  /** The node of `failure`. */
  failedNode?: NodeState;
  running: Map<string, NodeState>;
  /** Subflows that wait for approvals: their attempts have not ended, and take no slot. */
  paused: Map<string, NodeState>;
  /** Nodes to start (CLI, LLM, subflow), in file order. */
  ready: Ordered<NodeState>;
  /** Ready except for an approval that has not been requested. */
  unasked: Map<string, NodeState>;
  /** Nodes to compute without a process. */
  undecided: Map<string, NodeState>;
  unskipped: Map<string, { state: NodeState; reason: "branch-not-taken" | "run-ended" | "pass-failed" | "no-failure" }>;
  waitingRetry: Map<string, NodeState>;
  waitingApproval: Map<string, NodeState>;
  /** Nodes that wait for a budget. `dueBudget`: those with a known time, earliest first. */
  waitingBudget: Map<string, NodeState>;
  dueBudget: Ordered<NodeState>;
  /** Nodes of `waitingApproval` whose request expires. */
  expiring: Map<string, NodeState>;
  /** Loops that may start an iteration or close. */
  loopsToDo: Map<string, LoopState>;
  /** Listeners that are not settled, by path. */
  listening: Map<string, LoopState>;
  /** Attempts in a failed iteration that must be cancelled. */
  stopping: Map<string, NodeState>;
  /** Iterations whose nodes are all settled. */
  passesToEnd: Map<string, Scope>;
  /** Accumulators that wait for their turn among parallel iterations. */
  held: Map<string, NodeState>;
  /** Collected values of each accumulator, by node. */
  collected: Map<number, Value[]>;
}

export interface StateOptions {
  /** Parallel nodes per run when the workflow sets no limit. A loop that wants more gets it. */
  concurrencyDefault: number;
}

function wanted({ nodes }: Graph): number[] {
  return nodes.flatMap(({ node: { data } }) => ("maxConcurrency" in data ? (data.maxConcurrency ?? []) : []));
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
    concurrency: graph.workflow.concurrency ?? Math.max(options.concurrencyDefault, ...wanted(graph)),
    approvedInAdvance: [],
    stored: {},
    root,
    endOpen: {
      onFailure: graph.nodes.filter(({ stage }) => stage === "onFailure").length,
      finally: graph.nodes.filter(({ stage }) => stage === "finally").length,
    },
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

/**
 * Attempts that take a slot of the run's `concurrency`. A listener takes none, because its iterations might never find
 * one.
 */
export function busyCount(state: RunState): number {
  return state.running.size - listeningCount(state);
}

/** Listeners whose command is running. */
function listeningCount(state: RunState): number {
  let running = 0;
  for (const path of state.listening.keys()) if (state.running.has(path)) running += 1;
  return running;
}

/** Number of waits: approvals here and inside subflows, retries, budgets and lines. */
export function waitingCount(state: RunState): number {
  let inside = 0;
  for (const loop of state.listening.values()) if (loop.listener?.node.waitingFor === "line") inside += 1;
  for (const node of state.paused.values()) inside += node.paused?.waiting.length ?? 0;
  return state.waitingApproval.size + state.waitingRetry.size + state.waitingBudget.size + inside;
}

/** Nothing but listeners runs, and nothing can start now. */
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

/** Nothing can continue without a decision. A request that expires later does not keep the process running. */
export function waitsForPeople(state: RunState): boolean {
  if (state.waitingRetry.size > 0 || state.waitingBudget.size > 0 || listeningCount(state) > 0) return false;
  return isAtRest(state) && state.waitingApproval.size + state.paused.size > 0;
}

/** How long the attempt of a subflow has worked, without its pauses. */
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

/** The state of the node at a path; undefined when its iteration is over or has not started. */
export function stateAt(state: RunState, path: string): NodeState | undefined {
  const bracket = path.indexOf("[");
  const node = state.graph.indexOf.get(bracket === -1 ? path : path.slice(0, bracket));
  if (node === undefined) return undefined;
  return scopeAt(state, state.graph.nodes[node]!.loops, indexesOf(path))?.nodes.get(node);
}

/** The iteration of `loops` with these indexes. */
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

/** Opens the loop of a loop start or listener. */
export function emptyLoop({ node, path, scope }: NodeState, end: number, first: number): LoopState {
  const active: LoopState["active"] = new Map();
  const loop = { start: node, end, path, scope, first, next: 0, exhausted: false, active, lastIndex: -1, last: EMPTY };
  scope.loops.set(node, loop);
  return loop;
}

function fileOrder(one: NodeState, other: NodeState): number {
  if (one.node !== other.node) return one.node - other.node;
  for (const [depth, index] of one.scope.indexes.entries()) {
    const difference = index - (other.scope.indexes[depth] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}

function untilOrder(one: NodeState, other: NodeState): number {
  return (one.budget?.untilMs ?? 0) - (other.budget?.untilMs ?? 0) || fileOrder(one, other);
}

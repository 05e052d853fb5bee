// view: a run as it is shown to users and programs (spec 2.7, `runs show --json`). It uses the fold of evolve.ts and
// keeps no separate status.
//   W1. The status of a node is the one that evolve gave it, copied after each event before a finished iteration is
//       dropped.
//   W2. Nodes are in file order, their iterations in order. A loop's body that no iteration has reached is shown once,
//       without an index.
//   W3. It can be folded event by event (`beginView`, `applyTo`), with the same result as a fold from the start.

import type { AttemptDetail, AttemptEnd, Warning } from "../base/attempt.ts";
import type { Failure } from "../base/failure.ts";
import type { Value } from "../base/value.ts";
import type { Graph } from "../workflow/graph.ts";
import type { AnsweredFrom, EventBody, KeptFrom, PartialRun, Reason, Rerun, RunEvent } from "./event.ts";
import { evolve } from "./evolve.ts";
import { onlyResultNode, skippedResult } from "./result.ts";
import {
  indexesOf,
  initialState,
  type NodeState,
  type NodeStatus,
  type RunState,
  type RunStatus,
  type Scope,
  stateAt,
} from "./state.ts";
import { approval, attempt } from "./view-events.ts";

type Ended = Omit<AttemptEnd, "http">;
type Explained = Pick<Failure, "code" | "reason" | "message" | "hint" | "hints" | "evidence">;

export interface AttemptView extends Omit<AttemptDetail, "runner">, Partial<Ended>, Partial<Explained> {
  number: number;
  /** Copied from an earlier run: nothing ran here. */
  kept?: true;
  status: "running" | "succeeded" | "failed" | "cancelled" | "timed-out" | "lost";
  /** Why it ended: `exited(22)`, `signalled(SIGKILL)`, `timed-out(idle)`, or a failure's code. */
  cause?: string;
  startedAt: string;
  endedAt?: string;
  http: NonNullable<AttemptEnd["http"]>;
}

/** An approval request for a node and its outcome. */
export interface ApprovalView {
  number: number;
  hash: string;
  reasons: Reason[];
  requestedAt: string;
  expiresAt?: string;
  again?: string;
  /** Absent: not decided, or no longer pending. */
  answer?: "granted" | "rejected" | "expired";
  answeredAt?: string;
  by?: string;
  door?: string;
  from?: AnsweredFrom;
  /** The command in the workflow, and the edited one that was approved instead. */
  edited?: { from: string; to: string };
  reason?: string;
  /** The decision that the expiry counts as. */
  as?: "reject" | "approve" | "fail";
}

export interface NodeView {
  id: string;
  path: string;
  title: string;
  type: string;
  status: NodeStatus;
  waitingFor?: string;
  /** When it continues, if known: the time of the next attempt, or when the budget has room. */
  waitingUntil?: string;
  /** The key of the budget that it waits for. */
  waitingKey?: string;
  /** For a subflow: paths inside that wait for approval, such as `sub/gate`. */
  waiting?: string[];
  /** For a subflow that waits in the queue of a cluster: the labels that its machine must have. */
  runsOn?: string[];
  /** Small values only; larger ones are in the output. */
  value?: string;
  failure?: Failure;
  /** Its result was copied from this event of an earlier run. */
  kept?: KeptFrom;
  attempts: AttemptView[];
  /** A node without a process has its own. */
  warnings?: Warning[];
  /** Its value came from the cache, not from an attempt of this run. */
  cached?: { key: string; from: { run: string; path: string }; storedAt: string; expiresAt: string };
  /** Set for a node that has requested approval. */
  approvals?: ApprovalView[];
}

export interface RunView {
  id: string;
  /** The workflow's name. */
  workflow: string;
  file: string;
  status: RunStatus;
  trigger: { kind: string; by?: string; at?: string };
  /** The earlier run whose results this run reuses, and the path from which everything ran again. */
  again?: { run: string; from?: string; anew?: string[]; current?: true };
  /** Set when the run covered one node, or the nodes up to one. */
  only?: PartialRun;
  /** Set for a queued run that needs a machine with these labels. */
  runsOn?: string[];
  inputs: Record<string, unknown>;
  startedAt: string;
  endedAt?: string;
  durationMs?: number;
  /** Set for a succeeded run when its value is small. */
  result?: string;
  /** The last nodes of a succeeded run, if all of them were skipped: there is no result. */
  resultSkipped?: string[];
  failure?: { node: string; path: string; failure: Failure };
  nodes: NodeView[];
}

/** A view of the events so far. Call `takeAll` before reading `nodes`. */
export interface ViewFold {
  readonly graph: Graph;
  state: RunState;
  /** By path, in the order in which they were reached. The objects are updated in place. */
  readonly nodes: Map<string, NodeView>;
  /** Ids of nodes that an iteration has reached, or the run for nodes outside of loops. */
  readonly reached: Set<string>;
  /** The command of each approval request, by hash. */
  readonly commands: Map<string, string>;
  first?: Extract<RunEvent, { type: "run.started" }>;
  last?: RunEvent;
}

/** `events` start with run.started; `graph` is that of the workflow in it. */
export function viewOf(graph: Graph, events: readonly RunEvent[]): RunView {
  const fold = beginView(graph);
  for (const event of events) applyTo(fold, event);
  return viewFrom(fold);
}

export function beginView(graph: Graph): ViewFold {
  return {
    graph,
    state: initialState(graph, { concurrencyDefault: 1 }),
    nodes: new Map(),
    reached: new Set(),
    commands: new Map(),
  };
}

/** Applies the next event. The cost is proportional to the change (V1), however long the run is. */
export function applyTo(fold: ViewFold, event: RunEvent): void {
  if (fold.first === undefined) {
    if (event.type !== "run.started") throw new TypeError("a view begins with run.started");
    fold.first = event;
  }
  fold.state = evolve(fold.state, event);
  fold.last = event;
  if (!("path" in event) || event.type === "run.failed") return;
  const view = viewAt(fold, event);
  if (view === undefined) return;
  takeDown(view, stateAt(fold.state, event.path));
  attempt(view, event);
  approval(view, event, fold.commands);
  if (event.type === "cache.answered" && view.cached === undefined) view.cached = cachedOf(event);
  if ((event.type === "node.succeeded" || event.type === "loop.started") && event.warnings !== undefined)
    view.warnings = event.warnings;
}

/** The run as it is now. */
export function viewFrom(fold: ViewFold): RunView {
  const { graph, state, nodes, first, last } = fold;
  if (first === undefined) throw new TypeError("a view begins with run.started");
  takeAll(fold);
  const endedAt = state.stage === "over" && last !== undefined ? last.at : undefined;
  const result = state.status === "succeeded" ? smallResult(state, first.only?.result) : undefined;
  return {
    id: first.run,
    workflow: first.workflow.name,
    file: first.workflow.file,
    status: state.status,
    trigger: first.trigger,
    again: first.again === undefined ? undefined : shownAgain(first.again),
    only: first.only,
    inputs: first.inputs,
    startedAt: first.at,
    ...(endedAt === undefined ? {} : { endedAt, durationMs: Date.parse(endedAt) - Date.parse(first.at) }),
    result,
    resultSkipped: state.status === "succeeded" ? skippedResult(state, first.only?.result) : undefined,
    failure: state.failure,
    nodes: [...nodes.values()].sort((one, other) => compare(graph, one, other)),
  };
}

function shownAgain({ inside: _inside, ...again }: Rerun): Omit<Rerun, "inside"> {
  return again;
}

/** The view of the event's node. Events of iterations have none. */
function viewAt(fold: ViewFold, event: Extract<EventBody, { path: string }>): NodeView | undefined {
  return event.type.startsWith("pass.") ? undefined : blank(fold, event.node, event.path);
}

function blank(fold: ViewFold, id: string, path: string): NodeView | undefined {
  const { nodes, reached } = fold;
  if (!reached.has(id)) {
    reached.add(id);
    // W2: removes the placeholder that was shown before an iteration reached the body.
    if (path !== id) nodes.delete(id);
  }
  return nodes.get(path) ?? made(fold, id, path);
}

function made({ nodes, graph }: ViewFold, id: string, path: string): NodeView | undefined {
  const drawn = graph.nodes[graph.indexOf.get(id) ?? -1];
  if (drawn === undefined) return undefined;
  const view: NodeView = {
    id,
    path,
    title: drawn.node.data.title,
    type: drawn.node.type,
    status: "pending",
    attempts: [],
  };
  nodes.set(path, view);
  return view;
}

/** W1: copies the status. */
function takeDown(view: NodeView, node: NodeState | undefined): void {
  if (node === undefined) return;
  view.status = node.status;
  if (node.waitingFor === undefined) delete view.waitingFor;
  else view.waitingFor = node.waitingFor;
  delete view.waitingUntil;
  delete view.waitingKey;
  const untilMs = node.waitingFor === "retry" ? node.retryAtMs : node.budget?.untilMs;
  if (untilMs !== undefined) view.waitingUntil = new Date(untilMs).toISOString();
  if (node.budget !== undefined) view.waitingKey = node.budget.key;
  if (node.paused === undefined) delete view.waiting;
  else view.waiting = [...node.paused.waiting];
  if (node.failure !== undefined) view.failure = node.failure;
  const text = node.status === "succeeded" ? smallText(node.value) : undefined;
  if (text !== undefined) view.value = text;
}

function cachedOf({ key, from, storedAt, expiresAt }: Extract<RunEvent, { type: "cache.answered" }>) {
  return { key, from, storedAt, expiresAt };
}

/**
 * Adds nodes without an event, and states that another node's event changed. It walks over everything that is not over.
 */
export function takeAll(fold: ViewFold): void {
  const { graph, state, reached } = fold;
  const scopes: Scope[] = [state.root];
  for (let scope = scopes.pop(); scope !== undefined; scope = scopes.pop()) {
    for (const node of scope.nodes.values()) {
      const view = blank(fold, graph.nodes[node.node]!.id, node.path);
      if (view !== undefined) takeDown(view, node);
    }
    for (const loop of scope.loops.values()) scopes.push(...loop.active.values());
  }
  if (reached.size === graph.nodes.length) return;
  for (const drawn of graph.nodes) {
    if (reached.has(drawn.id)) continue;
    const view = fold.nodes.get(drawn.id) ?? made(fold, drawn.id, drawn.id);
    if (view === undefined || view.status !== "pending" || state.stage === "nodes") continue;
    view.status = "skipped";
  }
}

function smallResult(state: RunState, named: string | undefined): string | undefined {
  const only = state.root.nodes.get(onlyResultNode(state, named) ?? -1);
  return only === undefined ? undefined : smallText(only.value);
}

function smallText(value: Value): string | undefined {
  if ("text" in value) return value.text;
  if ("file" in value) return undefined;
  const texts = value.parts.slice(0, value.count).map(smallText);
  if (value.joined !== "lines" || texts.some((text) => text === undefined)) return undefined;
  return texts.join("\n");
}

function compare(graph: Graph, one: NodeView, other: NodeView): number {
  const nodes = (graph.indexOf.get(one.id) ?? 0) - (graph.indexOf.get(other.id) ?? 0);
  if (nodes !== 0) return nodes;
  const left = indexesOf(one.path);
  const right = indexesOf(other.path);
  for (const [depth, index] of left.entries()) if (index !== right[depth]) return index - (right[depth] ?? -1);
  return 0;
}

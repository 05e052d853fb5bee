// view: a run as people and programs are shown it (spec 2.7, `runs show --json`). Folded by evolve; there is no second status.
//   W1. The status of a node or pass is the one that evolve gave it, taken down after each event before a finished pass is dropped.
//   W2. Nodes stand in file order, their passes in pass order. A loop's body that no pass has reached is shown once, without a pass.
//   W3. It can be folded event by event (`beginView`, `applyTo`), and says at every event what it says when folded from the start.
// Deliberately absent: output bytes (they are read by range), anything the events do not say.

import type { Value } from "../base/value.ts";
import type { Graph } from "../workflow/graph.ts";
import type { Again, AnsweredFrom, AttemptEnd, EventBody, Failure, KeptFrom, Only, Reason, RunEvent } from "./event.ts";
import { evolve } from "./evolve.ts";
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

export interface AttemptView {
  number: number;
  /** It is that of another run: nothing ran here. */
  kept?: true;
  status: "running" | "succeeded" | "failed" | "cancelled" | "timed-out" | "lost";
  /** Why it ended: `exited(22)`, `signalled(SIGKILL)`, `timed-out(idle)`, or a failure's code. */
  cause?: string;
  /** Of the failure: its code, what lies behind it where that is sure, what says so, and what helps (docs/reference/failures.md). */
  code?: string;
  reason?: string;
  message?: string;
  hint?: string;
  hints?: string[];
  evidence?: string[];
  exitCode?: number;
  signal?: string;
  startedAt: string;
  endedAt?: string;
  durationMs?: number;
  command?: string;
  shell?: string;
  cwd?: string;
  env?: string[];
  stdin?: { bytes: number; sha256: string };
  stdout?: { bytes: number; secret?: true };
  stderr?: { bytes: number };
  http: NonNullable<AttemptEnd["http"]>;
  warnings?: AttemptEnd["warnings"];
  usage?: AttemptEnd["usage"];
  egress?: AttemptEnd["egress"];
  childRun?: string;
  sandbox?: string;
  stdoutFile?: string;
  stderrFile?: string;
}

/** One time that a person was asked about a node, and what became of it. */
export interface ApprovalView {
  number: number;
  hash: string;
  reasons: Reason[];
  requestedAt: string;
  expiresAt?: string;
  again?: string;
  /** Absent: nobody has answered, or it is no longer waited for. */
  answer?: "granted" | "rejected" | "expired";
  answeredAt?: string;
  by?: string;
  door?: string;
  from?: AnsweredFrom;
  /** The command as it stood in the document, and what was approved in its place. */
  edited?: { from: string; to: string };
  reason?: string;
  /** What an expiry counted as. */
  as?: "reject" | "approve" | "fail";
}

export interface NodeView {
  id: string;
  path: string;
  title: string;
  type: string;
  status: NodeStatus;
  waitingFor?: string;
  /** When it goes on, where that is known: the next attempt's time, or when a budget has room again. */
  waitingUntil?: string;
  /** The key of the budget that it waits for. */
  waitingKey?: string;
  /** Of a subflow: the paths inside that wait for a person, `sub/gate`. */
  waiting?: string[];
  /** Small values only; a larger one stands in its output. */
  value?: string;
  failure?: Failure;
  /** Its result is that of another run, settled there by this event. */
  kept?: KeptFrom;
  attempts: AttemptView[];
  /** Its value is not of an attempt of this run. */
  cached?: { key: string; from: { run: string; path: string }; storedAt: string; expiresAt: string };
  /** Of a node about which a person was asked. */
  approvals?: ApprovalView[];
}

export interface RunView {
  id: string;
  /** The workflow's name. */
  workflow: string;
  file: string;
  status: RunStatus;
  trigger: { kind: string; by?: string };
  /** The run that this one goes by, and the path from which on everything ran again. */
  again?: { run: string; from?: string; anew?: string[]; current?: true };
  /** It ran one node, or up to one. */
  only?: Only;
  inputs: Record<string, unknown>;
  startedAt: string;
  endedAt?: string;
  durationMs?: number;
  /** Of a succeeded run, when its value is small. */
  result?: string;
  failure?: { node: string; path: string; failure: Failure };
  nodes: NodeView[];
}

/** A view on its way: what the events so far have made of it. Whoever reads `nodes` in between calls `takeAll` first. */
export interface ViewFold {
  readonly graph: Graph;
  state: RunState;
  /** By path, in the order in which they were reached. The objects stay; what they say changes. */
  readonly nodes: Map<string, NodeView>;
  /** Paths of views that were made, changed or removed; whoever shows them clears it. */
  readonly changed: Set<string>;
  /** Ids that some pass has reached, or the run where no loop is around them. */
  readonly reached: Set<string>;
  /** What was asked about, by hash. */
  readonly commands: Map<string, string>;
  first?: Extract<RunEvent, { type: "run.started" }>;
  last?: RunEvent;
}

/** `events` begin with run.started; `graph` is that of the workflow it holds. */
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
    changed: new Set(),
    reached: new Set(),
    commands: new Map(),
  };
}

/** The next event. Costs what it changes (V1), however long the run is. */
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
  fold.changed.add(event.path);
}

/** The run as it stands. */
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
    ...(first.again === undefined ? {} : { again: shownAgain(first.again) }),
    ...(first.only === undefined ? {} : { only: first.only }),
    inputs: first.inputs,
    startedAt: first.at,
    ...(endedAt === undefined ? {} : { endedAt, durationMs: Date.parse(endedAt) - Date.parse(first.at) }),
    ...(result === undefined ? {} : { result }),
    ...(state.failure === undefined ? {} : { failure: state.failure }),
    nodes: [...nodes.values()].sort((one, other) => compare(graph, one, other)),
  };
}

function shownAgain({ inside: _inside, ...again }: Again): Omit<Again, "inside"> {
  return again;
}

/** The view that an event is about; events of passes are about the pass, which has no view of its own. */
function viewAt(fold: ViewFold, event: Extract<EventBody, { path: string }>): NodeView | undefined {
  if (event.type === "pass.started" || event.type === "pass.succeeded" || event.type === "pass.failed")
    return undefined;
  return blank(fold, event.node, event.path);
}

function blank(fold: ViewFold, id: string, path: string): NodeView | undefined {
  const { nodes, reached, changed } = fold;
  if (!reached.has(id)) {
    reached.add(id);
    // W2: what stood for the body as long as no pass had reached it.
    if (path !== id && nodes.delete(id)) changed.add(id);
  }
  return nodes.get(path) ?? made(fold, id, path);
}

function made({ nodes, graph, changed }: ViewFold, id: string, path: string): NodeView | undefined {
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
  changed.add(path);
  return view;
}

/** W1. */
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

/** Nodes that nothing was recorded about, and states that changed by another node's event. Costs a walk over what is not over. */
export function takeAll(fold: ViewFold): void {
  const { graph, state, reached, changed } = fold;
  const scopes: Scope[] = [state.root];
  for (let scope = scopes.pop(); scope !== undefined; scope = scopes.pop()) {
    for (const node of scope.nodes.values()) {
      const view = blank(fold, graph.nodes[node.node]!.id, node.path);
      if (view === undefined) continue;
      if (view.status !== node.status || view.waitingFor !== node.waitingFor) changed.add(node.path);
      takeDown(view, node);
    }
    for (const loop of scope.loops.values()) scopes.push(...loop.active.values());
  }
  if (reached.size === graph.nodes.length) return;
  for (const drawn of graph.nodes) {
    if (reached.has(drawn.id)) continue;
    const view = fold.nodes.get(drawn.id) ?? made(fold, drawn.id, drawn.id);
    if (view === undefined || view.status !== "pending" || state.stage === "nodes") continue;
    view.status = "skipped";
    changed.add(drawn.id);
  }
}

function smallResult(state: RunState, resultOf: string | undefined): string | undefined {
  const { graph, root } = state;
  const named = resultOf ?? graph.workflow.output;
  const nodes = named === undefined ? graph.last : [graph.indexOf.get(named) ?? -1];
  const only = nodes.length === 1 ? root.nodes.get(nodes[0] ?? -1) : undefined;
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

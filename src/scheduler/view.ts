// view: a run as people and programs are shown it (spec 2.7, `runs show --json`). Folded by evolve; there is no second status.
//   W1. The status of a node or pass is the one that evolve gave it, taken down after each event before a finished pass is dropped.
//   W2. Nodes stand in file order, their passes in pass order. A loop's body that no pass has reached is shown once, without a pass.
// Deliberately absent: output bytes (they are read by range), anything the events do not say.

import type { Value } from "../base/value.ts";
import type { Graph } from "../workflow/graph.ts";
import type {
  Again,
  AnsweredFrom,
  AttemptDetail,
  AttemptEnd,
  EventBody,
  Failure,
  KeptFrom,
  Reason,
  RunEvent,
} from "./event.ts";
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

export interface AttemptView {
  number: number;
  /** It is that of another run: nothing ran here. */
  kept?: true;
  status: "running" | "succeeded" | "failed" | "cancelled" | "timed-out" | "lost";
  /** Why it ended: `exited(22)`, `signalled(SIGKILL)`, `timed-out(idle)`, or a failure's code. */
  cause?: string;
  /** Of the failure: its code, what lies behind it where that is sure, what says so, and what helps (docs/failures.md). */
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
  inputs: Record<string, unknown>;
  startedAt: string;
  endedAt?: string;
  durationMs?: number;
  /** Of a succeeded run, when its value is small. */
  result?: string;
  failure?: { node: string; path: string; failure: Failure };
  nodes: NodeView[];
}

/** `events` begin with run.started; `graph` is that of the workflow it holds. */
export function viewOf(graph: Graph, events: readonly RunEvent[]): RunView {
  const [first] = events;
  if (first?.type !== "run.started") throw new TypeError("a view begins with run.started");
  const nodes = new Map<string, NodeView>();
  const commands = new Map<string, string>();
  let state = initialState(graph, { concurrencyDefault: 1 });
  for (const event of events) {
    state = evolve(state, event);
    if (!("path" in event) || event.type === "run.failed") continue;
    const view = viewAt(nodes, graph, event);
    if (view === undefined) continue;
    takeDown(view, stateAt(state, event.path));
    attempt(view, event);
    approval(view, event, commands);
    if (event.type === "cache.answered" && view.cached === undefined) view.cached = cachedOf(event);
  }
  takeAll(nodes, graph, state);
  const last = events.at(-1);
  const endedAt = state.stage === "over" && last !== undefined ? last.at : undefined;
  const result = state.status === "succeeded" ? smallResult(state) : undefined;
  return {
    id: first.run,
    workflow: first.workflow.name,
    file: first.workflow.file,
    status: state.status,
    trigger: first.trigger,
    ...(first.again === undefined ? {} : { again: shownAgain(first.again) }),
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
function viewAt(
  nodes: Map<string, NodeView>,
  graph: Graph,
  event: Extract<EventBody, { path: string }>,
): NodeView | undefined {
  if (event.type === "pass.started" || event.type === "pass.succeeded" || event.type === "pass.failed")
    return undefined;
  return blank(nodes, graph, event.node, event.path);
}

function blank(nodes: Map<string, NodeView>, graph: Graph, id: string, path: string): NodeView | undefined {
  const known = nodes.get(path);
  if (known !== undefined) return known;
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

/** Nodes that nothing was recorded about, and states that changed by another node's event. */
function takeAll(nodes: Map<string, NodeView>, graph: Graph, state: RunState): void {
  const reached = new Set([...nodes.values()].map((view) => view.id));
  const scopes: Scope[] = [state.root];
  for (let scope = scopes.pop(); scope !== undefined; scope = scopes.pop()) {
    for (const node of scope.nodes.values()) {
      const id = graph.nodes[node.node]!.id;
      reached.add(id);
      const view = blank(nodes, graph, id, node.path);
      if (view !== undefined) takeDown(view, node);
    }
    for (const loop of scope.loops.values()) scopes.push(...loop.active.values());
  }
  for (const drawn of graph.nodes) {
    if (reached.has(drawn.id)) continue;
    const view = blank(nodes, graph, drawn.id, drawn.id);
    if (view !== undefined && state.stage !== "nodes") view.status = "skipped";
  }
}

function attempt(view: NodeView, event: Extract<RunEvent, { path: string }>): void {
  if (event.type === "node.kept") {
    kept(view, event);
    return;
  }
  if (event.type === "loop.started" && event.kept !== undefined) view.kept = event.kept;
  if (event.type === "attempt.started") {
    const { number, at, detail } = event;
    view.attempts.push({ number, status: "running", startedAt: at, ...shown(detail), http: [] });
    return;
  }
  if (!event.type.startsWith("attempt.") || !("number" in event)) return;
  const current = view.attempts.findLast(({ number }) => number === event.number);
  if (current === undefined || event.type === "attempt.adopted") return;
  if (event.type === "attempt.not-started") {
    view.attempts.splice(view.attempts.indexOf(current), 1);
    return;
  }
  current.status = event.type.slice("attempt.".length) as AttemptView["status"];
  current.endedAt = event.at;
  if ("end" in event) Object.assign(current, ended(event.end));
  if ("failure" in event) {
    const { exitCode: _exitCode, signal: _signal, stderr: _stderr, ...why } = event.failure;
    Object.assign(current, why);
  }
  current.cause = causeOf(event);
}

function kept(view: NodeView, event: Extract<RunEvent, { type: "node.kept" }>): void {
  view.kept = event.kept;
  if (event.attempt === undefined) return;
  const { number, startedAt, endedAt, status, detail, end } = event.attempt;
  view.attempts.push({
    ...{ number, status, kept: true, startedAt, endedAt, ...shown(detail), http: [] },
    ...(end === undefined ? {} : ended(end)),
    cause: end?.exitCode === undefined ? (event.failure?.code ?? status) : `exited(${end.exitCode})`,
  });
}

/** `commands`: what was asked about, by hash. An answer to another request than the last is not shown: it changed nothing. */
function approval(view: NodeView, event: Extract<RunEvent, { path: string }>, commands: Map<string, string>): void {
  if (event.type === "approval.requested") {
    const { number, hash, reasons, expiresAt, again, at, detail } = event;
    commands.set(hash, detail.wholeProgram ? detail.rendered : detail.command);
    view.approvals ??= [];
    view.approvals.push({
      ...{ number, hash, reasons, requestedAt: at },
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...(again === undefined ? {} : { again }),
    });
    return;
  }
  const last = view.approvals?.at(-1);
  if (last === undefined || last.answer !== undefined || !("hash" in event) || event.hash !== last.hash) return;
  if (event.type === "approval.expired") Object.assign(last, { answer: "expired", answeredAt: event.at, as: event.as });
  if (event.type !== "approval.granted" && event.type !== "approval.rejected") return;
  if (last.expiresAt !== undefined && event.at >= last.expiresAt) return;
  const { by, door, from, at } = event;
  const answer = event.type === "approval.granted" ? "granted" : "rejected";
  Object.assign(last, { answer, answeredAt: at, by, door }, from === undefined ? {} : { from });
  if (event.type === "approval.rejected") last.reason = event.reason;
  else if (event.edited !== undefined) last.edited = { from: commands.get(event.hash) ?? "", to: event.edited };
}

function shown(detail: AttemptDetail): Partial<AttemptView> {
  const { runner: _, ...rest } = detail;
  return rest;
}

function ended(end: AttemptEnd): Partial<AttemptView> {
  const { http, ...rest } = end;
  return { ...rest, ...(http === undefined ? {} : { http }) };
}

function causeOf(event: Extract<RunEvent, { path: string }>): string {
  if (event.type === "attempt.timed-out")
    return event.failure.code === "timed-out-idle" ? "timed-out(idle)" : "timed-out(total)";
  if ("end" in event) {
    if (event.end.exitCode !== undefined) return `exited(${event.end.exitCode})`;
    if (event.end.signal !== undefined && event.type !== "attempt.cancelled") return `signalled(${event.end.signal})`;
  }
  return "failure" in event ? event.failure.code : event.type.slice("attempt.".length);
}

function smallResult(state: RunState): string | undefined {
  const { graph, root } = state;
  const named = graph.workflow.output;
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

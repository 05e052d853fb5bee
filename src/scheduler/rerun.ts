// rerun: converts the events of an earlier run into the start of a rerun, so that finished nodes need not run again
// (spec 2.2 `runs retry RUN [--from NODE]`).
//   G1. A result is kept if this run would ask for it next and the earlier run has it. The rules of plan decide what is
//       downstream, so the kept part is always a valid run, even if the workflow has changed since.
//   G2. Successes are kept, and failures that this workflow tolerates. Finally nodes always run again.
//   G3. Events keep the order of the earlier run, and each names its source. Nothing runs, waits or requests approval
//       here.
// Not done here: linking files (the engine does), reading the earlier run, and handling secrets beyond noting which
// values had one.

import type { Graph } from "../workflow/graph.ts";
import { kindOf } from "../workflow/kinds/index.ts";
import type { EventBody, KeptAttempt, KeptFrom, RunEvent } from "./event.ts";
import { evolve } from "./evolve.ts";
import { passesAtATime } from "./loops.ts";
import { indexesOf, initialState, isSettled, type NodeState, type RunState, scopeAt, stateAt } from "./state.ts";

/**
 * Where a run starts again: a node, in the iteration with these indexes. With `pass`, a whole iteration, whose index is
 * last.
 */
export interface Target {
  node: number;
  indexes: readonly number[];
  pass: boolean;
}

export interface RerunDeps {
  /** The earlier run: its own graph and all its events. */
  graph: Graph;
  events: readonly RunEvent[];
}

export interface KeptRun {
  /** The events after `run.started`. Their values name files of the earlier run. */
  bodies: EventBody[];
  /** The state of this run after these events. */
  state: RunState;
  /** Child runs of subflows that had started and run again, by path. */
  inside: ReadonlyMap<string, { run: string; from?: string }>;
}

/** `again`: nodes outside loops that run again although the successful nodes after them are kept. */
export function keptResultsOf(
  before: RerunDeps,
  graph: Graph,
  { target, again = new Set() }: { target?: Target | undefined; again?: ReadonlySet<number> } = {},
): KeptRun {
  const keeper = new RerunSimulation(graph, target, again, before.events[0]);
  let open = candidates(before);
  // If the workflow has changed, events may fit only after later ones have been kept: repeat until nothing more fits.
  for (let left = -1; open.length !== left; ) {
    left = open.length;
    open = open.filter((body) => !keeper.keep(body));
  }
  return { bodies: keeper.bodies, state: keeper.state, inside: childrenOf(before, keeper.state, target) };
}

/** The results and loop events of the earlier run, each as the event that records it in this run. */
function candidates({ graph, events }: RerunDeps): EventBody[] {
  const found: EventBody[] = [];
  const attempts = new Map<string, Extract<RunEvent, { type: "attempt.started" }>>();
  let state = initialState(graph, { concurrencyDefault: 1 });
  for (const event of events) {
    const before = settledAt(state, event);
    const wasEnding = state.ending !== undefined;
    state = evolve(state, event);
    if (event.type === "attempt.started") attempts.set(event.path, event);
    const source = "kept" in event && event.kept !== undefined ? event.kept : { run: event.run, seq: event.seq };
    if (isOfLoop(event)) {
      const { seq: _seq, at: _at, run: _run, ...body } = event;
      found.push({ ...body, kept: source });
    } else if (event.type === "node.kept") {
      const { seq: _seq, at: _at, run: _run, ...body } = event;
      found.push(body);
    } else if (before === false && settledAt(state, event) === true) {
      const kept = keptEvent(event, stateAt(state, "path" in event ? event.path : ""), attempts, source);
      // A failure while the run was being stopped may be due to the stop, or would have been retried.
      if (kept !== undefined && !(kept.status === "failed" && wasEnding)) found.push(kept);
    }
  }
  return found;
}

type OfLoop = Extract<RunEvent, { type: "loop.started" | "pass.started" | "pass.succeeded" | "loop.exhausted" }>;

function isOfLoop(event: RunEvent): event is OfLoop {
  return event.type.startsWith("loop.") || event.type.startsWith("pass.");
}

function settledAt(state: RunState, event: RunEvent): boolean | undefined {
  const node = "path" in event ? stateAt(state, event.path) : undefined;
  return node === undefined ? undefined : isSettled(node);
}

function keptEvent(
  event: RunEvent,
  node: NodeState | undefined,
  attempts: ReadonlyMap<string, Extract<RunEvent, { type: "attempt.started" }>>,
  kept: KeptFrom,
): Extract<EventBody, { type: "node.kept" }> | undefined {
  if (!("path" in event) || (node?.status !== "succeeded" && node?.status !== "failed")) return undefined;
  const { value, branch, added } = event as Partial<Extract<RunEvent, { type: "node.succeeded" }>>;
  const started = "number" in event && event.type.startsWith("attempt.") ? attempts.get(event.path) : undefined;
  return {
    type: "node.kept",
    node: event.node,
    path: event.path,
    status: node.status,
    kept,
    ...{ value, branch, added },
    failure: node.failure,
    exitCode: node.exitCode,
    attempt: started === undefined ? undefined : attemptOf(started, event),
  };
}

function attemptOf(started: Extract<RunEvent, { type: "attempt.started" }>, event: RunEvent): KeptAttempt {
  // The child run belongs to the earlier run, and the runner process has ended.
  const { childRun: _childRun, runner: _runner, ...detail } = started.detail;
  return {
    number: started.number,
    startedAt: started.at,
    endedAt: event.at,
    status: event.type.slice("attempt.".length) as KeptAttempt["status"],
    detail,
    end: "end" in event ? event.end : undefined,
  };
}

/** G1: simulates this run with the results of the earlier one. */
class RerunSimulation {
  readonly bodies: EventBody[] = [];
  state: RunState;
  private readonly graph: Graph;
  private readonly target: Target | undefined;
  private readonly again: ReadonlySet<number>;

  constructor(graph: Graph, target: Target | undefined, again: ReadonlySet<number>, started: RunEvent | undefined) {
    this.graph = graph;
    this.target = target;
    this.again = again;
    this.state = initialState(graph, { concurrencyDefault: 1 });
    if (started !== undefined) this.state = evolve(this.state, started);
    this.skip();
  }

  keep(body: EventBody): boolean {
    if (!("path" in body) || !this.isWanted(body)) return false;
    this.fold(body);
    this.skip();
    return true;
  }

  private fold(body: EventBody): void {
    if (!("node" in body) || !this.again.has(this.graph.indexOf.get(body.node) ?? -1)) this.bodies.push(body);
    this.state = evolve(this.state, { seq: 0, at: "", run: "", ...body });
  }

  private skip(): void {
    while (this.state.unskipped.size > 0)
      for (const { state: node, reason } of [...this.state.unskipped.values()])
        this.fold({ type: "node.skipped", node: this.graph.nodes[node.node]!.id, path: node.path, reason });
  }

  private isWanted(body: Extract<EventBody, { path: string }>): boolean {
    const index = this.graph.indexOf.get(body.node);
    if (index === undefined || this.isAgain(index, body)) return false;
    switch (body.type) {
      case "node.kept":
        return this.isAsked(index, body);
      case "loop.started": {
        const node = stateAt(this.state, body.path);
        return this.graph.loops.has(index) && node !== undefined && isOpen(this.state, node);
      }
      case "pass.started": {
        const loop = this.loopAt(index, body.path, body.index);
        return (
          loop !== undefined &&
          !loop.exhausted &&
          loop.next === body.index &&
          loop.active.size < passesAtATime(this.state, index)
        );
      }
      case "pass.succeeded":
        return this.state.passesToEnd.has(body.path);
      case "loop.exhausted": {
        const loop = this.loopAt(index, `${body.path}[0]`, 0);
        return loop !== undefined && !loop.exhausted && loop.active.size === 0 && loop.next === body.passes;
      }
      default:
        return false;
    }
  }

  private isAsked(index: number, body: Extract<EventBody, { type: "node.kept" }>): boolean {
    const drawn = this.graph.nodes[index]!;
    const node = stateAt(this.state, body.path);
    if (node === undefined || drawn.finally || this.graph.loops.has(index)) return false;
    if (body.status === "failed" && !drawn.tolerated && !drawn.hasErrorBranch) return false;
    const { effect } = kindOf(drawn.node);
    const fits = (effect === "branch") === (body.branch !== undefined);
    const collects = (effect === "collects") === (body.added !== undefined);
    if (body.status === "succeeded" && !(fits && collects)) return false;
    const start = this.graph.startOf.get(index);
    if (start === undefined) return isOpen(this.state, node);
    const loop = node.scope.loops.get(start);
    return loop?.exhausted === true && loop.active.size === 0 && !isSettled(node);
  }

  /** Whether it is the target of `from`, or belongs to a later iteration of a loop around the target. */
  private isAgain(index: number, body: Extract<EventBody, { path: string }>): boolean {
    if (this.target === undefined) return false;
    const { nodes } = this.graph;
    const isPass = body.type === "pass.started" || body.type === "pass.succeeded";
    const around = (node: number, pass: boolean): readonly number[] => [...nodes[node]!.loops, ...(pass ? [node] : [])];
    const here = around(index, isPass);
    const indexes = indexesOf(body.path);
    for (const [depth, loop] of around(this.target.node, this.target.pass).entries()) {
      if (here[depth] !== loop) return false;
      const difference = (indexes[depth] ?? 0) - (this.target.indexes[depth] ?? 0);
      if (difference !== 0) return difference > 0;
    }
    return index === this.target.node && isPass === this.target.pass;
  }

  private loopAt(start: number, passPath: string, pass: number) {
    const { loops } = this.graph.nodes[start]!;
    const indexes = indexesOf(passPath);
    if (!this.graph.loops.has(start) || indexes.length !== loops.length + 1 || indexes.at(-1) !== pass)
      return undefined;
    return scopeAt(this.state, loops, indexes)?.loops.get(start);
  }
}

/** Everything before the node is finished or skipped, but the node is not. */
function isOpen(state: RunState, node: NodeState): boolean {
  return node.status === "pending" && node.open === 0 && node.live && !state.held.has(node.path);
}

/** Subflows that would start now and whose child run had started, or was to reuse one. */
function childrenOf({ events }: RerunDeps, state: RunState, target: Target | undefined): KeptRun["inside"] {
  const begun = new Map<string, { run: string; from?: string }>();
  for (const event of events) {
    if (event.type === "run.started" && event.again?.inside !== undefined)
      for (const [path, child] of Object.entries(event.again.inside)) begun.set(path, child);
    if (event.type === "attempt.started" && event.detail.childRun !== undefined)
      begun.set(event.path, { run: event.detail.childRun });
  }
  for (const path of begun.keys()) {
    const node = stateAt(state, path);
    const isSubflow = state.graph.nodes[node?.node ?? -1]?.node.type === "subflow";
    const isTarget = target?.node === node?.node && String(target?.indexes) === String(indexesOf(path));
    if (node === undefined || !isSubflow || isTarget || !isOpen(state, node)) begun.delete(path);
  }
  return begun;
}

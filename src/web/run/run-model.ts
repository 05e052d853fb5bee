// run-model: the state of one run on the page, folded from its events as they arrive (spec ui 6.4). Pure.
//   R1. Statuses come from the shared fold (scheduler/view.ts). The cost of an event depends only on what it changes.
//   R2. Events are applied in order and once. Others are skipped.

import { visibleLine } from "../../base/visible.ts";
import type { RunEvent } from "../../scheduler/event.ts";
import { applyTo, beginView, type NodeView, type ViewFold } from "../../scheduler/view.ts";
import { analyze, type Graph } from "../../workflow/graph.ts";
import type { Workflow } from "../../workflow/model.ts";
import { parseWorkflow } from "../../workflow/parse.ts";
import { Loops } from "./loops.ts";
import { idOf } from "./paths.ts";
import { Timeline } from "./timeline.ts";

export type Skipped = Extract<RunEvent, { type: "node.skipped" }>["reason"];
type Started = Extract<RunEvent, { type: "run.started" }>;

export class RunModel {
  readonly events: RunEvent[] = [];
  readonly graph: Graph;
  readonly fold: ViewFold;
  readonly loops: Loops;
  readonly timeline: Timeline;
  /** The result of each IF node, by path. */
  readonly branches = new Map<string, boolean>();
  /** Why nodes were skipped, by path. */
  readonly skipped = new Map<string, Skipped>();
  readonly started: Started;
  /** Recorded approval requests by path, newest last. */
  readonly requests = new Map<string, Extract<RunEvent, { type: "approval.requested" }>[]>();

  private constructor(graph: Graph, started: Started) {
    this.graph = graph;
    this.started = started;
    this.fold = beginView(graph);
    this.loops = new Loops(graph);
    this.timeline = new Timeline(graph);
  }

  /** Undefined if the recorded workflow cannot be read. */
  static begin(event: RunEvent): RunModel | undefined {
    if (event.type !== "run.started") return undefined;
    const { workflow } = parseWorkflow(event.workflow.text, event.workflow.file);
    if (workflow === undefined) return undefined;
    const named = namedWorkflow(workflow);
    const started = { ...event, workflow: { ...event.workflow, name: named.name } };
    const model = new RunModel(analyze(named).graph, started);
    model.apply([event]);
    return model;
  }

  /** The same run at its first event. */
  rewound(): RunModel {
    const model = new RunModel(this.graph, this.started);
    model.apply([this.started]);
    return model;
  }

  get seq(): number {
    return this.events.length;
  }

  /** R2. */
  apply(events: readonly RunEvent[]): void {
    for (const event of events) {
      if (event.seq !== this.seq + 1) continue;
      this.events.push(event);
      applyTo(this.fold, event);
      this.loops.apply(event);
      this.timeline.apply(event);
      if (event.type === "node.skipped") this.skipped.set(event.path, event.reason);
      if ((event.type === "node.succeeded" || event.type === "node.kept") && event.branch !== undefined)
        this.branches.set(event.path, event.branch);
      if (event.type === "approval.requested")
        this.requests.set(event.path, [...(this.requests.get(event.path) ?? []), event]);
    }
  }

  node(path: string): NodeView | undefined {
    return this.fold.nodes.get(path);
  }

  get status() {
    return this.fold.state.status;
  }

  /** False for a run that may be in the queue of a cluster. */
  get hasBegun(): boolean {
    return this.seq > 1;
  }

  /** The reason a waiting run waits; undefined if it needs approval. */
  get waitingFor(): string | undefined {
    if (this.status !== "waiting" || this.waiting().length > 0) return undefined;
    const { waitingRetry, waitingBudget } = this.fold.state;
    return waitingRetry.size > 0 ? "retry" : waitingBudget.size > 0 ? "its turn" : "line";
  }

  get isOver(): boolean {
    return this.fold.state.stage === "over";
  }

  get endedAt(): string | undefined {
    return this.isOver ? this.fold.last?.at : undefined;
  }

  get failure() {
    return this.fold.state.failure;
  }

  /** The path of the node that the user most likely came for (N1 of run-screen.tsx). */
  mostWanted(chosen: ReadonlyMap<string, number>): string | undefined {
    const { running, waitingRetry, waitingBudget } = this.fold.state;
    const [asking] = this.waiting();
    const [active] = [...running.keys(), ...waitingRetry.keys(), ...waitingBudget.keys()];
    const path = this.failure?.path ?? asking?.path ?? active ?? this.graph.nodes[this.graph.last.at(-1) ?? -1]?.id;
    return path === undefined ? undefined : (this.loops.shownPath(idOf(path), chosen) ?? path);
  }

  /** Paths in this run that wait for approval. For a subflow, also the paths inside it. */
  waiting(): { path: string; inside?: readonly string[] }[] {
    const { waitingApproval, paused } = this.fold.state;
    return [
      ...[...waitingApproval.keys()].map((path) => ({ path })),
      ...[...paused.values()].map(({ path, paused: pause }) => ({ path, inside: pause?.waiting ?? [] })),
    ];
  }

  progress(): { settled: number; all: number } {
    let settled = 0;
    for (const count of this.outcomes().values()) settled += count;
    return { settled, all: this.graph.nodes.length };
  }

  /** Number of nodes per final status. Nodes in a loop count when the loop is done. */
  outcomes(): Map<string, number> {
    const { graph, fold } = this;
    const found = new Map<string, number>();
    for (const node of graph.nodes) {
      const outer = node.loops[0];
      const loop = outer === undefined ? undefined : graph.loops.get(outer);
      const decides = loop === undefined ? node.id : graph.nodes[loop.end === -1 ? loop.start : loop.end]!.id;
      const status = fold.nodes.get(decides)?.status ?? "";
      if (SETTLED.has(status)) found.set(status, (found.get(status) ?? 0) + 1);
    }
    return found;
  }
}

/** Untrusted names are safe to display (client/queries.ts Q2). */
const namedWorkflow = (workflow: Workflow): Workflow => ({
  ...workflow,
  name: visibleLine(workflow.name),
  nodes: workflow.nodes.map((node) => ({
    ...node,
    data: { ...node.data, title: visibleLine(node.data.title) },
  })) as Workflow["nodes"],
});

export const SETTLED: ReadonlySet<string> = new Set(["succeeded", "failed", "skipped", "cancelled"]);

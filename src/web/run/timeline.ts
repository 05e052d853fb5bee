// timeline: when each node did what, as rows of bars ordered by start (spec ui 6.4). Folded event by event. Pure.
//   T1. A bar shows one kind of time: queued, waiting for approval, running (one bar per attempt) or retry wait. A node
//       that takes no time is a tick.
//   T2. A node is queued from the time its last parent finished or was skipped, as far as that is known.
//   T4. The duration of a node is the time from its first attempt to the end of its last. Cards show the same (`tookMs`).
//   T3. The rows of a loop are below it, grouped by iteration. Folded rows need not be drawn.

import type { RunEvent } from "../../scheduler/event.ts";
import { indexesOf } from "../../scheduler/state.ts";
import type { Graph } from "../../workflow/graph.ts";
import { idOf, passOf, pathOf } from "./paths.ts";

export type BarKind = "queued" | "approval" | "running" | "retry" | "tick";

export interface Bar {
  kind: BarKind;
  fromMs: number;
  /** Absent: not over yet. */
  toMs?: number;
  /** The measured time of an attempt. The events around it are written a little later. */
  measuredMs?: number;
  /** For a running bar or a tick: how it ended. */
  status?: "succeeded" | "failed" | "cancelled" | "timed-out" | "lost";
  /** Attempt number. */
  number?: number;
  /** The key of the budget the node is queued for. */
  note?: string;
}

export interface Row {
  kind: "node" | "loop" | "pass";
  path: string;
  title: string;
  bars: Bar[];
  children: Row[];
}

/** Events that end a node's current bar and start another. */
const BEGINS: Partial<Record<RunEvent["type"], BarKind>> = {
  "approval.requested": "approval",
  "approval.granted": "queued",
  "budget.awaited": "queued",
  "attempt.started": "running",
  "attempt.paused": "approval",
  "attempt.resumed": "running",
};

export class Timeline {
  readonly rows: Row[] = [];
  /** Periods in which no node ran. */
  readonly gaps: { fromMs: number; toMs: number }[] = [];
  startMs = 0;
  /** Time of the newest event. */
  lastMs = 0;
  over = false;
  readonly #graph: Graph;
  readonly #rowOf = new Map<string, Row>();
  readonly #settled = new Map<string, number>();
  #running = 0;

  constructor(graph: Graph) {
    this.#graph = graph;
  }

  apply(event: RunEvent): void {
    const at = Date.parse(event.at);
    if (event.type === "run.started") this.startMs = at;
    else if (this.#running === 0 && at > this.lastMs) this.gaps.push({ fromMs: this.lastMs, toMs: at });
    this.lastMs = Math.max(this.lastMs, at);
    if ("path" in event && event.type !== "run.failed") this.#ofPath(event, at);
    else if (event.type.startsWith("run.") && /\.(?:succeeded|failed|cancelled|timed-out)$/.test(event.type))
      this.#end(at, event.type === "run.failed" ? event.path : undefined);
  }

  /** T4. */
  tookMs(path: string, nowMs: number): number | undefined {
    const row = this.#rowOf.get(path);
    return row === undefined ? undefined : tookMs(row, nowMs);
  }

  #ofPath(event: Extract<RunEvent, { path: string }>, at: number): void {
    const begins = BEGINS[event.type];
    if (begins !== undefined) {
      const number = begins === "running" && "number" in event ? event.number : undefined;
      const note = event.type === "budget.awaited" ? event.key : undefined;
      this.#begin(event.path, at, { kind: begins, fromMs: at, number, note });
      return;
    }
    switch (event.type) {
      case "attempt.not-started":
        this.#undo(event.path, at);
        return;
      case "attempt.succeeded":
      case "attempt.failed":
      case "attempt.timed-out":
      case "attempt.cancelled":
      case "attempt.lost":
        this.#attemptEnded(event, at);
        return;
      case "node.succeeded":
      case "node.failed":
      case "cache.answered":
      case "node.kept":
        this.#decided(event, at);
        return;
      case "node.skipped":
        this.#settled.set(event.path, at);
        return;
      case "approval.rejected":
        this.#closeBar(this.#rowOf.get(event.path), at, "failed");
        this.#settled.set(event.path, at);
        return;
      case "loop.started":
        this.#loopStarted(event.path, at);
        return;
      case "pass.started":
        this.#passStarted(event.path, at);
        return;
      case "pass.succeeded":
      case "pass.failed":
        this.#closeBar(this.#rowOf.get(passKey(event.path)), at, event.type === "pass.failed" ? "failed" : "succeeded");
        return;
      default: // Not shown as a bar.
    }
  }

  /** Ends the node's current bar and starts a new one. */
  #begin(path: string, at: number, bar: Bar): void {
    const row = this.#row(path, at);
    this.#closeBar(row, at);
    row.bars.push(bar);
    if (bar.kind === "running") this.#running += 1;
  }

  #attemptEnded(event: Extract<RunEvent, { path: string; number: number }>, at: number): void {
    const row = this.#row(event.path, at);
    this.#closeBar(row, at, event.type.slice("attempt.".length) as NonNullable<Bar["status"]>);
    const bar = row.bars.at(-1);
    if (bar !== undefined && "end" in event) bar.measuredMs = event.end?.durationMs;
    if ("retryAt" in event && event.retryAt !== undefined) row.bars.push({ kind: "retry", fromMs: at });
    else this.#settled.set(event.path, at);
  }

  #undo(path: string, at: number): void {
    const row = this.#row(path, at);
    if (row.bars.at(-1)?.kind !== "running") return;
    row.bars.pop();
    this.#running -= 1;
  }

  /** A node without a process, or the end of a loop. */
  #decided(event: Extract<RunEvent, { path: string }>, at: number): void {
    const { path } = event;
    const failed = event.type === "node.failed" || (event.type === "node.kept" && event.status === "failed");
    const status = failed ? "failed" : "succeeded";
    const index = this.#graph.indexOf.get(idOf(path)) ?? -1;
    const start = this.#graph.startOf.get(index);
    if (start !== undefined)
      this.#closeBar(this.#rowOf.get(pathOf(this.#graph.nodes[start]!.id, indexesOf(path))), at, status);
    const row = this.#row(path, at);
    if (row.bars.at(-1)?.toMs === undefined && row.bars.length > 0) this.#closeBar(row, at, status);
    else row.bars.push({ kind: "tick", fromMs: at, toMs: at, status });
    this.#settled.set(path, at);
  }

  #loopStarted(path: string, at: number): void {
    const row = this.#row(path, at);
    row.kind = "loop";
    if (row.bars.at(-1)?.toMs !== undefined || row.bars.length === 0) row.bars.push({ kind: "running", fromMs: at });
    this.#settled.set(path, at);
  }

  #passStarted(path: string, at: number): void {
    const { loop, index } = passOf(path);
    const row: Row = {
      kind: "pass",
      path,
      title: `iteration ${index + 1}`,
      bars: [{ kind: "running", fromMs: at }],
      children: [],
    };
    this.#rowOf.set(passKey(path), row);
    this.#row(loop, at).children.push(row);
  }

  #row(path: string, at: number): Row {
    const known = this.#rowOf.get(path);
    if (known !== undefined) return known;
    const drawn = this.#graph.nodes[this.#graph.indexOf.get(idOf(path)) ?? -1];
    const row: Row = { kind: "node", path, title: drawn?.node.data.title ?? path, bars: [], children: [] };
    const readyAt = this.#readyAt(path);
    // The end of a loop waits for nothing.
    if (at > readyAt && drawn?.node.type !== "loop-end") row.bars.push({ kind: "queued", fromMs: readyAt, toMs: at });
    this.#rowOf.set(path, row);
    this.#siblings(path, drawn?.loops ?? []).push(row);
    return row;
  }

  #siblings(path: string, loops: readonly number[]): Row[] {
    const inner = loops.at(-1);
    if (inner === undefined) return this.rows;
    const pass = this.#rowOf.get(passKey(pathOf(this.#graph.nodes[inner]!.id, indexesOf(path))));
    return pass?.children ?? this.rows;
  }

  /** T2. */
  #readyAt(path: string): number {
    const node = this.#graph.nodes[this.#graph.indexOf.get(idOf(path)) ?? -1];
    const indexes = indexesOf(path);
    const inner = node?.loops.at(-1);
    const pass =
      inner === undefined ? undefined : this.#rowOf.get(passKey(pathOf(this.#graph.nodes[inner]!.id, indexes)));
    let readyAt = pass?.bars[0]?.fromMs ?? this.startMs;
    for (const source of node?.sources ?? []) {
      const settledAt = this.#settled.get(pathOf(this.#graph.nodes[source]!.id, indexes));
      if (settledAt !== undefined) readyAt = Math.max(readyAt, settledAt);
    }
    return readyAt;
  }

  #closeBar(row: Row | undefined, at: number, status?: Bar["status"]): void {
    const bar = row?.bars.at(-1);
    if (row === undefined || bar === undefined || bar.toMs !== undefined) return;
    bar.toMs = at;
    if (status !== undefined) bar.status = status;
    if (bar.kind === "running" && row.kind === "node") this.#running -= 1;
  }

  /** The loops and iterations around the failed node failed. */
  #end(at: number, failedAt: string | undefined): void {
    this.over = true;
    const indexes = failedAt === undefined ? [] : indexesOf(failedAt);
    const node = failedAt === undefined ? undefined : this.#graph.nodes[this.#graph.indexOf.get(idOf(failedAt)) ?? -1];
    for (const [depth, start] of (node?.loops ?? []).entries()) {
      const { id } = this.#graph.nodes[start]!;
      for (const key of [pathOf(id, indexes.slice(0, depth)), passKey(pathOf(id, indexes.slice(0, depth + 1)))])
        this.#closeBar(this.#rowOf.get(key), at, "failed");
    }
    for (const row of this.#rowOf.values()) this.#closeBar(row, at, "cancelled");
  }
}

/** T4. Undefined for a row that never ran. */
export function tookMs({ bars }: Row, nowMs: number): number | undefined {
  const first = bars.find(({ kind }) => kind === "running");
  const last = bars.findLast(({ kind }) => kind === "running");
  if (first === undefined || last === undefined) return undefined;
  return last.fromMs - first.fromMs + barMs(last, nowMs);
}

export function barMs({ fromMs, toMs, measuredMs }: Bar, nowMs: number): number {
  return Math.max(0, measuredMs ?? (toMs ?? nowMs) - fromMs);
}

/** Iterations and loops share the paths of nodes, so their keys must differ. */
function passKey(path: string): string {
  return `pass ${path}`;
}

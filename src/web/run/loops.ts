// loops: the iterations of every loop of a run, and the one to show (spec ui 6.4). Pure.
//   L1. An inner loop is a separate loop in every iteration of the outer one: `inner[3]`.
//   L2. Without a choice, the failed iteration is shown, or one that waits for approval, or the newest.

import type { RunEvent } from "../../scheduler/event.ts";
import { indexesOf } from "../../scheduler/state.ts";
import type { Graph } from "../../workflow/graph.ts";
import { passOf, pathOf } from "./paths.ts";

export type PassStatus = "running" | "waiting" | "succeeded" | "failed" | "cancelled";

export interface PassCell {
  index: number;
  /** The value of `${i}`. */
  counter: number;
  /** The item of a loop over items, if it is small. */
  item?: string;
  status: PassStatus;
  startedAt: string;
  endedAt?: string;
}

export interface LoopPasses {
  path: string;
  /** Id of its start (or listener). */
  id: string;
  /** Known at the start or when the loop ends. Absent while a `while` or `until` loop runs. */
  total?: number;
  cells: Map<number, PassCell>;
  newest: number;
  firstFailed?: number;
  /** Number of unanswered approval requests, by iteration. */
  asks: Map<number, number>;
}

export class Loops {
  readonly byPath = new Map<string, LoopPasses>();
  readonly #graph: Graph;

  constructor(graph: Graph) {
    this.#graph = graph;
  }

  apply(event: RunEvent): void {
    switch (event.type) {
      case "loop.started":
        this.#at(event.path, event.node, event.passes);
        return;
      case "pass.started":
        this.#passStarted(event);
        return;
      case "pass.succeeded":
        this.#passEnded(event.path, "succeeded", event.at);
        return;
      case "pass.failed":
        this.#passEnded(event.path, "failed", event.at);
        return;
      case "loop.exhausted":
        this.#at(event.path, event.node, event.passes);
        return;
      case "approval.requested":
        this.#asked(event.path, 1);
        return;
      case "approval.granted":
      case "approval.rejected":
      case "approval.expired":
        this.#asked(event.path, -1);
        return;
      case "run.failed":
        this.#close("cancelled", event.path, event.at);
        return;
      case "run.cancelled":
      case "run.timed-out":
        this.#close("cancelled", undefined, event.at);
        return;
      default: // Not about loops.
    }
  }

  /** A node's path for the chosen iterations; undefined if none of them has reached the node. */
  shownPath(id: string, chosen: ReadonlyMap<string, number>): string | undefined {
    const node = this.#graph.nodes[this.#graph.indexOf.get(id) ?? -1];
    if (node === undefined) return undefined;
    const indexes: number[] = [];
    for (const start of node.loops) {
      const loop = this.byPath.get(pathOf(this.#graph.nodes[start]!.id, indexes));
      const index = loop === undefined ? undefined : shownPass(loop, chosen);
      if (index === undefined) return undefined;
      indexes.push(index);
    }
    return pathOf(id, indexes);
  }

  /** The choices that make this path the shown one. */
  choicesFor(path: string, chosen: ReadonlyMap<string, number>): Map<string, number> {
    const choices = new Map(chosen);
    const indexes = indexesOf(path);
    for (const [loop, index] of this.#around(path, indexes)) choices.set(loop, index);
    return choices;
  }

  #at(path: string, id: string, total: number | undefined): LoopPasses {
    const known: LoopPasses = this.byPath.get(path) ?? { path, id, cells: new Map(), newest: -1, asks: new Map() };
    if (total !== undefined) known.total = total;
    this.byPath.set(path, known);
    return known;
  }

  #passStarted(event: Extract<RunEvent, { type: "pass.started" }>): void {
    const { index, counter, item, at } = event;
    const loop = this.#at(passOf(event.path).loop, event.node, undefined);
    const text = item !== undefined && "text" in item ? item.text : undefined;
    loop.cells.set(index, { index, counter, item: text, status: "running", startedAt: at });
    loop.newest = Math.max(loop.newest, index);
  }

  #passEnded(path: string, status: PassStatus, at: string): void {
    const { loop: loopPath, index } = passOf(path);
    const loop = this.byPath.get(loopPath);
    const cell = loop?.cells.get(index);
    if (loop === undefined || cell === undefined) return;
    cell.status = status;
    cell.endedAt = at;
    if (status === "failed") loop.firstFailed ??= index;
  }

  #asked(path: string, by: 1 | -1): void {
    for (const [loopPath, index] of this.#around(path, indexesOf(path))) {
      const loop = this.byPath.get(loopPath);
      const cell = loop?.cells.get(index);
      if (loop === undefined || cell === undefined) continue;
      const left = Math.max(0, (loop.asks.get(index) ?? 0) + by);
      if (left === 0) loop.asks.delete(index);
      else loop.asks.set(index, left);
      if (cell.status === "running" || cell.status === "waiting") cell.status = left > 0 ? "waiting" : "running";
    }
  }

  /** The run is over, so no iteration is active. */
  #close(as: PassStatus, failedAt: string | undefined, at: string): void {
    const failed = new Map(failedAt === undefined ? [] : this.#around(failedAt, indexesOf(failedAt)));
    for (const loop of this.byPath.values()) {
      loop.asks.clear();
      for (const cell of loop.cells.values())
        if (cell.status === "running" || cell.status === "waiting")
          this.#passEnded(
            pathOf(loop.id, [...indexesOf(loop.path), cell.index]),
            failed.get(loop.path) === cell.index ? "failed" : as,
            at,
          );
    }
  }

  /** The loops around a node's path, outermost first, each with its iteration in the path. */
  #around(path: string, indexes: readonly number[]): [string, number][] {
    const bracket = path.indexOf("[");
    const id = bracket === -1 ? path : path.slice(0, bracket);
    const loops = this.#graph.nodes[this.#graph.indexOf.get(id) ?? -1]?.loops ?? [];
    return loops.flatMap((start, depth): [string, number][] => {
      const index = indexes[depth];
      return index === undefined ? [] : [[pathOf(this.#graph.nodes[start]!.id, indexes.slice(0, depth)), index]];
    });
  }
}

/** L2. */
export function shownPass(loop: LoopPasses, chosen: ReadonlyMap<string, number>): number | undefined {
  const choice = chosen.get(loop.path);
  if (choice !== undefined && loop.cells.has(choice)) return choice;
  if (loop.firstFailed !== undefined) return loop.firstFailed;
  const [asking] = loop.asks.keys();
  if (asking !== undefined) return asking;
  return loop.newest < 0 ? undefined : loop.newest;
}

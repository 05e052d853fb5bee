// loops: the iterations of every loop of a run, and the one to show (spec ui 6.4). Pure.
//   L1. An inner loop is a separate loop in every iteration of the outer one: `inner[3]`.
//   L2. Without a choice, the failed iteration is shown, or one that waits for approval, or the newest.

import type { RunEvent } from "../../scheduler/event.ts";
import { indexesOf } from "../../scheduler/state.ts";
import type { ViewFold } from "../../scheduler/view.ts";
import { idOf, passOf, pathOf } from "./paths.ts";

export type PassStatus = "running" | "waiting" | "succeeded" | "failed" | "cancelled";

export interface PassCell {
  index: number;
  /** The value of `${i}`. */
  counter: number;
  /** The item of a loop over items, if it is small. */
  item?: string;
  startedAt: string;
  /** Absent while it runs, and if the run ended first. */
  ended?: { at: string; as: "succeeded" | "failed" };
}

export interface LoopPasses {
  path: string;
  startedAt: string;
  /** Known at the start or when the loop ends. Absent while a `while` or `until` loop runs. */
  total?: number;
  cells: Map<number, PassCell>;
  newest: number;
  firstFailed?: number;
}

export class Loops {
  readonly byPath = new Map<string, LoopPasses>();
  readonly #fold: ViewFold;

  constructor(fold: ViewFold) {
    this.#fold = fold;
  }

  apply(event: RunEvent): void {
    if (event.type === "loop.started" || event.type === "loop.exhausted") {
      const loop = this.#at(event.path, event.at);
      loop.total = event.passes ?? loop.total;
    } else if (event.type === "pass.started") {
      const { index, counter, item, at } = event;
      const loop = this.#at(passOf(event.path).loop, at);
      const text = item !== undefined && "text" in item ? item.text : undefined;
      loop.cells.set(index, { index, counter, item: text, startedAt: at });
      loop.newest = Math.max(loop.newest, index);
    } else if (event.type === "pass.succeeded" || event.type === "pass.failed") {
      const { loop, index } = passOf(event.path);
      const of = this.byPath.get(loop);
      const cell = of?.cells.get(index);
      if (of === undefined || cell === undefined) return;
      cell.ended = { at: event.at, as: event.type === "pass.failed" ? "failed" : "succeeded" };
      if (event.type === "pass.failed") of.firstFailed ??= index;
    }
  }

  /** A node's path for the chosen iterations; undefined if none of them has reached the node. */
  shownPath(id: string, chosen: ReadonlyMap<string, number>): string | undefined {
    const { graph } = this.#fold;
    const node = graph.nodes[graph.indexOf.get(id) ?? -1];
    if (node === undefined) return undefined;
    const indexes: number[] = [];
    for (const start of node.loops) {
      const loop = this.byPath.get(pathOf(graph.nodes[start]!.id, indexes));
      const index = loop && this.shownPass(loop, chosen);
      if (index === undefined) return undefined;
      indexes.push(index);
    }
    return pathOf(id, indexes);
  }

  /** L2. */
  shownPass(loop: LoopPasses, chosen: ReadonlyMap<string, number>): number | undefined {
    const choice = chosen.get(loop.path);
    if (choice !== undefined && loop.cells.has(choice)) return choice;
    const [asking] = this.#askingIn(loop);
    return loop.firstFailed ?? this.#failedIn(loop) ?? asking ?? (loop.newest < 0 ? undefined : loop.newest);
  }

  /** The status of each iteration of a loop. */
  statusIn(loop: LoopPasses): (cell: PassCell) => PassStatus {
    const isOver = this.#fold.state.stage === "over";
    const [failed, asking] = [this.#failedIn(loop), this.#askingIn(loop)];
    return ({ index, ended }) => {
      if (ended !== undefined) return ended.as;
      if (isOver) return index === failed ? "failed" : "cancelled";
      return asking.has(index) ? "waiting" : "running";
    };
  }

  /** The choices that make this path the shown one. */
  choicesFor(path: string, chosen: ReadonlyMap<string, number>): Map<string, number> {
    return new Map([...chosen, ...this.#around(path)]);
  }

  #at(path: string, startedAt: string): LoopPasses {
    const known: LoopPasses = this.byPath.get(path) ?? { path, startedAt, cells: new Map(), newest: -1 };
    this.byPath.set(path, known);
    return known;
  }

  /** The iteration of the failure that ended the run. */
  #failedIn({ path }: LoopPasses): number | undefined {
    const { stage, failure } = this.#fold.state;
    return failure === undefined || stage !== "over" ? undefined : new Map(this.#around(failure.path)).get(path);
  }

  /** The iterations in which a node waits for approval. */
  #askingIn({ path }: LoopPasses): Set<number> {
    const asking = [...this.#fold.state.waitingApproval.keys()].flatMap((node) => this.#around(node));
    return new Set(asking.flatMap(([loop, index]) => (loop === path ? index : [])));
  }

  /** The loops around a node's path, outermost first, each with its iteration in the path. */
  #around(path: string): [string, number][] {
    const { graph } = this.#fold;
    const indexes = indexesOf(path);
    const loops = graph.nodes[graph.indexOf.get(idOf(path)) ?? -1]?.loops ?? [];
    return loops.flatMap((start, depth): [string, number][] => {
      const index = indexes[depth];
      return index === undefined ? [] : [[pathOf(graph.nodes[start]!.id, indexes.slice(0, depth)), index]];
    });
  }
}

// timeline: when each node did what, as rows of bars ordered by start (spec ui 6.4). Pure.
//   T1. A bar shows one kind of time: queued, waiting for approval, running (one bar per attempt) or retry wait. A node
//       that takes no time is a tick.
//   T2. A node is queued from the time its last parent finished or was skipped, as far as that is known.
//   T3. The rows of a loop are below it, grouped by iteration. Folded rows need not be drawn.
//   T4. The duration of a node is the time from its first attempt to the end of its last. Cards show the same (`tookMs`).

import { indexesOf } from "../../scheduler/state.ts";
import type { AttemptView, NodeView } from "../../scheduler/view.ts";
import type { LoopPasses, PassStatus } from "./loops.ts";
import { idOf, pathOf } from "./paths.ts";
import { perEvent, type RunModel } from "./run-model.ts";

export interface Bar {
  kind: "queued" | "approval" | "running" | "retry" | "tick";
  fromMs: number;
  /** Absent: not over yet. */
  toMs?: number;
  /** The measured time of an attempt. The events around it are written a little later. */
  measuredMs?: number;
  /** For a running bar or a tick: how it ended. */
  status?: AttemptView["status"] | PassStatus;
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

export const timelineRows = perEvent((model: RunModel): Row[] => {
  const rows: Row[] = [];
  const byPath = new Map<string, Row>();
  const passes = new Map<string, Row>();
  for (const view of model.fold.nodes.values()) {
    const loop = model.loops.byPath.get(view.path);
    const bars = barsOf(model, view, loop);
    if (bars.length === 0) continue;
    const row: Row = { kind: loop ? "loop" : "node", path: view.path, title: view.title, bars, children: [] };
    byPath.set(view.path, row);
    if (loop === undefined) continue;
    row.children = passRows(model, loop);
    for (const pass of row.children) passes.set(pass.path, pass);
  }
  for (const row of byPath.values()) (passes.get(passAround(model, row.path))?.children ?? rows).push(row);
  for (const { children } of [...passes.values(), { children: rows }])
    children.sort((one, other) => one.bars[0]!.fromMs - other.bars[0]!.fromMs);
  return rows;
});

/** T3. */
function passRows({ loops, isOver, lastMs }: RunModel, loop: LoopPasses): Row[] {
  const statusOf = loops.statusIn(loop);
  return [...loop.cells.values()].map((cell): Row => {
    const toMs = cell.ended === undefined ? (isOver ? lastMs : undefined) : Date.parse(cell.ended.at);
    const path = pathOf(idOf(loop.path), [...indexesOf(loop.path), cell.index]);
    const bar: Bar = { kind: "running", fromMs: Date.parse(cell.startedAt), toMs, status: statusOf(cell) };
    return { kind: "pass", path, title: `iteration ${cell.index + 1}`, bars: [bar], children: [] };
  });
}

/** The path of the innermost iteration that contains a node. */
function passAround({ graph }: RunModel, path: string): string {
  const inner = graph.nodes[graph.indexOf.get(idOf(path)) ?? -1]?.loops.at(-1);
  return inner === undefined ? "" : pathOf(graph.nodes[inner]!.id, indexesOf(path));
}

/** T1. Between an attempt and the next one is a retry wait. Other times in between are queued. */
function barsOf(model: RunModel, node: NodeView, loop: LoopPasses | undefined): Bar[] {
  const { path, status, waitingFor, waitingKey } = node;
  const settledMs = model.settledMs.get(path);
  const pieces = piecesOf(model, node, loop).sort((one, other) => one.fromMs - other.fromMs);
  if (pieces.length === 0 && settledMs !== undefined && (status === "succeeded" || status === "failed"))
    return [{ kind: "tick", fromMs: settledMs, toMs: settledMs, status }];
  const isWaiting = status === "waiting" && waitingFor !== "approval" && waitingFor !== "line";
  if (pieces.length === 0 && !isWaiting) return [];
  const bars: Bar[] = [];
  let at = readyAt(model, path);
  for (const [nth, piece] of pieces.entries()) {
    const kind = bars.at(-1)?.kind === "running" ? "retry" : "queued";
    if (piece.fromMs > at) bars.push({ kind, fromMs: at, toMs: piece.fromMs });
    const settled = settledMs !== undefined && settledMs >= piece.fromMs ? settledMs : undefined;
    const toMs = piece.toMs ?? pieces[nth + 1]?.fromMs ?? settled ?? (model.isOver ? model.lastMs : undefined);
    bars.push({ ...piece, toMs });
    at = toMs ?? at;
  }
  if (isWaiting) bars.push({ kind: waitingFor === "retry" ? "retry" : "queued", fromMs: at, note: waitingKey });
  return bars;
}

function piecesOf(model: RunModel, { id, path, attempts, approvals = [] }: NodeView, loop?: LoopPasses): Bar[] {
  const ms = (at: string | undefined) => (at === undefined ? undefined : Date.parse(at));
  const pieces: Bar[] = [
    ...approvals.map(
      ({ requestedAt, answeredAt }): Bar => ({
        ...{ kind: "approval", fromMs: Date.parse(requestedAt), toMs: ms(answeredAt) },
      }),
    ),
    // An attempt of an earlier run took no time here.
    ...attempts
      .filter(({ kept }) => !kept)
      .map(
        ({ number, startedAt, endedAt, durationMs, status }): Bar => ({
          ...{ kind: "running", fromMs: Date.parse(startedAt), toMs: ms(endedAt), measuredMs: durationMs },
          ...{ number, status: status === "running" && model.isOver ? "cancelled" : status },
        }),
      ),
  ];
  if (loop === undefined || pieces.length > 0) return pieces;
  const { graph } = model;
  const end = graph.nodes[graph.loops.get(graph.indexOf.get(id) ?? -1)?.end ?? -1]?.id;
  const endedMs = end === undefined ? undefined : model.settledMs.get(pathOf(end, indexesOf(path)));
  return [{ kind: "running", fromMs: Date.parse(loop.startedAt), toMs: endedMs, status: model.loopStatus(path) }];
}

/** T2. */
function readyAt({ graph, loops, settledMs, startMs }: RunModel, path: string): number {
  const node = graph.nodes[graph.indexOf.get(idOf(path)) ?? -1];
  const indexes = indexesOf(path);
  const inner = graph.nodes[node?.loops.at(-1) ?? -1]?.id;
  const cell = inner && loops.byPath.get(pathOf(inner, indexes.slice(0, -1)))?.cells.get(indexes.at(-1) ?? -1);
  const settled = (node?.sources ?? []).map((source) => settledMs.get(pathOf(graph.nodes[source]!.id, indexes)) ?? 0);
  return Math.max(cell ? Date.parse(cell.startedAt) : startMs, ...settled);
}

/** T4. Undefined for a row that never ran. */
export function rowMs({ bars }: Row, nowMs: number): number | undefined {
  const first = bars.find(({ kind }) => kind === "running");
  const last = bars.findLast(({ kind }) => kind === "running");
  return first && last && last.fromMs - first.fromMs + barMs(last, nowMs);
}

export function barMs({ fromMs, toMs, measuredMs }: Bar, nowMs: number): number {
  return Math.max(0, measuredMs ?? (toMs ?? nowMs) - fromMs);
}

// overlay: a run's states on the canvas: state, time, facts and attempts per node in the iteration that is shown, and
// the edges taken (spec ui 6.4). Pure: the time is a parameter.
//   V1. An unchanged node keeps its object, so that it is not rendered again (canvas/overlay.ts O3). A clock tick
//       changes only active nodes and countdowns.
//   V2. "Not reached" is not a state: the node may still be reached while the run is active.
//   V3. A loop's start is done as soon as the loop opens, so its box shows the state of the whole loop until its end.
//   V4. In the editor the card shows the command of the document, marks edited nodes, and leaves out nodes that a test
//       left out.

import { visible } from "../../base/visible.ts";
import { indexesOf, stateAt } from "../../scheduler/state.ts";
import { type NodeView, takeAll } from "../../scheduler/view.ts";
import { wiresOf } from "../../workflow/drawing/layout.ts";
import { amountOf, type EdgeData, edgeData, handedOn, NOTHING_WENT } from "../canvas/edge-data.ts";
import {
  type CanvasOverlay,
  type EdgeLook,
  edgeKey,
  type NodeOverlay,
  type OverlayStatus,
  referenceKey,
} from "../canvas/overlay.ts";
import { previewOf } from "../canvas/words.ts";
import { duration, tookText } from "../ui/words.ts";
import { renderedPlainly } from "./approval.ts";
import { factsOf } from "./facts.ts";
import { commandGiven } from "./given.ts";
import { type LoopPasses, shownPass } from "./loops.ts";
import { pathOf } from "./paths.ts";
import type { RunModel, Skipped } from "./run-model.ts";

export type Chosen = ReadonlyMap<string, number>;

const CELLS_MAX = 400;

export const SKIP_WORDS: Record<Skipped, string> = {
  "branch-not-taken": "branch not taken",
  "not-wanted": "left out",
  "no-failure": "no failure",
  "run-ended": "the run ended first",
  "pass-failed": "the iteration failed first",
};

export class OverlayMaker {
  #nodes = new Map<string, NodeOverlay>();
  #edges: CanvasOverlay["edges"] = new Map();
  readonly #texts = new Map<string, string>();
  readonly #amounts = new Map<string, { text: string | undefined; amount: string | undefined }>();

  /** `onPass` is called with the iteration of a loop to show. `edited`: in the editor, the nodes edited since (V4). */
  make(
    model: RunModel,
    chosen: Chosen,
    nowMs: number,
    onPass: (loopStart: string, pass: number) => void,
    edited?: ReadonlySet<string>,
  ): CanvasOverlay {
    takeAll(model.fold);
    const nodes = new Map<string, NodeOverlay>();
    for (const { id } of model.graph.nodes) {
      const made = overlayOf(model, id, chosen, nowMs);
      const shown = edited === undefined ? made : inEditor(made, edited.has(id));
      if (shown !== undefined) nodes.set(id, this.#same(id, shown));
    }
    const all = [
      ...model.graph.workflow.edges.map((edge) => ({ ...edge, key: edgeKey(edge) })),
      ...referencesOf(model),
    ];
    const drawn = all.filter(({ source, target }) => nodes.has(source) && nodes.has(target));
    const edges = new Map(drawn.map((edge) => [edge.key, this.#edge(model, chosen, edge)] as const));
    const edgesText = JSON.stringify([...edges]);
    if (this.#texts.get(" edges") !== edgesText) this.#edges = edges;
    this.#texts.set(" edges", edgesText);
    this.#nodes = nodes;
    return { nodes, edges: this.#edges, onPass };
  }

  #edge(model: RunModel, chosen: Chosen, edge: OverEdge): EdgeLook {
    const way = overlayWay(model, chosen, edge);
    const target = nodeShown(model, chosen, edge.target);
    // A value that is named was used once both nodes ran.
    if (edge.isNamed && (target === undefined || target.status === "pending")) return { state: "idle" };
    const path = way.state === "taken" ? model.loops.shownPath(edge.source, chosen) : undefined;
    const handed = path === undefined || model.branches.has(path) ? undefined : handedOn(model.node(path));
    if (handed === undefined) return way;
    const key = ` amount ${path}`;
    const known = this.#amounts.get(key);
    const amount = known !== undefined && known.text === handed.text ? known.amount : amountOf(handed);
    this.#amounts.set(key, { text: handed.text, amount });
    return { ...way, amount };
  }

  /** V1. */
  #same(id: string, made: NodeOverlay): NodeOverlay {
    const text = JSON.stringify(made);
    const known = this.#nodes.get(id);
    if (known !== undefined && this.#texts.get(id) === text) return known;
    this.#texts.set(id, text);
    return made;
  }
}

/** V4. */
function inEditor(made: NodeOverlay, isEdited: boolean): NodeOverlay | undefined {
  if (made.dimmed === SKIP_WORDS["not-wanted"]) return undefined;
  const { preview: _, ...shown } = made;
  return isEdited ? { ...shown, edited: true } : shown;
}

export function overlayOf(model: RunModel, id: string, chosen: Chosen, nowMs: number): NodeOverlay {
  const path = model.loops.shownPath(id, chosen);
  const node = path === undefined ? undefined : model.node(path);
  const loop = path === undefined ? undefined : model.loops.byPath.get(path);
  const pass = loop === undefined ? {} : passInfo(loop, chosen);
  if (node === undefined) return { status: "ready", word: model.isOver ? "not reached" : "", ...pass };
  const { status, word } = stateOf(node, model, nowMs);
  const branch = model.branches.get(node.path);
  const skipped = model.skipped.get(node.path);
  const attempts = node.attempts.map((attempt) => ({ status: lookOfAttempt(attempt.status) }));
  return {
    status,
    // The badge of an IF shows its decision, which says more than "succeeded".
    word: status === "succeeded" && branch !== undefined ? String(branch) : word,
    duration: timeOf(node, model, nowMs),
    facts: factsOf(node, branch) || undefined,
    preview: previewWith(model, node),
    attempts: attempts.length > 1 ? attempts : undefined,
    dimmed: status !== "skipped" ? undefined : skipped === undefined ? "not reached" : SKIP_WORDS[skipped],
    ...pass,
  };
}

/** Cached by attempt or request, because the values in a command no longer change. */
const previews = new WeakMap<object, string>();

function previewWith(model: RunModel, node: NodeView): string | undefined {
  if (node.type !== "cli") return undefined;
  const last = node.attempts.at(-1);
  const isAsked = last === undefined || model.fold.state.waitingApproval.has(node.path);
  const asked = isAsked ? model.requests.get(node.path)?.at(-1)?.detail : undefined;
  const of = asked ?? last;
  if (of?.command === undefined || !of.command.includes("${")) return undefined;
  const text = asked === undefined ? visible(commandGiven(model, node) ?? "") : renderedPlainly(asked);
  const made = previews.get(of) ?? previewOf("cli", { content: text });
  previews.set(of, made);
  return made;
}

export function stateOf(node: NodeView, model: RunModel, nowMs: number): { status: OverlayStatus; word: string } {
  switch (node.status) {
    case "pending":
      if (model.isOver) return { status: "skipped", word: "not reached" };
      return isReady(node, model) ? { status: "queued", word: "queued" } : { status: "ready", word: "" };
    case "waiting":
      return waitOf(node, nowMs);
    case "running":
      if (node.waitingFor === "line") return { status: "running", word: "listening" };
      if (node.waiting !== undefined && node.waiting.length > 0) return { status: "waiting", word: "waiting for you" };
      return { status: "running", word: "running" };
    case "succeeded":
      return loopState(node, model) ?? { status: "succeeded", word: "succeeded" };
    default:
      return { status: node.status, word: node.status };
  }
}

/** V3. Undefined if it is not a loop, or if its end was skipped. */
function loopState({ id, path }: NodeView, model: RunModel): { status: OverlayStatus; word: string } | undefined {
  const { graph, loops } = model;
  const loop = loops.byPath.get(path);
  const end = graph.nodes[graph.loops.get(graph.indexOf.get(id) ?? -1)?.end ?? -1];
  if (loop === undefined || end === undefined) return undefined;
  const decided = model.node(pathOf(end.id, indexesOf(path)))?.status;
  const status =
    decided === "succeeded" || decided === "failed" || decided === "cancelled"
      ? decided
      : model.isOver
        ? loop.firstFailed === undefined
          ? "cancelled"
          : "failed"
        : loop.asks.size > 0
          ? "waiting"
          : "running";
  return { status, word: status === "waiting" ? "waiting for you" : status };
}

function waitOf(node: NodeView, nowMs: number): { status: OverlayStatus; word: string } {
  const { waitingFor, waitingUntil } = node;
  const left = waitingUntil === undefined ? undefined : Math.max(0, Date.parse(waitingUntil) - nowMs);
  const soon = left === undefined ? "" : ` in ${duration(Math.ceil(left / 1000) * 1000).replace(".0 s", " s")}`;
  if (waitingFor === "retry") return { status: "queued", word: `retrying${soon}` };
  if (waitingFor === "rate") return { status: "queued", word: soon === "" ? "waits for its rate" : `starts${soon}` };
  if (waitingFor === "concurrency") return { status: "queued", word: "waits for a slot" };
  if (waitingFor === "line") return { status: "running", word: "listening" };
  return { status: "waiting", word: "waiting for you" };
}

/** All its parents have finished or were skipped. */
function isReady(node: NodeView, { fold }: RunModel): boolean {
  const state = stateAt(fold.state, node.path);
  return state?.open === 0 && state.live;
}

function timeOf({ path, attempts, status }: NodeView, { timeline }: RunModel, nowMs: number): string | undefined {
  // Between two attempts, the reason for waiting is shown instead.
  const ms = status === "waiting" ? undefined : timeline.tookMs(path, Math.max(nowMs, timeline.lastMs));
  const isRunning = status === "running" && attempts.at(-1)?.endedAt === undefined;
  return ms === undefined || attempts.length === 0 ? undefined : tookText(ms, isRunning);
}

function lookOfAttempt(status: NodeView["attempts"][number]["status"]): OverlayStatus {
  return status === "timed-out" || status === "lost" ? "failed" : status;
}

function passInfo(loop: LoopPasses, chosen: Chosen): Pick<NodeOverlay, "pass"> {
  const shown = shownPass(loop, chosen);
  if (shown === undefined) return {};
  const cells: OverlayStatus[] = [];
  const length = Math.min(CELLS_MAX, loop.total ?? loop.newest + 1);
  for (let index = 0; index < length; index++) cells.push(loop.cells.get(index)?.status ?? "ready");
  return { pass: { shown, newest: loop.newest, total: loop.total, cells } };
}

/** The values that nodes name. */
function referencesOf({ graph }: RunModel) {
  const wires = wiresOf(graph).filter(({ kind }) => kind !== "edge");
  return wires.map((wire) => {
    const [source, target] = [graph.nodes[wire.source]!.id, graph.nodes[wire.target]!.id];
    return { key: referenceKey(source, target), source, target, isNamed: true };
  });
}

type OverEdge = { source: string; sourceHandle?: string; handle?: string; target: string; isNamed?: boolean };

function nodeShown({ loops, fold }: RunModel, chosen: Chosen, id: string): NodeView | undefined {
  return fold.nodes.get(loops.shownPath(id, chosen) ?? "");
}

/** Whether the run took an edge, in the iteration that is shown. */
export function overlayWay(model: RunModel, chosen: Chosen, edge: OverEdge): Pick<EdgeLook, "state" | "status"> {
  const { loops } = model;
  const sourcePath = loops.shownPath(edge.source, chosen);
  const targetPath = loops.shownPath(edge.target, chosen);
  const [source, target] = [nodeShown(model, chosen, edge.source), nodeShown(model, chosen, edge.target)];
  if (target?.status === "skipped" || source?.status === "skipped") return { state: "untaken" };
  const handle = edge.sourceHandle ?? edge.handle;
  if (source?.status === "failed")
    return handle === "error" || (target !== undefined && target.status !== "pending")
      ? { state: "taken", status: "failed" }
      : { state: "untaken" };
  const entered = source?.status === "running" && targetPath !== undefined && loops.byPath.has(source.path);
  if (source?.status !== "succeeded" && !entered) return { state: "idle" };
  if (handle === "error") return { state: "untaken" };
  const branch = sourcePath === undefined ? undefined : model.branches.get(sourcePath);
  if ((handle === "true" || handle === "false") && branch !== undefined && String(branch) !== handle)
    return { state: "untaken" };
  return { state: "taken", status: "succeeded" };
}

export function carriedIn(model: RunModel, chosen: Chosen, edge: OverEdge): EdgeData {
  const node = nodeShown(model, chosen, edge.source);
  if (overlayWay(model, chosen, edge).state === "untaken") return { says: NOTHING_WENT };
  if (node?.failure !== undefined) return edgeData({ text: node.failure.message }, "");
  return edgeData(handedOn(node), model.isOver ? NOTHING_WENT : "Nothing has gone this way yet.");
}

// versions: compares two texts of a workflow file: a list of changes, and one graph with the nodes of both. Pure.
//   V1. Node ids are those of the newer version. A removed node keeps its own.
//   V2. A text that can't be parsed has no graph. Its finding and the lines of both texts are shown instead.

import type { Workflow } from "../../workflow/model.ts";
import { type CanvasModel, canvasModel } from "../canvas/model.ts";
import { type CanvasOverlay, type EdgeLook, edgeKey, type NodeOverlay } from "../canvas/overlay.ts";
import { edgeLabel } from "../canvas/words.ts";
import { isSame } from "../document/equal.ts";
import { type Doc, nodeRanges, openDoc, rootOf } from "../document/index.ts";
import { columnOf, dedented, spansOf } from "../document/spans.ts";
import { count } from "../ui/words.ts";
import type { Entry } from "./change-list.tsx";
import { compareGraphs, type GraphChanges, type NodeChange, shownTitle } from "./graphs.ts";

export interface Comparison {
  entries: readonly Entry[];
  /** V2. */
  drawn?: { model: CanvasModel; overlay: CanvasOverlay };
  /** V2. The first finding of each version that can't be parsed. */
  unread?: { older: string | undefined; newer: string | undefined };
}

export function compareVersions(then: string, now: string, file: string): Comparison {
  const [older, newer] = [then, now].map((text) => openDoc(text.replaceAll("\r\n", "\n"), file)) as [Doc, Doc];
  const whole = { before: older.text, after: newer.text };
  const text: Entry[] =
    whole.before === whole.after ? [] : [{ key: "text", kind: "changed", title: "The whole file", lines: whole }];
  const [was, is] = [older.parsed.workflow, newer.parsed.workflow];
  if (was === undefined || is === undefined) {
    const errorOf = ({ parsed: { workflow, diagnostics } }: Doc): string | undefined =>
      workflow === undefined ? diagnostics.find(({ severity }) => severity === "error")?.message : undefined;
    return { entries: text, unread: { older: errorOf(older), newer: errorOf(newer) } };
  }
  const changes = compareGraphs(was, is);
  const drawn = drawBoth(was, is, changes);
  const [before, after] = [linesIn(older), linesIn(newer)];
  const nodes = changes.nodes.map((change): Entry => nodeEntry(change, before, after));
  const edges = changes.edges.map(({ kind, edge }): Entry => {
    const title = edgeLabel(drawn.model, { ...edge, handle: edge.sourceHandle, kind: "edge" });
    return { key: `edge:${edgeKey(edge)}`, kind, title: `${title.charAt(0).toUpperCase()}${title.slice(1)}` };
  });
  const members = changedMembers(older, newer).map((name): Entry => {
    const lines = { before: before.get(`member:${name}`) ?? "", after: after.get(`member:${name}`) ?? "" };
    const kind = lines.before === "" ? "added" : lines.after === "" ? "removed" : "changed";
    return { key: `member:${name}`, kind, title: name, lines };
  });
  return { entries: [...nodes, ...edges, ...members, ...text], drawn };
}

/** "2 nodes, 1 edge, 1 setting". Empty if a run would notice nothing. */
export function countsOf(entries: readonly Entry[]): string {
  const words = { node: "node", edge: "edge", member: "setting" };
  return Object.entries(words)
    .map(([group, word]) => [entries.filter(({ key }) => key.startsWith(group)).length, word] as const)
    .flatMap(([number, word]) => (number === 0 ? [] : [count(number, word)]))
    .join(", ");
}

type Lines = ReadonlyMap<string, string>;

function nodeEntry({ kind, before, after }: NodeChange, then: Lines, now: Lines): Entry {
  const node = (after ?? before)!;
  const lines = { before: then.get(`node:${before?.id}`) ?? "", after: now.get(`node:${after?.id}`) ?? "" };
  const entry: Entry = { key: `node:${node.id}`, kind, title: shownTitle(node), lines };
  if (kind === "renamed") entry.note = `Its id was ${before?.id}.`;
  else if (lines.before === lines.after)
    entry.note = isSame(before?.data, after?.data)
      ? "The order of its incoming edges changed, so $" + "{1} and $" + "{2} are other values."
      : "Its own lines are the same. A part that it shares changed, such as `defaults`.";
  return entry;
}

/** The lines of each node and member, without their indentation. */
function linesIn(doc: Doc): Lines {
  const lines = new Map<string, string>();
  for (const { id, from, to } of nodeRanges(doc))
    lines.set(`node:${id}`, dedented(doc.text.slice(from, to), columnOf(doc.text, from)));
  const root = rootOf(doc);
  const spans = root === undefined ? undefined : spansOf(doc.text, root, doc.text.length);
  for (const [at, name] of Object.keys(doc.written ?? {}).entries()) {
    const span = spans?.[at];
    const text =
      span === undefined ? `${JSON.stringify(doc.written?.[name], null, 2)}\n` : doc.text.slice(span.from, span.to);
    lines.set(`member:${name}`, text);
  }
  return lines;
}

/** The nodes and edges have their own entries, and positions do not count. */
const NOT_MEMBERS: ReadonlySet<string> = new Set(["nodes", "edges", "layout"]);

function changedMembers(older: Doc, newer: Doc): string[] {
  const [was, is] = [older.plain ?? {}, newer.plain ?? {}];
  const [then, now] = [older.parsed.workflow, newer.parsed.workflow] as unknown as Record<string, unknown>[];
  const names = new Set([...Object.keys(is), ...Object.keys(was)]);
  return [...names].filter((name) => {
    if (NOT_MEMBERS.has(name) || isSame(was[name], is[name])) return false;
    // The same value in another spelling does not count.
    return then?.[name] === undefined || now?.[name] === undefined || !isSame(then[name], now[name]);
  });
}

/** V1. Loops are those of the newer version, and those that were removed with their whole body. */
function drawBoth(then: Workflow, now: Workflow, { nodes, edges, edgesThen }: GraphChanges) {
  const gone = nodes.flatMap(({ before, after }) => (before !== undefined && after === undefined ? [before] : []));
  const goneIds = new Set(gone.map(({ id }) => id));
  const both: Workflow = {
    ...now,
    nodes: [...now.nodes, ...gone],
    edges: [...now.edges, ...edgesThen.filter(({ source, target }) => goneIds.has(source) && goneIds.has(target))],
    finally: [...now.finally, ...then.finally.filter((id) => goneIds.has(id))],
    onFailure: [...(now.onFailure ?? []), ...(then.onFailure ?? []).filter((id) => goneIds.has(id))],
  };
  const removed = edges.flatMap(({ kind, edge }) => (kind === "removed" ? [edge] : []));
  const model = canvasModel({ nodes: both.nodes, edges: [...now.edges, ...removed], layout: now.layout }, both);
  const marks = new Map<string, NodeOverlay>();
  for (const { kind, before, after } of nodes)
    marks.set((after ?? before)!.id, { status: "ready", word: kind, change: kind });
  for (const id of model.order)
    if (!marks.has(id)) marks.set(id, { status: "ready", word: "unchanged", change: "same" });
  for (const [id, { end }] of model.loops) {
    // The box of a loop also shows a change of its end.
    const isSameStart = marks.get(id)?.change === "same";
    if (isSameStart && marks.get(end.id)?.change !== "same")
      marks.set(id, { status: "ready", word: "changed", change: "changed" });
  }
  const looks = edges.map(({ kind, edge }): [string, EdgeLook] => [edgeKey(edge), { state: "idle", change: kind }]);
  return { model, overlay: { nodes: marks, edges: new Map(looks) } satisfies CanvasOverlay };
}

// clipboard: a selection as YAML text, and back (spec ui.md 6.5). The text can be pasted into any editor.
//   C1. The text is a piece of a workflow file: nodes with their comments, edges among them, and positions.
//   C2. Pasted ids and value names that are in use get a number. References within the piece are updated.
//   C3. A text above the limits of a workflow is not even parsed, because that could use up the tab's memory.
//   C4. A piece is self-contained: values from an alias or a merge key elsewhere are written out.

import { limits } from "../../base/limits.ts";
import { CARD } from "../../workflow/drawing/layout.ts";
import { type Point, placed } from "./edits.ts";
import { isMapValue, isSame } from "./equal.ts";
import { asWritten, resolved } from "./forms.ts";
import { linksOf, relink } from "./links.ts";
import { partnersOf } from "./loops.ts";
import { nodeLines, openDoc, perform } from "./open.ts";
import {
  applied,
  asNode,
  freeName,
  freshId,
  idsOf,
  named,
  nodesOf,
  type PlainNode,
  refused,
  withEdges,
  withHead,
} from "./plain.ts";
import { withIds, withValueNames } from "./rename.ts";
import { indented } from "./spans.ts";
import type { Doc, Edit, Plain } from "./types.ts";
import { rewritten, sourceOf, withSource, written, writtenOf } from "./write.ts";

/** The selected nodes as text, with both ends of each loop. Empty if none of them exists. */
export function copyNodes(doc: Doc, ids: readonly string[]): string {
  if (doc.plain === undefined) return "";
  const inside = new Set([...ids, ...partnersOf(doc, ids)]);
  const list = Array.isArray(doc.plain.nodes) ? doc.plain.nodes : [];
  const nodes = list.filter((item) => inside.has(asNode(item)?.id ?? ""));
  if (nodes.length === 0) return "";
  const linked = relink(doc.plain, (link) => (inside.has(link.source) && inside.has(link.target) ? [link] : []));
  const piece = asWritten({ ...linked, nodes }, doc);
  const sources = new Map(sourced(doc, (id) => inside.has(id)).map((node) => [node.id, node]));
  const lines = (piece.nodes as Plain[]).map((node, at) => {
    const from = sources.get(String(asNode(nodes[at])?.id));
    const own = sourceOf(from);
    if (from === undefined || own === undefined) return written([resolved(node)]);
    const before = [writtenOf(from)];
    return isSame(before, [node]) ? own : rewritten(own, { before, after: [node], style: STYLE, exactly: false });
  });
  const layout = isMapValue(doc.plain.layout)
    ? Object.fromEntries(Object.entries(doc.plain.layout).filter(([id]) => inside.has(id)))
    : {};
  return [
    `nodes:\n${lines.map((each) => indented(each, 2)).join("")}`,
    linksOf(piece.edges).length > 0 ? written({ edges: piece.edges }) : "",
    Object.keys(layout).length > 0 ? written({ layout }) : "",
  ].join("");
}

const STYLE = { indent: 2, indentSeq: true };

/** Nodes with their source lines, or with their values written out if the lines use an anchor from elsewhere (C4). */
function sourced(doc: Doc, isWanted: (id: string) => boolean = () => true): PlainNode[] {
  const lines = nodeLines(doc);
  const list: unknown = doc.plain?.nodes;
  const raws = doc.written?.nodes as Plain[];
  return (Array.isArray(list) ? list : []).flatMap((item, index) => {
    if (!isWanted(asNode(item)?.id ?? "")) return [];
    const own = lines?.[index];
    if (own === undefined || !standsAlone(item, own)) return [item];
    return [withSource({ ...item }, own, raws[index]!)];
  });
}

/** Whether the lines mean the same without the rest of the file (C4). */
function standsAlone(node: unknown, text: string): boolean {
  if (!/\*[^\s*]/.test(text)) return true;
  const alone: unknown = openDoc(`nodes:\n${text}`, "piece.yaml").plain?.nodes;
  return Array.isArray(alone) && isSame(alone[0], node);
}

/** Whether the text exceeds the limits of a workflow (C3). */
export function isTooLarge(text: string): boolean {
  if (text.length > limits.documentBytesMax) return true;
  return (text.match(/(?:^|[\s{,"])id"?:/g)?.length ?? 0) > limits.nodesMax;
}

/** Whether a text is a piece of a workflow that can be pasted. */
export function isPasteable(text: string): boolean {
  return fragmentOf(text) !== undefined;
}

/** `at` is the position of the upper left node. Without it, nodes go a little beside the originals. */
export function pasteNodes(text: string, at?: Point, label = "Paste"): Edit {
  return {
    label,
    apply(plain) {
      const fragment = fragmentOf(text);
      if (fragment === undefined) return refused("The clipboard holds no nodes of a workflow.");
      const ids = freshIds(fragment, idsOf(plain));
      const names = freshNames(fragment, plain);
      const renamed = perform(fragment, {
        label: "",
        apply: (inside) =>
          applied(withIds(withValueNames(inside, names, new Set(nodesOf(inside).map(({ id }) => id))), ids)),
      });
      if (!renamed.ok) return refused(renamed.error);
      return pasted(plain, renamed.value.doc, at);
    },
  };
}

export function duplicateNodes(doc: Doc, ids: readonly string[]): Edit {
  return pasteNodes(copyNodes(doc, ids), undefined, ids.length === 1 ? `Duplicate ${named(ids[0])}` : "Duplicate");
}

function pasted(plain: Plain, piece: Doc, at: Point | undefined) {
  const inside = piece.plain ?? {};
  const nodes = sourced(piece);
  const own = Array.isArray(plain.nodes) ? plain.nodes : [];
  let next = withHead(plain, "nodes", [...own, ...nodes]);
  const edges = Array.isArray(inside.edges) ? inside.edges : [];
  if (edges.length > 0) next = withEdges(next, [...(Array.isArray(plain.edges) ? plain.edges : []), ...edges]);
  return applied(
    placed(next, placesOf(inside, nodes, at, plain)),
    nodes.map((node) => node.id),
  );
}

/** A document that has only nodes, edges, and positions. Its text can also be a list of nodes, or one node (a recipe). */
function fragmentOf(text: string): Doc | undefined {
  const node = /^(?:run|script):/m.test(text) && !/^nodes:/m.test(text) ? oneNode(text) : text;
  if (!/\bid\b/.test(node)) return undefined;
  const doc = openDoc(/^(?:\s*#.*\n)*\s*-\s/.test(node) ? `nodes:\n${node}` : node, "clipboard.yaml");
  if (doc.plain === undefined) return undefined;
  return nodesOf(doc.plain).length > 0 ? doc : undefined;
}

function oneNode(text: string): string {
  const fields = /^id:/m.test(text) ? text : `id: node\n${text}`;
  return `- ${indented(fields, 2).slice(2)}`;
}

function freshIds(fragment: Doc, taken: Set<string>): Map<string, string> {
  const ids = new Map<string, string>();
  const used = new Set(taken);
  for (const { id } of nodesOf(fragment.plain ?? {})) {
    const fresh = used.has(id) ? freshId(id.replace(/_\d+$/, ""), used) : id;
    used.add(fresh);
    if (fresh !== id) ids.set(id, fresh);
  }
  return ids;
}

function freshNames(fragment: Doc, plain: Plain): Map<string, string> {
  const taken = new Set(nodesOf(plain).map((node) => String(node.data?.variableName)));
  const names = new Map<string, string>();
  for (const node of nodesOf(fragment.plain ?? {})) {
    const name = node.data?.variableName;
    if (typeof name !== "string" || !taken.has(name)) continue;
    const free = freeName(name, taken);
    taken.add(free);
    names.set(name, free);
  }
  return names;
}

const BESIDE = 40;

function placesOf(
  inside: Plain,
  nodes: readonly PlainNode[],
  at: Point | undefined,
  around: Plain,
): Record<string, Point> {
  const layout = isMapValue(inside.layout) ? inside.layout : {};
  const known = nodes.flatMap(({ id }) => {
    const [x, y] = Array.isArray(layout[id]) ? layout[id].map(Number) : [];
    return Number.isFinite(x) && Number.isFinite(y) ? [{ id, x: x!, y: y! }] : [];
  });
  const left = Math.min(...known.map(({ x }) => x));
  const top = Math.min(...known.map(({ y }) => y));
  // Skips positions that an earlier paste already uses.
  const taken = new Set(Object.values(isMapValue(around.layout) ? around.layout : {}).map(String));
  let beside = BESIDE;
  while (known.some(({ x, y }) => taken.has(String([x + beside, y + beside])))) beside += BESIDE;
  const [dx, dy] = at === undefined ? [beside, beside] : [at[0] - left, at[1] - top];
  const places: Record<string, Point> = Object.fromEntries(known.map(({ id, x, y }) => [id, [x + dx, y + dy]]));
  if (at !== undefined)
    for (const [index, { id }] of nodes.entries()) places[id] ??= [at[0] + index * (CARD.width + 64), at[1]];
  return places;
}

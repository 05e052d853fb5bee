// loops: wraps a selection in a loop (spec 1.2), and finds the nodes that belong to a loop's ends.
//   W1. Edges into the selection lead to the loop's start. A node that uses its parents by number also keeps them, in
//       order.
//   W2. Edges out of the selection start at the loop's end.
//   W3. If one end of a loop is selected, its whole body is wrapped. Otherwise the ends would belong to different
//       loops.

import { analyze } from "../../workflow/graph.ts";
import { isMapValue } from "./equal.ts";
import { type Link, linksOf, relink } from "./links.ts";
import { applied, freshId, idsOf, named, nodesOf, type PlainNode, refused, withHead } from "./plain.ts";
import type { Doc, Edit, Plain } from "./types.ts";

/** The other ends of the loops that these nodes start or end. */
export function partnersOf(doc: Doc, ids: readonly string[]): string[] {
  const { draft } = doc.parsed;
  if (draft === undefined) return [];
  const { graph } = analyze(draft.workflow);
  return ids.flatMap((id) => {
    const index = graph.indexOf.get(id);
    if (index === undefined) return [];
    const other = graph.startOf.get(index) ?? graph.loops.get(index)?.end ?? -1;
    return graph.nodes[other]?.id ?? [];
  });
}

/** Adds the whole body of each selected loop (W3). */
function withBodies(doc: Doc, ids: readonly string[]): Set<string> {
  const inside = new Set(ids);
  const { draft } = doc.parsed;
  if (draft === undefined) return inside;
  const { graph } = analyze(draft.workflow);
  for (const id of ids) {
    const index = graph.indexOf.get(id);
    const start = index === undefined ? undefined : (graph.startOf.get(index) ?? index);
    const loop = start === undefined ? undefined : graph.loops.get(start);
    if (loop === undefined || loop.listener) continue;
    for (const [at, node] of graph.nodes.entries())
      if (at === loop.start || at === loop.end || node.loops.includes(loop.start)) inside.add(node.id);
  }
  return inside;
}

/** `data` is for the loop's start. By default the loop counts to 3. */
export function wrapInLoop(ids: readonly string[], data: Plain = { title: "Loop", iterations: 3 }): Edit {
  return {
    label: ids.length === 1 ? `Put ${named(ids[0])} in a loop` : `Put ${ids.length} nodes in a loop`,
    apply(plain, doc) {
      const inside = withBodies(doc, ids);
      const nodes = nodesOf(plain).filter((node) => inside.has(node.id));
      if (nodes.length === 0) return refused("Select what should run in the loop first.");
      if (nodes.some((node) => node.type === "start")) return refused("A start node can't be in a loop.");
      const start = freshId("loop", idsOf(plain));
      const end = freshId("loop_end", idsOf(plain));
      let next = withEnds(plain, inside, start, end, data);
      next = wrapped(next, nodes, start, end);
      return applied(withPlaces(next, inside, start, end), [start, end]);
    },
  };
}

/** In the list, the start goes above the first node of the body, and the end below the last. */
function withEnds(plain: Plain, inside: ReadonlySet<string>, start: string, end: string, data: Plain): Plain {
  const list = plain.nodes as unknown[];
  const isInside = (node: unknown): boolean => isMapValue(node) && inside.has(String(node.id));
  const first = list.findIndex(isInside);
  const last = list.findLastIndex(isInside);
  const title = typeof data.title === "string" ? data.title : "Loop";
  return {
    ...plain,
    nodes: [
      ...list.slice(0, first),
      { id: start, type: "loop-start", data },
      ...list.slice(first, last + 1),
      { id: end, type: "loop-end", data: { title: `End of ${title.charAt(0).toLowerCase()}${title.slice(1)}` } },
      ...list.slice(last + 1),
    ],
  };
}

function wrapped(plain: Plain, nodes: readonly PlainNode[], start: string, end: string): Plain {
  const inside = new Set(nodes.map((node) => node.id));
  const counted = new Set(nodes.filter(countsParents).map((node) => node.id));
  const links = linksOf(plain.edges);
  const seen = new Set<string>();
  const once = (link: Link): Link[] => {
    const key = `${link.source}:${link.handle} ${link.target}`;
    if (seen.has(key)) return [];
    seen.add(key);
    return [link];
  };
  const change = (link: Link): Link[] => {
    const [from, to] = [inside.has(link.source), inside.has(link.target)];
    if (from === to) return [link];
    if (from) return once({ source: end, target: link.target });
    const { extra: _, ...entering } = link;
    return counted.has(link.target) ? [link] : once({ ...entering, target: start });
  };
  const fed = new Set(links.filter((link) => inside.has(link.source)).map((link) => link.target));
  const leads = new Set(links.filter((link) => inside.has(link.target)).map((link) => link.source));
  const added: Link[] = nodes.filter((node) => !fed.has(node.id)).map((node) => ({ source: start, target: node.id }));
  for (const node of nodes) {
    const out = links.filter((link) => link.source === node.id && !inside.has(link.target));
    const handles = new Set(out.map((link) => link.handle));
    if (handles.size === 0 && !leads.has(node.id)) handles.add(undefined);
    for (const handle of handles) added.push({ source: node.id, target: end, handle });
  }
  return relink(plain, change, added);
}

/** Whether the node uses its parents by number: `${1}`, `stdin` from a parent, `inputs[0]`. */
function countsParents(node: PlainNode): boolean {
  return /\$\{[1-9]|parent-index|parents-all|exposeParents|\binputs\b/.test(JSON.stringify(node.data ?? {}));
}

const BESIDE = 280;

function withPlaces(plain: Plain, inside: ReadonlySet<string>, start: string, end: string): Plain {
  if (!isMapValue(plain.layout)) return plain;
  const places = Object.entries(plain.layout).filter(
    (entry): entry is [string, [number, number]] => inside.has(entry[0]) && Array.isArray(entry[1]),
  );
  if (places.length < inside.size) return plain;
  const left = Math.min(...places.map(([, [x]]) => x));
  const right = Math.max(...places.map(([, [x]]) => x));
  const top = Math.min(...places.map(([, [, y]]) => y));
  return withHead(plain, "layout", {
    ...plain.layout,
    [start]: [left - BESIDE, top],
    [end]: [right + BESIDE, top],
  });
}

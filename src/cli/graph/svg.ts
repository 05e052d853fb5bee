// svg: draws a graph as a standalone SVG without scripts, external fonts or images, in light and dark. Pure.
//   S1. Every text from the workflow is escaped, so none of it can become markup.
//   S2. Node types differ by label, never by colour alone.

import { harmless, oneLine } from "../../base/text.ts";
import { detours, endsOf, pathOf } from "../../workflow/drawing/edge-routing.ts";
import {
  type Box,
  boxesOf,
  CARD,
  type Drawing,
  type DrawnEdge,
  drawnLoops,
  layout,
  type Point,
  wiresOf,
} from "../../workflow/drawing/layout.ts";
import type { Graph, GraphNode } from "../../workflow/graph.ts";
import { inOrder } from "../../workflow/graph-order.ts";
import { kindOf } from "../../workflow/kinds/index.ts";
import { cut } from "../text.ts";

const CHAR = 7.2;
const MARGIN = 24;
const TITLE_HEIGHT = 40;

/** Colours per node type: light, dark. */
const KINDS: Record<string, [string, string]> = {
  cli: ["#2563eb", "#7aa7ff"],
  llm: ["#7c3aed", "#b794ff"],
  if: ["#b45309", "#f5b04c"],
  "loop-start": ["#0f766e", "#4fd1c0"],
  "loop-end": ["#0f766e", "#4fd1c0"],
  accumulator: ["#be185d", "#ff8fbf"],
  variable: ["#4d7c0f", "#a3d65c"],
  text: ["#57534e", "#b8b2ab"],
  start: ["#15803d", "#63d38b"],
  subflow: ["#1e40af", "#93b4ff"],
};

export function svg(graph: Graph): string {
  const picture = pictureOf(graph);
  const positions = layout(picture);
  const boxes = boxesOf(picture, positions);
  const nodes = graph.nodes.filter(({ id }) => !boxes.has(id) && !picture.startOf.has(id));
  const title = harmless(graph.workflow.name);
  const { width, height } = sizeOf([...boxes.values(), ...nodes.map(({ id }) => ({ ...positions.get(id)!, ...CARD }))]);
  const wide = Math.ceil(Math.max(width, title.length * 9) + 2 * MARGIN);
  const high = Math.ceil(height + 2 * MARGIN + TITLE_HEIGHT);
  const outerFirst = [...boxes].sort(([a], [b]) => picture.loops.get(a)!.depth - picture.loops.get(b)!.depth);
  const levels = detours(picture, positions, boxes);
  const wires = picture.edges.flatMap((edge) => {
    const ends = endsOf(picture, positions, boxes, edge);
    return ends === undefined ? [] : [{ edge, ends, path: pathOf(ends, levels.get(edge.key)) }];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${high}" viewBox="0 0 ${wide} ${high}" role="img" aria-labelledby="title">`,
    `<title id="title">${escaped(title)}</title>`,
    `<style>${css()}</style>`,
    `<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 .5 7.5 4 0 7.5Z" class="tip"/></marker></defs>`,
    `<rect class="page" width="${wide}" height="${high}"/>`,
    `<text class="name" x="${MARGIN}" y="${MARGIN + 14}">${escaped(title)}</text>`,
    `<g transform="translate(${MARGIN} ${MARGIN + TITLE_HEIGHT})">`,
    ...outerFirst.map(([, box]) => loopBox(box)),
    ...wires.map(({ edge, path }) => wirePath(edge, path)),
    ...outerFirst.map(([start, box]) => loopName(graph, start, picture.loops.get(start)!.end.id, box)),
    ...nodes.map((node) => nodeBox(node, positions.get(node.id)!)),
    ...wires.map(({ edge, ends }) => wireLabel(edge.handle, ends.from)),
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

function pictureOf(graph: Graph): Drawing {
  const loops = drawnLoops(graph);
  return {
    order: inOrder(graph.nodes, (node) => node.children).map((index) => graph.nodes[index]!.id),
    edges: wiresOf(graph).map(({ source, target, handle, kind }, index) => ({
      key: `${index}`,
      source: graph.nodes[source]!.id,
      target: graph.nodes[target]!.id,
      handle,
      kind,
    })),
    loops,
    startOf: new Map([...loops].map(([start, { end }]) => [end.id, start])),
  };
}

function sizeOf(boxes: readonly Box[]): { width: number; height: number } {
  const size = { width: 0, height: 0 };
  for (const { x, y, width, height } of boxes) {
    size.width = Math.max(size.width, x + width);
    size.height = Math.max(size.height, y + height);
  }
  return size;
}

function loopBox(box: Box): string {
  return `<rect class="loop" x="${r(box.x)}" y="${r(box.y)}" width="${r(box.width)}" height="${r(box.height)}" rx="12"/>`;
}

/** The loop's start is at the upper left, its end at the upper right. Drawn above the edges. */
function loopName(graph: Graph, start: string, end: string, box: Box): string {
  const { node } = graph.nodes[graph.indexOf.get(start)!]!;
  const about = kindOf(node).describe?.(node.data, oneLine) ?? "";
  const room = Math.floor((box.width - 36) / 6.4);
  const right = cut(`${end} · loop-end`, Math.floor(room / 2));
  const left = cut(`${start} · ${about}`, room - right.length);
  return [
    `<text class="loop-name" x="${r(box.x + 14)}" y="${r(box.y + 22)}">${escaped(left)}</text>`,
    `<text class="loop-name" text-anchor="end" x="${r(box.x + box.width - 14)}" y="${r(box.y + 22)}">${escaped(right)}</text>`,
  ].join("");
}

function nodeBox(node: GraphNode, { x, y }: Point): string {
  const { type, data } = node.node;
  const below = `${node.id} · ${type}${node.finally ? ` · ${node.stage}` : ""}`;
  return [
    `<g><title>${escaped(`${harmless(data.title)} (${below})`)}</title>`,
    `<rect class="node${node.finally ? " finally" : ""}" x="${r(x)}" y="${r(y)}" width="${CARD.width}" height="${CARD.height}" rx="8"/>`,
    `<rect class="sign k-${type}" x="${r(x)}" y="${r(y)}" width="5" height="${CARD.height}" rx="2.5"/>`,
    `<text class="what" x="${r(x + 16)}" y="${r(y + 41)}">${escaped(cut(harmless(data.title), Math.floor((CARD.width - 26) / CHAR)))}</text>`,
    `<text class="id" x="${r(x + 16)}" y="${r(y + 61)}">${escaped(cut(below, Math.floor((CARD.width - 22) / 6.2)))}</text></g>`,
  ].join("");
}

function wirePath({ kind, handle }: DrawnEdge, path: string): string {
  return `<path class="wire${kind === "edge" ? "" : " implicit"}${handle === "error" ? " error" : ""}" d="${path}" marker-end="url(#tip)"/>`;
}

/** The name of a branch, where its edge leaves the node. */
function wireLabel(handle: string | undefined, { x, y }: Point): string {
  if (handle === undefined) return "";
  const wide = handle.length * 6.4 + 12;
  return `<g class="handle h-${escaped(handle)}"><rect x="${r(x + 6)}" y="${r(y - 8)}" width="${r(wide)}" height="16" rx="8"/><text x="${r(x + 6 + wide / 2)}" y="${r(y + 4)}">${escaped(handle)}</text></g>`;
}

function css(): string {
  const colours = (index: 0 | 1): string =>
    Object.entries(KINDS)
      .map(([kind, pair]) => `.k-${kind}{fill:${pair[index]}}`)
      .join("");
  return (
    "text{font-family:ui-sans-serif,system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}" +
    ".page{fill:#fff}.name{font-size:16px;font-weight:600;fill:#1c1917}" +
    ".node{fill:#fff;stroke:#d6d3d1;stroke-width:1}.finally{stroke-dasharray:5 3}" +
    ".what{font-size:13px;font-weight:500;fill:#1c1917}.id{font-size:11px;fill:#57534e;font-family:ui-monospace,SFMono-Regular,Menlo,monospace}" +
    ".loop{fill:#0f766e;fill-opacity:.05;stroke:#0f766e;stroke-opacity:.45;stroke-dasharray:6 4}.loop-name{font-size:12px;font-weight:600;fill:#0f766e;stroke:#f0f7f6;stroke-width:4px;paint-order:stroke}" +
    ".wire{fill:none;stroke:#78716c;stroke-width:1.5}.implicit{stroke-dasharray:3 4}.error{stroke:#b91c1c}.tip{fill:#78716c}" +
    ".handle rect{fill:#f5f5f4;stroke:#d6d3d1}.handle text{font-size:11px;text-anchor:middle;fill:#44403c}.h-error text{fill:#b91c1c}" +
    colours(0) +
    "@media(prefers-color-scheme:dark){.page{fill:#171717}.name,.what{fill:#f5f5f4}.node{fill:#262626;stroke:#525252}.id{fill:#b8b2ab}" +
    ".loop{fill:#4fd1c0;stroke:#4fd1c0}.loop-name{fill:#4fd1c0;stroke:#1b2423}.wire{stroke:#a8a29e}.tip{fill:#a8a29e}.error{stroke:#f87171}" +
    ".handle rect{fill:#333;stroke:#525252}.handle text{fill:#e7e5e4}.h-error text{fill:#f87171}" +
    `${colours(1)}}`
  );
}

/** Removes characters that XML cannot contain. `harmless` has removed the controls. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\ufffe\uffff]/g, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** Rounds to a tenth, which is precise enough for a drawing. */
function r(n: number): number {
  return Math.round(n * 10) / 10;
}

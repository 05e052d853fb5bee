// svg: a graph as a picture that stands alone: no scripts, no fonts or images from elsewhere, light and dark. Pure.
//   S1. Every text from the document is escaped; nothing of it can become markup.
//   S2. Kinds differ by shape of their sign and by word, never by colour alone.

import { describeLoop } from "../../workflow/describe.ts";
import type { Graph, GraphNode } from "../../workflow/graph.ts";
import { cut, harmless, width } from "../text.ts";
import { type Box, type Layout, layOut, type Sizes, type Wire } from "./layout.ts";

const CHAR = 7.2;
const NODE_HEIGHT = 48;
const NODE_WIDTH_MIN = 128;
const NODE_WIDTH_MAX = 260;
const MARGIN = 24;
const TITLE_HEIGHT = 40;

const SIZES: Sizes = {
  node: (node) => ({
    width: Math.round(
      Math.min(
        NODE_WIDTH_MAX,
        Math.max(
          NODE_WIDTH_MIN,
          width(harmless(node.node.data.title)) * CHAR + 34,
          (node.id.length + node.node.type.length + (node.finally ? 13 : 3)) * 6.3 + 34,
        ),
      ),
    ),
    height: NODE_HEIGHT,
  }),
  gapX: 32,
  gapY: 44,
  padding: 20,
  head: 36,
};

/** Colour of a kind: light, dark. */
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
  const layout = layOut(graph, SIZES);
  const title = harmless(graph.workflow.name);
  const wide = Math.ceil(Math.max(layout.width, title.length * 9) + 2 * MARGIN);
  const high = Math.ceil(layout.height + 2 * MARGIN + TITLE_HEIGHT);
  const outerFirst = [...layout.loops].sort((a, b) => b[1].width * b[1].height - a[1].width * a[1].height);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${high}" viewBox="0 0 ${wide} ${high}" role="img" aria-labelledby="title">`,
    `<title id="title">${escaped(title)}</title>`,
    `<style>${css()}</style>`,
    `<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 .5 7.5 4 0 7.5Z" class="tip"/></marker></defs>`,
    `<rect class="page" width="${wide}" height="${high}"/>`,
    `<text class="name" x="${MARGIN}" y="${MARGIN + 14}">${escaped(title)}</text>`,
    `<g transform="translate(${MARGIN} ${MARGIN + TITLE_HEIGHT})">`,
    ...outerFirst.map(([, box]) => loopBox(box)),
    ...layout.wires.map((wire) => wirePath(wire)),
    ...outerFirst.map(([start, box]) => loopName(graph.nodes[start]!, box)),
    ...graph.nodes.map((node) => nodeBox(node, layout)),
    ...layout.wires.map((wire) => wireLabel(wire, layout)).filter((label) => label !== ""),
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

function loopBox(box: Box): string {
  return `<rect class="loop" x="${r(box.x)}" y="${r(box.y)}" width="${r(box.width)}" height="${r(box.height)}" rx="12"/>`;
}

/** Above the wires, so that it stays readable where one enters. */
function loopName(start: GraphNode, box: Box): string {
  const said = start.node.type === "loop-start" ? describeLoop(start.node) : "";
  const label = cut(`⟳ ${start.id}${said === "" ? "" : ` · ${said}`}`, Math.floor((box.width - 24) / 6.4));
  return `<text class="loop-name" x="${r(box.x + 14)}" y="${r(box.y + 22)}">${escaped(label)}</text>`;
}

function nodeBox(node: GraphNode, layout: Layout): string {
  const box = layout.nodes[node.index]!;
  const { type, data } = node.node;
  const roomy = Math.floor((box.width - 26) / CHAR);
  const below = `${node.id} · ${type}${node.finally ? " · finally" : ""}`;
  const shape =
    type === "if"
      ? diamond(box)
      : `<rect class="sign k-${type}" x="${r(box.x)}" y="${r(box.y)}" width="5" height="${box.height}" rx="2.5"/>`;
  return `<g><title>${escaped(`${harmless(data.title)} (${below})`)}</title><rect class="node${node.finally ? " finally" : ""}" x="${r(box.x)}" y="${r(box.y)}" width="${r(box.width)}" height="${box.height}" rx="8"/>${shape}<text class="what" x="${r(box.x + 16)}" y="${r(box.y + 21)}">${escaped(cut(harmless(data.title), roomy))}</text><text class="id" x="${r(box.x + 16)}" y="${r(box.y + 37)}">${escaped(cut(below, Math.floor((box.width - 22) / 6.2)))}</text></g>`;
}

function diamond(box: Box): string {
  const x = box.x;
  const y = box.y + box.height / 2;
  return `<path class="sign k-if" d="M${r(x - 8)} ${r(y)} ${r(x)} ${r(y - 8)} ${r(x + 8)} ${r(y)} ${r(x)} ${r(y + 8)}Z"/>`;
}

function wirePath(wire: Wire): string {
  const [first, ...rest] = wire.points;
  let path = `M${r(first!.x)} ${r(first!.y)}`;
  let last = first!;
  for (const [index, point] of rest.entries()) {
    const y = index === rest.length - 1 ? point.y - 2 : point.y;
    if (point.x === last.x) path += `L${r(point.x)} ${r(y)}`;
    else {
      // The turn is made within one gap, the rest of the way goes straight down.
      const turn = last.y + Math.min(y - last.y, SIZES.gapY + 12);
      const half = (turn - last.y) / 2;
      path += `C${r(last.x)} ${r(last.y + half)} ${r(point.x)} ${r(turn - half)} ${r(point.x)} ${r(turn)}`;
      if (turn < y) path += `L${r(point.x)} ${r(y)}`;
    }
    last = point;
  }
  return `<path class="wire${wire.implicit ? " implicit" : ""}${wire.handle === "error" ? " error" : ""}" d="${path}" marker-end="url(#tip)"/>`;
}

/** Where a branch leaves its node. */
function wireLabel(wire: Wire, layout: Layout): string {
  if (wire.handle === undefined) return "";
  const [from, to] = wire.points;
  const lean = Math.sign(Math.round(to!.x - from!.x));
  const siblings = layout.wires.filter((other) => other.source === wire.source && other.handle === wire.handle);
  if (siblings[0] !== wire && siblings[0]!.points[1]!.x === to!.x) return "";
  const wide = wire.handle.length * 6.4 + 12;
  const x = from!.x + (to!.x - from!.x) * 0.3 + lean * 4;
  const y = from!.y + (to!.y - from!.y) * 0.32;
  return `<g class="handle h-${escaped(wire.handle)}"><rect x="${r(x - wide / 2)}" y="${r(y - 8)}" width="${r(wide)}" height="16" rx="8"/><text x="${r(x)}" y="${r(y + 4)}">${escaped(wire.handle)}</text></g>`;
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

/** What XML cannot hold at all goes; `harmless` has taken the controls. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\ufffe\uffff]/g, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** Numbers in the picture need no more than a tenth. */
function r(n: number): number {
  return Math.round(n * 10) / 10;
}

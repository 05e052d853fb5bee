// text: a graph as lines: every node below what it waits for, loops as boxes, parents and branch handles at the right. Pure.

import type { Graph, GraphNode } from "../../workflow/graph.ts";
import type { Style } from "../style.ts";
import { count, cut, harmless, oneLine, padEnd, width } from "../text.ts";
import { describeNode } from "./describe.ts";

export interface Line {
  node: GraphNode;
  /** Loops around it are open: `│ `. */
  bars: string;
  sign: string;
}

const SIGNS: Record<string, string> = {
  if: "◇",
  start: "○",
  variable: "=",
  accumulator: "+",
  text: "¶",
  subflow: "▣",
  llm: "✦",
};
const COLUMNS_MIN = 60;
const ID_COLUMNS_MAX = 32;

/** Ends in a line break. Lines are cut to `columns`; nothing is cut when that is absent. */
export function graphText(graph: Graph, style: Style, columns?: number): string {
  const { workflow } = graph;
  const lines = inReadingOrder(graph);
  const left = lines.map((line) => `${line.bars}${line.sign} ${line.node.id}`);
  const idColumns = Math.min(ID_COLUMNS_MAX, Math.max(8, ...left.map(width)));
  const typeColumns = Math.max(4, ...lines.map((line) => line.node.node.type.length));
  const head = `${style("strong", oneLine(workflow.name))}  ${style("faint", `${count(graph.nodes.length, "node")}, ${count(workflow.edges.length, "edge")}`)}`;
  const room =
    columns === undefined ? Number.POSITIVE_INFINITY : Math.max(columns, COLUMNS_MIN) - idColumns - typeColumns - 4;
  const body = lines.map(({ node }, index) => {
    const said = describeNode(node.node);
    const title = harmless(oneLine(node.node.data.title));
    const from = parentsOf(node, graph);
    const right = cut([title, said === "" ? "" : `(${said})`, from].filter((part) => part !== "").join("  "), room);
    return `${padEnd(left[index]!, idColumns)}  ${style("faint", node.node.type.padEnd(typeColumns))}  ${right}`.trimEnd();
  });
  return `${[head, "", ...body].join("\n")}\n`;
}

/** `← a, check:true, ⇠ name`: who hands it a value, and whom it waits for by name. */
function parentsOf(node: GraphNode, graph: Graph): string {
  const id = (index: number): string => graph.nodes[index]!.id;
  const parents = node.parents.map(({ source, handle }) => id(source) + (handle === undefined ? "" : `:${handle}`));
  const named = node.waits.filter((source) => !node.parents.some((parent) => parent.source === source)).map(id);
  return [
    parents.length > 0 ? `← ${parents.join(", ")}` : "",
    named.length > 0 ? `⇠ ${named.join(", ")}` : "",
    node.finally ? "finally" : "",
  ]
    .filter((part) => part !== "")
    .join("  ");
}

/** Below all it waits for; chains and loop bodies stay together; otherwise the order of the file. */
export function inReadingOrder(graph: Graph): Line[] {
  const lines: Line[] = [];
  const open: { scope: number; bars: string; todo: number[] }[] = [{ scope: -1, bars: "", todo: orderOf(-1, graph) }];
  for (let scope = open.at(-1); scope !== undefined; scope = open.at(-1)) {
    const index = scope.todo.shift();
    if (index === undefined) {
      open.pop();
      const end = graph.loops.get(scope.scope)?.end ?? -1;
      if (end !== -1) lines.push({ node: graph.nodes[end]!, bars: scope.bars.slice(0, -2), sign: "╰─" });
      continue;
    }
    const node = graph.nodes[index]!;
    const isLoop = graph.loops.has(index);
    lines.push({ node, bars: scope.bars, sign: isLoop ? "╭─" : (SIGNS[node.node.type] ?? "●") });
    if (isLoop) open.push({ scope: index, bars: `${scope.bars}│ `, todo: orderOf(index, graph) });
  }
  return lines;
}

/** The nodes of one scope, an inner loop by its start only; depth first as far as what they wait for allows. */
function orderOf(scope: number, graph: Graph): number[] {
  const members = graph.nodes.filter((node) => node.loop === scope && !graph.startOf.has(node.index));
  const entry = (index: number): number => graph.startOf.get(index) ?? index;
  const known = new Set(members.map((node) => node.index));
  const open = new Map<number, number>();
  const next = new Map<number, number[]>(members.map((node) => [node.index, []]));
  for (const node of members) {
    const end = graph.loops.get(node.index)?.end ?? -1;
    const sources = [
      ...node.sources,
      ...(end === -1 ? [] : graph.nodes[end]!.sources),
      ...(node.finally ? node.parents.map((parent) => parent.source) : []),
    ];
    const before = new Set(sources.map(entry).filter((source) => known.has(source) && source !== node.index));
    open.set(node.index, before.size);
    for (const source of before) next.get(source)!.push(node.index);
  }
  // What runs always, at the end, comes last.
  const order: number[] = [];
  const ends: number[] = [];
  const stack = members
    .filter((node) => open.get(node.index) === 0)
    .map((node) => node.index)
    .reverse();
  for (let index = stack.pop(); index !== undefined; index = stack.pop()) {
    (graph.nodes[index]!.finally ? ends : order).push(index);
    for (const child of next.get(index)!.toReversed()) {
      open.set(child, open.get(child)! - 1);
      if (open.get(child) === 0) stack.push(child);
    }
  }
  return [...order, ...ends];
}

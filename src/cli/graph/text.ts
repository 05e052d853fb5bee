// text: prints a graph as lines: nodes below their parents, loops as boxes, parents and branch handles on the right.
// Pure.

import { count, harmless, oneLine } from "../../base/text.ts";
import type { Graph, GraphNode } from "../../workflow/graph.ts";
import { kindOf } from "../../workflow/kinds/index.ts";
import { inReadingOrder } from "../../workflow/reading-order.ts";
import type { Style } from "../style.ts";
import { cut, padEnd, width } from "../text.ts";

const COLUMNS_MIN = 60;
const ID_COLUMNS_MAX = 32;

/** Ends in a newline. Lines are cut to `columns`, or not at all without it. */
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
    const about = kindOf(node.node).describe?.(node.node.data, oneLine) ?? "";
    const title = harmless(oneLine(node.node.data.title));
    const from = parentsOf(node, graph);
    const right = cut([title, about === "" ? "" : `(${about})`, from].filter((part) => part !== "").join("  "), room);
    return `${padEnd(left[index]!, idColumns)}  ${style("faint", node.node.type.padEnd(typeColumns))}  ${right}`.trimEnd();
  });
  return `${[head, "", ...body].join("\n")}\n`;
}

/** `← a, check:true, ⇠ name`: the nodes it gets values from, and the nodes it waits for by name. */
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

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
  const edges = graph.nodes.reduce((sum, { parents }) => sum + parents.length, 0);
  const head = `${style("strong", oneLine(workflow.name))}  ${style("faint", `${count(graph.nodes.length, "node")}, ${count(edges, "edge")}`)}`;
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

/** `← a, check:true, ⇠ b`: the sources of its edges, and the nodes whose values it names. */
function parentsOf(node: GraphNode, graph: Graph): string {
  const id = (index: number): string => graph.nodes[index]!.id;
  const wires = node.parents.map(({ source, handle, reference }) => ({
    reference,
    from: id(source) + (handle === undefined ? "" : `:${handle}`),
  }));
  const parents = wires.flatMap(({ reference, from }) => (reference === true ? [] : [from]));
  const waits = node.waits.filter((source) => !node.parents.some((parent) => parent.source === source)).map(id);
  const named = [...wires.flatMap(({ reference, from }) => (reference === true ? [from] : [])), ...waits];
  return [
    parents.length > 0 ? `← ${parents.join(", ")}` : "",
    named.length > 0 ? `⇠ ${named.join(", ")}` : "",
    node.finally ? node.stage : "",
  ]
    .filter((part) => part !== "")
    .join("  ");
}

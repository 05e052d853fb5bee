// check/graph: turns the graph's problems into diagnostics with positions.

import { referencesOf } from "../../shell/template.ts";
import type { Diagnostic } from "../diagnostic.ts";
import type { At } from "../diagnostics/base.ts";
import { listenerErrorIntoBody, listenerInLoop } from "../diagnostics/listener.ts";
import * as found from "../diagnostics/workflow.ts";
import { edgeRange, edgeText } from "../edges.ts";
import type { GraphProblem } from "../graph.ts";
import { kindOf } from "../kinds/index.ts";
import { textsOf } from "../kinds/kind.ts";
import type { Path, SourceMap } from "../source-map.ts";
import type { Check } from "./context.ts";

export function graphFinding(problem: GraphProblem, check: Check, source: SourceMap): Diagnostic {
  const atNode = (id: string) => check.at([...check.nodePath(check.graph.indexOf.get(id) ?? 0), "id"]);
  const atEdge = (edge: number) => ({
    file: source.file,
    range: edgeRange(source, check.draft.edgeOrigins[edge]!, "whole"),
  });
  const edge = (index: number) => edgeText(check.workflow.edges[index]!);
  switch (problem.problem) {
    case "cycle": {
      const last = problem.named === undefined ? closingEdge(problem.nodes, check) : -1;
      return found.cycle(last >= 0 ? atEdge(last) : atNode(problem.nodes[0]!), problem.nodes, problem.named);
    }
    case "loops-too-deep":
      return found.loopsTooDeep(atNode(problem.node));
    case "loop-without-end":
      return found.loopWithoutEnd(atNode(problem.node), problem.node);
    case "end-without-start":
      return found.endWithoutStart(atNode(problem.node), problem.node);
    case "loop-with-two-ends":
      return found.loopWithTwoEnds(atNode(problem.node), problem.node, problem.loop, problem.other);
    case "edge-leaves-loop":
      return found.edgeLeavesLoop(atEdge(problem.edge), edge(problem.edge), problem.loop, problem.end);
    case "edges-from-two-loops":
      return found.edgesFromTwoLoops(atNode(problem.node), problem.node, problem.loops);
    case "finally-in-loop":
      return found.finallyInLoop(atNode(problem.node), problem.node);
    case "edge-from-finally":
      return found.edgeFromFinally(atEdge(problem.edge), edge(problem.edge));
    case "name-from-finally":
      return found.nameFromFinally(atNode(problem.node), problem.node, problem.named);
    case "reference-into-loop": {
      const { nodes, loops } = check.graph;
      const end = nodes[loops.get(problem.loop)?.end ?? -1]?.id;
      const at = referenceAt(problem, check) ?? atNode(problem.node);
      return found.referenceIntoLoop(at, problem, nodes[problem.loop]!.id, end);
    }
    case "listener-in-loop":
      return listenerInLoop(atNode(problem.node), problem.node, problem.loop, problem.listener);
    case "listener-error-into-body":
      return listenerErrorIntoBody(atNode(problem.node), problem.node, problem.listener);
  }
}

/** The first place where the node names the other one. */
function referenceAt({ node, named }: { node: string; named: string }, check: Check): At | undefined {
  const reader = check.graph.nodes[check.graph.indexOf.get(node) ?? -1];
  if (reader === undefined) return undefined;
  const path: Path = [...check.nodePath(reader.index), "data"];
  for (const field of textsOf(kindOf(reader.node), reader.node.data)) {
    const isExpression = field.reading === "expression" || field.reading === "inside";
    const start = isExpression ? field.text.search(new RegExp(`\\bnodes\\W+${named}\\b`)) : -1;
    const reference = referencesOf(field.text).find(({ root }) => root === named);
    const [from, to] = reference === undefined ? [start, start + "nodes".length] : [reference.start, reference.end];
    if (from >= 0) return check.inside([...path, ...field.path], field.text, from, to);
  }
  const { data } = reader.node;
  const isFed = "stdin" in data && data.stdin?.source === "node" && data.stdin.node === named;
  return isFed ? check.at([...path, "stdin"]) : undefined;
}

/** The edge that closes the cycle, which is the most likely mistake. */
function closingEdge(nodes: readonly string[], check: Check): number {
  const [target, source] = [nodes.at(-1), nodes.at(-2)];
  return check.workflow.edges.findIndex((edge) => edge.source === source && edge.target === target);
}

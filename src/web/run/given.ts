// given: what a node of a run was given, as far as the page knows it: values by their names, and standard input. Pure.
//   G1. Large values, those of secrets and what was cut stand nowhere on the page: then it is unknown, never a part of it.

import { indexesOf } from "../../scheduler/state.ts";
import type { NodeView } from "../../scheduler/view.ts";
import { pathOf } from "./paths.ts";
import type { RunModel } from "./run-model.ts";

/** The text that a name stands for at this node; undefined when the page does not know it. */
export function textNamed(model: RunModel, node: NodeView, root: string): string | undefined {
  const { graph, started, loops } = model;
  const index = graph.indexOf.get(node.id) ?? -1;
  const indexes = indexesOf(node.path);
  if (/^[0-9]+$/.test(root)) return textAt(graph.nodes[index]?.parents[Number(root) - 1]?.source);
  for (const [depth, start] of (graph.nodes[index]?.loops ?? []).entries()) {
    const loop = graph.nodes[start]?.node;
    if (loop?.type !== "loop-start" || loop.data.loopVariable !== root) continue;
    const cell = loops.byPath.get(pathOf(loop.id, indexes.slice(0, depth)))?.cells.get(indexes[depth] ?? -1);
    return cell === undefined ? undefined : String(cell.counter);
  }
  const named = graph.named.get(root);
  if (named !== undefined) return textAt(named);
  if (!Object.hasOwn(started.inputs, root)) return undefined;
  const input = started.inputs[root];
  return typeof input === "string" ? input : JSON.stringify(input);

  function textAt(source: number | undefined): string | undefined {
    const drawn = graph.nodes[source ?? -1];
    if (drawn === undefined) return undefined;
    return model.node(pathOf(drawn.id, indexes.slice(0, drawn.loops.length)))?.value;
  }
}

/** Standard input of its last attempt. */
export function stdinOf(model: RunModel, node: NodeView): string | undefined {
  const given = node.attempts.at(-1)?.stdin;
  const drawn = model.graph.nodes[model.graph.indexOf.get(node.id) ?? -1]?.node;
  const stdin = drawn?.type === "cli" ? drawn.data.stdin : undefined;
  if (given === undefined || stdin?.source !== "parent-index") return undefined;
  const text = textNamed(model, node, String((stdin.parentIndex ?? 0) + 1));
  return text !== undefined && new TextEncoder().encode(text).length === given.bytes ? text : undefined;
}

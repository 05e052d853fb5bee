// shrink: makes a failing drawing smaller while it still fails, so that a find can be read.

import { analyze } from "../../src/workflow/graph.ts";
import { type Drawing, workflowOf } from "./drawing.ts";

export function shrink(drawing: Drawing, fails: (candidate: Drawing) => boolean): Drawing {
  let best = drawing;
  for (let smaller = true; smaller; ) {
    smaller = false;
    for (const candidate of candidates(best)) {
      if (analyze(workflowOf(candidate)).problems.length > 0 || !fails(candidate)) continue;
      best = candidate;
      smaller = true;
      break;
    }
  }
  return best;
}

function* candidates(drawing: Drawing): Iterable<Drawing> {
  for (const { id } of drawing.nodes)
    yield {
      ...drawing,
      nodes: drawing.nodes
        .filter((node) => node.id !== id)
        .map((node) => ({ ...node, names: without(node.names, id), refs: without(node.refs ?? [], id) }))
        .map(({ stdin, ...node }) => (stdin === id ? node : { ...node, stdin })),
      edges: bridged(drawing, id),
      finally: drawing.finally.filter((other) => other !== id),
      ...(drawing.onFailure === undefined ? {} : { onFailure: drawing.onFailure.filter((other) => other !== id) }),
    };
  for (const edge of drawing.edges) yield { ...drawing, edges: drawing.edges.filter((other) => other !== edge) };
  for (const node of drawing.nodes) {
    for (const key of [
      "names",
      "refs",
      "stdin",
      "stores",
      "lenient",
      "initial",
      "content",
      "json",
      "continueOnError",
      "approve",
      "asks",
      "max",
    ] as const) {
      if (node[key] === undefined || (Array.isArray(node[key]) && node[key].length === 0)) continue;
      const { [key]: _, ...rest } = node;
      yield { ...drawing, nodes: drawing.nodes.map((other) => (other === node ? { names: [], ...rest } : other)) };
    }
  }
}

const without = (names: readonly string[], id: string): string[] => names.filter((name) => name !== id);

/** Without the node, its parents lead to its children. */
function bridged(drawing: Drawing, id: string): Drawing["edges"] {
  const into = drawing.edges.filter(({ to }) => to === id);
  return drawing.edges.flatMap((edge) =>
    edge.to === id ? [] : edge.from === id ? into.slice(0, 1).map((first) => ({ ...first, to: edge.to })) : [edge],
  );
}

// document: turns a drawing into a document for the real engine. Its expressions name the node and the iterations
// around it, so that the simulated evaluator can answer them from the script. Templates, variables, accumulators and
// loops are the engine's own work.

import { ok } from "../../src/base/result.ts";
import type { Evaluation, Evaluator } from "../../src/kinds/expression/index.ts";
import { analyze, type Graph } from "../../src/workflow/graph.ts";
import type { WorkflowNode } from "../../src/workflow/model.ts";
import { type Drawing, type Drawn, workflowOf } from "../scheduler/drawing.ts";
import { Oracle } from "../scheduler/oracle.ts";
import { branchOf, hash, itemOf, lastPassOf, outcomeOf, passesOf } from "../scheduler/script.ts";

export const FILE = "/simulated/drawing.flow.yaml";
const CHILD = "/simulated/child.flow.yaml";
const GATED = "/simulated/gated.flow.yaml";

/** The drawing as far as a real document can follow it: only commands fail, and only commands are retried. */
export function followable(drawing: Drawing): Drawing {
  const script: Record<string, string> = { ...drawing.script };
  for (const { id, type } of drawing.nodes) if (type !== "cli" && type !== "subflow") script[id] ??= "ok";
  const changed: Drawing = { ...drawing, script, uncached: true };
  for (const path of new Oracle(changed).paths().keys()) {
    const id = path.split("[", 1)[0]!;
    const node = drawing.nodes.find((one) => one.id === id);
    if (node === undefined) continue;
    const outcome = outcomeOf(changed, node, path);
    if (node.type === "subflow" && outcome === "retry") script[path] = "ok";
    if (node.type === "cli" && outcome === "lost" && repeatsLost(id)) script[path] = "ok";
  }
  return { ...changed, script };
}

/** `onLost: retry`. */
export function repeatsLost(id: string): boolean {
  return hash(id) % 4 === 0;
}

export interface Documents {
  text: string;
  subflows: Record<string, string>;
}

export function documentsOf(drawing: Drawing): Documents {
  const workflow = workflowOf(drawing);
  const loops = loopsAround(drawing);
  const nodes = workflow.nodes.map((node) => {
    const drawn = drawing.nodes.find(({ id }) => id === node.id)!;
    return { id: node.id, type: node.type, data: dataOf(node, drawn, loops.get(node.id) ?? [], drawing) };
  });
  const { concurrency, edges, timeout, state } = workflow;
  const text = JSON.stringify({
    curlew: 1,
    name: "drawing",
    concurrency,
    state,
    ...(timeout === undefined ? {} : { timeout }),
    nodes,
    edges: edges.map((edge, index) => ({ id: `edge${index}`, ...edge })),
    onFailure: drawing.onFailure,
    ...(drawing.finally.length === 0 ? {} : { finally: drawing.finally }),
  });
  return { text, subflows: { [CHILD]: childOf(false), [GATED]: childOf(true) } };
}

function dataOf(node: WorkflowNode, drawn: Drawn, around: readonly string[], drawing: Drawing): object {
  const named = [...drawn.names.map((name) => `vars.${name}`), ...(drawn.refs ?? []).map((id) => `nodes.${id}`)];
  const ask = (kind: string, own: readonly string[] = around): string =>
    `["${[kind, drawn.id].join('","')}"${[...own.map((id) => `i_${id}`), ...named].map((word) => `,${word}`).join("")}]`;
  switch (node.type) {
    case "cli":
      return {
        ...node.data,
        retry: { maxAttempts: 2, initialInterval: "1s", jitter: "none", on: ask("retry") },
        ...(repeatsLost(drawn.id) ? { onLost: "retry" } : {}),
      };
    case "subflow":
      return {
        ...node.data,
        workflow: hash(`${drawing.seed} ${drawn.id}`) % 3 === 0 ? "gated.flow.yaml" : "child.flow.yaml",
        inputs: { ...node.data.inputs, at: `${drawn.id}${around.map((id) => `|\${i_${id}}`).join("")}` },
      };
    case "if":
      return { ...node.data, ...(drawn.content === true ? { content: ask("if") } : {}) };
    case "loop-start": {
      const { iterations: _iterations, items: _items, while: _while, ...rest } = node.data;
      if (drawn.form === "while") return { ...rest, while: ask("while", [...around, drawn.id]) };
      if (drawn.form === "forever") return rest;
      return { ...rest, items: ask("items"), as: `item_${drawn.id}` };
    }
    case "loop-end": {
      if (drawn.until === undefined) return node.data;
      const start = startOf(drawing, drawn.id);
      return { ...node.data, until: ask("until", [...around, start]) };
    }
    default:
      return node.data;
  }
}

function childOf(gated: boolean): string {
  return JSON.stringify({
    curlew: 1,
    name: "child",
    inputs: { at: { type: "string", required: true }, given: { type: "string" } },
    nodes: [
      { id: "first", type: "cli", data: { title: "First", content: "first ${at}" } },
      {
        id: "inner",
        type: "cli",
        data: { title: "Inner", content: "inner ${at}", ...(gated ? { needsUserApproval: true } : {}) },
      },
    ],
    edges: [{ id: "e", source: "first", target: "inner" }],
  });
}

/** Answers the document's expressions from the script. */
export function evaluatorOf(drawing: Drawing): Evaluator {
  const byId = new Map(drawing.nodes.map((node) => [node.id, node]));
  const loops = loopsAround(drawing);
  return {
    close: () => {},
    evaluate: ({ expression, scope }: Evaluation) => {
      const [, kind = "", id = ""] = /^\["([a-z]+)","(\w+)"/.exec(expression) ?? [];
      const node = byId.get(id)!;
      const around = loops.get(id) ?? [];
      const index = (loop: string): number => Number(scope[`i_${loop}`]) - 1;
      const path = id + around.map((loop) => `[${index(loop)}]`).join("");
      return Promise.resolve(ok(answer(kind, node, path, index)));
    },
  };

  function answer(kind: string, node: Drawn, path: string, index: (loop: string) => number): unknown {
    if (kind === "if") return branchOf(drawing, node, path);
    if (kind === "retry") return outcomeOf(drawing, node, path) === "retry";
    if (kind === "while") return index(node.id) < passesOf(drawing, node, path);
    if (kind === "until") {
      const start = startOf(drawing, node.id);
      return index(start) >= lastPassOf(drawing, node, start + path.slice(node.id.length));
    }
    if (kind === "items") return Array.from({ length: passesOf(drawing, node, path) }, (_, at) => itemOf(path, at));
    throw new Error(`asked ${kind}`);
  }
}

/** Ids of the loop starts around each node, outermost first. */
export function loopsAround(drawing: Drawing): Map<string, readonly string[]> {
  const known = graphOf(drawing);
  return new Map(known.nodes.map((node) => [node.id, node.loops.map((loop) => known.nodes[loop]!.id)]));
}

function startOf(drawing: Drawing, end: string): string {
  const graph = graphOf(drawing);
  return graph.nodes[graph.startOf.get(graph.indexOf.get(end)!)!]!.id;
}

const graphs = new WeakMap<Drawing["nodes"], Graph>();

function graphOf(drawing: Drawing): Graph {
  const known = graphs.get(drawing.nodes);
  if (known !== undefined) return known;
  const { graph } = analyze(workflowOf(drawing));
  graphs.set(drawing.nodes, graph);
  return graph;
}

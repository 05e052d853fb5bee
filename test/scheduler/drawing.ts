// drawing: a workflow as a few lines of text, with the script of what its nodes will do. Oracle and simulated engine
// read the same text.
//
//   nodes                                    edges                        script
//     pages: loop-start iterations=3 max=2     pages -> fetch -> end        fetch[1]: fail
//     fetch: cli names=v continue              check:true -> post           check: false
//
//   D1. A node that only edges name is a cli node.
//   D2. The script answers by path, then by id, then at random from `seed`. Without a seed everything succeeds.
//   D3. This file does not know the graph.

import type { Edge, Workflow, WorkflowNode } from "../../src/workflow/model.ts";

export interface Drawn {
  id: string;
  type: WorkflowNode["type"];
  /** Names of variables in its content (for loop starts in `while`, for loop ends in `until`). */
  names: string[];
  /**
   * Ids of nodes whose values it takes, in order of appearance. They are in `content`, in the inputs of a subflow, or in
   * an expression.
   */
  refs?: string[];
  /** A cli node: the id of the node that feeds its standard input. It comes before `refs`. */
  stdin?: string;
  /** Its `refs` have a default, for nodes without a value. */
  lenient?: boolean;
  /** A Variable or Accumulator: its name is its id. */
  initial?: string;
  content?: boolean;
  json?: boolean;
  continueOnError?: boolean;
  approve?: boolean;
  /** A cli node or a Variable: a success stores its value for later runs, under its id. */
  stores?: boolean;
  /** The command contains something that needs approval. */
  asks?: boolean;
  form?: "iterations" | "items" | "while" | "forever";
  passes?: number;
  until?: number;
  max?: number;
  /** A listener: the number of lines that each of its attempts prints. `stops`: a failure after it ends the run. */
  lines?: number;
  stops?: boolean;
}

export interface Drawing {
  nodes: Drawn[];
  edges: { from: string; to: string; handle?: string }[];
  onFailure?: string[];
  finally: string[];
  concurrency: number;
  output?: string;
  /** The limit of the whole run: `30s`. */
  timeout?: string;
  script: Record<string, string>;
  seed?: number;
  /** No command has a cache, whatever the seed says. */
  uncached?: true;
}

const KEYS = new Set(["names", "refs", "stdin", "initial", "iterations", "items", "while", "until", "max", "lines"]);

export function parseDrawing(text: string): Drawing {
  const drawing: Drawing = { nodes: [], edges: [], finally: [], concurrency: 4, script: {} };
  let section = "";
  for (const raw of text.split("\n")) {
    const line = raw.replace(/(^|\s)#.*$/, "").trimEnd();
    if (line.trim() === "") continue;
    if (!line.startsWith(" ")) {
      const [word = "", value] = line.split(/\s+/);
      section = word;
      if (word === "concurrency") drawing.concurrency = Number(value);
      if (word === "timeout" && value !== undefined) drawing.timeout = value;
      if (word === "seed") drawing.seed = Number(value);
      if (word === "output" && value !== undefined) drawing.output = value;
      continue;
    }
    readLine(drawing, section, line.trim());
  }
  for (const { from, to } of drawing.edges)
    for (const id of [from, to])
      if (!drawing.nodes.some((node) => node.id === id)) drawing.nodes.push({ id, type: "cli", names: [] });
  return drawing;
}

export function printDrawing(drawing: Drawing): string {
  const lines = ["nodes", ...drawing.nodes.map(printNode), "edges"];
  for (const { from, to, handle } of drawing.edges)
    lines.push(`  ${from}${handle === undefined ? "" : `:${handle}`} -> ${to}`);
  if (drawing.onFailure !== undefined) lines.push("onFailure", ...drawing.onFailure.map((id) => `  ${id}`));
  if (drawing.finally.length > 0) lines.push("finally", ...drawing.finally.map((id) => `  ${id}`));
  lines.push(`concurrency ${drawing.concurrency}`);
  if (drawing.output !== undefined) lines.push(`output ${drawing.output}`);
  if (drawing.timeout !== undefined) lines.push(`timeout ${drawing.timeout}`);
  if (drawing.seed !== undefined) lines.push(`seed ${drawing.seed}`);
  const script = Object.entries(drawing.script);
  if (script.length > 0) lines.push("script", ...script.map(([path, word]) => `  ${path}: ${word}`));
  return `${lines.join("\n")}\n`;
}

/** The ids that it names, in order of appearance. */
export function referredBy({ stdin, refs = [] }: Drawn): string[] {
  return [...new Set([...(stdin === undefined ? [] : [stdin]), ...refs])];
}

/** Whether the node fails if it names a node without a value. Expressions and defaults do not. */
export function needsValues({ type, lenient }: Drawn): boolean {
  return lenient !== true && ["cli", "text", "subflow"].includes(type);
}

/** The same as a workflow document, with the names written as references so that the graph finds them. */
export function workflowOf(drawing: Drawing): Workflow {
  return {
    curlew: 1,
    name: "drawing",
    inputs: {},
    secrets: [],
    state: Object.fromEntries(drawing.nodes.filter(({ stores }) => stores).map(({ id }) => [id, ""])),
    concurrency: drawing.concurrency,
    nodes: drawing.nodes.map(nodeOf),
    edges: drawing.edges.map(
      ({ from, to, handle }): Edge => ({
        source: from,
        target: to,
        ...(handle === undefined ? {} : { sourceHandle: handle }),
      }),
    ),
    ...(drawing.onFailure === undefined ? {} : { onFailure: drawing.onFailure }),
    finally: drawing.finally,
    ...(drawing.output === undefined ? {} : { output: drawing.output }),
    ...(drawing.timeout === undefined ? {} : { timeout: drawing.timeout }),
  };
}

function readLine(drawing: Drawing, section: string, line: string): void {
  if (section === "nodes") drawing.nodes.push(readNode(line));
  else if (section === "finally") drawing.finally.push(line);
  else if (section === "onFailure") drawing.onFailure = [...(drawing.onFailure ?? []), line];
  else if (section === "script") {
    const [path = "", word = ""] = line.split(/:\s*/);
    drawing.script[path] = word;
  } else if (section === "edges") {
    const stops = line.split(/\s*->\s*/);
    for (let at = 1; at < stops.length; at++) {
      const [from = "", handle] = (stops[at - 1] ?? "").split(":");
      const to = (stops[at] ?? "").split(":")[0] ?? "";
      drawing.edges.push({ from, to, ...(handle === undefined ? {} : { handle }) });
    }
  } else throw new Error(`a line in no section: ${line}`);
}

function readNode(line: string): Drawn {
  const [, id = "", type = "", rest = ""] = /^(\S+):\s*(\S+)\s*(.*)$/.exec(line) ?? [];
  const node: Drawn = { id, type: type as Drawn["type"], names: [] };
  for (const word of rest.split(/\s+/).filter((part) => part !== "")) {
    const [key = "", value = ""] = word.split("=");
    if (
      word.includes("=") !== KEYS.has(key) &&
      !["content", "json", "continue", "approve", "asks", "while", "stops", "lenient", "stores"].includes(key)
    )
      throw new Error(`unknown word "${word}" of node ${id}`);
    if (key === "names") node.names = value.split(",");
    if (key === "refs") node.refs = value.split(",");
    if (key === "stdin") node.stdin = value;
    if (key === "lenient") node.lenient = true;
    if (key === "stores") node.stores = true;
    if (key === "initial") node.initial = value;
    if (key === "until") node.until = Number(value);
    if (key === "lines") node.lines = Number(value);
    if (key === "stops") node.stops = true;
    if (key === "max") node.max = Number(value);
    if (key === "content") node.content = true;
    if (key === "json") node.json = true;
    if (key === "continue") node.continueOnError = true;
    if (key === "approve") node.approve = true;
    if (key === "asks") node.asks = true;
    if (key === "iterations" || key === "items" || key === "while") {
      node.form = key;
      node.passes = Number(value);
    }
  }
  if (node.type === "loop-start") node.form ??= "forever";
  return node;
}

function printNode(node: Drawn): string {
  const words = [`  ${node.id}: ${node.type}`];
  if (node.form !== undefined && node.form !== "forever") words.push(`${node.form}=${node.passes}`);
  if (node.lines !== undefined) words.push(`lines=${node.lines}`);
  if (node.stops === true) words.push("stops");
  if (node.max !== undefined) words.push(`max=${node.max}`);
  if (node.until !== undefined) words.push(`until=${node.until}`);
  if (node.names.length > 0) words.push(`names=${node.names.join(",")}`);
  if (node.refs?.length) words.push(`refs=${node.refs.join(",")}`);
  if (node.stdin !== undefined) words.push(`stdin=${node.stdin}`);
  if (node.lenient === true) words.push("lenient");
  if (node.stores === true) words.push("stores");
  if (node.initial !== undefined) words.push(`initial=${node.initial}`);
  if (node.content === true) words.push("content");
  if (node.json === true) words.push("json");
  if (node.continueOnError === true) words.push("continue");
  if (node.approve === true) words.push("approve");
  if (node.asks === true) words.push("asks");
  return words.join(" ");
}

function nodeOf(node: Drawn): WorkflowNode {
  const { id } = node;
  const title = id;
  const mentions = node.names.map((name) => `\${${name}}`).join(" ");
  const otherwise = node.lenient === true ? '|default("")' : "";
  const referred = (node.refs ?? []).map((other) => `\${${other}${otherwise}}`).join(" ");
  const members = [...node.names.map((name) => `vars.${name}`), ...(node.refs ?? []).map((other) => `nodes.${other}`)];
  const asked = ["true", ...members].join(" and ");
  const given = {
    ...(node.initial === undefined ? {} : { initialValue: node.initial }),
    ...(node.content === true || node.names.length > 0 ? { content: `x ${mentions}` } : {}),
  };
  switch (node.type) {
    case "cli":
      return {
        id,
        type: "cli",
        data: {
          title,
          // The stored value of this name is not the value of the node with that id.
          content: `do ${mentions} ${referred}${node.stores === true ? ` \${state.${id}}` : ""}`,
          ...(node.stdin === undefined ? {} : { stdin: { source: "node" as const, node: node.stdin } }),
          ...(node.continueOnError === true ? { continueOnError: true } : {}),
          ...(node.approve === true ? { needsUserApproval: true } : {}),
          ...(node.lines === undefined ? {} : { emit: "lines" as const }),
          ...(node.lines === undefined || node.max === undefined ? {} : { maxConcurrency: node.max }),
          ...(node.stops === true ? { onLineFailure: "fail" as const } : {}),
        },
      };
    case "subflow":
      return {
        id,
        type: "subflow",
        data: {
          title,
          workflow: "child.flow.yaml",
          inputs: { given: `${mentions} ${referred}` },
          ...(node.continueOnError === true ? { continueOnError: true } : {}),
        },
      };
    case "text":
      return { id, type: "text", data: { title, content: `say ${mentions} ${referred}` } };
    case "variable":
      return { id, type: "variable", data: { title, variableName: id, ...given, persist: node.stores } };
    case "accumulator":
      return {
        id,
        type: "accumulator",
        data: { title, variableName: id, ...given, ...(node.json === true ? { format: "json" } : {}) },
      };
    case "if":
      return { id, type: "if", data: { title, ...(node.content === true ? { content: asked } : {}) } };
    case "loop-start":
      return {
        id,
        type: "loop-start",
        data: {
          title,
          loopVariable: `i_${id}`,
          ...(node.form === "iterations" ? { iterations: node.passes ?? 0 } : {}),
          ...(node.form === "items" ? { items: "[]", as: `item_${id}` } : {}),
          ...(node.form === "while" ? { while: asked } : {}),
          ...(node.max === undefined ? {} : { maxConcurrency: node.max }),
        },
      };
    case "loop-end":
      return { id, type: "loop-end", data: { title, ...(node.until === undefined ? {} : { until: asked }) } };
    case "start":
      return { id, type: "start", data: { title } };
    default:
      throw new Error(`the drawings know no ${node.type}`);
  }
}

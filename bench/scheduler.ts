// What does one event cost the scheduler, and does that grow with the graph? `node bench/scheduler.ts`
//   Driven like the engine does it: plan, answer everything that was asked for, fold each event. No disk, no process, no expression.
//   Control: the same shape at a tenth of the size. A ratio near 1 says that cost per event does not depend on size.
//   What is not measured: the journal, building values, reading the document; the figures move with the machine, the ratios hardly.

import type { Action } from "../src/scheduler/action.ts";
import type { EventBody, RunEvent } from "../src/scheduler/event.ts";
import { evolve } from "../src/scheduler/evolve.ts";
import { plan } from "../src/scheduler/plan.ts";
import { initialState, type RunState } from "../src/scheduler/state.ts";
import { analyze } from "../src/workflow/graph.ts";
import type { Edge, Workflow, WorkflowNode } from "../src/workflow/model.ts";

const ROUNDS = 3;
const AT = "2026-01-01T00:00:00.000Z";
/** From a tenth of the size to the whole, quadratic growth would show 10; caches alone make 2 or 3 of so small figures. */
const RATIO_MAX = 4;
/** Passes of the loop that is measured now. */
let passes = 0;

interface Shape {
  name: string;
  sizes: [number, number];
  draw(size: number): Workflow;
}

const shapes: Shape[] = [
  { name: "chain of commands", sizes: [2_000, 20_000], draw: (size) => chain(size, command) },
  { name: "chain of texts", sizes: [2_000, 20_000], draw: (size) => chain(size, text) },
  { name: "fan-out of commands, 8 at a time", sizes: [2_000, 20_000], draw: (size) => fanOut(size, command, 8) },
  { name: "fan-out of commands, all at once", sizes: [2_000, 20_000], draw: (size) => fanOut(size, command, size) },
  { name: "fan-out of texts", sizes: [2_000, 20_000], draw: (size) => fanOut(size, text, 8) },
  { name: "loop, passes of one text", sizes: [10_000, 100_000], draw: (size) => loop(size, { iterations: size }) },
  {
    name: "loop, 8 passes at a time",
    sizes: [10_000, 100_000],
    draw: (size) => loop(size, { iterations: size, maxConcurrency: 8 }),
  },
  {
    name: "loop with an accumulator",
    sizes: [10_000, 100_000],
    draw: (size) => loop(size, { iterations: size }, true),
  },
  { name: "a failure that skips all the rest", sizes: [2_000, 20_000], draw: (size) => chain(size, command) },
];

console.log(`${"".padEnd(38)}${"events".padStart(9)}${"µs/event".padStart(10)}${"ratio".padStart(8)}`);
let missed = 0;
for (const shape of shapes) {
  const [small, large] = shape.sizes.map((size) => best(() => drive(shape.draw(size), shape.name.includes("failure"))));
  if (small === undefined || large === undefined) continue;
  const ratio = large.us / small.us;
  if (ratio > RATIO_MAX) missed += 1;
  console.log(
    `${ratio > RATIO_MAX ? "MISS  " : "ok    "}${shape.name.padEnd(32)}${String(large.events).padStart(9)}${large.us.toFixed(2).padStart(10)}${ratio.toFixed(2).padStart(8)}`,
  );
}
for (const shape of shapes.slice(0, 6)) {
  const workflow = shape.draw(shape.sizes[1]);
  const { us } = best(() => timed(workflow.nodes.length, () => analyze(workflow)));
  console.log(
    `      analyze: ${shape.name.padEnd(23)}${String(workflow.nodes.length).padStart(9)}${us.toFixed(2).padStart(10)} µs/node`,
  );
}
if (missed > 0) process.exitCode = 1;

interface Figure {
  events: number;
  us: number;
}

function best(measure: () => Figure): Figure {
  const figures = Array.from({ length: ROUNDS }, measure);
  return figures.reduce((one, other) => (other.us < one.us ? other : one));
}

function timed(events: number, work: () => unknown): Figure {
  const from = performance.now();
  work();
  return { events, us: ((performance.now() - from) * 1_000) / events };
}

function drive(workflow: Workflow, failing: boolean): Figure {
  const { graph } = analyze(workflow);
  let state = initialState(graph, { concurrencyDefault: 8 });
  let seq = 0;
  const record = (body: EventBody): void => {
    seq += 1;
    state = evolve(state, { seq, at: AT, run: "r", ...body } as RunEvent);
  };
  const from = performance.now();
  record({ type: "run.started", workflow: { name: "b", file: "b", text: "" }, inputs: {}, trigger: { kind: "cli" } });
  while (!isOver(state)) {
    const running: Action[] = [];
    for (const action of plan(state, 0).actions) {
      const body = answer(action, failing);
      record(body);
      if (action.do === "start-attempt") running.push(action);
    }
    for (const action of running) record(endOf(action, failing));
  }
  return { events: seq, us: ((performance.now() - from) * 1_000) / seq };
}

function answer(action: Action, failing: boolean): EventBody {
  const at = { node: "node" in action ? action.node : "", path: "path" in action ? action.path : "" };
  switch (action.do) {
    case "start-attempt":
      return { type: "attempt.started", ...at, number: action.number, detail: {} };
    case "open-loop":
      return { type: "loop.started", ...at, passes, first: 1 };
    case "start-pass":
      return {
        type: "pass.started",
        node: at.node,
        path: `${at.path}[${action.index}]`,
        index: action.index,
        counter: action.index + 1,
      };
    case "end-pass":
      return { type: "pass.succeeded", ...at, index: action.index, value: { text: "v" }, last: false };
    case "skip":
      return { type: "node.skipped", ...at, reason: action.reason };
    case "finish-run":
      return failing
        ? { type: "run.failed", node: "n0", path: "n0", failure: { code: "exit-non-zero", message: "It failed." } }
        : { type: "run.succeeded" };
    case "decide":
      return at.node === "all"
        ? { type: "node.succeeded", ...at, added: [{ text: "v" }] }
        : { type: "node.succeeded", ...at, value: { text: "v" } };
    default:
      return { type: "node.succeeded", ...at, value: { text: "v" } };
  }
}

function endOf(action: Action, failing: boolean): EventBody {
  if (action.do !== "start-attempt") throw new Error(`no attempt: ${action.do}`);
  const at = { node: action.node, path: action.path, number: action.number };
  const value = { text: "v" };
  if (failing)
    return {
      type: "attempt.failed",
      ...at,
      value,
      failure: { code: "exit-non-zero", message: "It failed." },
      end: { durationMs: 1 },
    };
  return { type: "attempt.succeeded", ...at, value, end: { durationMs: 1, exitCode: 0 } };
}

function isOver(state: RunState): boolean {
  return state.stage === "over";
}

type Make = (id: string) => WorkflowNode;

function command(id: string): WorkflowNode {
  return { id, type: "cli", data: { title: id, content: "true" } };
}

function text(id: string): WorkflowNode {
  return { id, type: "text", data: { title: id, content: "x" } };
}

function document(nodes: WorkflowNode[], edges: Edge[], concurrency = 8): Workflow {
  return { curlew: 1, name: "bench", inputs: {}, secrets: [], finally: [], concurrency, nodes, edges };
}

function chain(size: number, make: Make): Workflow {
  const ids = Array.from({ length: size }, (_, index) => `n${index}`);
  return document(
    ids.map(make),
    ids.slice(1).map((target, index) => ({ source: `n${index}`, target })),
  );
}

function fanOut(size: number, make: Make, concurrency: number): Workflow {
  const ids = Array.from({ length: size - 2 }, (_, index) => `n${index}`);
  const edges = ids.flatMap((id) => [
    { source: "first", target: id },
    { source: id, target: "last" },
  ]);
  return document(["first", ...ids, "last"].map(make), edges, concurrency);
}

function loop(size: number, data: { iterations: number; maxConcurrency?: number }, collects = false): Workflow {
  passes = size;
  const body: WorkflowNode = collects
    ? { id: "all", type: "accumulator", data: { title: "all", variableName: "all" } }
    : text("body");
  const nodes: WorkflowNode[] = [
    { id: "start", type: "loop-start", data: { title: "start", maxIterations: size, ...data } },
    body,
    { id: "end", type: "loop-end", data: { title: "end" } },
  ];
  return document(nodes, [
    { source: "start", target: body.id },
    { source: body.id, target: "end" },
  ]);
}

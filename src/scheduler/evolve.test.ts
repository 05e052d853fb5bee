// evolve.test: folds by hand the situations that generated runs do not reach.

import { expect, test } from "vitest";
import { analyze } from "../workflow/graph.ts";
import type { CliData, Edge, Workflow, WorkflowNode } from "../workflow/model.ts";
import type { EventBody, RunEvent } from "./event.ts";
import { evolve } from "./evolve.ts";
import { plan } from "./plan.ts";
import { initialState, type RunState } from "./state.ts";

const START_MS = Date.UTC(2026, 0, 1);

/** A run that folds events one after another. */
function begin(workflow: Partial<Workflow>, started: { approvedInAdvance?: string[] } = {}) {
  const { graph, problems } = analyze({
    curlew: 1,
    name: "t",
    inputs: {},
    secrets: [],
    finally: [],
    nodes: [],
    edges: [],
    ...workflow,
  });
  expect(problems).toEqual([]);
  let state = initialState(graph, { concurrencyDefault: 4 });
  let seq = 0;
  const run = {
    get state(): RunState {
      return state;
    },
    tell(...bodies: EventBody[]) {
      for (const body of bodies) {
        seq += 1;
        state = evolve(state, { seq, at: new Date(START_MS).toISOString(), run: "r", ...body } as RunEvent);
      }
      return run;
    },
    /** The planned actions, as `do path`. */
    asked: (afterMs = 0) =>
      plan(state, START_MS + afterMs).actions.map((action) =>
        "path" in action
          ? `${action.do} ${action.path}`
          : action.do === "finish-run"
            ? `finish ${action.as}`
            : action.do,
      ),
  };
  return run.tell({
    type: "run.started",
    workflow: { name: "t", file: "t", text: "" },
    inputs: {},
    trigger: { kind: "cli" },
    ...started,
  });
}

const cli = (id: string, data: Partial<CliData> = {}): WorkflowNode => ({
  id,
  type: "cli",
  data: { title: id, content: "true", ...data },
});
const edge = (source: string, target: string): Edge => ({ source, target });
const started = (path: string, number = 1): EventBody => ({
  type: "attempt.started",
  node: path.split("[")[0] ?? "",
  path,
  number,
  detail: {},
});
const succeeded = (path: string, number = 1): EventBody => ({
  type: "attempt.succeeded",
  node: path.split("[")[0] ?? "",
  path,
  number,
  value: { text: "v" },
  end: { durationMs: 1, exitCode: 0 },
});
const loopOf = (body: WorkflowNode): Partial<Workflow> => ({
  nodes: [
    { id: "s", type: "loop-start", data: { title: "s", iterations: 9 } },
    body,
    { id: "e", type: "loop-end", data: { title: "e" } },
  ],
  edges: [edge("s", body.id), edge(body.id, "e")],
});

test("a first cancel lets finally nodes finish, a second one stops them", () => {
  const run = begin({
    nodes: [cli("a"), cli("clean"), cli("report")],
    edges: [edge("clean", "report")],
    finally: ["clean", "report"],
  });
  run.tell(started("a"), succeeded("a"), started("clean"), { type: "run.cancel-requested" });
  expect(run.asked()).toEqual([]);
  run.tell({ type: "run.cancel-requested" });
  expect(run.asked()).toEqual(["cancel-attempt clean", "skip report"]);
  run.tell({ type: "attempt.cancelled", node: "clean", path: "clean", number: 1, end: { durationMs: 1 } });
  run.tell({ type: "node.skipped", node: "report", path: "report", reason: "run-ended" });
  expect(run.asked()).toEqual(["finish cancelled"]);
});

test("a cancel after a failure does not hide the failure", () => {
  const run = begin({ nodes: [cli("a")] });
  run.tell(started("a"), {
    type: "attempt.failed",
    node: "a",
    path: "a",
    number: 1,
    failure: { code: "exit-non-zero", message: "It failed." },
    value: { text: "" },
    end: { durationMs: 1, exitCode: 1 },
  });
  run.tell({ type: "run.cancel-requested" });
  expect(run.asked()).toEqual(["finish failed"]);
});

test("a run starts as many nodes at a time as its largest loop allows, unless it sets a limit", () => {
  const loop = (maxConcurrency: number): WorkflowNode => ({
    id: `l${maxConcurrency}`,
    type: "loop-start",
    data: { title: "L", iterations: 9, maxConcurrency },
  });
  const end = (of: number): WorkflowNode => ({ id: `e${of}`, type: "loop-end", data: { title: "E" } });
  const nodes = [loop(2), end(2), loop(20), end(20)];
  const edges = [2, 20].map((n) => ({ source: `l${n}`, target: `e${n}` }));
  expect(begin({ nodes, edges }).state.concurrency).toBe(20);
  expect(begin({ nodes, edges, concurrency: 3 }).state.concurrency).toBe(3);
});

test("a finished iteration leaves only its value", () => {
  const run = begin(loopOf(cli("a")));
  run.tell({ type: "loop.started", node: "s", path: "s", passes: 9, first: 1 });
  for (let index = 0; index < 5; index++) {
    run.tell(
      { type: "pass.started", node: "s", path: `s[${index}]`, index, counter: index + 1 },
      started(`a[${index}]`),
      succeeded(`a[${index}]`),
    );
    run.tell({
      type: "pass.succeeded",
      node: "s",
      path: `s[${index}]`,
      index,
      value: { text: String(index) },
      last: false,
    });
  }
  const loop = run.state.root.loops.get(0);
  expect([loop?.active.size, loop?.next, loop?.last, run.state.root.published.size]).toEqual([0, 5, { text: "4" }, 0]);
});

test("20,000 nodes after a branch not taken are skipped one after another", () => {
  const ids = Array.from({ length: 20_000 }, (_, index) => `n${index}`);
  const run = begin({
    nodes: [{ id: "i", type: "if", data: { title: "i", content: "false" } }, ...ids.map((id) => cli(id))],
    edges: [
      { source: "i", target: "n0", sourceHandle: "true" },
      ...ids.slice(1).map((id, index) => edge(`n${index}`, id)),
    ],
  });
  run.tell({ type: "node.succeeded", node: "i", path: "i", value: { text: "" }, branch: false });
  for (const id of ids) {
    expect(run.asked()).toEqual([`skip ${id}`]);
    run.tell({ type: "node.skipped", node: id, path: id, reason: "branch-not-taken" });
  }
  expect(run.asked()).toEqual(["finish succeeded"]);
});

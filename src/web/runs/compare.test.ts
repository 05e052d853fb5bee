// The differences between two runs.

import { expect, test } from "vitest";
import type { NodeView, RunView } from "../../scheduler/view.ts";
import { compareRuns, noneOf } from "./compare.ts";

const node = (path: string, more: Partial<NodeView> = {}): NodeView => ({
  ...{ id: path, path, title: path.toUpperCase(), type: "cli", status: "succeeded", attempts: [] },
  ...more,
});
const run = (nodes: NodeView[], inputs: Record<string, unknown> = {}): RunView => ({
  ...{
    id: "r",
    workflow: "A",
    file: "a",
    status: "succeeded",
    trigger: { kind: "cli" },
    startedAt: "2026-01-01T00:00:00Z",
  },
  ...{ inputs, nodes },
});
const attempt = (from: string, to: string, command = "echo") => ({
  ...{ number: 1, status: "succeeded" as const, http: [], command },
  ...{ startedAt: `2026-01-01T00:00:${from}Z`, endedAt: `2026-01-01T00:00:${to}Z` },
});

test("each node says what is different: state, value, command, or that only one has it", () => {
  const a = run([node("a", { value: "1" }), node("old"), node("b", { attempts: [attempt("01", "02")] }), node("c")]);
  const b = run([
    node("a", { value: "2" }),
    node("b", { status: "failed", attempts: [attempt("01", "03", "echo -n"), attempt("04", "06", "echo -n")] }),
    node("new"),
    node("c"),
  ]);
  const { nodes } = compareRuns(a, b);
  expect(nodes.map(({ path, differs }) => `${path}: ${differs.join(" ")}`)).toEqual([
    ...["a: value", "old: missing", "b: state command", "new: missing", "c: "],
  ]);
  expect(nodes[2]).toMatchObject({ tookA: 1000, tookB: 5000 });
});

test("a node takes as long here as its card says: that of its only attempt, without what its start and end took", () => {
  const one = node("a", { attempts: [{ ...attempt("01", "02"), durationMs: 29 }] });
  expect(compareRuns(run([one]), run([one])).nodes[0]).toMatchObject({ tookA: 29, tookB: 29 });
});

test("inputs are compared as a person reads them", () => {
  const { inputs } = compareRuns(run([], { n: 1, same: [1] }), run([], { n: "2", same: [1], more: true }));
  expect(inputs).toEqual([
    { name: "n", a: "1", b: "2", differs: true },
    { name: "same", a: "[\n  1\n]", b: "[\n  1\n]", differs: false },
    { name: "more", a: "", b: "true", differs: true },
  ]);
});

test("where there is no text it is said why", () => {
  const none = (status: NodeView["status"], more: Partial<NodeView> = {}) =>
    noneOf(node("a", { status, ...more }), "value");
  expect(noneOf(undefined, "value")).toBe("not in this run");
  expect(none("waiting")).toBe("no value: waiting");
  const failure = { code: "exit-non-zero", message: "The command exited with code 1." };
  const printed = { ...attempt("01", "02"), stdout: { bytes: 3_000_000 } };
  // A failed node has no value, with or without output.
  expect(none("failed", { failure, attempts: [printed] })).toBe("no value: The command exited with code 1.");
  expect(none("succeeded", { attempts: [printed] })).toBe("too large to compare: 3.0 MB");
  const secret = { ...printed, stdout: { bytes: 9, secret: true as const } };
  expect(none("succeeded", { attempts: [secret] })).toBe("a secret, not kept");
  expect(noneOf(node("a", { type: "text" }), "command")).toBe("no command");
});

// The differences between two runs.

import { expect, test } from "vitest";
import type { NodeView, RunView } from "../../scheduler/view.ts";
import { compareRuns, whyIn } from "./runs.ts";

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

const shown = (a: RunView, b: RunView) =>
  compareRuns(a, b).map(({ key, kind, title, note, lines }) => ({ key, kind, title, note, ...lines }));

test("nodes that differ in state, value or command are listed with both texts, and those that only one run has", () => {
  const a = run([node("a", { value: "1" }), node("old"), node("b", { attempts: [attempt("01", "02")] }), node("c")]);
  const b = run([
    node("a", { value: "2" }),
    node("b", { status: "failed", attempts: [attempt("01", "03", "echo -n"), attempt("04", "06", "echo -n")] }),
    node("new[1]"),
    node("c"),
  ]);
  expect(shown(a, b)).toMatchObject([
    { key: "node:a", kind: "changed", before: "State: succeeded\n\nValue:\n1\n" },
    { key: "node:old", kind: "removed", after: "" },
    { key: "node:b", kind: "changed", after: expect.stringContaining("failed\n\nCommand:\necho -n\n") },
    { key: "node:new[1]", kind: "added", title: "NEW[1], iteration 2" },
  ]);
});

test("a node that took much longer is listed with its times, from its first attempt to its last", () => {
  const of = (...attempts: ReturnType<typeof attempt>[]) => run([node("a", { attempts })]);
  expect(shown(of(attempt("01", "02")), of(attempt("01", "02"), attempt("04", "06")))).toMatchObject([
    { key: "node:a", note: "Took 1.0 s, then 5.0 s." },
  ]);
  expect(shown(of(attempt("01", "05")), of(attempt("01", "06")))).toEqual([]);
  // The measured time of an only attempt, as on its card.
  expect(shown(of(attempt("01", "02")), of({ ...attempt("01", "09"), durationMs: 990 } as never))).toEqual([]);
});

test("inputs and JSON are compared as a person reads them", () => {
  expect(shown(run([], { n: 1, same: [1] }), run([], { n: "2", same: "[1]", more: true }))).toMatchObject([
    { key: "input:n", kind: "changed", before: "1", after: "2" },
    { key: "input:more", kind: "added", before: "", after: "true" },
  ]);
});

test("a missing value is explained", () => {
  const text = (more: Partial<NodeView>) => shown(run([]), run([node("a", more)]))[0]?.after;
  expect(text({ status: "waiting" })).toContain("none: waiting");
  const failure = { code: "exit-non-zero", message: "The command exited with code 1." };
  const printed = { ...attempt("01", "02"), stdout: { bytes: 3_000_000 } };
  // A failed node has no value, with or without output.
  expect(text({ status: "failed", failure, attempts: [printed] })).toContain("none: The command exited with code 1.");
  expect(text({ status: "failed", failure: { ...failure, stderr: "one\nno such user\n" } })).toContain(
    "“no such user”",
  );
  expect(text({ attempts: [printed] })).toContain("too large to compare: 3.0 MB");
  const secret = { ...printed, stdout: { bytes: 9, secret: true as const } };
  expect(text({ attempts: [secret] })).toContain("a secret, not kept");
});

test("a failed run shows the title of its node and the message of the command", () => {
  const failure = { code: "exit-non-zero", message: "The command exited with code 1.", stderr: "no such user" };
  const nodes = [node("page[2]", { title: "Fetch", status: "failed", failure })];
  const at = { node: "page", path: "page[2]", failure };
  expect(whyIn({ ...run(nodes), failure: at })).toMatchObject({ where: "Fetch", why: "“no such user”" });
});

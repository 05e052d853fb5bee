import { expect, it } from "vitest";
import { shortRunId } from "../../base/ids.ts";
import type { NodeView } from "../../scheduler/view.ts";
import type { ScopeName } from "./scope.ts";
import { lastOf, valuesOf } from "./values.ts";

const node = (id: string, value?: string, attempts = 1, path = id) =>
  ({
    id,
    path,
    ...(value === undefined ? {} : { value }),
    attempts: Array.from({ length: attempts }, (_, at) => ({ number: at + 1 })),
  }) as unknown as NodeView;

it("takes of each node the newest value, also where the newest run was of one node alone", () => {
  const last = valuesOf([
    {
      id: "r3",
      endedAt: "x",
      inputs: { n: 3, s: "t", secret: "Bearer ***" },
      nodes: [node("a", undefined, 0), node("b", "b3")],
    },
    {
      id: "r2",
      endedAt: "x",
      inputs: {},
      nodes: [node("a", "first", 1, "a[1]"), node("a", "second", 2, "a[2]"), node("b", "b2")],
    },
    { id: "r1", endedAt: "x", inputs: {}, nodes: [node("a", "a1"), node("b", "b1"), node("c", "c1")] },
  ]);
  expect([last.of("a"), last.of("b"), last.of("c"), last.of("d")]).toEqual([
    { text: "second", run: "r2" },
    { text: "b3", run: "r3" },
    { text: "c1", run: "r1" },
    undefined,
  ]);
  expect(last.inputs).toEqual({ n: "3", s: "t" });
  expect(last.attempt("a")).toEqual({ run: "r2", path: "a[2]", number: 2 });
  expect([last.holding(["a"]), last.holding(["a", "c"]), last.holding(["d"]), last.holding([])]).toEqual([
    "r2",
    "r1",
    undefined,
    "r3",
  ]);
});

it("takes no values for a test from an active run", () => {
  const last = valuesOf([
    { id: "r2", inputs: {}, nodes: [node("a", "now")] },
    { id: "r1", endedAt: "x", inputs: {}, nodes: [node("a", "then")] },
  ]);
  expect(last.of("a")?.text).toBe("now");
  expect(last.holding(["a"])).toBe("r1");
});

it("takes a value that is too large for the history, but no secret one", () => {
  const ended = (stdout: object) =>
    [{ id: "a", path: "a", attempts: [{ number: 1, status: "succeeded", stdout }] }] as unknown as NodeView[];
  const large = { id: "r2", endedAt: "x", inputs: {}, nodes: ended({ bytes: 9_000_000 }) };
  const secret = { id: "r1", endedAt: "x", inputs: {}, nodes: ended({ bytes: 9, secret: true }) };
  expect(valuesOf([large]).holding(["a"])).toBe("r2");
  expect(valuesOf([secret]).holding(["a"])).toBeUndefined();
});

it("a name has the value of its node, of its input in the last run, or of its default, and says from where", () => {
  const last = valuesOf([
    { id: "01k3zqabcdefgh", endedAt: "x", inputs: { api: "https://a.test" }, nodes: [node("a", "1")] },
  ]);
  const input = (name: string, kind: ScopeName["kind"] = "input") => ({
    name,
    kind,
    from: "",
    input: { default: "usual" },
  });
  const run = `from run ${shortRunId("01k3zqabcdefgh")}`;
  expect([
    lastOf({ name: "a", kind: "node", from: "", node: "a" }, last),
    lastOf({ name: "total", kind: "variable", from: "", node: "a" }, last),
    lastOf(input("api"), last),
    lastOf(input("vars.api", "expression"), last),
    lastOf(input("other"), last),
    lastOf({ name: "i", kind: "loop", from: "", node: "a" }, last),
  ]).toEqual([
    { text: "1", origin: run },
    { text: "1", origin: run },
    { text: "https://a.test", origin: "from the last run" },
    { text: "https://a.test", origin: "from the last run" },
    { text: "usual", origin: "its default" },
    undefined,
  ]);
});

it("shows no data on an edge to a node that the run skipped", () => {
  const skipped = { ...node("other"), status: "skipped" } as NodeView;
  const last = valuesOf([{ id: "r1", endedAt: "x", inputs: {}, nodes: [node("a", "1"), node("b"), skipped] }]);
  expect(last.carried({ source: "a", target: "b" }).says).toContain("number");
  expect(last.carried({ source: "a", target: "other" }).says).toBe("Nothing went this way.");
});

// Approvals inside subflows and loops. The outermost run asks as `sub/gate`, the answer goes to the subflow's own
// journal, and everything continues from its place. A subflow that waits is never lost, holds no slot, and ends when
// its parent ends.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RunEvent } from "../../src/scheduler/event.ts";
import { type Home, home, told } from "./approvals.ts";

const child = (nodes: string, edges = ""): string =>
  `curlew: 1\nname: Child\ninputs: {who: {type: string, default: you}}\nnodes:\n${nodes}${edges}`;
const gate = (content: string, more = "") =>
  `  - {id: gate, type: cli, data: {title: Gate, content: ${JSON.stringify(content)}, needsUserApproval: true${more}}}\n`;
const CHILD = child(gate(`echo "hello \${who}" | tee -a ran`));
const sub = (more = "") => `  - {id: sub, type: subflow, data: {title: Sub, workflow: child.flow.yaml${more}}}\n`;
const after = `  - {id: after, type: cli, data: {title: After, content: 'printf "%s!" "\${1}"'}}\n`;

const runsOf = (at: Home): string[] => [...new Set(at.events().map(({ run }) => run))];
const own = (at: Home): RunEvent[] => at.events().filter(({ run }) => run === at.id());
const types = (events: readonly RunEvent[]) => events.map(({ type }) => type);

test("an approval inside a subflow is requested as sub/gate and answered there, and the subflow continues from its place", async () => {
  const at = home(`nodes:\n${sub(", inputs: {who: me}")}${after}edges: [sub -> after]\noutput: after\n`, {
    "child.flow.yaml": CHILD,
  });
  expect(await at.run()).toMatchObject({ status: "waiting", waiting: ["sub/gate"] });
  expect(await at.resume()).toMatchObject({ status: "waiting", waiting: ["sub/gate"] });
  at.grant(at.requests()[0]!);
  expect(await at.resume()).toMatchObject({ status: "succeeded", result: "hello me!" });
  expect(runsOf(at)).toHaveLength(2);
  expect(readFileSync(join(at.path, "ran"), "utf8")).toBe("hello me\n");
  expect(told(own(at))).toEqual([
    "run.started",
    "attempt.started sub",
    "attempt.paused sub",
    "attempt.resumed sub",
    "attempt.succeeded sub",
    "attempt.started after",
    "attempt.succeeded after",
    "run.succeeded",
  ]);
});

test("nested subflows in loops each ask with their whole path, and are answered separately", async () => {
  const loop = (body: string, times: number) =>
    `  - {id: s, type: loop-start, data: {title: S, iterations: ${times}, maxConcurrency: ${times}}}\n${body}  - {id: e, type: loop-end, data: {title: E}}\n`;
  const at = home(`nodes:\n${loop(sub(', inputs: {who: "${i}"}'), 2)}edges: [s -> sub -> e]\n`, {
    "child.flow.yaml": child(
      `  - {id: inner, type: subflow, data: {title: Inner, workflow: grandchild.flow.yaml, inputs: {who: "\${who}"}}}\n`,
    ),
    "grandchild.flow.yaml": child(loop(gate('echo "$CURLEW_NODE of ${who}" >> ran'), 2), "edges: [s -> gate -> e]\n"),
  });
  const all = ["sub[0]/inner/gate[0]", "sub[0]/inner/gate[1]", "sub[1]/inner/gate[0]", "sub[1]/inner/gate[1]"];
  expect((await at.run()).waiting.toSorted()).toEqual(all);
  const inSecond = at.requests().filter(({ detail }) => detail.values[0]?.text === "2");
  at.grant(inSecond.find(({ path }) => path === "gate[1]")!);
  expect((await at.resume()).waiting.toSorted()).toEqual(all.slice(0, 3));
  expect(readFileSync(join(at.path, "ran"), "utf8")).toBe("gate[1] of 2\n");
  for (const request of at.requests()) at.grant(request);
  expect(await at.resume()).toMatchObject({ status: "succeeded" });
  expect(readFileSync(join(at.path, "ran"), "utf8").trim().split("\n").sort()).toEqual([
    "gate[0] of 1",
    "gate[0] of 2",
    "gate[1] of 1",
    "gate[1] of 2",
  ]);
});

test("a rejection inside fails the subflow's node, and its error branch may handle it", async () => {
  const at = home(
    `nodes:\n${sub()}  - {id: no, type: text, data: {title: No, content: "handled: \${1.message}"}}\nedges: ["sub:error -> no"]\n`,
    { "child.flow.yaml": CHILD },
  );
  await at.run();
  at.reject(at.requests()[0]!, "no thanks");
  expect(await at.resume()).toMatchObject({
    status: "succeeded",
    result: 'handled: The subflow child.flow.yaml failed at "gate": The approval was rejected: no thanks.',
  });
});

test("a subflow whose run was resumed on its own gives its result to the parent", async () => {
  const at = home(`nodes:\n${sub()}`, { "child.flow.yaml": CHILD });
  await at.run();
  const [request] = at.requests();
  at.grant(request!);
  expect(await at.resume({ run: request!.run })).toMatchObject({ status: "succeeded", result: "hello you" });
  expect(types(own(at)).at(-1)).toBe("attempt.paused");
  expect(await at.resume()).toMatchObject({ status: "succeeded", result: "hello you" });
  expect(readFileSync(join(at.path, "ran"), "utf8")).toBe("hello you\n");
});

test("an answer that comes while the parent is busy is used as soon as the parent is free", async () => {
  const busy = `  - {id: busy, type: cli, data: {title: B, content: "until [ -e go ]; do sleep 0.01; done"}}\n`;
  const at = home(`nodes:\n${sub()}${busy}`, { "child.flow.yaml": CHILD });
  const went = await at.run({
    during: (event) => {
      if (event.type !== "attempt.paused") return;
      at.grant(at.requests()[0]!);
      writeFileSync(join(at.path, "go"), "");
    },
  });
  expect(went.status).toBe("succeeded");
  expect(types(own(at))).toContain("attempt.resumed");
});

test("a time limit inside a subflow takes effect while the parent is busy", async () => {
  const busy = `  - {id: busy, type: cli, data: {title: B, content: "until [ -e ran ]; do sleep 0.01; done"}}\n`;
  const at = home(`nodes:\n${sub()}${busy}`, {
    "child.flow.yaml": child(gate("touch ran", ", approval: {timeout: 100ms, onTimeout: approve}")),
  });
  expect(await at.run()).toMatchObject({ status: "succeeded" });
  expect(types(at.events())).toContain("approval.expired");
});

test.each(["before the run resumes", "while it is busy"])(
  "a cancel %s ends the subflow that waits too",
  async (when) => {
    const busy = `  - {id: busy, type: cli, data: {title: B, content: "sleep 60"}}\n`;
    const isBusy = when === "while it is busy";
    const at = home(`nodes:\n${sub()}${isBusy ? busy : ""}`, { "child.flow.yaml": CHILD });
    const went = await at.run({
      during: (event, handle) => {
        if (isBusy && event.type === "attempt.paused") handle.cancel("tester");
      },
    });
    if (!isBusy) at.record(at.id(), { type: "run.cancel-requested" });
    expect(isBusy ? went : await at.resume()).toMatchObject({ status: "cancelled" });
    expect(types(at.events().filter(({ run }) => run !== at.id())).at(-1)).toBe("run.cancelled");
    expect(existsSync(join(at.path, "ran"))).toBe(false);
  },
);

test.each([
  [[], "waiting"],
  [["*"], "succeeded"],
  [["sub/gate"], "succeeded"],
  [["gate"], "waiting"],
])("approved in advance: %j", async (inAdvance, status) => {
  const at = home(`nodes:\n${sub()}`, { "child.flow.yaml": CHILD });
  expect((await at.run({ inAdvance })).status).toBe(status);
});

test("a subflow whose run was never recorded has not started, and starts again", async () => {
  const at = home(`nodes:\n${gate("true")}${sub()}edges: [gate -> sub]\n`, { "child.flow.yaml": CHILD });
  await at.run();
  const [first] = at.requests();
  at.reject(first!);
  // As if it had died right after these two records.
  const detail = { childRun: "never-recorded" };
  at.replace([
    ...own(at).slice(0, 1),
    { ...own(at)[1]!, type: "node.succeeded", node: "gate", path: "gate" } as RunEvent,
    { ...own(at)[2]!, type: "attempt.started", node: "sub", path: "sub", number: 1, detail } as RunEvent,
  ]);
  expect(await at.resume()).toMatchObject({ status: "waiting", waiting: ["sub/gate"] });
  expect(told(own(at)).slice(2)).toEqual([
    "attempt.started sub",
    "attempt.not-started sub",
    "attempt.started sub",
    "attempt.paused sub",
  ]);
  expect(own(at)[4]).toMatchObject({ number: 1 });
});

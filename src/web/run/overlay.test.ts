import { expect, test } from "vitest";
import { ask, begun, broke, done, grant, START_MS, told } from "../../../test/web/told-run.ts";
import type { EventBody } from "../../scheduler/event.ts";
import { takeAll } from "../../scheduler/view.ts";
import { OverlayMaker, overlayOf } from "./overlay.ts";

const none = new Map<string, number>();
const nothing = () => undefined;

const BRANCHES = `curlew: 1
name: t
nodes:
  - { id: get, type: cli, data: { title: Get, content: "true", retry: { maxAttempts: 2 } } }
  - { id: more, type: if, data: { title: More, content: "1 > 0" } }
  - { id: yes, type: cli, data: { title: Yes, content: "true" } }
  - { id: no, type: cli, data: { title: No, content: "true" } }
edges: [get -> more, "more:true -> yes", "more:false -> no"]
`;
const decided: EventBody = { type: "node.succeeded", node: "more", path: "more", value: { text: "" }, branch: true };
const skipped: EventBody = { type: "node.skipped", node: "no", path: "no", reason: "branch-not-taken" };

test("the way that was taken is drawn, the other is dimmed with the reason", () => {
  const { model, at } = told(BRANCHES);
  at(0, begun("get")).at(300, done("get", "a\nb"), decided, skipped, begun("yes"));
  const { nodes, edges } = new OverlayMaker().make(model, none, START_MS + 2_400, nothing);
  expect(nodes.get("get")).toEqual({ status: "succeeded", word: "succeeded", duration: "1 ms" });
  expect(nodes.get("more")).toEqual({ status: "succeeded", word: "true", facts: "true" });
  expect(nodes.get("yes")).toEqual({ status: "running", word: "running", duration: "2 s" });
  expect(nodes.get("no")).toEqual({ status: "skipped", word: "skipped", dimmed: "branch not taken" });
  expect([...edges.values()].map(({ state }) => state)).toEqual(["taken", "taken", "untaken"]);
});

test("in the editor edited nodes are marked, their cards keep the command of the file, and edges say how much passed", () => {
  const { model, at } = told(BRANCHES.replace('"true", retry', '"echo ${now}", retry'));
  at(0, begun("get")).at(300, done("get", "[1, 2]"), decided, { ...skipped, reason: "not-wanted" } as EventBody);
  const make = (edited?: Set<string>) => new OverlayMaker().make(model, none, START_MS, nothing, edited);
  const { nodes, edges } = make(new Set(["get"]));
  expect(nodes.get("get")).toMatchObject({ status: "succeeded", edited: true });
  expect(nodes.get("get")).not.toHaveProperty("preview");
  // A test left it out: its card shows the design.
  expect(nodes.has("no")).toBe(false);
  expect(make().nodes.get("no")).toMatchObject({ status: "skipped", dimmed: "left out" });
  expect([...edges.values()].map(({ amount }) => amount)).toEqual(["2 items", undefined]);
});

test("a value that is named is drawn as used once both nodes ran, and its amount is shown", () => {
  const { model, at } = told(`curlew: 1
nodes:
  - { id: posts, run: "true" }
  - { id: check, if: "1 > 0", after: posts }
  - { id: send, run: "echo \${posts}", after: "check:true" }
`);
  const wayOf = () => new OverlayMaker().make(model, none, START_MS, nothing).edges.get("posts~>send");
  at(0, begun("posts")).at(1, done("posts", "[1, 2]"));
  expect(wayOf()).toEqual({ state: "idle" });
  at(2, { ...decided, node: "check", path: "check" } as EventBody, begun("send"));
  expect(wayOf()).toEqual({ state: "taken", status: "succeeded", amount: "2 items" });
});

test("the card and the timeline give the same duration, over all attempts", () => {
  const { model, at } = told(BRANCHES);
  at(0, begun("get")).at(100, broke("get", new Date(START_MS + 5_000).toISOString()));
  at(5_000, begun("get", 2)).at(5_100, done("get", "", 2));
  expect(model.timeline.tookMs("get", START_MS)).toBe(5_001);
  expect(overlayOf(model, "get", none, START_MS).duration).toBe("5.0 s");
});

test("attempts are dots, and the wait until the next counts down", () => {
  const { model, at } = told(BRANCHES);
  at(0, begun("get")).at(100, broke("get", new Date(START_MS + 5_000).toISOString()));
  expect(overlayOf(model, "get", none, START_MS + 1_200)).toMatchObject({
    status: "queued",
    word: "retrying in 4 s",
    facts: "exit 22",
  });
  at(5_000, begun("get", 2));
  expect(overlayOf(model, "get", none, START_MS + 5_000).attempts).toEqual([
    { status: "failed" },
    { status: "running" },
  ]);
});

test("the node that a run waits for is named, and later nodes are not queued yet", () => {
  const { model, at } = told(BRANCHES);
  takeAll(model.fold);
  expect(overlayOf(model, "get", none, START_MS)).toMatchObject({ status: "queued" });
  expect(overlayOf(model, "more", none, START_MS)).toEqual({ status: "ready", word: "" });
  at(1, ask("get"));
  expect(overlayOf(model, "get", none, START_MS)).toMatchObject({ status: "waiting", word: "waiting for you" });
  at(2, grant("get"));
  expect(overlayOf(model, "get", none, START_MS)).toMatchObject({ status: "queued" });
});

test("the card of a waiting command shows the command without secrets, like the card of one that ran", () => {
  const command = 'curl "${api}/orders/${1}?key=${KEY}"';
  const values = [
    { name: "${KEY}", text: "***", bytes: 3, secret: true as const },
    { name: "${api}", text: "https://a.test", bytes: 14 },
    { name: "${1}", text: "o_1\u202e13", bytes: 5 },
  ];
  const rendered = 'curl "«https://a.test»/orders/«o_1\u202e13»?key=«***»"';
  const { model, at } = told(BRANCHES);
  const preview = () => overlayOf(model, "get", none, START_MS).preview;
  const request = { ...ask("get"), detail: { command, rendered, values } } as EventBody;
  at(0, request);
  expect(preview()).toContain("https://a.test/orders/o_1");
  expect(preview()).toContain("?key=***");
  expect(preview()).not.toMatch(/[«»$\u202e]/);
  // Approved but not started, or rejected: the card still shows the requested command.
  at(1, grant("get"));
  expect(preview()).toContain("https://a.test/orders/o_1");
  // A node that ran is asked again with other values.
  at(2, { type: "attempt.started", node: "get", path: "get", number: 1, detail: { command, shell: "bash" } });
  expect(preview()).toContain("${api}/orders");
  at(3, broke("get", new Date(START_MS).toISOString()), { ...request, number: 2 } as EventBody);
  expect(preview()).toContain("https://a.test/orders/o_1");
});

test("a tick of the clock changes only running nodes", () => {
  const { model, at } = told(BRANCHES);
  at(0, begun("get")).at(300, done("get"), decided, skipped, begun("yes"));
  const maker = new OverlayMaker();
  const before = maker.make(model, none, START_MS + 2_000, nothing);
  const after = maker.make(model, none, START_MS + 3_000, nothing);
  const same = ["get", "more", "yes", "no"].map((id) => before.nodes.get(id) === after.nodes.get(id));
  expect(same).toEqual([true, true, false, true]);
  expect(after.edges).toBe(before.edges);
});

test("a loop says how it is doing until its end is decided, not that its start is over", () => {
  const { model, at } = told(`curlew: 1
name: t
nodes:
  - { id: pages, type: loop-start, data: { title: Pages, iterations: 2 } }
  - { id: fetch, type: cli, data: { title: Fetch, content: "true" } }
  - { id: end, type: loop-end, data: { title: End } }
edges: [pages -> fetch, fetch -> end]
`);
  const pages = { type: "pass.started", node: "pages" } as const;
  const word = () => overlayOf(model, "pages", none, START_MS).word;
  at(0, { type: "loop.started", node: "pages", path: "pages", passes: 2, first: 1 });
  at(1, { ...pages, path: "pages[0]", index: 0, counter: 1 }, ask("fetch[0]"));
  expect(word()).toBe("waiting for you");
  at(2, grant("fetch[0]"), begun("fetch[0]"));
  expect(word()).toBe("running");
  at(3, { type: "node.failed", node: "end", path: "end", failure: { code: "loop-limit", message: "too many passes" } });
  expect(word()).toBe("failed");
});

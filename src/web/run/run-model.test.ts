// A run's model on the page: order of events, shown iterations, times of the timeline, progress.

import { expect, test } from "vitest";
import { ask, begun, broke, done, grant, START_MS, told } from "../../../test/web/told-run.ts";
import type { EventBody } from "../../scheduler/event.ts";
import { takeAll } from "../../scheduler/view.ts";
import { variablesOf } from "./variables.ts";

const LINE = `curlew: 1
name: t
nodes:
  - { id: get, type: cli, data: { title: Get, content: "true" } }
  - { id: send, type: cli, data: { title: Send, content: "true" } }
  - { id: total, type: variable, data: { title: Total, variableName: total, content: "\${1}" } }
edges: [get -> send, send -> total]
`;

const LOOP = `curlew: 1
name: t
nodes:
  - { id: pages, type: loop-start, data: { title: Pages, iterations: 3 } }
  - { id: fetch, type: cli, data: { title: Fetch, content: "true" } }
  - { id: end, type: loop-end, data: { title: End } }
edges: [pages -> fetch, fetch -> end]
`;

const open: EventBody = { type: "loop.started", node: "pages", path: "pages", passes: 3, first: 1 };
const pass = (index: number): EventBody => ({
  ...{ type: "pass.started", node: "pages", path: `pages[${index}]`, index, counter: index + 1 },
});
const passed = (index: number): EventBody => ({
  ...{ type: "pass.succeeded", node: "pages", path: `pages[${index}]`, index, value: { text: "" }, last: false },
});

test("events that are there already are left out, and so is one that does not follow", () => {
  const { model, at } = told(LINE);
  at(10, begun("get"));
  const [, first] = model.events;
  if (first === undefined) throw new Error("no event");
  model.apply([first]);
  expect(model.seq).toBe(2);
  model.apply([{ ...first, seq: 9 }]);
  expect(model.seq).toBe(2);
  expect(model.node("get")?.attempts).toHaveLength(1);
});

test("settled nodes are counted", () => {
  const { model, at } = told(LINE);
  at(5, begun("get")).at(20, done("get"));
  expect(model.progress()).toEqual({ settled: 1, all: 3 });
});

test("the timeline splits the time of a node into waiting in the queue, for a person, running, and until the next attempt", () => {
  const { model, at } = told(LINE);
  at(0, begun("get")).at(100, done("get")).at(150, ask("send")).at(400, grant("send")).at(410, begun("send"));
  at(500, broke("send", new Date(START_MS + 900).toISOString()))
    .at(900, begun("send", 2))
    .at(950, done("send", "", 2));
  const [, send] = model.timeline.rows;
  expect(
    send?.bars.map(({ kind, fromMs, toMs = 0, status }) => [kind, fromMs - START_MS, toMs - START_MS, status]),
  ).toEqual([
    ["queued", 100, 150, undefined],
    ["approval", 150, 400, undefined],
    ["queued", 400, 410, undefined],
    ["running", 410, 500, "failed"],
    ["retry", 500, 900, undefined],
    ["running", 900, 950, "succeeded"],
  ]);
});

test("times in which nothing ran are known, also while a person is waited for", () => {
  const { model, at } = told(LINE);
  at(0, begun("get"))
    .at(100, done("get"), ask("send"))
    .at(60_100, grant("send"), begun("send"))
    .at(60_200, done("send"));
  expect(model.timeline.gaps).toEqual([{ fromMs: START_MS + 100, toMs: START_MS + 60_100 }]);
});

test("a loop's cards show the newest pass, then that which waits for a person, then that which failed, unless one was chosen", () => {
  const { model, at } = told(LOOP);
  const none = new Map<string, number>();
  expect(model.loops.shownPath("fetch", none)).toBeUndefined();
  at(0, open, pass(0)).at(1, begun("fetch[0]"));
  expect(model.loops.shownPath("fetch", none)).toBe("fetch[0]");
  at(2, done("fetch[0]")).at(3, passed(0), pass(1)).at(4, ask("fetch[1]"));
  expect(model.loops.byPath.get("pages")?.cells.get(1)?.status).toBe("waiting");
  expect(model.loops.shownPath("fetch", none)).toBe("fetch[1]");
  expect(model.loops.shownPath("fetch", new Map([["pages", 0]]))).toBe("fetch[0]");
  at(5, grant("fetch[1]"), begun("fetch[1]")).at(6, broke("fetch[1]"));
  const failure = { code: "exited", message: "" };
  at(7, { type: "run.failed", node: "fetch", path: "fetch[1]", failure });
  const cells = [...(model.loops.byPath.get("pages")?.cells.values() ?? [])].map(({ status }) => status);
  expect(cells).toEqual(["succeeded", "failed"]);
  const [loop] = model.timeline.rows;
  expect([loop, ...(loop?.children ?? [])].map((row) => row?.bars.at(-1)?.status)).toEqual([
    "failed",
    "succeeded",
    "failed",
  ]);
  expect(model.loops.shownPath("fetch", none)).toBe("fetch[1]");
  expect(model.loops.choicesFor("fetch[0]", none)).toEqual(new Map([["pages", 0]]));
});

test("rows of a loop stand below it by pass", () => {
  const { model, at } = told(LOOP);
  at(0, open, pass(0))
    .at(1, begun("fetch[0]"))
    .at(2, done("fetch[0]"))
    .at(3, passed(0), pass(1))
    .at(4, begun("fetch[1]"));
  const [loop] = model.timeline.rows;
  expect([loop?.kind, loop?.children.map(({ title, children }) => [title, children.map(({ path }) => path)])]).toEqual([
    "loop",
    [
      ["iteration 1", ["fetch[0]"]],
      ["iteration 2", ["fetch[1]"]],
    ],
  ]);
});

test("the end of a loop has no time in the queue, however long its iterations took", () => {
  const { model, at } = told(LOOP);
  at(0, open, pass(0)).at(1, begun("fetch[0]")).at(2, done("fetch[0]")).at(3, passed(0));
  at(9, { type: "node.succeeded", node: "end", path: "end", value: { text: "" } });
  const end = model.timeline.rows.find(({ path }) => path === "end");
  expect(end?.bars.map(({ kind }) => kind)).toEqual(["tick"]);
});

test("a variable's values are kept in their order", () => {
  const { model, at } = told(LINE);
  at(1, { type: "node.succeeded", node: "total", path: "total", value: { text: "3" } });
  expect(variablesOf(model)).toMatchObject([{ name: "total", changes: [{ seq: 2, value: { text: "3" } }] }]);
});

test("20,000 events of a loop are applied in batches, and later batches are not slower", () => {
  const { model, at } = told(LOOP.replace("iterations: 3", "iterations: 5000"));
  at(0, { ...open, passes: 5_000 } as EventBody);
  let longest = 0;
  for (let index = 0; index < 5_000; index += 25) {
    const before = process.threadCpuUsage().user;
    for (let one = index; one < index + 25; one++)
      at(one, pass(one), begun(`fetch[${one}]`), done(`fetch[${one}]`), passed(one));
    takeAll(model.fold);
    longest = Math.max(longest, process.threadCpuUsage().user - before);
  }
  expect(model.seq).toBe(20_002);
  expect(longest / 1000, "ms of the processor in one batch").toBeLessThan(200);
});

test("while several iterations run, the details are those of the iteration that the canvas shows", () => {
  const { model, at } = told(LOOP);
  at(0, open, pass(0), pass(1), pass(2)).at(1, begun("fetch[0]"), begun("fetch[1]"), begun("fetch[2]"));
  expect(model.mostWanted(new Map())).toBe("fetch[2]");
  expect(model.mostWanted(new Map([["pages", 1]]))).toBe("fetch[1]");
});

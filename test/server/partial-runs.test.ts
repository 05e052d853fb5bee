// One node run alone, or everything up to one: with values of a past run, with given values, or computed again (spec
// 2.3 "run this node").

import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Page, Problem, RunCounts, RunItem, StartedRun, WorkflowList } from "../../src/api/shapes.ts";
import type { RunView } from "../../src/scheduler/view.ts";
import { start, view } from "./asking.ts";
import { type Served, served } from "./served.ts";

const CHAIN = `
curlew: 1
name: chain
inputs: { word: { type: string, default: one } }
nodes:
  - { id: begin, type: start, data: { title: Begin } }
  - { id: fetch, type: cli, data: { title: Fetch, content: 'echo fetch >> log; echo "got \${word}"', cwd: . } }
  - { id: other, type: cli, data: { title: Other, content: 'echo other >> log; echo other', cwd: . } }
  - { id: note, type: variable, data: { title: Note, variableName: note, content: "<\${1}>" } }
  - { id: work, type: cli, data: { title: Work, content: 'echo work >> log; echo "work on \${fetch} \${note}"', cwd: . } }
  - { id: send, type: cli, data: { title: Send, content: 'echo send >> log; echo "sent \${1}"', cwd: ., needsUserApproval: true } }
  - { id: pages, type: loop-start, data: { title: Pages, iterations: 2 } }
  - { id: page, type: cli, data: { title: Page, content: 'echo "page \${i}" >> log; echo "\${i}"', cwd: . } }
  - { id: all, type: loop-end, data: { title: All } }
  - { id: tidy, type: cli, data: { title: Tidy, content: 'echo tidy >> log', cwd: . } }
edges:
  - begin -> fetch -> note
  - work -> send
  - other -> send
  - begin -> pages -> page -> all -> send
finally: [tidy]
`;

const log = (it: Served): string[] => {
  const file = join(it.folder, "log");
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").trim().split("\n");
  rmSync(file);
  return lines.toSorted();
};

const statuses = ({ nodes }: RunView) => Object.fromEntries(nodes.map(({ path, status }) => [path, status]));

async function one(it: Served, only: object, more: object = {}): Promise<StartedRun> {
  return start(it, "chain.flow.yaml", { only, ...more }, "?wait=30");
}

test("one node alone uses the values of a past run, and nothing else runs", async () => {
  const it = await served({ "chain.flow.yaml": CHAIN });
  const whole = await start(it, "chain.flow.yaml", { inputs: { word: "two" }, approve: ["send"] }, "?wait=30");
  expect(whole).toMatchObject({ status: "succeeded", result: "sent work on got two <got two>" });
  expect(log(it)).toEqual(["fetch", "other", "page 1", "page 2", "send", "tidy", "work"]);
  const again = await one(it, { node: "work", run: whole.id });
  expect(again).toMatchObject({ status: "succeeded", result: "work on got two <got two>" });
  expect(log(it)).toEqual(["work"]);
  const listed = async (query: string) =>
    ((await (await it.api("GET", `/runs?${query}`)).json()) as Page<RunItem>).items.map(({ id, kind }) => [id, kind]);
  expect(await listed("kind=test,schedule")).toEqual([[again.id, "test"]]);
  expect(await listed("tests=false")).toEqual([[whole.id, "api"]]);
  const [item] = ((await (await it.api("GET", "/workflows")).json()) as WorkflowList).items;
  expect(
    item?.recent.map(({ id }) => id),
    "a test is not among the last runs",
  ).toEqual([whole.id]);
  const counted = (await (await it.api("GET", "/runs/counts?tests=false&slices=1")).json()) as RunCounts;
  expect(counted.items.map(({ runs }) => runs)).toEqual([{ succeeded: 1 }]);
  for (const query of ["kind=no", "tests=no", "sort=no", "sort=longest&cursor=1", `sort=longest&cursor=${whole.id}`])
    expect((await it.api("GET", `/runs?${query}`)).status, query).toBe(400);
  expect((await it.api("GET", "/runs/counts?slices=401")).status).toBe(400);
  const shown = await view(it, again.id);
  expect(shown.only).toEqual({ node: "work", run: whole.id, result: "work" });
  expect(shown.inputs).toEqual({ word: "two" });
  expect(statuses(shown)).toMatchObject({ fetch: "succeeded", other: "skipped", send: "skipped", tidy: "skipped" });
  // The same rules of approval.
  const sent = await one(it, { node: "send", run: whole.id });
  expect([sent.status, log(it)]).toEqual(["waiting", []]);
  const approved = await one(it, { node: "send", run: whole.id }, { approve: ["send"] });
  expect([approved.result, log(it)]).toEqual(["sent work on got two <got two>", ["send"]]);
  const loop = await one(it, { node: "page", run: whole.id });
  expect([loop.result, log(it)]).toEqual(["2", ["page 1", "page 2"]]);
});

test("you can give values, and nodes without a process compute from them", async () => {
  const it = await served({ "chain.flow.yaml": CHAIN });
  const pinned = await one(it, { node: "work", pinned: { fetch: 'a "pinned" ${word}' } });
  expect([pinned.result, log(it)]).toEqual(['work on a "pinned" ${word} <a "pinned" ${word}>', ["work"]]);
  expect((await view(it, pinned.id)).only).toEqual({ node: "work", pinned: ["fetch"], result: "work" });
  const refused = async (only: object): Promise<[string, string]> => {
    const response = await it.api("POST", "/workflows/chain.flow.yaml/runs", { only });
    const { code, title } = (await response.json()) as Problem;
    return [code, title];
  };
  expect(await refused({ node: "work" })).toEqual([
    "partial-run-input-missing",
    expect.stringContaining('the value of "fetch"'),
  ]);
  expect((await refused({ node: "zz" }))[0]).toBe("unknown-node");
  expect((await refused({ node: "work", pinned: { work: "x" } }))[0]).toBe("partial-run-unfit");
  expect((await refused({ node: "send", pinned: { all: "x" } }))[0]).toBe("partial-run-unfit");
  expect(log(it)).toEqual([]);
});

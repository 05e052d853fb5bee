import { expect, test } from "vitest";
import { begun, broke, done, told } from "../../../test/web/told-run.ts";
import { changesSince, changesWords, isChanged, retryFrom } from "./changes.ts";

const THEN = `curlew: 1
name: t
nodes:
  - { id: get, type: cli, data: { title: Get it, content: "true" } }
  - { id: send, run: "false", after: get }
`;

const since = (now: string, subflows?: Record<string, string>) =>
  changesSince({ ...told(THEN).model.started, subflows }, { "t.flow.yaml": now, "/lib.flow.yaml": THEN });

test("comments, spelling, and positions do not count", () => {
  const rewritten = THEN.replace(
    `{ id: send, run: "false", after: get }`,
    "{ id: send, type: cli, after: get, data: { title: Send, content: 'false' } } # later",
  );
  expect(isChanged(since(`${rewritten}layout: { get: [0, 40] }\n`))).toBe(false);
});

test("a change is named by the titles of its nodes", () => {
  const now = THEN.replace('"false"', '"true"').replace("Get it", "Get all");
  expect(changesWords(since(now))).toBe("Get all and Send");
  expect(changesWords(since(`${THEN}concurrency: 2\n`))).toBe("its settings");
  expect(changesWords(since(THEN.replace(/ {2}- \{ id: send.*\n/, "")))).toBe("without Send and its edges");
});

test("a changed subflow counts, and a file with errors can't run", () => {
  expect(changesWords(since(THEN, { "/lib.flow.yaml": THEN.replace("false", "exit 3") }))).toBe("lib.flow.yaml");
  expect(isChanged(since(THEN, { "/lib.flow.yaml": `${THEN}\n# said twice\n` }))).toBe(false);
  expect(since("curlew: 1\nnodes: {}\n")).toMatchObject({ isBroken: true });
  expect(isChanged(since("curlew: 1\nnodes: {}\n"))).toBe(false);
});

test("a retry starts at the first edited node that had succeeded, otherwise at the failure", () => {
  const { model, at } = told(THEN);
  at(1, begun("get"), done("get"), begun("send"), broke("send"));
  at(2, { type: "run.failed", node: "send", path: "send", failure: { code: "exited", message: "It failed." } });
  const edit = (id: string) => retryFrom(model, { nodes: [{ id, title: id }], others: [], isBroken: false });
  expect([edit("send"), edit("get"), edit("new")]).toEqual(["send", "get", "send"]);
});

// What failed in a run, one after the other.

import { expect, test } from "vitest";
import { failureFrom, failuresOf } from "./problems.ts";
import { broke, done, told } from "./told.ts";

const LOOP = `curlew: 1
name: t
nodes:
  - { id: pages, type: loop-start, data: { title: Pages, iterations: 3 } }
  - { id: fetch, type: cli, data: { title: Fetch, content: "true", continueOnError: true } }
  - { id: end, type: loop-end, data: { title: End } }
  - { id: last, type: cli, data: { title: Last, content: "true" } }
edges: [pages -> fetch, fetch -> end, end -> last]
`;

test("failures are stepped through in the order of the run, around its ends, and from anywhere", () => {
  const pass = (index: number) =>
    ({ type: "pass.started", node: "pages", path: `pages[${index}]`, index, counter: index + 1 }) as const;
  const { model, at } = told(LOOP);
  at(0, { type: "loop.started", node: "pages", path: "pages", passes: 3, first: 1 });
  expect(failuresOf(model)).toEqual([]);
  expect(failureFrom([], "fetch[0]", 1)).toBeUndefined();
  at(1, pass(0), broke("fetch[0]"), pass(1), done("fetch[1]"), pass(2), broke("fetch[2]"));
  const failures = failuresOf(model);
  expect(failures).toEqual(["fetch[0]", "fetch[2]"]);
  const from = (path: string | undefined, by: 1 | -1) => failureFrom(failures, path, by);
  expect([from("fetch[0]", 1), from("fetch[2]", 1), from("fetch[0]", -1)]).toEqual([
    "fetch[2]",
    "fetch[0]",
    "fetch[2]",
  ]);
  expect([from("fetch[1]", 1), from(undefined, 1), from("last", -1)]).toEqual(["fetch[0]", "fetch[0]", "fetch[2]"]);
});

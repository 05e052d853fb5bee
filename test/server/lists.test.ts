// Lists that the server has completely are also available in pages (spec 2.4): each item once, whatever came or went
// between two pages.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ApprovalItem, Page, WorkflowItem } from "../../src/api/shapes.ts";
import { inARow } from "../cli/curlew.ts";
import { refused, start } from "./asking.ts";
import { type Served, served } from "./served.ts";

const flow = inARow({ a: "true" });
const NAMES = ["B.flow.yaml", "a b/ü.flow.yaml", "a.flow.yaml", "b.flow.yaml", "c.flow.yaml"];
const GATES = `
curlew: 1
name: gates
nodes:
  - { id: one, type: cli, data: { title: One, content: echo 1, needsUserApproval: true } }
  - { id: two, type: cli, data: { title: Two, content: echo 2, needsUserApproval: true } }
`;
const AROUND = `
curlew: 1
name: around
nodes:
  - { id: before, type: cli, data: { title: Before, content: echo 0, needsUserApproval: true } }
  - { id: sub, type: subflow, data: { title: Inner, workflow: gates.flow.yaml } }
`;

async function page<Item>(it: Served, path: string): Promise<Page<Item>> {
  const answer = await it.api("GET", path);
  expect(answer.status, path).toBe(200);
  return (await answer.json()) as Page<Item>;
}

test("workflows: all at once, or a few after a cursor, even if one was removed in between", async () => {
  const it = await served(Object.fromEntries(NAMES.map((name) => [name, flow])));
  const whole = await page<WorkflowItem>(it, "/workflows");
  expect([whole.items.map(({ path }) => path), whole.next]).toEqual([NAMES, undefined]);
  const first = await page<WorkflowItem>(it, "/workflows?limit=2");
  expect(first.items.map(({ path }) => path)).toEqual(NAMES.slice(0, 2));
  rmSync(join(it.folder, NAMES[1]!));
  await expect.poll(async () => (await page(it, "/workflows")).items.length).toBe(4);
  const second = await page<WorkflowItem>(it, `/workflows?limit=2&cursor=${first.next}`);
  expect(second.items.map(({ path }) => path)).toEqual(NAMES.slice(2, 4));
  const last = await page<WorkflowItem>(it, `/workflows?limit=2&cursor=${second.next}`);
  expect([last.items.map(({ path }) => path), last.next]).toEqual([NAMES.slice(4), undefined]);
  expect((await page(it, "/workflows?limit=4")).next, "nothing is left").toBe(undefined);
});

test("approvals: newest run first, in pages, each once even if some were answered in between; outer ones first in a run", async () => {
  const it = await served({ "gates.flow.yaml": GATES, "around.flow.yaml": AROUND });
  for (let n = 0; n < 3; n++) await start(it, "gates.flow.yaml", {}, "?wait=30");
  const around = await start(it, "around.flow.yaml", {}, "?wait=30");
  const list = (query = "") => page<ApprovalItem>(it, `/approvals${query}`);
  await expect.poll(async () => (await list()).items.length, { timeout: 20_000 }).toBe(9);
  const whole = (await list()).items;
  expect(whole.map(({ run }) => run)).toEqual(
    whole
      .map(({ run }) => run)
      .toSorted()
      .toReversed(),
  );
  const first = await list("?limit=4");
  expect(first.items).toEqual(whole.slice(0, 4));
  // The one that the cursor names, and one that is still to come.
  for (const at of [3, 5]) expect((await it.api("POST", `/approvals/${whole[at]!.id}/grant`, {})).status).toBe(200);
  await expect.poll(async () => (await list()).items.length).toBe(7);
  const second = await list(`?limit=4&cursor=${first.next}`);
  expect(second.items.map(({ id }) => id)).toEqual([whole[4]!, ...whole.slice(6, 9)].map(({ id }) => id));
  expect(second.next).toBe(undefined);
  const own = await list(`?run=${around.id}&limit=2`);
  const rest = await list(`?run=${around.id}&limit=2&cursor=${own.next}`);
  expect([...own.items, ...rest.items].map(({ path }) => path)).toEqual(["before", "sub/one", "sub/two"]);
});

test("an invalid limit or cursor is rejected", async () => {
  const it = await served({ "a.flow.yaml": flow });
  for (const path of ["/workflows", "/approvals", "/runs"])
    for (const query of [
      "limit=0",
      "limit=1001",
      "limit=0x10",
      "limit=1e2",
      "limit=%201",
      "limit=x",
      "limit=",
      "cursor=",
      "cursor=%00",
      "cursor=../..",
      "cursor=zzz",
    ])
      expect(await refused(await it.api("GET", `${path}?${query}`)), query).toEqual([400, "bad-query"]);
  for (const query of ["since=1", "until=yesterday", "since=2026-13-01", "text=%00", "path=a%00", "workflow=%00"])
    expect(await refused(await it.api("GET", `/runs?${query}`)), query).toEqual([400, "bad-query"]);
});

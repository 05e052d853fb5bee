// Parsing in `curlew http`: Link headers, and the items of a page (spec 3.6).

import { expect, test } from "vitest";
import { itemsOf, linksIn } from "./pages.ts";

test("links are read as the standard writes them", () => {
  const found = (text: string) => linksIn(text)?.map(({ to, rels }) => `${to} ${rels.join("+")}`);
  expect(found('<https://a/?p=2>; rel="next"')).toEqual(["https://a/?p=2 next"]);
  expect(found("</a,b>;REL=Next;title=x , <b>; title=\"a, <c>; rel=next\"; rel='prev'")).toEqual([
    "/a,b next",
    "b prev",
  ]);
  expect(found('<a>; rel="first next"; hreflang=de,<b>')).toEqual(["a first+next", "b "]);
  expect(found("https://a; rel=next")).toBeUndefined();
  expect(found("<a; rel=next")).toBeUndefined();
});

test("the items of a page are found if only one list can be meant", () => {
  expect(itemsOf([1], undefined)).toEqual([1]);
  expect(itemsOf({ data: [1], links: [2] }, undefined)).toEqual([1]);
  expect(itemsOf({ issues: [1], total: 1 }, undefined)).toEqual([1]);
  expect(itemsOf({ a: [1], b: [2] }, undefined)).toBeUndefined();
  expect(itemsOf({ a: { b: null } }, ["a", "b"])).toEqual([]);
  expect(itemsOf(null, undefined)).toEqual([]);
  expect(itemsOf({ items: null, total: 0 }, undefined)).toEqual([]);
  expect(itemsOf({ items: null, issues: [1] }, undefined)).toEqual([1]);
  expect(itemsOf({ a: null }, undefined)).toBeUndefined();
  expect(itemsOf({ a: { b: 1 } }, ["a", "b"])).toBeUndefined();
});

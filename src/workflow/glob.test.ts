// glob.test: which files a watched path matches, and which paths are rejected.

import { expect, test } from "vitest";
import { globBase, globDepth, globMatcher, globProblem } from "./glob.ts";

const means = (pattern: string, ...paths: string[]) => paths.filter(globMatcher(pattern));

test("a star stays within a name, two stars cross folders", () => {
  expect(
    means("inbox/*.json", "inbox/a.json", "inbox/.hidden.json", "inbox/b/c.json", "inbox/a.jsonl", "a.json"),
  ).toEqual(["inbox/a.json"]);
  expect(means("**/*.csv", "a.csv", "x/y/a.csv", ".git/a.csv", "x/.y/a.csv")).toEqual(["a.csv", "x/y/a.csv"]);
  expect(means("data/**", "data/a", "data/b/c", "data", "data/.x")).toEqual(["data/a", "data/b/c"]);
  expect(means("./in/?.txt", "in/a.txt", "in/ab.txt")).toEqual(["in/a.txt"]);
  expect(means("a+(b).txt", "a+(b).txt", "aab.txt")).toEqual(["a+(b).txt"]);
  expect(means(".env*", ".env", ".env.local", "x.env")).toEqual([".env", ".env.local"]);
});

test("a pattern of many stars is matched quickly", () => {
  expect(means(`${"*a".repeat(60)}b`, "a".repeat(5_000))).toEqual([]);
});

test("where to look", () => {
  expect(["inbox/*.json", "a/b/c.txt", "*.txt", "a/**/b", "x"].map(globBase)).toEqual(["inbox", "a/b", "", "a", ""]);
  expect(["inbox/*.json", "a/*/c.txt", "a/**/b"].map(globDepth)).toEqual([0, 1, Number.POSITIVE_INFINITY]);
});

test("a pattern that leaves the folder, or has unsupported syntax, is rejected", () => {
  for (const pattern of [
    "../x",
    "a/../b",
    "/etc/*",
    "C:\\x",
    "~/x",
    "a\\b",
    "a//b",
    "{a,b}",
    "a[0-9]",
    "!a",
    "a**",
    " ",
  ])
    expect(globProblem(pattern), pattern).toBeDefined();
  for (const pattern of ["inbox/*.json", "./a", "**/*.csv", "a b/ü?.txt"])
    expect(globProblem(pattern), pattern).toBeUndefined();
});

// docs/security.md names tests for what it promises: they are there, and every suite against attackers is named.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { limits } from "../src/base/limits.ts";

const DOCS = join(import.meta.dirname, "../docs");
const page = readFileSync(join(DOCS, "security.md"), "utf8");
const linked = [...page.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map((match) => match[1]!);

test("every page and every test that it names exists", () => {
  expect(linked.length).toBeGreaterThan(20);
  expect(linked.filter((path) => !existsSync(join(DOCS, path)))).toEqual([]);
});

test("every promise names a test, and each of them tests something", () => {
  const [table = ""] = page.split("| --- | --- |")[1]!.split("\n\n");
  const rows = [...table.matchAll(/^\| (.+?) \| (.+) \|$/gm)];
  expect(rows.length).toBeGreaterThan(10);
  for (const [, promise, kept] of rows) {
    const named = [...kept!.matchAll(/\]\((\S+?)\)/g)].map((match) => match[1]!);
    expect(named, promise).not.toEqual([]);
    for (const path of named) {
      expect(path, promise).toMatch(/\.test\.ts$/);
      expect(readFileSync(join(DOCS, path), "utf8"), path).toMatch(/^\s*(?:test|check|for|describe)\b/m);
    }
  }
});

test("no suite against attackers is forgotten", () => {
  for (const folder of ["hostile", "leaks"])
    for (const name of readdirSync(join(import.meta.dirname, folder)).filter((each) => each.endsWith(".test.ts")))
      expect(linked, `${folder}/${name}`).toContain(`../test/${folder}/${name}`);
});

test("its numbers are the program's", () => {
  const numbers: [number, string][] = [
    [limits.documentBytesMax, "5 MB"],
    [limits.nestingMax, "64 deep"],
    [limits.aliasesMax, "1,000 aliases"],
    [limits.nodesMax, "20,000 nodes"],
    [limits.edgesMax, "100,000 edges"],
    [limits.loopDepthMax, "loops 64 deep"],
    [limits.templateReferencesMax, "2,000 references"],
    [limits.inputFileBytesMax, "64 MB"],
    [limits.patternMs, "250 ms"],
    [limits.secretBytesMin, "Under 6 bytes"],
  ];
  for (const [value, said] of numbers) {
    expect(page).toContain(said);
    const shown = Number(/[\d,]+/.exec(said)![0].replaceAll(",", "")) * (said.includes(" MB") ? 1_000_000 : 1);
    expect(shown, said).toBe(value);
  }
});

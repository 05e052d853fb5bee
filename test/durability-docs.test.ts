// docs/durability.md names a test for each promise, and all that it names is there.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const DOCS = join(import.meta.dirname, "../docs");
const page = readFileSync(join(DOCS, "durability.md"), "utf8");
const promises = page.slice(0, page.indexOf("\n## "));

test("every page and every test that it names exists", () => {
  const linked = [...page.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map((match) => match[1]!);
  expect(linked.length).toBeGreaterThan(15);
  expect(linked.filter((path) => !existsSync(join(DOCS, path)))).toEqual([]);
});

test("every promise names a test", () => {
  const rows = [...promises.matchAll(/^\| (.+?) \| (.+) \|$/gm)].slice(2);
  expect(rows.length).toBeGreaterThan(10);
  for (const [, promise, kept] of rows) expect(kept, promise).toMatch(/\.test\.ts\)/);
});

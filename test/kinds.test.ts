// kinds: new code asks the registries of node kinds and trigger kinds, and does not compare kinds (CONTRIBUTING, "Add a kind").

import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import type { NodeType } from "../src/workflow/node-data.ts";
import type { DocumentTrigger } from "../src/workflow/triggers/index.ts";

const root = join(import.meta.dirname, "..");

/**
 * How many files may compare a node's type with this name. Lower a number when a comparison goes. A comparison is fine
 * where the code is about this one kind: what a command's text does, or which file a subflow runs.
 */
const ALLOWED: Record<NodeType, number> = {
  cli: 23,
  llm: 7,
  variable: 7,
  if: 8,
  "loop-start": 16,
  "loop-end": 9,
  accumulator: 2,
  start: 7,
  text: 2,
  subflow: 13,
};

const sources = readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /(?<!\.test)\.tsx?$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name))
  .map((path) => ({ path: relative(root, path), text: readFileSync(path, "utf8") }));

test.each(Object.entries(ALLOWED))("few files compare a node's type with %s", (kind, allowed) => {
  expect(comparing(kind, sources).length, comparing(kind, sources).join("\n")).toBeLessThanOrEqual(allowed);
});

test("the scan finds a comparison", () => {
  for (const text of [`if (node.type === "cli")`, `node?.type !== "cli"`, `switch (drawn.type) {\n    case "cli":`])
    expect(comparing("cli", [{ path: "a.ts", text }]), text).toEqual(["a.ts"]);
  expect(comparing("text", [{ path: "a.ts", text: `part.kind === "text"` }])).toEqual([]);
});

/**
 * How many files outside the two folders of trigger kinds may name one. Each is about this one kind, such as its view.
 * `run` is also a kind of message to the browser.
 */
const NAMING: Record<DocumentTrigger["kind"], number> = { schedule: 3, webhook: 2, file: 0, run: 4 };

test.each(Object.entries(NAMING))("few files name the trigger kind %s", (kind, allowed) => {
  const named = new RegExp(`\\bkind [!=]== "${kind}"|"${kind}" in trigger\\b|\\bof\\("${kind}"\\)`);
  const own = ["src/workflow/triggers/", "src/server/triggers/"];
  const files = sources.filter(({ path, text }) => !own.some((folder) => path.startsWith(folder)) && named.test(text));
  expect(files.length, files.map(({ path }) => path).join("\n")).toBeLessThanOrEqual(allowed);
});

function comparing(kind: string, files: readonly { path: string; text: string }[]): string[] {
  const compared = new RegExp(`\\btype\\)? [!=]== "${kind}"`);
  const switched = new RegExp(`switch \\([\\w.]*\\btype\\)[^]*?case "${kind}":`);
  return files.filter(({ text }) => compared.test(text) || switched.test(text)).map(({ path }) => path);
}

// A text is parsed once. The shared tree serves edits, checks, and places of findings, and equals a second parse.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { Composer } from "yaml";
import { parseWorkflow } from "../../workflow/parse.ts";
import { findingsOf } from "../code/places.ts";
import { nodeRanges, openDoc, rootOf } from "./open.ts";

const EXAMPLES = join(import.meta.dirname, "../../../examples");
const texts = readdirSync(EXAMPLES, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".flow.yaml"))
  .map((name) => readFileSync(join(EXAMPLES, name), "utf8"));
const ODD = [
  ...["", "# nothing\n", "- a\n", "curlew: 1\n---\ncurlew: 1\n", "curlew: 1\nnodes: [", "\ufeffcurlew: 1\nnodes: []\n"],
  "curlew: 1\nnodes: &a\n  - { id: x, type: start, data: { title: &t X } }\n  - *b\n",
  "curlew: 1\n__proto__: { a: 1 }\nnodes: []\n",
  "curlew: 1\nname: &n !odd X\nnodes:\n  - { id: a, type: text, data: { title: *n, content: *n } }\n",
  "base: &b { title: X }\ncurlew: 1\nnodes:\n  - { id: a, type: text, data: { <<: *b, content: x } }\n",
  `curlew: 1\nnodes: ${"[".repeat(150)}${"]".repeat(150)}\n`,
];

describe("a document that is open", () => {
  it("is checked by its tree as it is by its text", () => {
    for (const text of [...texts, ...ODD]) {
      const [one, other] = [openDoc(text, "a.flow.yaml").parsed, parseWorkflow(text, "a.flow.yaml")];
      expect(one.diagnostics, text.slice(0, 200)).toEqual(other.diagnostics);
      expect(one.workflow, text.slice(0, 200)).toEqual(other.workflow);
      if (text.length < 2_000) {
        const path = ["nodes", 0, "data", "content"];
        expect(one.source.range(path)).toEqual(other.source.range(path));
      }
    }
    expect(texts.length).toBeGreaterThan(10);
  });

  it("is read once, whoever asks", () => {
    const text = "curlew: 1\nnodes:\n  - { id: a, type: cli, data: { title: A, content: curl http://x.test } }\n";
    const range = { start: { line: 3, column: 52 }, end: { line: 3, column: 56 } };
    const read = vi.spyOn(Composer.prototype, "compose");
    const doc = openDoc(text, "a.flow.yaml");
    expect(doc.parsed.workflow?.nodes).toHaveLength(1);
    expect(nodeRanges(doc)).toMatchObject([{ id: "a", from: 21 }]);
    const found = [{ severity: "error" as const, code: "x", message: "x", range, file: "a.flow.yaml" }];
    const findings = findingsOf(text, found, () => rootOf(doc));
    expect(findings.at(["nodes", 0, "data", "content"])).toMatchObject([{ start: 0, end: 4 }]);
    expect(findingsOf(text, found)).toBe(findings);
    expect(read).toHaveBeenCalledTimes(1);
    read.mockRestore();
  });
});

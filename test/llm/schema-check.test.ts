// What is told of a node's schema before a run agrees with what checks the answers in it.

import { expect, test } from "vitest";
import { answerChecker } from "../../src/kinds/llm/check-answer.ts";
import { schemaFindings } from "../../src/workflow/json-schema-check.ts";

const inside = (keywords: Record<string, unknown>) => ({ type: "object", properties: { x: keywords } });

test.each<Record<string, unknown>>([
  { type: "objekt" },
  { type: [] },
  { type: ["string", "text"] },
  { properties: [] },
  { required: "x" },
  { required: true },
  { required: [1] },
  { enum: "red" },
  { pattern: "[a" },
  { minItems: -1 },
  { maxLength: 1.5 },
  { minimum: "1" },
  { allOf: {} },
  { anyOf: [] },
  { oneOf: ["string"] },
  { not: "x" },
  { items: "string" },
  { additionalProperties: "no" },
  { $ref: "#/$defs/none" },
  { $ref: "https://schemas.example/more.json" },
  { $defs: { a: { type: "wrong" } } },
])("%j is told before a run, and refused in one", async (schema) => {
  for (const whole of [schema, inside(schema)]) {
    expect(schemaFindings(whole)).not.toEqual([]);
    expect((await answerChecker(whole)).ok).toBe(false);
  }
});

test.each<Record<string, unknown>>([
  {},
  { type: ["string", "null"], minLength: 0, pattern: "^\\p{L}+$" },
  { type: "array", items: { $ref: "#/$defs/row" }, $defs: { row: { type: "object", required: ["id"] } } },
  { type: "array", prefixItems: [{ type: "string" }, true], items: false },
  { $defs: { "a/b": { type: "string" } }, $ref: "#/$defs/a~1b" },
  { properties: { type: { type: "string" }, required: { type: "boolean" }, enum: { const: 1 } } },
  { oneOf: [{ const: "a" }, { const: "b" }], description: "either" },
])("%j is fine before a run, and in one", async (schema) => {
  expect(schemaFindings(schema)).toEqual([]);
  expect((await answerChecker(schema)).ok).toBe(true);
});

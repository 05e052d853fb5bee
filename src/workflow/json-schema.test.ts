import { expect, test } from "vitest";
import { workflowJsonSchema } from "./json-schema.ts";
import { DOCUMENT_ORDER, dataOf } from "./schema.ts";

const schema = workflowJsonSchema() as {
  properties: Record<string, unknown>;
  $defs: Record<string, { properties?: Record<string, { description?: string }>; required?: string[] }>;
};

test("every field of the document stands in it", () => {
  expect(Object.keys(schema.properties).sort()).toEqual([...DOCUMENT_ORDER].sort());
});

test("every field of every kind stands in it, with what it means", () => {
  for (const [kind, data] of Object.entries(dataOf)) {
    const { properties = {}, required = [] } = schema.$defs[kind] ?? {};
    expect(Object.keys(properties)).toEqual(Object.keys(data.shape));
    expect(required).toContain("title");
    for (const [field, { description }] of Object.entries(properties))
      expect(description, `${kind}.${field}`).toMatch(/\S/);
  }
});

test("it is plain JSON, and refers only to itself", () => {
  const text = JSON.stringify(schema);
  expect(JSON.parse(text)).toEqual(schema);
  for (const [, name] of text.matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)) expect(schema.$defs).toHaveProperty(name!);
  expect(text).not.toMatch(/"\$ref":"(?!#\/\$defs\/)/);
});

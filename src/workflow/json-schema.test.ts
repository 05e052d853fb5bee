import { readdirSync, readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { workflowJsonSchema } from "./json-schema.ts";
import { DOCUMENT_ORDER, dataOf } from "./schema.ts";
import { longForm, titleFromId } from "./short-form.ts";

const schema = workflowJsonSchema() as {
  properties: Record<string, unknown>;
  $defs: Record<string, { properties?: Record<string, { description?: string }>; required?: string[] }>;
};

test("it has every field of the document", () => {
  expect(Object.keys(schema.properties).sort()).toEqual([...DOCUMENT_ORDER].sort());
});

test("it has every field of every kind, with its meaning", () => {
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
  for (const [, name] of text.matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g))
    expect(schema.$defs).toHaveProperty(name!.split("/"));
  expect(text).not.toMatch(/"\$ref":"(?!#\/\$defs\/)/);
});

test("it accepts every valid workflow in both forms, and no short node with a mistake that a schema can find", () => {
  const accepts = new Ajv2020({ strict: false }).compile(schema);
  for (const { file, text } of goodWorkflows()) {
    const plain = parse(text, { merge: true }) as { nodes: Record<string, unknown>[] };
    expect(accepts(plain), `${file}: ${JSON.stringify(accepts.errors)}`).toBe(true);
    const long = { ...plain, nodes: plain.nodes.map((node) => ({ ...longForm(node) })) };
    for (const { id, data } of long.nodes) (data as Record<string, unknown>).title ??= titleFromId(String(id));
    expect(accepts(long), `${file}, long: ${JSON.stringify(accepts.errors)}`).toBe(true);
  }
  for (const node of [
    "id: a, run: x, text: x",
    "id: a, cmd: x",
    "id: a, run: x, timout: 5s",
    "id: a, run: x, data: {}",
  ])
    expect(accepts(parse(`{ curlew: 1, nodes: [{ ${node} }] }`)), node).toBe(false);
});

function goodWorkflows(): { file: string; text: string }[] {
  return ["../../examples/", "../../test/corpus/validate/good/"].flatMap((folder) => {
    const url = new URL(folder, import.meta.url);
    const files = readdirSync(url, { recursive: true, encoding: "utf8" });
    return files
      .filter((file) => /\.flow\.(ya?ml|json)$/.test(file))
      .map((file) => ({ file, text: readFileSync(new URL(file, url), "utf8") }));
  });
}

// docs/reference/workflow-file.md says what the schema says, and its examples are valid. `UPDATE=1 npx vitest run
// test/corpus-docs` rewrites the tables.

import { readFileSync, writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { workflowJsonSchema } from "../src/workflow/json-schema.ts";
import { validateWorkflow } from "../src/workflow/validate.ts";

const PAGE = new URL("../docs/reference/workflow-file.md", import.meta.url);
const BLOCK = /<!-- fields: ([a-z-]+) -->\n[\s\S]*?<!-- end -->/g;

interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  prefixItems?: Schema[];
  required?: string[];
  description?: string;
  $ref?: string;
}

const schema = workflowJsonSchema() as unknown as Schema & { $defs: Record<string, Schema> };

function partOf(name: string): Schema {
  if (name === "document") return schema;
  if (name === "edge") return schema.$defs.edge!.anyOf![1]!;
  if (name === "input") return schema.properties!.inputs!.additionalProperties as Schema;
  return schema.$defs[name]!;
}

function table(name: string): string {
  const part = partOf(name);
  const rows = Object.entries(part.properties ?? {})
    .filter(([field, value]) => !isSaidOnce(name, field, value))
    .flatMap(([field, value]) => rowsOf(field, value, part.required?.includes(field) === true));
  return `<!-- fields: ${name} -->\n\n| Field | Type | Meaning |\n| --- | --- | --- |\n${rows.join("\n")}\n\n<!-- end -->`;
}

/**
 * The page explains `title` above the tables, the fields that commands share with the document in its table, and those
 * that models and subflows share with commands below `cli`.
 */
function isSaidOnce(name: string, field: string, value: Schema): boolean {
  if (field === "title") return true;
  if (name === "cli" && ["egress", "runsOn"].includes(field))
    return isDeepStrictEqual(schema.properties?.[field], value);
  const isShared = ["llm", "subflow"].includes(name) && !["content", "idleTimeout"].includes(field);
  return isShared && isDeepStrictEqual(schema.$defs.cli!.properties?.[field], value);
}

/**
 * A field, and the fields of an object one level below. Durations and sizes are explained once, at the end of the page.
 */
function rowsOf(field: string, value: Schema, required: boolean): string[] {
  const unit = / A (duration|size): [^.]*\.$/.exec(value.description ?? "");
  const description = (value.description ?? "").slice(0, unit?.index);
  const meaning = `${required ? "**Required.** " : ""}${description}`.replaceAll("|", "\\|").replaceAll("*/", "\\*/");
  const row = `| \`${field}\` | ${unit?.[1] ?? typeOf(value)} | ${meaning} |`;
  const inner =
    [value.type].flat().includes("object") && !field.includes(".") && !["defaults", "imported"].includes(field)
      ? Object.entries(value.properties ?? {})
      : [];
  return [
    row,
    ...inner.flatMap(([name, below]) => rowsOf(`${field}.${name}`, below, value.required?.includes(name) === true)),
  ];
}

function typeOf(value: Schema): string {
  // Text takes a number, true, and false as well.
  if (String(value.type) === "string,number,boolean") return "string";
  if (value.const !== undefined) return `\`${String(value.const)}\``;
  if (value.enum) return value.enum.map((word) => `\`${String(word)}\``).join(" ");
  if (Array.isArray(value.type)) return value.type.join(" or ");
  if (value.anyOf) return [...new Set(value.anyOf.map(typeOf))].join(" or ");
  if (value.prefixItems) return "list of two numbers";
  if (value.type === "array")
    return value.items?.type === undefined ? "list" : `list of ${PLURAL[typeOf(value.items)] ?? typeOf(value.items)}`;
  return String(value.type ?? "any");
}
const PLURAL: Record<string, string> = { string: "strings", integer: "integers", number: "numbers", object: "objects" };

test("the tables are those of the schema", () => {
  const page = readFileSync(PAGE, "utf8");
  const fresh = page.replace(BLOCK, (_, name: string) => table(name));
  if (process.env.UPDATE === "1") writeFileSync(PAGE, fresh);
  expect(readFileSync(PAGE, "utf8")).toBe(fresh);
  expect([...fresh.matchAll(BLOCK)].map((match) => match[1])).toEqual(
    expect.arrayContaining(Object.keys(schema.$defs).filter((name) => !/^(?:node|start|short-.*)$/.test(name))),
  );
});

test("the examples are valid", async () => {
  const examples = [...readFileSync(PAGE, "utf8").matchAll(/```yaml\n(curlew: 1\n[\s\S]*?)```/g)].map(
    (match) => match[1]!,
  );
  expect(examples.length).toBeGreaterThan(1);
  for (const text of examples) expect((await validateWorkflow(text, "docs.flow.yaml")).diagnostics).toEqual([]);
});

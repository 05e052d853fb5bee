// print-types: writes types that are inferred from schemas (src/api/shapes.ts, src/workflow/node-data.ts) without zod,
// for the published package. Its users do not have zod, so each inferred type is written out, from the JSON Schema of
// its schema.

import * as z from "zod/mini";
import { SCHEMAS } from "../src/api/schemas/index.ts";
import { NodeType } from "../src/workflow/node-data.ts";
import { dataOf } from "../src/workflow/schema.ts";

/** Types of other rooms, of which the schemas describe only a part. */
const OWN: Readonly<Record<string, string>> = {
  Run: 'import("../scheduler/view.ts").RunView',
  RunEvent: 'import("../scheduler/event.ts").RunEvent',
};

type Json = z.core.JSONSchema.BaseSchema;

/** `declarations`: the text of shapes.d.ts. */
export function withoutZod(declarations: string): string {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(SCHEMAS)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { io: "output", unrepresentable: "any", uri: (id) => id });
  return declarations
    .replace(/^import type .*(?:zod\/mini|schemas\/index\.ts)";\n|^(?:export )?type Shape<.*\n/gm, "")
    .replace(/^export type (\w+) = Shape<"\w+">;$/gm, (_, name) => `export type ${name} = ${typeOf(schemas[name]!)};`);
}

/** The text of node-data.d.ts. */
export function nodeDataTypes(): string {
  const kinds = Object.entries(dataOf).map(([type, schema]) => {
    const json = z.toJSONSchema(schema, { io: "output", unrepresentable: "any" });
    return `  ${JSON.stringify(type)}: ${typeOf(json)};\n`;
  });
  const names = Object.entries(NodeType).map(([name, type]) => `  ${name}: ${JSON.stringify(type)};\n`);
  return [
    `export interface DataOf {\n${kinds.join("")}}\n`,
    "export type NodeType = keyof DataOf;\n",
    `export declare const NodeType: {\n${names.join("")}};\n`,
  ].join("");
}

function typeOf(schema: Json): string {
  if (schema.$ref !== undefined) return OWN[schema.$ref] ?? schema.$ref;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return choices.map((choice) => typeOf(choice as Json)).join(" | ");
  if (schema.type === "array") return `(${typeOf(schema.items as Json)})[]`;
  if (schema.type === "object") return objectOf(schema);
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ type } as Json)).join(" | ");
  if (schema.type === "integer") return "number";
  return typeof schema.type === "string" ? schema.type : "unknown";
}

function objectOf({ properties, required = [], additionalProperties }: Json): string {
  if (properties === undefined) return `Record<string, ${typeOf((additionalProperties ?? {}) as Json)}>`;
  const members = Object.entries(properties).map(
    ([name, member]) => `${name}${required.includes(name) ? "" : "?"}: ${typeOf(member as Json)};`,
  );
  return `{ ${members.join(" ")} }`;
}

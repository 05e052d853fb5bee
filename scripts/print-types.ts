// print-types: the types of src/api/shapes.ts without zod, for the published package. They are inferred from schemas, and those who install the
// package do not have zod: each inferred type is written out, from the JSON Schema of its schema.

import * as z from "zod/mini";
import { SCHEMAS } from "../src/api/schemas/index.ts";

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
    .replace(/^import type .*(?:zod\/mini|schemas\/index\.ts)";\n|^type Shape<.*\n/gm, "")
    .replace(/^export type (\w+) = Shape<"\w+">;$/gm, (_, name) => `export type ${name} = ${typeOf(schemas[name]!)};`);
}

function typeOf(schema: Json): string {
  if (schema.$ref !== undefined) return OWN[schema.$ref] ?? schema.$ref;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return choices.map((choice) => typeOf(choice as Json)).join(" | ");
  if (schema.type === "array") return `(${typeOf(schema.items as Json)})[]`;
  if (schema.type === "object") return objectOf(schema);
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

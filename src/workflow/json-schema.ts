// json-schema: generates the JSON Schema (2020-12) of a workflow file for editors, from the schemas that check it.
//   J1. Everything that it rejects, parse.ts rejects. The reverse does not hold: a JSON Schema can't check names,
//       graphs and templates.

import * as z from "zod/mini";
import { limits } from "../base/limits.ts";
import { dataOf, documentHead, edge, NODE_ID } from "./schema.ts";

export type JsonSchema = Record<string, unknown>;

/** The schema that `curlew schema` prints and the package exports as `curlew/schema.json`. */
export function workflowJsonSchema(): JsonSchema {
  const head = convert(documentHead) as { properties: JsonSchema };
  const kinds = Object.keys(dataOf);
  const { defaults: _, ...properties } = head.properties;
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "curlew.schema.json",
    title: "Curlew workflow",
    description: "A workflow file of format 1: NAME.flow.yaml, NAME.flow.yml or NAME.flow.json.",
    type: "object",
    required: ["curlew", "nodes"],
    properties: {
      $schema: properties.$schema,
      curlew: { const: 1, description: "Format version." },
      ...properties,
      defaults: {
        ...closed({ type: "object", properties: defaultFields() }),
        description: "Merged under the data of every node whose kind knows the field.",
      },
      nodes: {
        type: "array",
        maxItems: limits.nodesMax,
        items: { $ref: "#/$defs/node" },
        description: "The nodes.",
      },
      edges: {
        type: "array",
        maxItems: limits.edgesMax,
        items: { $ref: "#/$defs/edge" },
        description: "The edges.",
      },
    },
    additionalProperties: false,
    patternProperties: OWN_KEYS,
    $defs: {
      node: nodeSchema(kinds),
      edge: {
        anyOf: [
          {
            type: "string",
            pattern: EDGE_PATTERN,
            description: "A chain like a -> b -> c; check:true -> b leaves check by its handle true.",
          },
          convert(edge),
        ],
      },
      ...Object.fromEntries(kinds.map((kind) => [kind, withSpellings(convert(dataOf[kind as keyof typeof dataOf]))])),
    },
  };
}

const OWN_KEYS = { "^x-": true };
const STOP = "[A-Za-z_][A-Za-z0-9_-]*?(:[A-Za-z_][A-Za-z0-9_-]*)?";
const EDGE_PATTERN = `^\\s*${STOP}(\\s*->\\s*${STOP})+\\s*$`;

function nodeSchema(kinds: readonly string[]): JsonSchema {
  return {
    type: "object",
    required: ["id", "type", "data"],
    properties: {
      id: { type: "string", pattern: NODE_ID.source, description: "Unique in the document." },
      type: { enum: kinds, description: "The kind of node." },
      data: { type: "object", required: ["title"] },
    },
    additionalProperties: false,
    patternProperties: OWN_KEYS,
    allOf: kinds.map((kind) => ({
      if: { properties: { type: { const: kind } }, required: ["type"] },
      // biome-ignore lint/suspicious/noThenProperty: it is JSON Schema's word.
      then: { properties: { data: { $ref: `#/$defs/${kind}` } } },
    })),
  };
}

/** Every field of every kind. No part is required, because nodes may add the rest. */
function defaultFields(): JsonSchema {
  const fields: JsonSchema = {};
  for (const schema of Object.values(dataOf)) {
    const { properties } = withSpellings(convert(schema)) as { properties: JsonSchema };
    for (const [name, field] of Object.entries(properties)) fields[name] ??= withoutRequired(field as JsonSchema);
  }
  return fields;
}

function withoutRequired({ required: _, ...field }: JsonSchema): JsonSchema {
  return field;
}

function convert(schema: z.core.$ZodType): JsonSchema {
  const { $schema: _, ...converted } = z.toJSONSchema(schema, {
    io: "input",
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === "object") closed(jsonSchema as JsonSchema);
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      delete jsonSchema.propertyNames;
    },
  }) as JsonSchema;
  return converted;
}

/** Adds the short spellings of spellings.ts. */
function withSpellings(schema: JsonSchema): JsonSchema {
  const { retry, items } = (schema.properties ?? {}) as Record<
    string,
    { properties?: Record<string, { anyOf?: unknown[] }> }
  >;
  const codes = { type: "integer", minimum: 0, maximum: 599 };
  retry?.properties?.on?.anyOf?.push({ type: "array", items: codes }, codes);
  if (items !== undefined) {
    const { type: _, minLength: __, ...rest } = items as JsonSchema;
    Object.assign(schema.properties as JsonSchema, {
      items: { ...rest, anyOf: [{ type: "string", minLength: 1 }, { type: "array" }] },
    });
  }
  return schema;
}

function closed(schema: JsonSchema): JsonSchema {
  return Object.assign(schema, { additionalProperties: false, patternProperties: OWN_KEYS });
}

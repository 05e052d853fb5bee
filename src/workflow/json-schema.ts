// json-schema: generates the JSON Schema (2020-12) of a workflow file for editors, from the schemas that check it.
//   J1. Everything that it rejects, parse.ts rejects, in both forms of a node. The reverse does not hold: a JSON Schema
//       can't check names, graphs and templates.

import * as z from "zod/mini";
import { limits } from "../base/limits.ts";
import { authEntry } from "./schema/shared.ts";
import { dataOf, documentHead, edge, isFreeText, NODE_ID } from "./schema.ts";
import { CONTENT_KEYS } from "./short-form.ts";

export type JsonSchema = Record<string, unknown>;

/** The schema that `curlew schema` prints and the package exports as `curlew/schema.json`. */
export function workflowJsonSchema(): JsonSchema {
  const head = convert(documentHead) as { properties: JsonSchema };
  const kinds = Object.keys(dataOf);
  const data = Object.fromEntries(
    kinds.map((kind) => [kind, withSpellings(convert(dataOf[kind as keyof typeof dataOf]))]),
  );
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
      "short-node": shortNodeSchema(kinds),
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
      ...data,
      ...Object.fromEntries(kinds.map((kind) => [`short-${kind}`, shortKindSchema(kind, data[kind]!)])),
    },
  };
}

const OWN_KEYS = { "^x-": true };
const STOP = "[A-Za-z_][A-Za-z0-9_-]*?(:[A-Za-z_][A-Za-z0-9_-]*)?";
const EDGE_PATTERN = `^\\s*${STOP}(\\s*->\\s*${STOP})+\\s*$`;

const AFTER = {
  anyOf: [
    { type: "string", pattern: `^\\s*${STOP}\\s*$` },
    { type: "array", items: { type: "string", pattern: `^\\s*${STOP}\\s*$` } },
  ],
  description: "The node that it comes after, with its handle, or several: a, check:true, [a, b:error].",
};

function head(kinds: readonly string[]): JsonSchema {
  return {
    id: { type: "string", pattern: NODE_ID.source, description: "Unique in the document." },
    type: { enum: kinds, description: "The kind of node." },
    after: AFTER,
  };
}

/** A node with `data` is long, any other is short. */
function nodeSchema(kinds: readonly string[]): JsonSchema {
  return {
    type: "object",
    required: ["id"],
    if: { required: ["data"] },
    // biome-ignore lint/suspicious/noThenProperty: it is JSON Schema's word.
    then: {
      required: ["type"],
      properties: { ...head(kinds), data: { type: "object", required: ["title"] } },
      additionalProperties: false,
      patternProperties: OWN_KEYS,
      allOf: kinds.map((kind) => ({
        if: { properties: { type: { const: kind } }, required: ["type"] },
        // biome-ignore lint/suspicious/noThenProperty: it is JSON Schema's word.
        then: { properties: { data: { $ref: `#/$defs/${kind}` } } },
      })),
    },
    else: { $ref: "#/$defs/short-node" },
  };
}

/** Its type, or the key of its content, says which fields it has. */
function shortNodeSchema(kinds: readonly string[]): JsonSchema {
  return {
    description: "The fields of the data beside the id.",
    anyOf: ["type", ...Object.keys(CONTENT_KEYS)].map((key) => ({ required: [key] })),
    properties: { type: { enum: kinds } },
    allOf: kinds.map((kind) => ({
      if: {
        anyOf: [
          { required: ["type"], properties: { type: { const: kind } } },
          ...contentKeysOf(kind).map((key) => ({ required: [key] })),
        ],
      },
      // biome-ignore lint/suspicious/noThenProperty: it is JSON Schema's word.
      then: { $ref: `#/$defs/short-${kind}` },
    })),
  };
}

function shortKindSchema(kind: string, data: JsonSchema): JsonSchema {
  const { properties, required = [] } = data as { properties: JsonSchema; required?: string[] };
  const keys = contentKeysOf(kind);
  const own = Object.keys(properties).map((field) => [field, { $ref: `#/$defs/${kind}/properties/${field}` }]);
  const content = keys.map((key) => [key, { $ref: `#/$defs/${kind}/properties/content` }]);
  return closed({
    type: "object",
    properties: { ...head([kind]), ...Object.fromEntries([...content, ...own]) },
    required: required.filter((field) => field !== "title" && field !== "content"),
    anyOf: required.includes("content") ? [...keys, "content"].map((key) => ({ required: [key] })) : [{}],
  });
}

function contentKeysOf(kind: string): string[] {
  return Object.keys(CONTENT_KEYS).filter((key) => CONTENT_KEYS[key] === kind);
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

const HOSTS = "The only hosts that it may be sent to, such as api.example.com and *.example.org.";

function withoutRequired({ required: _, ...field }: JsonSchema): JsonSchema {
  return field;
}

function convert(schema: z.core.$ZodType): JsonSchema {
  const { $schema: _, ...converted } = z.toJSONSchema(schema, {
    io: "input",
    override: ({ zodSchema, jsonSchema, path }) => {
      // A number, true, or false is read as text where only text is expected.
      if (isFreeText(zodSchema) && path.at(-2) !== "anyOf")
        Object.assign(jsonSchema, { type: ["string", "number", "boolean"] });
      if (zodSchema === authEntry)
        Object.assign(jsonSchema, {
          properties: { hosts: { type: "array", minItems: 1, items: { type: "string" }, description: HOSTS } },
        });
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
  const { retry, items, stdin } = (schema.properties ?? {}) as Record<
    string,
    { properties?: Record<string, { anyOf?: unknown[] }> }
  >;
  const codes = { type: "integer", minimum: 0, maximum: 599 };
  retry?.properties?.on?.anyOf?.push({ type: "array", items: codes }, codes);
  if (stdin !== undefined) {
    // `pattern` counts for the id of a node, everything else for the object.
    const { required: _, properties, ...rest } = stdin as JsonSchema;
    const text = { type: "string", description: "Short for source: literal and the text. A template." };
    Object.assign(schema.properties as JsonSchema, {
      stdin: {
        ...rest,
        type: ["string", "object"],
        pattern: NODE_ID.source,
        properties: { ...(properties as JsonSchema), text },
        anyOf: [{ required: ["source"] }, { required: ["text"] }, { type: "string" }],
      },
    });
  }
  if (items !== undefined) {
    const { type: _, minLength: __, ...rest } = items as JsonSchema;
    Object.assign(schema.properties as JsonSchema, {
      items: { ...rest, anyOf: [{ type: ["string", "number", "boolean"], minLength: 1 }, { type: "array" }] },
    });
  }
  return schema;
}

function closed(schema: JsonSchema): JsonSchema {
  return Object.assign(schema, { additionalProperties: false, patternProperties: OWN_KEYS });
}

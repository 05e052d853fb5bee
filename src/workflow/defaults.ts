// defaults: merges the workflow's `defaults` under the data of every node whose kind has the field (spec 1.1).
//   D1. A node's own setting always wins. Objects of independent settings are merged field by field; objects that form
//       one setting (stdin, auth, egress, schema) are taken whole.

import type * as z from "zod/mini";
import { isObject } from "../base/tolerant.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { wrongType } from "./diagnostics/document.ts";
import { defaultForNone } from "./diagnostics/node.ts";
import type { NodeType } from "./model.ts";
import { dataOf } from "./schema.ts";
import { checkShape } from "./shape.ts";
import type { SourceMap } from "./source-map.ts";
import { spelledOut } from "./spellings.ts";

const MERGED: ReadonlySet<string> = new Set([
  "env",
  "static",
  "flags",
  "retry",
  "output",
  "approval",
  "cache",
  "rateLimit",
  "concurrency",
  "budget",
]);

const OF_LISTENERS: ReadonlySet<string> = new Set(["maxConcurrency", "onLineFailure"]);

export function readDefaults(
  raw: unknown,
  source: SourceMap,
): { values: Record<string, unknown>; diagnostics: Diagnostic[] } {
  const values: Record<string, unknown> = {};
  const diagnostics: Diagnostic[] = [];
  if (raw === undefined || raw === null) return { values, diagnostics };
  if (!isObject(raw)) {
    diagnostics.push(wrongType(source.at(["defaults"]), '"defaults"', "an object", raw));
    return { values, diagnostics };
  }
  for (const [key, value] of Object.entries(spelledOut(raw))) {
    if (key.startsWith("x-")) continue;
    const schema = fieldSchema(key);
    if (schema === undefined) {
      diagnostics.push(defaultForNone(source.at(["defaults", key], "key"), key, allFields()));
      continue;
    }
    const shaped = checkShape(schema, value, ["defaults", key], `"${key}" in defaults`, source);
    // An incomplete object is fine here because nodes may add the rest. Fields still missing after the merge are
    // reported at the node.
    const wrong = shaped.diagnostics.filter((diagnostic) => !(MERGED.has(key) && diagnostic.code === "missing-field"));
    diagnostics.push(...wrong);
    if (wrong.length === 0) values[key] = shaped.value ?? value;
  }
  return { values, diagnostics };
}

export function mergeDefaults(
  data: Record<string, unknown>,
  defaults: Record<string, unknown>,
  type: NodeType,
): Record<string, unknown> {
  let merged = data;
  for (const [key, value] of Object.entries(defaults)) {
    if (!Object.hasOwn(dataOf[type].shape, key)) continue;
    // Settings of listeners do not apply to other commands.
    if (OF_LISTENERS.has(key) && Object.hasOwn(dataOf[type].shape, "emit") && !Object.hasOwn(data, "emit")) continue;
    const own = Object.hasOwn(data, key) ? data[key] : undefined;
    const next = own === undefined ? value : MERGED.has(key) ? mergeMaps(value, own) : own;
    if (next === own) continue;
    if (merged === data) merged = { ...data };
    merged[key] = next;
  }
  return merged;
}

function mergeMaps(under: unknown, over: unknown): unknown {
  if (!isObject(under) || !isObject(over)) return over;
  const result: Record<string, unknown> = { ...under };
  for (const [key, value] of Object.entries(over)) result[key] = MERGED.has(key) ? mergeMaps(under[key], value) : value;
  return result;
}

function fieldSchema(key: string): z.ZodMiniType | undefined {
  for (const schema of Object.values(dataOf)) {
    if (Object.hasOwn(schema.shape, key)) return (schema.shape as Record<string, z.ZodMiniType>)[key];
  }
  return undefined;
}

function allFields(): string[] {
  return [...new Set(Object.values(dataOf).flatMap((schema) => Object.keys(schema.shape)))];
}

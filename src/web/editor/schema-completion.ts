// schema-completion: completes fields and values from the schema that checks the file (spec ui.md 6.2).
//   C1. The place is found by indentation, so that completion works in a half-typed file.

import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { DOCUMENT_ORDER, dataOf } from "../../workflow/schema.ts";
import { CONTENT_KEYS, NODE_KEYS } from "../../workflow/short-form.ts";
import { kindWord } from "../canvas/words.ts";
import { bare, defOf, type Schema } from "../inspector/form.ts";

interface KeyPath {
  /** Keys from the outermost to the innermost. `-` is an item of a list. */
  path: string[];
  /** The type of the node at this place, if it is written above. */
  type?: string;
}

export function schemaCompletion(context: CompletionContext): CompletionResult | null {
  const line = context.state.doc.lineAt(context.pos);
  const before = line.text.slice(0, context.pos - line.from);
  const lines = Array.from({ length: line.number - 1 }, (_, at) => context.state.doc.line(at + 1).text);
  const value = /^(\s*(?:- )?)([A-Za-z][\w-]*):\s+(\S*)$/.exec(before);
  if (value !== null) {
    const [, lead = "", key = "", typed = ""] = value;
    const options = valuesAt(placeAt(lines, lead.length), key);
    return options.length === 0 ? null : { from: context.pos - typed.length, options, validFor: /^[\w-]*$/ };
  }
  const field = /^(\s*(?:- )?)([A-Za-z]*)$/.exec(before);
  if (field === null || (field[2] === "" && !context.explicit)) return null;
  const options = fieldsAt(placeAt(lines, (field[1] ?? "").length));
  return options.length === 0
    ? null
    : { from: context.pos - (field[2] ?? "").length, options, validFor: /^[A-Za-z]*$/ };
}

/** The place of a line with this indentation. */
export function placeAt(lines: readonly string[], column: number): KeyPath {
  const path: string[] = [];
  let indent = column;
  let type: string | undefined;
  for (let at = lines.length - 1; at >= 0 && indent > 0; at--) {
    const match = /^(\s*)(- )?(?:([A-Za-z$][\w-]*):(.*))?/.exec(lines[at] ?? "");
    if (match === null || (lines[at] ?? "").trim() === "" || match[3] === undefined) continue;
    const dash = match[2] !== undefined;
    const own = (match[1] ?? "").length + (dash ? 2 : 0);
    if (match[3] === "type" && own <= indent) type ??= (match[4] ?? "").trim();
    if (Object.hasOwn(CONTENT_KEYS, match[3]) && own <= indent) type ??= CONTENT_KEYS[match[3]];
    if (own < indent && (match[4] ?? "").trim() === "") {
      path.unshift(match[3]);
      indent = own;
    }
    if (dash && own <= indent && own > 0) {
      path.unshift("-");
      indent = own - 2 + (own > 2 ? 1 : 0);
    }
  }
  return {
    path: path.filter((key, at) => !(key === "-" && path[at - 1] === "-")),
    type,
  };
}

function fieldsAt({ path, type }: KeyPath): Completion[] {
  const [list, , below, ...deeper] = path;
  const fields = (): readonly string[] => {
    if (list === undefined) return DOCUMENT_ORDER;
    if (list !== "nodes") return [];
    if (below === undefined)
      return [...NODE_KEYS, ...Object.keys(CONTENT_KEYS), ...Object.keys(shapeAt(schemaOf(type), []))];
    return Object.keys(shapeAt(schemaOf(type), below === "data" ? deeper : [below, ...deeper]));
  };
  return fields().map((key) => ({ label: key, apply: `${key}: ` }));
}

function valuesAt({ path, type }: KeyPath, key: string): Completion[] {
  const [list, , below, ...deeper] = path;
  if (list === "nodes" && below === undefined && key === "type")
    return Object.keys(dataOf).map((one) => ({ label: one, detail: kindWord(one) }));
  if (list !== "nodes") return [];
  // Fields of a short node are beside its id.
  const inner = below === undefined || below === "data" ? deeper : [below, ...deeper];
  return choicesOf(shapeAt(schemaOf(type), inner)[key]).map((label) => ({ label }));
}

function schemaOf(type = ""): Schema | undefined {
  return (dataOf as Record<string, unknown>)[type] as Schema | undefined;
}

/** The fields of an object within a schema. */
function shapeAt(schema: Schema | undefined, path: readonly string[]): Record<string, Schema> {
  let shape = open(schema)?.shape ?? {};
  for (const key of path) shape = open(shape[key])?.shape ?? {};
  return shape;
}

/** A union of objects and others counts as its object. */
function open(schema: Schema | undefined): ReturnType<typeof defOf> | undefined {
  const def = schema && defOf(bare(schema));
  return def?.options?.map(open).find((one) => one?.shape !== undefined) ?? def;
}

function choicesOf(schema: Schema | undefined): string[] {
  const def = open(schema);
  if (def?.type === "boolean") return ["true", "false"];
  if (def?.entries !== undefined) return Object.keys(def.entries);
  return (def?.options ?? []).flatMap((option) => choicesOf(option));
}

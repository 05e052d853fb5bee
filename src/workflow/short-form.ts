// short-form: a node may carry the fields of its data itself (spec 8.2): { id, run } is { id, type: cli, data: { content } }.
// Everything here reads and makes plain values.
//   S1. A node with `data` is long, any other is short. Only here is the one rewritten into the other.
//   S2. The content has one key, which says the type.

import { isObject } from "../base/tolerant.ts";
import type { NodeType } from "./node-data.ts";

type Plain = Record<string, unknown>;

/** The keys of a node's content in the short form, with the type that each one says. */
export const CONTENT_KEYS: Readonly<Record<string, NodeType>> = {
  run: "cli",
  script: "cli",
  text: "text",
  if: "if",
  prompt: "llm",
};

/** The fields of a node that are not fields of its data. */
export const NODE_KEYS: readonly string[] = ["id", "type", "after", "data"];

export function isShort(node: Plain): boolean {
  return !Object.hasOwn(node, "data");
}

/** The key of the content that a short node has. */
export function contentKeyOf(node: Plain): string | undefined {
  return Object.keys(CONTENT_KEYS).find((key) => Object.hasOwn(node, key));
}

/** The key of the content that a short node of this type should have. */
export function contentKeyFor(type: unknown): string | undefined {
  return Object.keys(CONTENT_KEYS).find((key) => CONTENT_KEYS[key] === type);
}

/** The same node with its fields in `data`. A long node is returned as it is. */
export function longForm(node: Plain): Plain {
  if (!isShort(node)) return node;
  const own: Plain = {};
  const data: Plain = {};
  let type: unknown;
  for (const [key, value] of Object.entries(node)) {
    if (NODE_KEYS.includes(key)) own[key] = value;
    else if (!Object.hasOwn(CONTENT_KEYS, key)) data[key] = value;
    else {
      type ??= CONTENT_KEYS[key];
      data.content = value;
      if (key === "script") data.mode = "script";
    }
  }
  const { id, ...others } = own;
  return { id, ...(type === undefined ? {} : { type }), ...others, data };
}

/** Two keys of a short node that contradict each other, the second with its value if that is the reason. */
export function contradiction(node: Plain): { key: string; other: string; value?: unknown } | undefined {
  const [key, other] = [...Object.keys(CONTENT_KEYS), "content"].filter((each) => Object.hasOwn(node, each));
  if (key === undefined || key === "content") return undefined;
  if (other !== undefined) return { key, other };
  const { type = CONTENT_KEYS[key], mode } = node;
  if (type !== CONTENT_KEYS[key]) return { key, other: "type", value: type };
  const own = key === "script" ? "script" : "command";
  return CONTENT_KEYS[key] === "cli" && mode !== undefined && mode !== own
    ? { key, other: "mode", value: mode }
    : undefined;
}

/** The title of a node that has none: "fetch_issues" is "Fetch issues". */
export function titleFromId(id: string): string {
  const words = id.replaceAll(/[_-]+/g, " ").trim();
  return words === "" ? id : words[0]!.toUpperCase() + words.slice(1);
}

/**
 * The same node with the fields of its data beside the id. `like`: an older version of the node, whose keys are kept
 * where they still fit. A node that no short form can say is returned as it is.
 */
export function shortForm(node: Plain, like: Plain = {}): Plain {
  const { data, id, type, ...others } = node;
  if (!isObject(data)) return node;
  if (Object.keys(data).some((key) => Object.hasOwn(node, key) || Object.hasOwn(CONTENT_KEYS, key))) return node;
  const key = contentKeyOfData(String(type), data, Object.hasOwn(like, "content"));
  const said = key !== undefined && !Object.hasOwn(like, "type");
  const short: Plain = said ? { id, ...others } : { id, type, ...others };
  for (const [field, value] of Object.entries(data)) {
    const isTold = field === "mode" && key === "script" && !Object.hasOwn(like, "mode");
    const isWords = field === "title" && value === titleFromId(String(id)) && !Object.hasOwn(like, "title");
    if (!isTold && !isWords) short[field === "content" ? (key ?? field) : field] = value;
  }
  return short;
}

/** The short key for the content of this data. */
export function contentKeyOfData(type: string, data: Plain, keepsContent = false): string | undefined {
  if (!Object.hasOwn(data, "content") || keepsContent) return undefined;
  return type === "cli" && data.mode === "script" ? "script" : contentKeyFor(type);
}

/** `a`, `check:true`: the node that an edge comes from, as in `after`. */
export function sourceText({ source, handle }: { source: string; handle?: string }): string {
  return handle === undefined ? source : `${source}:${handle}`;
}

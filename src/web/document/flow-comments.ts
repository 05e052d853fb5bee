// flow-comments: turns a collection in `{ }` or `[ ]` into a block when one of its values changes, and so keeps its
// comments.

import {
  type Document,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  parseDocument,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { COMPOSE } from "../../workflow/yaml-tree.ts";
import { align } from "./align.ts";
import { isMapValue, isSame } from "./equal.ts";
import type { Plain } from "./types.ts";
import type { Style } from "./write.ts";

export function hasComment(text: string, node: YAMLMap | YAMLSeq): boolean {
  const source = text.slice(node.range![0], node.range![1]);
  return /[\s,]#/.test(source.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, ""));
}

/**
 * Lines without indentation. `undefined` if the collection uses an anchor from elsewhere: it must be changed in the
 * source.
 */
export function blockWithComments(
  text: string,
  node: YAMLMap | YAMLSeq,
  before: unknown,
  after: unknown,
  style: Style,
): string[] | undefined {
  const source = text.slice(node.range![0], node.range![1]);
  const document = parseDocument(source, COMPOSE);
  if (document.errors.length > 0) return undefined;
  visit(document, { Collection: (_, collection) => keepFirstComment(source, collection) });
  document.contents = changed(document, document.contents, before, after) as typeof document.contents;
  const options = { lineWidth: 0, indent: style.step, indentSeq: style.listStep > 0 };
  return document.toString(options).trimEnd().split("\n");
}

/** A comment after the opening bracket belongs to the collection. Its first item can be removed. */
function keepFirstComment(source: string, node: YAMLMap | YAMLSeq): void {
  const comment = /^[{[][ \t]*#([^\r\n]*)/.exec(source.slice(node.range?.[0]))?.[1];
  const [first] = node.items;
  const holder = (isPair(first) ? first.key : first) as Node | null | undefined;
  const [own, ...others] = holder?.commentBefore?.split("\n") ?? [];
  if (holder == null || comment === undefined || own !== comment) return;
  holder.commentBefore = others.length === 0 ? null : others.join("\n");
  node.commentBefore = comment;
}

function changed(document: Document, node: unknown, before: unknown, after: unknown): Node {
  if (isSame(before, after)) return node as Node;
  if (isMap(node) && isMapValue(after)) {
    changeMap(document, node, before as Plain, after);
    return node;
  }
  if (isSeq(node) && Array.isArray(after)) {
    const old = before as unknown[];
    const from = align(old, after);
    const items = after.map((value, at) =>
      from[at] === -1 ? document.createNode(value) : changed(document, node.items[from[at]!], old[from[at]!], value),
    );
    node.items = items;
    node.flow = items.length === 0;
    return node;
  }
  return document.createNode(after) as Node;
}

function changeMap(document: Document, node: YAMLMap, before: Plain, after: Plain): void {
  for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) node.delete(key);
  for (const [key, value] of Object.entries(after)) {
    if (isSame(before[key], value) && Object.hasOwn(before, key)) continue;
    const old = node.get(key, true);
    // A plain value goes into the existing node, which has the comment and the quotes.
    const isPlain = typeof value !== "object" || value === null;
    if (isScalar(old) && typeof value === "string" && value.includes("\n")) old.type = "BLOCK_LITERAL";
    node.set(key, isPlain ? value : changed(document, old, before[key], value));
  }
  node.flow = node.items.length === 0;
}

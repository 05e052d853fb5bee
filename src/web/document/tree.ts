// tree: a YAML text with its offsets, and its plain values as they are written, without defaults or merges.
//   T1. An alias gives the identical value of its anchor. `<<` is a key like any other.

import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair, parseDocument } from "yaml";
import { keyText } from "../../workflow/source-map.ts";
import { COMPOSE } from "../../workflow/yaml-tree.ts";
import type { Plain } from "./types.ts";

export interface YamlTree {
  root: Node | null;
  plain: Plain;
  document: Document.Parsed;
}

/** The tree, or one sentence that says why the text cannot be read. */
export function readTree(text: string): YamlTree | { unread: string } {
  let document: Document.Parsed;
  try {
    document = parseDocument(text, { ...COMPOSE, keepSourceTokens: true });
  } catch (error) {
    return { unread: error instanceof Error ? error.message : "It is no YAML." };
  }
  const [problem] = document.errors;
  if (problem !== undefined) {
    const line = text.slice(0, problem.pos[0]).split("\n").length;
    return { unread: `Line ${line}: ${problem.message}` };
  }
  if (document.contents === null) return { root: null, plain: {}, document };
  if (!isMap(document.contents)) return { unread: "It is no map: a workflow begins with curlew: 1." };
  return { root: document.contents, plain: plainReader()(document.contents) as Plain, document };
}

function plainReader(): (node: unknown) => unknown {
  const anchors = new Map<string, unknown>();
  const read = (node: unknown): unknown => {
    if (isAlias(node)) return anchors.get(node.source) ?? null;
    let value: unknown = null;
    if (isScalar(node)) value = node.value;
    else if (isSeq(node)) value = node.items.map(read);
    else if (isMap(node)) value = Object.fromEntries(node.items.map((pair) => [keyText(pair) ?? "", read(pair.value)]));
    if (isAnchored(node)) anchors.set(node.anchor, value);
    return value;
  };
  return read;
}

function isAnchored(node: unknown): node is { anchor: string } {
  return typeof node === "object" && node !== null && "anchor" in node && typeof node.anchor === "string";
}

/** The exclusive end of the node's content, without comments after it. */
export function contentEnd(node: unknown): number {
  if ((isMap(node) || isSeq(node)) && node.flow !== true && node.items.length > 0) {
    const last = node.items.at(-1);
    return isMap(node) ? pairEnd(last as Pair) : itemEnd(node, node.items.length - 1);
  }
  return (node as Node).range?.[1] ?? 0;
}

export function pairEnd(pair: Pair): number {
  const value = pair.value as Node | null;
  const colon = colonEnd(pair);
  const end = value === null || value === undefined ? 0 : contentEnd(value);
  return Math.max(colon, isEmptyScalar(value) ? propsEnd(pair) : end);
}

/** The offset after the `:` of a pair, or the end of its key if there is no `:`. */
export function colonEnd(pair: Pair): number {
  const token = pair.srcToken as { sep?: { type: string; offset: number }[] } | undefined;
  const colon = token?.sep?.find(({ type }) => type === "map-value-ind");
  return colon === undefined ? ((pair.key as Node | null)?.range?.[1] ?? 0) : colon.offset + 1;
}

/** The end of the anchors and tags of an empty value. */
function propsEnd(pair: Pair): number {
  const token = pair.srcToken as { sep?: { type: string; offset: number; source: string }[] } | undefined;
  return Math.max(
    0,
    ...(token?.sep ?? [])
      .filter(({ type }) => type === "anchor" || type === "tag")
      .map(({ offset, source }) => offset + source.length),
  );
}

export function isEmptyScalar(node: unknown): boolean {
  return node === null || node === undefined || (isScalar(node) && node.range?.[0] === node.range?.[1]);
}

/** The offset of an item's `-`, or -1 if it has none. */
export function dashOf(seq: unknown, index: number): number {
  const token = (seq as { srcToken?: { items?: { start: { type: string; offset: number }[] }[] } }).srcToken;
  return token?.items?.[index]?.start.find(({ type }) => type === "seq-item-ind")?.offset ?? -1;
}

export function itemEnd(seq: { items: unknown[] }, index: number): number {
  const item = seq.items[index];
  return Math.max(dashOf(seq, index) + 1, isEmptyScalar(item) ? 0 : contentEnd(item));
}

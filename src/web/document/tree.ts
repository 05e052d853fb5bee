// tree: a YAML text with its offsets, and its plain values as they are written, without defaults or merges.
//   T1. An alias gives the identical value of its anchor. `<<` is a key like any other.

import { type Document, isAlias, isMap, isScalar, isSeq, type Node, parseDocument } from "yaml";
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
    return { unread: error instanceof Error ? error.message : "It is not valid YAML." };
  }
  const [problem] = document.errors;
  if (problem !== undefined) {
    const line = text.slice(0, problem.pos[0]).split("\n").length;
    return { unread: `Line ${line}: ${problem.message}` };
  }
  if (document.contents === null) return { root: null, plain: {}, document };
  if (!isMap(document.contents)) return { unread: "It is not a map. A workflow starts with curlew: 1." };
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

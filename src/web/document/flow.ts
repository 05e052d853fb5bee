// flow: changes values of a collection on one line, `{ a: 1 }` or `[a, b]`. Unchanged values keep their characters.
// Comments inside are handled by flow-comments.ts.

import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, type Scalar, type YAMLMap, type YAMLSeq } from "yaml";
import { keyText } from "../../workflow/source-map.ts";
import { isMapValue, isSame } from "./equal.ts";
import type { Plain } from "./types.ts";
import { flowText, hasLines, isEmpty, isScalarValue, scalarInFlow } from "./write.ts";

/** The whole collection, or `undefined` if it must not stay on one line. */
export function changedFlow(
  text: string,
  node: YAMLMap | YAMLSeq,
  before: unknown,
  after: unknown,
): string | undefined {
  const source = text.slice(node.range![0], node.range![1]);
  if (hasLines(after)) return undefined;
  const parts = isMap(node)
    ? mapParts(text, node, before as Plain, after as Plain)
    : listParts(text, node, before as unknown[], after as unknown[]);
  return joined(text, node, source, parts);
}

function mapParts(text: string, node: YAMLMap, before: Plain, after: Plain): string[] {
  const pairs = new Map((node.items as Pair[]).map((pair) => [keyText(pair) ?? "", pair]));
  return Object.entries(after).map(([key, value]) => {
    const pair = pairs.get(key);
    if (pair === undefined) return `${scalarInFlow(key)}: ${flowText(value)}`;
    const start = (pair.key as Node).range![0];
    const end = (pair.value as Node | null)?.range?.[1] ?? (pair.key as Node).range![1];
    if (isSame(before[key], value)) return text.slice(start, end);
    const name = text.slice(start, (pair.key as Node).range![1]);
    return `${name}: ${changedValue(text, pair.value, before[key], value)}`;
  });
}

function listParts(text: string, node: YAMLSeq, before: unknown[], after: unknown[]): string[] {
  const sameLength = before.length === after.length;
  return after.map((value, at) => {
    const index = sameLength ? at : before.findIndex((item) => isSame(item, value));
    const item = node.items[index];
    if (item === undefined) return flowText(value);
    const range = (item as Node).range!;
    return isSame(before[index], value)
      ? text.slice(range[0], range[1])
      : changedValue(text, item, before[index], value);
  });
}

function changedValue(text: string, node: unknown, before: unknown, after: unknown): string {
  if ((isMap(node) && isMapValue(after)) || (isSeq(node) && Array.isArray(after)))
    if (!isEmpty(after)) return changedFlow(text, node, before, after) ?? flowText(after);
  if (isScalar(node) && !isAlias(node) && isScalarValue(after))
    return scalarInFlow(after, node.type as Scalar.Type | undefined);
  return flowText(after);
}

function joined(text: string, node: YAMLMap | YAMLSeq, source: string, parts: string[]): string {
  const [open, close] = isMap(node) ? ["{", "}"] : ["[", "]"];
  const first = isMap(node) ? (node.items[0]?.key as Node | undefined) : (node.items[0] as Node | undefined);
  const lead = text.slice(node.range![0] + 1, first?.range?.[0] ?? node.range![0] + 1);
  if (source.includes("\n") && lead.includes("\n")) {
    const pad = lead.slice(lead.lastIndexOf("\n"));
    const closing = source.slice(source.lastIndexOf("\n"), -1);
    return `${open}${pad}${parts.join(`,${pad}`)}${closing.trim() === "" ? closing : ""}${close}`;
  }
  const blank = /^[ \t]/.test(source.slice(1)) ? " " : "";
  return `${open}${blank}${parts.join(", ")}${blank}${close}`;
}

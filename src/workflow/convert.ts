// convert: rewrites a YAML workflow into the short or the long form (spec 8.2). Comments stay.
//   C1. The parsed workflow stays the same: the same nodes, and for each node the same parents in the same order.
//   C2. A node or an edge that the other form has no words for stays: aliases of maps, merge keys, fields of
//       edges that only editors read.

import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import type { Draft } from "./parse.ts";
import { CONTENT_KEYS, contentKeyOfData, isShort, longForm, sourceText, titleFromId } from "./short-form.ts";
import { keyText } from "./source-map.ts";

export type NodeForm = "short" | "long";

/** Changes the tree. `draft` is the parsed workflow of the same text. */
export function convertNodes(document: Document, form: NodeForm, draft: Draft): void {
  const { contents } = document;
  if (!isMap(contents)) return;
  const nodes = contents.get("nodes");
  if (!isSeq(nodes)) return;
  const defaults = contents.get("defaults");
  const modeByDefault = isMap(defaults) && defaults.has("mode");
  for (const node of nodes.items) {
    if (!isMap(node) || hasMerge(node)) continue;
    if (form === "short") shorten(node, modeByDefault);
    else lengthen(document, node, modeByDefault);
  }
  if (form === "short") edgesToAfter(document, contents, nodes, draft);
  else afterToEdges(document, contents, nodes, draft);
}

const hasMerge = (map: YAMLMap): boolean => map.items.some((pair) => keyText(pair) === "<<");

function pairOf(map: YAMLMap, key: string): Pair<Node, Node> | undefined {
  return map.items.find((pair) => keyText(pair) === key) as Pair<Node, Node> | undefined;
}

function shorten(node: YAMLMap, modeByDefault: boolean): void {
  const data = pairOf(node, "data");
  if (data === undefined || !isMap(data.value) || data.value.anchor || hasMerge(data.value)) return;
  const fields = data.value;
  const names = fields.items.map((pair) => keyText(pair) ?? "");
  if (names.some((name) => node.has(name) || Object.hasOwn(CONTENT_KEYS, name))) return;
  const type = String(node.get("type"));
  const key = modeByDefault && type === "cli" ? undefined : contentKeyOfData(type, fields.toJSON());
  const isTold = (pair: Pair): boolean => {
    if (isAnchored(pair.value)) return false;
    const name = keyText(pair);
    if (name === "type") return key !== undefined;
    return (
      (name === "mode" && key === "script") ||
      (name === "title" && scalarOf(pair) === titleFromId(String(node.get("id"))))
    );
  };
  if (key !== undefined) setKey(pairOf(fields, "content")!, key);
  const all = [
    ...node.items.slice(0, node.items.indexOf(data)),
    ...fields.items,
    ...node.items.slice(node.items.indexOf(data) + 1),
  ];
  if (fields.commentBefore) above(fields.items[0], fields.commentBefore);
  carry(data, fields.items[0] as Pair | undefined);
  const beside = fields.items.find((pair) => keyText(pair) === key)?.value;
  if (fields.comment && fields.flow === true && isScalar(beside) && !beside.comment) beside.comment = fields.comment;
  else if (fields.comment) node.comment = [fields.comment, node.comment].filter(Boolean).join("\n");
  // From the end, because each comment goes above those below it.
  for (const [index, pair] of [...all.entries()].reverse())
    if (isTold(pair))
      carry(
        pair,
        all.slice(index + 1).find((next) => !isTold(next)),
      );
  node.items = all.filter((pair) => !isTold(pair));
  if (fields.flow === true && node.flow !== true && canBeFlow(node)) node.flow = true;
}

function lengthen(document: Document, node: YAMLMap, modeByDefault: boolean): void {
  const plain = node.toJSON() as Record<string, unknown>;
  if (!isShort(plain)) return;
  const long = longForm(plain) as { type: string; data: Record<string, unknown> };
  const fields = document.createNode({}) as unknown as YAMLMap;
  const own: Pair[] = [];
  for (const pair of node.items) {
    const name = keyText(pair) ?? "";
    if (["id", "type", "after"].includes(name) || name.startsWith("x-")) {
      own.push(pair);
      continue;
    }
    if (Object.hasOwn(CONTENT_KEYS, name)) setKey(pair as Pair<Node, Node>, "content");
    fields.items.push(pair);
    const mode = name === "script" ? "script" : name === "run" && modeByDefault ? "command" : undefined;
    if (mode !== undefined && !node.has("mode")) fields.items.push(document.createPair("mode", mode));
  }
  if (!fields.has("title")) fields.items.unshift(document.createPair("title", titleFromId(String(plain.id))));
  if (!node.has("type"))
    own.splice(own.findIndex((pair) => keyText(pair) === "id") + 1, 0, document.createPair("type", long.type));
  fields.flow = node.flow === true;
  node.items = [...own, document.createPair("data", fields)];
}

/** An edge becomes `after` if all edges into its target can, because those of `after` come first. */
function edgesToAfter(document: Document, contents: YAMLMap, nodes: YAMLSeq, draft: Draft): void {
  const { workflow, edgeOrigins, nodeIndexes } = draft;
  const list = contents.get("edges");
  if (!isSeq(list)) return;
  const [first] = list.items as Node[];
  if (list.commentBefore && first)
    first.commentBefore = [list.commentBefore, first.commentBefore].filter(Boolean).join("\n");
  if (list.commentBefore && first) list.commentBefore = undefined;
  const nodeAt = new Map(workflow.nodes.map(({ id }, at) => [id, nodes.items[nodeIndexes[at]!]]));
  const stays = stayingTargets(draft, list, nodeAt);
  const left = new Set<unknown>();
  const comments = new Map<string, string>();
  const after = new Map<string, string[]>();
  for (const [index, { source, target, sourceHandle }] of workflow.edges.entries()) {
    const [where, at] = edgeOrigins[index]!.path;
    if (stays.has(target)) {
      left.add(where === "edges" ? at : undefined);
      continue;
    }
    after.set(target, [...(after.get(target) ?? []), sourceText({ source, handle: sourceHandle })]);
    if (where !== "edges") continue;
    const item = list.items[at as number] as Node;
    const comment = [comments.get(target), item.commentBefore, item.comment].filter(Boolean).join("\n");
    if (comment !== "") comments.set(target, comment);
    Object.assign(item, { commentBefore: undefined, comment: undefined });
  }
  for (const [target, sources] of after)
    setAfter(document, nodeAt.get(target) as YAMLMap, sources, comments.get(target));
  list.items = list.items.filter((_, at) => left.has(at));
  if (list.items.length > 0) return;
  const pair = pairOf(contents, "edges")!;
  const next = contents.items[contents.items.indexOf(pair) + 1];
  carry(pair, next);
  if (list.comment) contents.comment = [list.comment, contents.comment].filter(Boolean).join("\n");
  contents.items = contents.items.filter((other) => other !== pair);
}

/** The nodes whose edges stay where they are (C2). A chain moves as a whole or not at all. */
function stayingTargets(
  { workflow, edgeOrigins }: Draft,
  list: YAMLSeq,
  nodeAt: ReadonlyMap<string, unknown>,
): Set<string> {
  const stays = new Set<string>();
  const itemOf = (index: number): number => {
    const [where, at] = edgeOrigins[index]!.path;
    return where === "edges" ? Number(at) : -1;
  };
  for (const [index, { target, targetHandle, id }] of workflow.edges.entries()) {
    const item = list.items[itemOf(index)];
    const hasFields = targetHandle !== undefined || id !== undefined || (isMap(item) && item.items.length > 3);
    const isOdd = item !== undefined && !isScalar(item) && !isMap(item);
    if (hasFields || isOdd || isAnchored(item) || !isMap(nodeAt.get(target))) stays.add(target);
  }
  for (let size = -1; size < stays.size; ) {
    size = stays.size;
    const items = new Set<number>();
    for (const [index, { target }] of workflow.edges.entries()) if (stays.has(target)) items.add(itemOf(index));
    items.delete(-1);
    for (const [index, { target }] of workflow.edges.entries()) if (items.has(itemOf(index))) stays.add(target);
  }
  return stays;
}

function setAfter(document: Document, node: YAMLMap, sources: readonly string[], comment: string | undefined): void {
  const value = document.createNode(sources.length === 1 ? sources[0] : sources) as Node;
  if (isSeq(value)) value.flow = true;
  const known = pairOf(node, "after");
  const pair = known ?? (document.createPair("after", value) as Pair<Node, Node>);
  pair.value = value;
  if (comment !== undefined) {
    above(pair, comment);
    node.flow = false;
  }
  if (known !== undefined) return;
  const at = node.items.findLastIndex((other) => ["id", "type"].includes(keyText(other) ?? ""));
  node.items.splice(at + 1, 0, pair);
}

function afterToEdges(document: Document, contents: YAMLMap, nodes: YAMLSeq, draft: Draft): void {
  const { workflow, edgeOrigins } = draft;
  const comments = new Map<unknown, string>();
  for (const node of nodes.items) {
    const after = isMap(node) ? pairOf(node, "after") : undefined;
    if (!isMap(node) || after === undefined) continue;
    const comment = commentsOf(after);
    if (comment !== "") comments.set(node.get("id"), comment);
    node.items = node.items.filter((pair) => pair !== after);
  }
  const chains: { text: string; end: string; comment?: string }[] = [];
  for (const [index, { source, target, sourceHandle }] of workflow.edges.entries()) {
    if (edgeOrigins[index]!.path[0] === "edges") continue;
    const comment = comments.get(target);
    comments.delete(target);
    const last = chains.at(-1);
    const handle = sourceHandle === undefined ? "" : `:${sourceHandle}`;
    if (last?.end === source && comment === undefined) {
      last.text += `${handle} -> ${target}`;
      last.end = target;
    } else chains.push({ text: `${source}${handle} -> ${target}`, end: target, comment });
  }
  const added = chains.map(({ text, comment }) =>
    Object.assign(document.createNode(text) as Node, { commentBefore: comment }),
  );
  if (added.length === 0) return;
  const list = contents.get("edges");
  if (isSeq(list)) list.items.unshift(...added);
  else {
    const at = contents.items.findIndex((pair) => keyText(pair) === "nodes");
    contents.items.splice(at + 1, 0, document.createPair("edges", added));
  }
}

function isAnchored(node: unknown): boolean {
  return typeof node === "object" && node !== null && "anchor" in node && Boolean(node.anchor);
}

function scalarOf(pair: Pair): unknown {
  return isScalar(pair.value) ? pair.value.value : undefined;
}

function setKey(pair: Pair<Node, Node>, key: string): void {
  if (isScalar(pair.key)) (pair.key as Scalar).value = key;
}

/** The comments of a pair that goes away go above the next one. */
function carry(gone: Pair, next: Pair | undefined): void {
  const comment = commentsOf(gone);
  if ((gone.key as Node | null)?.spaceBefore && next !== undefined) (next.key as Node).spaceBefore = true;
  if (comment !== "") above(next, comment);
}

function commentsOf({ key, value }: Pair): string {
  const [above, beside] = [(key as Node | null)?.commentBefore, (value as Node | null)?.comment];
  return [above, isMap(value) ? undefined : beside].filter(Boolean).join("\n");
}

function above(pair: Pair | undefined, comment: string): void {
  const key = pair?.key as Node | undefined;
  if (key !== undefined) key.commentBefore = [comment, key.commentBefore].filter(Boolean).join("\n");
}

/** Whether the fields of a node can be on one line. The formatter opens a line that is too long. */
function canBeFlow(node: YAMLMap): boolean {
  const isPlain = ({ key, value }: Pair<Node, Node>): boolean => {
    if (key.commentBefore || key.comment || value?.comment || value?.commentBefore) return false;
    if (isMap(value) || isSeq(value)) return value.flow === true;
    return !isScalar(value) || !(value.type?.startsWith("BLOCK") || String(value.value).includes("\n"));
  };
  return !node.comment && (node.items as Pair<Node, Node>[]).every(isPlain);
}

// forms: edits see one form of a document, with long nodes and all edges in `edges`. This file makes it from the document
// as it is written, and writes an edited one back (spec 8.2).
//   F1. A node keeps its form and its keys, and an edge its place. Only the parts that the edit changed are written again.
//   F2. New nodes and edges get the form of the file. A file without nodes uses the short one.
//   F3. Edits see the fields that a merge key `<<` gives to a node. Fields that equal them are not written.
//   F4. The edges of `after` come before those of `edges`, so an edge is written into `after` only if that keeps the
//       order of the node's parents.

import { contradiction, isShort, longForm, shortForm, sourceText, titleFromId } from "../../workflow/short-form.ts";
import { align } from "./align.ts";
import { isMapValue, isSame } from "./equal.ts";
import { type Link, linksOf, relink } from "./links.ts";
import { asNode, withHead } from "./plain.ts";
import type { Doc, Plain } from "./types.ts";
import { sourceOf, withSource, writtenOf } from "./write.ts";

/** The document with long nodes, and without `after`. */
export function longPlain(written: Plain): Plain {
  if (!Array.isArray(written.nodes)) return written;
  const items = written.nodes.map(resolved);
  const links = items.flatMap((item) => (isMapValue(item) ? (afterOf(item) ?? []) : []));
  const nodes = items.map((item) => (isMapValue(item) ? asLong(item) : item));
  if (links.length === 0) return { ...written, nodes };
  const edges = Array.isArray(written.edges) ? written.edges : [];
  const texts = links.map((link) => `${sourceText(link)} -> ${link.target}`);
  return withHead({ ...written, nodes }, "edges", [...texts, ...edges]);
}

/** The value with the fields that its merge keys give. Its own keys take precedence. */
export function resolved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(resolved);
  if (!isMapValue(value)) return value;
  const { "<<": given = [], ...own } = value;
  const maps = [own, ...[given].flat().map(resolved)].filter(isMapValue);
  const fields = Object.assign({}, ...maps.toReversed()) as Plain;
  return Object.fromEntries(Object.entries(fields).map(([key, member]) => [key, resolved(member)]));
}

function asLong(item: Plain): Plain {
  if (typeof item.id !== "string" || contradiction(item) !== undefined) return item;
  const long = isShort(item) ? longForm(item) : item;
  if (!Object.hasOwn(item, "after") || afterOf(item) === undefined) return long;
  const { after: _, ...others } = long;
  return others;
}

/** The edges that `after` draws, or `undefined` if it can't be read. */
function afterOf(item: Plain): Link[] | undefined {
  const { id, after = [] } = item;
  const links = (Array.isArray(after) ? after : [after]).map((text: unknown): Link | undefined => {
    const [, source, handle] = /^\s*([A-Za-z_][\w-]*)(?::([A-Za-z_][\w-]*))?\s*$/.exec(String(text)) ?? [];
    return source === undefined || typeof text !== "string" ? undefined : { source, target: String(id), handle };
  });
  return links.every((link) => link !== undefined) ? links : undefined;
}

/** The edited document as it is to be written. `doc` is the document before the edit. */
export function asWritten(plain: Plain, doc: Doc): Plain {
  const before = listOf(doc.plain?.nodes);
  const raws = listOf(doc.written?.nodes);
  if (!Array.isArray(plain.nodes)) return plain;
  const from = align(before, plain.nodes);
  const form = formOf(raws, doc.written);
  const after = form.after ? afterLinks(plain, doc, from) : new Map<string, Link[]>();
  const nodes = plain.nodes.map((node: unknown, at) => {
    if (!isMapValue(node) || asNode(node) === undefined) return node;
    const [old, raw] = [before[from[at]!], raws[from[at]!]];
    const links = after.get(String(node.id)) ?? [];
    if (!isMapValue(raw)) return newNode(node, links, form.short);
    const own = isSame(node, old) ? raw : likeBefore(node, raw);
    return withAfter(own, raw, links);
  });
  if (after.size === 0) return { ...plain, nodes };
  const moved = new Set([...after.values()].flat().map(nameOf));
  const others = relink(plain, (link) => (moved.has(nameOf(link)) ? [] : [link]));
  return isSame(doc.written?.edges, []) && others.edges === undefined
    ? { ...plain, edges: [], nodes }
    : { ...others, nodes };
}

/** Whether new nodes are short, and new edges go into `after`. */
function formOf(raws: readonly unknown[], written: Plain = {}): { short: boolean; after: boolean } {
  const nodes = raws.map(resolved).filter(isMapValue);
  const short = nodes.length === 0 || nodes.some(isShort);
  const hasAfter = nodes.some((node) => Object.hasOwn(node, "after"));
  return { short, after: hasAfter || (short && linksOf(written.edges).length === 0) };
}

/** For each node, the edges that go into its `after` (F4). */
function afterLinks(
  plain: Plain,
  { plain: long = {}, written = {} }: Doc,
  from: readonly number[],
): Map<string, Link[]> {
  const names = new Map<string, string>();
  const ids = new Set<string>();
  for (const [at, node] of listOf(plain.nodes).entries()) {
    const [id, old] = [asNode(node)?.id, asNode(listOf(long.nodes)[from[at]!])?.id];
    if (id === undefined) continue;
    ids.add(id);
    if (old !== undefined) names.set(old, id);
  }
  const name = (id: string): string => names.get(id) ?? id;
  const was = new Map<string, "after" | "edges">();
  const remember = (links: readonly Link[], place: "after" | "edges") => {
    for (const { source, target, handle } of links)
      was.set(nameOf({ source: name(source), target: name(target), handle }), place);
  };
  remember(linksOf(written.edges), "edges");
  remember(
    listOf(resolved(written.nodes)).flatMap((item) => (isMapValue(item) ? (afterOf(item) ?? []) : [])),
    "after",
  );
  const result = new Map<string, Link[]>();
  for (const [target, links] of Map.groupBy(linksOf(plain.edges), (link) => link.target)) {
    const places = links.map((link) => was.get(nameOf(link)) ?? "new");
    let end = places.lastIndexOf("after") + 1;
    while (places[end] === "new") end++;
    const isPlain = links.slice(0, end).every(({ extra }) => Object.keys(extra ?? {}).length === 0);
    if (end > 0 && isPlain && ids.has(target)) result.set(target, links.slice(0, end));
  }
  return result;
}

function nameOf({ source, target, handle }: Link): string {
  return `${source}:${handle ?? ""} ${target}`;
}

/** A changed node in the form of its earlier version. */
function likeBefore(node: Plain, raw: Plain): Plain {
  const whole = resolved(raw) as Plain;
  return sharing(isShort(whole) ? shortForm(node, whole) : node, raw) as Plain;
}

/** F3. A merge key stays unless one of its fields was removed. */
function sharing(value: unknown, raw: unknown): unknown {
  if (!isMapValue(value) || !isMapValue(raw)) return value;
  const shared = resolved({ "<<": raw["<<"] }) as Plain;
  const fields = Object.entries(value).map(([key, member]) => [key, sharing(member, raw[key])] as const);
  if (!Object.hasOwn(raw, "<<") || Object.keys(shared).some((key) => !Object.hasOwn(value, key)))
    return Object.fromEntries(fields);
  const own = fields.filter(([key]) => Object.hasOwn(raw, key));
  const others = fields.filter(([key]) => !Object.hasOwn(raw, key) && !isSame(value[key], shared[key]));
  return { "<<": raw["<<"], ...Object.fromEntries([...own, ...others]) };
}

/** A pasted node keeps its lines if they are of the right form and have the right edges. */
function newNode(node: Plain, links: readonly Link[], short: boolean): Plain {
  const lines = sourceOf(node);
  const pasted = writtenOf(node);
  if (
    lines !== undefined &&
    pasted !== undefined &&
    isShort(pasted) === short &&
    isSame(textsOf(links), textsOf(afterOf(pasted) ?? []))
  )
    return withSource({ ...pasted }, lines, pasted);
  const data = isMapValue(node.data) ? { title: titleFromId(String(node.id)), ...node.data } : node.data;
  return withAfter(short ? shortForm({ ...node }) : { ...node, data }, {}, links);
}

/** The node with these edges in `after`, which keeps its spelling if they are the same. */
function withAfter(node: Plain, raw: Plain, links: readonly Link[]): Plain {
  const known = Object.hasOwn(raw, "after") ? afterOf(raw) : [];
  if (known === undefined) return node;
  const texts = textsOf(links);
  const same = isSame(texts, textsOf(known));
  if (same && (known.length === 0 || Object.hasOwn(node, "after"))) return node;
  const { id, type, after: _, ...others } = node;
  const head = type === undefined ? { id } : { id, type };
  if (texts.length === 0) return { ...head, ...others };
  return { ...head, after: same ? raw.after : texts.length === 1 ? texts[0] : texts, ...others };
}

function textsOf(links: readonly Link[]): string[] {
  return links.map(sourceText);
}

/** Whether two documents say the same to an edit: the order of edges into different nodes means nothing. */
export function isSameMeaning(one: Plain, other: Plain): boolean {
  return isSame(meaning(one), meaning(other));
}

function meaning({ edges, nodes, ...others }: Plain) {
  const parents = Map.groupBy(linksOf(edges), ({ target }) => target);
  const titled = listOf(nodes).map((item) => {
    const node = asNode(item);
    if (node === undefined || !isMapValue(node.data)) return item;
    return { ...node, data: { title: titleFromId(node.id), ...node.data } };
  });
  return { ...others, titled, parents: Object.fromEntries([...parents].map(([id, links]) => [id, textsOf(links)])) };
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

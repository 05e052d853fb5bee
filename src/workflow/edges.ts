// edges: reads the spellings of an edge into one form (spec 1.1, 8.2).
//   A chain: a -> b -> c.
//   A handle, also inside a chain: a -> check:true -> b.
//   The long form: { source, target }.
//   On the node that it enters: after: a, after: check:true, after: [a, b:error].
//   E1. Edges keep the order of the file, and chains go from left to right. The order decides which parent is first.

import { limits } from "../base/limits.ts";
import { isObject } from "../base/tolerant.ts";
import type { Diagnostic, Range } from "./diagnostic.ts";
import type { At } from "./diagnostics/base.ts";
import { wrongType } from "./diagnostics/document.ts";
import * as found from "./diagnostics/edge.ts";
import type { Edge } from "./model.ts";
import { edge as edgeSchema } from "./schema.ts";
import { checkShape } from "./shape.ts";
import type { Path, SourceMap } from "./source-map.ts";

/** Where an edge was written: an item of `edges` or of `after`, and the offsets of its ends in a chain's text. */
export interface EdgeOrigin {
  path: Path;
  chain?: { text: string; source: Offsets; target: Offsets };
}

interface Offsets {
  start: number;
  end: number;
}

export interface Edges {
  edges: Edge[];
  /** Same indexes as `edges`. */
  origins: EdgeOrigin[];
  diagnostics: Diagnostic[];
}

export function readEdges(raw: unknown, source: SourceMap): Edges {
  const result: Edges = { edges: [], origins: [], diagnostics: [] };
  if (raw === undefined || raw === null) return result;
  if (!Array.isArray(raw)) {
    result.diagnostics.push(wrongType(source.at(["edges"]), '"edges"', "a list", raw));
    return result;
  }
  for (const [index, item] of raw.entries()) {
    if (result.diagnostics.length >= limits.shapeFindingsMax) break;
    if (typeof item === "string") readChain(item, index, source, result);
    else readLong(item, index, source, result);
  }
  return result;
}

/** Reads the edges into a node. `index` is its position in the list of nodes. */
export function readAfter(raw: unknown, index: number, target: string, source: SourceMap): Edges {
  const result: Edges = { edges: [], origins: [], diagnostics: [] };
  const at: Path = ["nodes", index, "after"];
  const list = Array.isArray(raw) ? raw : [raw];
  for (const [nth, item] of list.slice(0, limits.edgesMax + 1).entries()) {
    const path: Path = Array.isArray(raw) ? [...at, nth] : at;
    const problem = (make: (at: At) => Diagnostic) => void result.diagnostics.push(make(source.at(path)));
    const [, from, handle] = typeof item === "string" ? (STOP.exec(item.trim()) ?? []) : [];
    const [key, value] = item !== null && typeof item === "object" ? (Object.entries(item)[0] ?? []) : [];
    if (from !== undefined) {
      result.edges.push(edgeOf(from, target, handle));
      result.origins.push({ path });
    } else if (typeof item === "string") problem((place) => found.afterSyntax(place, item));
    else if (key !== undefined && !Array.isArray(item) && ["string", "boolean"].includes(typeof value))
      problem((place) => found.afterWithSpace(place, key, String(value)));
    else problem((place) => wrongType(place, '"after"', "the id of a node, or a list of them", item));
    if (result.diagnostics.length >= limits.shapeFindingsMax) break;
  }
  return result;
}

/** Without a handle, an edge has no such field: a workflow is compared and written as JSON. */
function edgeOf(source: string, target: string, handle: string | undefined): Edge {
  return handle === undefined ? { source, target } : { source, target, sourceHandle: handle };
}

/** `a:true -> b`, as users write it. */
export function edgeText(edge: Edge): string {
  return `${edge.source}${edge.sourceHandle === undefined ? "" : `:${edge.sourceHandle}`} -> ${edge.target}`;
}

export function edgeRange(source: SourceMap, origin: EdgeOrigin, part: "source" | "target" | "whole"): Range {
  const { path, chain } = origin;
  if (chain === undefined) return source.range(part === "whole" ? path : [...path, part]);
  const { start, end } = part === "whole" ? { start: chain.source.start, end: chain.target.end } : chain[part];
  return source.rangeInside(path, chain.text, start, end);
}

const STOP = /^([A-Za-z_][A-Za-z0-9_-]*?)(?::([A-Za-z_][A-Za-z0-9_-]*))?$/;

function readChain(text: string, index: number, source: SourceMap, result: Edges): void {
  const stops = stopsOf(text);
  const at = (start: number, end: number) => ({
    file: source.file,
    range: source.rangeInside(["edges", index], text, start, end),
  });
  const bad = stops.find((stop) => stop.id === undefined);
  if (bad !== undefined || text.trim() === "") {
    result.diagnostics.push(found.edgeSyntax(at(bad?.start ?? 0, bad?.end ?? text.length), text));
    return;
  }
  const last = stops.at(-1)!;
  if (stops.length === 1) {
    result.diagnostics.push(found.edgeOfOne(at(0, text.length), text));
    return;
  }
  if (last.handle !== undefined)
    result.diagnostics.push(found.handleAtEnd(at(last.start, last.end), last.id!, last.handle));
  for (let n = 0; n + 1 < stops.length; n++) {
    const [from, to] = [stops[n]!, stops[n + 1]!];
    result.edges.push(edgeOf(from.id!, to.id!, from.handle));
    result.origins.push({ path: ["edges", index], chain: { text, source: from, target: to } });
  }
}

interface Stop extends Offsets {
  id?: string;
  handle?: string;
}

function stopsOf(text: string): Stop[] {
  const stops: Stop[] = [];
  let offset = 0;
  for (const piece of text.split("->")) {
    const word = piece.trim();
    const start = offset + (piece.length - piece.trimStart().length);
    const match = STOP.exec(word);
    stops.push({ id: match?.[1], handle: match?.[2], start, end: start + word.length });
    offset += piece.length + 2;
  }
  return stops;
}

function readLong(item: unknown, index: number, source: SourceMap, result: Edges): void {
  const path: Path = ["edges", index];
  const misread = chainReadAsMap(item);
  if (misread !== undefined) {
    result.diagnostics.push(found.edgeWithSpace(source.at(path), misread[0], misread[1]));
    return;
  }
  if (!isObject(item)) {
    result.diagnostics.push(
      wrongType(source.at(path), `Edge ${index + 1}`, "a chain like a -> b, or a map with source and target", item),
    );
    return;
  }
  const { value, diagnostics } = checkShape(edgeSchema, item, path, `Edge ${index + 1}`, source);
  result.diagnostics.push(...diagnostics);
  if (value === undefined) return;
  const { sourceHandle, ...rest } = value;
  // YAML reads an unquoted true as a boolean, but the meaning is clear. Some editors write null for no handle.
  result.edges.push(sourceHandle === undefined ? rest : { ...rest, sourceHandle: String(sourceHandle) });
  result.origins.push({ path });
}

function chainReadAsMap(item: unknown): [string, string] | undefined {
  if (!isObject(item)) return undefined;
  const [first, ...more] = Object.entries(item);
  return first !== undefined && more.length === 0 && typeof first[1] === "string" && first[1].includes("->")
    ? [first[0], first[1]]
    : undefined;
}

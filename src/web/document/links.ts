// links: converts the edges of a document to single links, and back with as few changed items as possible (spec 1.1:
// chains, handles, long forms).
//   L1. An item with only unchanged links stays as it is written.
//   L2. The order of links is the order of parents. Links that stay are never reordered.

import { withEdges } from "./plain.ts";
import type { Plain } from "./types.ts";

export interface Link {
  source: string;
  target: string;
  handle?: string;
  /** For the long form: fields other than source, target, and sourceHandle. */
  extra?: Plain;
}

interface Item {
  raw: unknown;
  /** Absent: the item cannot be read, and stays. */
  links?: Link[];
}

const STOP = /^([A-Za-z_][A-Za-z0-9_-]*?)(?::([A-Za-z_][A-Za-z0-9_-]*))?$/;

export function linksOf(edges: unknown): Link[] {
  return itemsOf(edges).flatMap((item) => item.links ?? []);
}

/** `change` returns the replacements of a link. The same object means that the link stays. `added` go to the end. */
export function relink(plain: Plain, change: (link: Link) => readonly Link[], added: readonly Link[] = []): Plain {
  const result: unknown[] = [];
  for (const { raw, links } of itemsOf(plain.edges)) {
    const next = links?.flatMap((link) => change(link));
    if (links === undefined || next === undefined || isUnchanged(links, next)) result.push(raw);
    else result.push(...linkChains(next, typeof raw === "string" ? spacing(raw) : undefined));
  }
  const counts = new Map<string, number>();
  for (const { target } of linksOf(result)) counts.set(target, (counts.get(target) ?? 0) + 1);
  for (const link of added) {
    const longer = extended(result, link, counts.get(link.target) ?? 0);
    if (longer === undefined) result.push(...linkChains([link]));
    else result[longer.at] = longer.text;
    counts.set(link.target, (counts.get(link.target) ?? 0) + 1);
  }
  return withEdges(plain, result);
}

export function withLinks(plain: Plain, added: readonly Link[]): Plain {
  return relink(plain, (link) => [link], added);
}

function itemsOf(edges: unknown): Item[] {
  return Array.isArray(edges) ? edges.map((raw) => ({ raw, ...readItem(raw) })) : [];
}

function readItem(raw: unknown): { links?: Link[] } {
  if (typeof raw === "string") return readChain(raw);
  if (raw === null || typeof raw !== "object") return {};
  const { source, target, sourceHandle, ...extra } = raw as Plain;
  if (typeof source !== "string" || typeof target !== "string") return {};
  const handle = sourceHandle === undefined || sourceHandle === null ? undefined : String(sourceHandle);
  return { links: [{ source, target, handle, extra }] };
}

function readChain(text: string): { links?: Link[] } {
  const stops = text.split("->").map((piece) => STOP.exec(piece.trim()));
  const links: Link[] = [];
  for (let at = 0; at + 1 < stops.length; at++) {
    const [from, to] = [stops[at], stops[at + 1]];
    if (!from || !to) return {};
    links.push({ source: from[1]!, target: to[1]!, handle: from[2] });
  }
  return links.length === 0 ? {} : { links };
}

function isUnchanged(before: readonly Link[], after: readonly Link[]): boolean {
  return before.length === after.length && before.every((link, at) => link === after[at]);
}

/** ` -> ` or `->`, as in the existing chain. */
function spacing(chain: string): string {
  return /\s*->\s*/.exec(chain)?.[0] ?? " -> ";
}

/** Writes chains as long as possible. A link with its own fields is a separate item. */
function linkChains(links: readonly Link[], arrow = " -> "): unknown[] {
  const result: unknown[] = [];
  let open: { text: string; end: string } | undefined;
  for (const link of links) {
    if (link.extra !== undefined) {
      open = undefined;
      const handle = link.handle === undefined ? {} : { sourceHandle: link.handle };
      result.push({ source: link.source, target: link.target, ...handle, ...link.extra });
      continue;
    }
    const from = link.handle === undefined ? "" : `:${link.handle}`;
    if (open !== undefined && open.end === link.source) {
      open.text += `${from}${arrow}${link.target}`;
      open.end = link.target;
      result[result.length - 1] = open.text;
    } else {
      open = { text: `${link.source}${from}${arrow}${link.target}`, end: link.target };
      result.push(open.text);
    }
  }
  return result;
}

/** Extends a chain by a plain link that starts at its end, if the link's target has no other parents. */
function extended(items: readonly unknown[], link: Link, parents: number): { at: number; text: string } | undefined {
  if (link.handle !== undefined || link.extra !== undefined || parents > 0) return undefined;
  for (let at = items.length - 1; at >= 0; at--) {
    const item = items[at];
    if (typeof item !== "string") continue;
    const { links } = readChain(item);
    if (links?.at(-1)?.target === link.source && !links.some(({ source }) => source === link.target))
      return { at, text: `${item}${spacing(item)}${link.target}` };
  }
  return undefined;
}

export function isSameLink(one: Link, other: Link): boolean {
  return one.source === other.source && one.target === other.target && one.handle === other.handle;
}

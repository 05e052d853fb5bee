// plain: reads and changes the plain values of a document as it is written, and leaves all others untouched.

import { DOCUMENT_ORDER } from "../../workflow/schema.ts";
import { titleFromId } from "../../workflow/short-form.ts";
import { isMapValue, isSame } from "./equal.ts";
import type { Applied, Doc, Edit, Plain } from "./types.ts";

export interface PlainNode extends Plain {
  id: string;
  type: string;
  data?: Plain;
}

/** Nodes with an id and a type, even if they are invalid otherwise. */
export function nodesOf(plain: Plain): PlainNode[] {
  const nodes = Array.isArray(plain.nodes) ? plain.nodes : [];
  return nodes.flatMap((item: unknown) => asNode(item) ?? []);
}

/** An item of the list as a node, or `undefined` if it has no id or type. */
export function asNode(item: unknown): PlainNode | undefined {
  return isMapValue(item) && typeof item.id === "string" && typeof item.type === "string"
    ? (item as PlainNode)
    : undefined;
}

export function nodeOf(plain: Plain, id: string): PlainNode | undefined {
  return nodesOf(plain).find((node) => node.id === id);
}

export function titleOf(node: PlainNode): string {
  const title = node.data?.title;
  return typeof title === "string" && title.trim() !== "" ? title : titleFromId(node.id);
}

/** A node in the label of an edit. `spoken` puts its title there. */
export const named = (id: string | undefined): string => `\u2063${id}\u2063`;

/** The label with titles in place of ids. */
export function spoken(label: string, plain: Plain): string {
  return label.replace(/\u2063(.*?)\u2063/g, (_, id: string) => {
    const node = nodeOf(plain, id);
    return node === undefined ? id : titleOf(node);
  });
}

export const applied = (plain: Plain, select?: string[]): Applied =>
  select === undefined ? { ok: true, plain } : { ok: true, plain, select };
export const refused = (error: string): Applied => ({ ok: false, error });

/**
 * Sets a field, or removes it with `undefined`. Maps that become empty are removed, except for the first `keep` levels.
 */
export function setIn(value: unknown, path: readonly (string | number)[], to: unknown, keep = 0): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return to;
  if (typeof key === "number") {
    const list = Array.isArray(value) ? [...value] : [];
    if (rest.length === 0 && to === undefined) list.splice(key, 1);
    else list[key] = setIn(list[key], rest, to, keep - 1);
    return list;
  }
  const map = isMapValue(value) ? value : {};
  const next = setIn(map[key], rest, to, keep - 1);
  const gone =
    next === undefined || (to === undefined && keep < 1 && isMapValue(next) && Object.keys(next).length === 0);
  if (!gone) return { ...map, [key]: next };
  const { [key]: _, ...others } = map;
  return others;
}

export function getIn(value: unknown, path: readonly (string | number)[]): unknown {
  let here = value;
  for (const key of path) {
    if (here === null || typeof here !== "object") return undefined;
    here = (here as Record<string | number, unknown>)[key];
  }
  return here;
}

/** Sets a field of the document. A new field goes to its canonical position. */
export function withHead(plain: Plain, key: string, value: unknown): Plain {
  if (value === undefined) {
    const { [key]: _, ...others } = plain;
    return others;
  }
  if (Object.hasOwn(plain, key)) return { ...plain, [key]: value };
  // Writing into an empty file makes it a workflow.
  if (Object.keys(plain).length === 0 && key !== "curlew") return { curlew: 1, [key]: value };
  const rank = (name: string): number => (DOCUMENT_ORDER as readonly string[]).indexOf(name);
  const entries = Object.entries(plain);
  let at = entries.length;
  for (const [index, [name]] of entries.entries()) if (rank(name) >= 0 && rank(name) < rank(key)) at = index + 1;
  if (!entries.some(([name]) => rank(name) >= 0 && rank(name) < rank(key))) at = 0;
  entries.splice(at, 0, [key, value]);
  return Object.fromEntries(entries);
}

export function withNodes(plain: Plain, change: (node: PlainNode) => PlainNode): Plain {
  if (!Array.isArray(plain.nodes)) return plain;
  const nodes = plain.nodes.map((item: unknown) => {
    const node = asNode(item);
    return node === undefined ? item : change(node);
  });
  return { ...plain, nodes };
}

export function withEdges(plain: Plain, edges: unknown[]): Plain {
  // A list that was empty before may have a comment.
  if (edges.length === 0 && (!Object.hasOwn(plain, "edges") || isSame(plain.edges, []))) return plain;
  return withHead(plain, "edges", edges.length === 0 ? undefined : edges);
}

/** Makes an id like "get-page" from a title. It differs from those in `taken`. */
export function freshId(wish: string, taken: ReadonlySet<string>): string {
  const base =
    wish
      .normalize("NFKD")
      .replace(/[^A-Za-z0-9_]+/g, "_")
      .replace(/^_+|_+$/g, "")
      .replace(/^(?=[0-9])/, "n")
      .toLowerCase()
      .slice(0, 40) || "node";
  return freeName(base, taken);
}

export function idsOf(plain: Plain): Set<string> {
  return new Set(nodesOf(plain).map((node) => node.id));
}

/** One id that went and one that came are the two ids of a renamed node. */
export function renamedId(
  before: readonly string[],
  after: readonly string[],
): { from: string; to: string } | undefined {
  const [was, is] = [new Set(before), new Set(after)];
  const [from, ...others] = before.filter((id) => !is.has(id));
  const [to, ...more] = after.filter((id) => !was.has(id));
  return from === undefined || to === undefined || others.length + more.length > 0 ? undefined : { from, to };
}

/** The first name that is not in use: `value`, `value_2`, `value_3`. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let n = 2; ; n++) if (!taken.has(`${name}_${n}`)) return `${name}_${n}`;
}

/** Several edits as one undo step. The last selection among them counts. */
export function together(label: string, edits: readonly Edit[]): Edit {
  return {
    label,
    apply(plain, doc) {
      let next: Applied = { ok: true, plain };
      for (const edit of edits) {
        const { select }: { select?: string[] } = next;
        next = edit.apply(next.plain, doc);
        if (!next.ok) return next;
        if (next.select === undefined && select !== undefined) next = { ...next, select };
      }
      return next;
    },
  };
}

/** The secrets that the document declares. */
export function secretsOf({ plain }: Pick<Doc, "plain">): string[] {
  const list: unknown[] = Array.isArray(plain?.secrets) ? plain.secrets : [];
  return list.map((item) => String((item as { name?: unknown } | null)?.name ?? item));
}

/** Those of them that a text names, by default that of the document. */
export function secretsIn(doc: Doc, text = doc.text): string[] {
  return secretsOf(doc).filter((name) => new RegExp(`\\$\\{${name}\\b`).test(text));
}

// edits: what the panel changes in a document: one field of a node, or of the head, set or taken away (ui 6.3).
//   E1. An empty value takes its key away; a map that is empty then goes too.
//   E2. Members that a map must have are given with its first one, so that half a rate limit is never written.
//   E3. What is not the field's is left as it is: the rest is document/reconcile.ts.

import { applied, type Fix } from "../code/fixes.ts";
import type { Edit, Plain } from "../document/types.ts";

export type FieldPath = readonly (string | number)[];

/** `undefined` takes the field away. `key`: typing in one field is one step of undo. */
export function setInNode(id: string, path: FieldPath, value: unknown, label?: string): Edit {
  return {
    label: label ?? `Change ${path.at(-1)} of ${id}`,
    key: `field ${id} ${path.join(".")}`,
    apply: (plain) => changeNode(plain, id, (data) => setAt(data, path, value)),
  };
}

/** Several fields of a node as one step. */
export function setFields(id: string, fields: Readonly<Record<string, unknown>>, label: string): Edit {
  return {
    label,
    apply: (plain) =>
      changeNode(plain, id, (data) =>
        Object.entries(fields).reduce<Plain>((next, [key, value]) => setAt(next, [key], value), data),
      ),
  };
}

/** A field of the document's head: `["inputs", "repo", "type"]`. */
export function setInDocument(path: FieldPath, value: unknown, label?: string): Edit {
  return {
    label: label ?? `Change ${path.join(".")}`,
    key: `field ${path.join(".")}`,
    apply: (plain) => ({ ok: true, plain: setAt(plain, path, value) }),
  };
}

/** The value of a row: it may be an empty text, which stays until the row is removed. */
export function setText(id: string | undefined, path: FieldPath, text: string): Edit {
  const parent = path.slice(0, -1);
  const name = String(path.at(-1));
  const put = (root: Plain): Plain => {
    const map = at(root, parent);
    return setAt(root, parent, { ...(isMap(map) ? map : {}), [name]: text });
  };
  return {
    label: `Change ${name}`,
    key: `field ${id ?? ""} ${path.join(".")}`,
    apply: (plain) => (id === undefined ? { ok: true, plain: put(plain) } : changeNode(plain, id, put)),
  };
}

/** A key of a map, its value and its place kept. */
export function renameKey(id: string | undefined, path: FieldPath, from: string, to: string): Edit {
  const label = `Rename ${from} to ${to}`;
  const rename = (root: Plain): Plain => {
    const map = at(root, path);
    if (!isMap(map) || from === to || Object.hasOwn(map, to)) return root;
    const renamed = Object.fromEntries(Object.entries(map).map(([key, value]) => [key === from ? to : key, value]));
    return setAt(root, path, renamed);
  };
  if (id === undefined) return { label, apply: (plain) => ({ ok: true, plain: rename(plain) }) };
  return { label, apply: (plain) => changeNode(plain, id, rename) };
}

/** One click: characters of a field, and fields of its node (code/fixes.ts). `text`: the field as the fix was made for it. */
export function fixInNode(id: string, path: FieldPath, text: string, fix: Fix): Edit {
  return {
    label: fix.label,
    apply: (plain) => {
      let stale = false;
      const changed = changeNode(plain, id, (data) => {
        const { changes } = fix;
        stale = changes !== undefined && at(data, path) !== text;
        if (stale) return data;
        let next = changes === undefined ? data : setAt(data, path, applied(text, changes));
        for (const { path: field, value, add } of fix.set ?? [])
          next = setAt(next, field, add === undefined ? value : withItem(at(next, field), add));
        return next;
      });
      return stale ? { ok: false, error: "The text has changed since this was found." } : changed;
    },
  };
}

function withItem(list: unknown, item: string): unknown {
  if (list === true) return true;
  const known = Array.isArray(list) ? list : [];
  return known.includes(item) ? known : [...known, item];
}

function changeNode(plain: Plain, id: string, change: (data: Plain) => Plain): ReturnType<Edit["apply"]> {
  const nodes = Array.isArray(plain.nodes) ? (plain.nodes as unknown[]) : [];
  const index = nodes.findIndex((node) => isMap(node) && node.id === id);
  const node = nodes[index];
  if (!isMap(node)) return { ok: false, error: `There is no node "${id}" any more.` };
  const data = isMap(node.data) ? node.data : {};
  const changed = change(data);
  if (changed === data) return { ok: true, plain };
  return { ok: true, plain: { ...plain, nodes: nodes.with(index, { ...node, data: changed }) } };
}

/** The members that the schema asks for beside the first one (E2). */
const COMPANIONS: Record<string, Record<string, unknown>> = {
  rateLimit: { key: "default", limit: 10, per: "1m" },
  concurrency: { key: "default", limit: 1 },
  cache: { key: "default", ttl: "1h" },
};

/** A new root with the value at the path; nothing else is touched. */
export function setAt(root: Plain, path: FieldPath, value: unknown): Plain {
  const [key, ...rest] = path;
  if (key === undefined) return root;
  const name = String(key);
  const emptied = value === undefined || value === "";
  if (rest.length === 0) {
    if (!emptied) return Object.is(root[name], value) ? root : { ...root, [name]: value };
    if (!Object.hasOwn(root, name)) return root;
    const { [name]: _gone, ...left } = root;
    return left;
  }
  const inner = root[name];
  if (Array.isArray(inner)) {
    const item = inner[Number(rest[0])];
    if (rest.length === 1) {
      const list = emptied ? inner.filter((_, index) => index !== rest[0]) : withIndex(inner, Number(rest[0]), value);
      return { ...root, [name]: list };
    }
    return { ...root, [name]: inner.with(Number(rest[0]), setAt(isMap(item) ? item : {}, rest.slice(1), value)) };
  }
  if (emptied && !isMap(inner)) return root;
  const start = isMap(inner) ? inner : rest.length === 1 ? { ...COMPANIONS[name] } : {};
  const next = setAt(start, rest, value);
  if (next === inner) return root;
  if (Object.keys(next).length > 0 || !emptied) return { ...root, [name]: next };
  const { [name]: _gone, ...left } = root;
  return left;
}

function withIndex(list: readonly unknown[], index: number, value: unknown): unknown[] {
  return index < list.length ? list.with(index, value) : [...list, value];
}

/** What stands at a path. */
export function at(root: unknown, path: FieldPath): unknown {
  let here = root;
  for (const key of path) {
    if (Array.isArray(here)) here = here[Number(key)];
    else if (isMap(here)) here = Object.hasOwn(here, String(key)) ? here[String(key)] : undefined;
    else return undefined;
  }
  return here;
}

export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

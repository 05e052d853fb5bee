// rename: changes ids and names, and everything that refers to them.
//   N1. Ids appear in edges, layout, `finally`, and `output`. Names of values (`variableName`, inputs) appear in `${…}`
//       and `vars.…`.
//   N2. `$${name}` is text. In a command, a name in the node's env.static refers to that variable.

import { referencesOf } from "../../shell/template.ts";
import { NODE_ID } from "../../workflow/schema.ts";
import { setField } from "./edits.ts";
import { isMapValue } from "./equal.ts";
import { relink } from "./links.ts";
import { applied, idsOf, nodeOf, nodesOf, type PlainNode, refused, withHead, withNodes } from "./plain.ts";
import type { Edit, Plain } from "./types.ts";

export function renameNode(id: string, to: string): Edit {
  return {
    label: `Rename ${id} to ${to}`,
    apply(plain) {
      if (id === to) return applied(plain);
      if (nodeOf(plain, id) === undefined) return refused(`There is no node "${id}" any more.`);
      if (!NODE_ID.test(to))
        return refused("An id begins with a letter or _, and goes on with letters, digits, _ and -; at most 64.");
      if (idsOf(plain).has(to)) return refused(`Another node has the id "${to}".`);
      return applied(withIds(plain, new Map([[id, to]])), [to]);
    },
  };
}

/** Renames ids in the whole document. */
export function withIds(plain: Plain, ids: ReadonlyMap<string, string>): Plain {
  const name = (id: string): string => ids.get(id) ?? id;
  let next = withNodes(plain, (node) => (ids.has(node.id) ? { ...node, id: name(node.id) } : node));
  next = relink(next, (link) =>
    ids.has(link.source) || ids.has(link.target)
      ? [{ ...link, source: name(link.source), target: name(link.target) }]
      : [link],
  );
  if (isMapValue(next.layout) && Object.keys(next.layout).some((id) => ids.has(id)))
    next = withHead(next, "layout", mapKeys(next.layout, name));
  if (Array.isArray(next.finally) && next.finally.some((id) => ids.has(String(id))))
    next = withHead(
      next,
      "finally",
      next.finally.map((id) => (typeof id === "string" ? name(id) : id)),
    );
  if (typeof next.output === "string" && ids.has(next.output)) next = withHead(next, "output", name(next.output));
  return next;
}

function mapKeys(map: Plain, name: (key: string) => string): Plain {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [name(key), value]));
}

const VALUE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Renames the value of a Variable or an Accumulator and its references. A name that is invalid or in use is written
 * without changing references, and the checks report it.
 */
export function renameVariable(id: string, to: string): Edit {
  return {
    label: `Rename the value of ${id} to ${to}`,
    key: `${id} variableName`,
    apply(plain, doc) {
      const from = nodeOf(plain, id)?.data?.variableName;
      const taken = nodesOf(plain).some(
        (node) => node.id !== id && [from, to].includes(String(node.data?.variableName)),
      );
      if (typeof from !== "string" || !VALUE_NAME.test(from) || !VALUE_NAME.test(to) || taken)
        return setField(id, ["variableName"], to).apply(plain, doc);
      return applied(withValueNames(plain, new Map([[from, to]]), new Set([id])));
    },
  };
}

/** Renames an input of the document and its references. */
export function renameInput(from: string, to: string): Edit {
  return {
    label: `Rename the input ${from} to ${to}`,
    apply(plain) {
      if (!isMapValue(plain.inputs) || !Object.hasOwn(plain.inputs, from))
        return refused(`There is no input "${from}".`);
      if (!VALUE_NAME.test(to)) return refused("A name begins with a letter or _, followed by letters, digits and _.");
      if (Object.hasOwn(plain.inputs, to)) return refused(`There is an input "${to}" already.`);
      const inputs = mapKeys(plain.inputs, (name) => (name === from ? to : name));
      return applied(withValueNames({ ...plain, inputs }, new Map([[from, to]]), new Set()));
    },
  };
}

/** Updates references. `owners` are the nodes that have the name as `variableName`. */
export function withValueNames(plain: Plain, names: ReadonlyMap<string, string>, owners: ReadonlySet<string>): Plain {
  return withNodes(plain, (node) => {
    if (node.data === undefined) return node;
    const data = referring(node, names);
    const name = names.get(String(data.variableName));
    const own = owners.has(node.id) && name !== undefined ? { ...data, variableName: name } : data;
    return own === node.data ? node : { ...node, data: own };
  });
}

function referring(node: PlainNode, names: ReadonlyMap<string, string>): Plain {
  const data = node.data ?? {};
  const env = isMapValue(data.env) && isMapValue(data.env.static) ? data.env.static : {};
  const hidden = new Map([...names].filter(([name]) => !Object.hasOwn(env, name)));
  const change = (value: unknown, key: string): unknown => {
    if (typeof value === "string") return renamedText(value, key === "env" ? names : hidden);
    if (Array.isArray(value))
      return kept(
        value,
        value.map((item) => change(item, key)),
      );
    if (!isMapValue(value)) return value;
    const entries = Object.entries(value).map(([name, item]) => [name, change(item, key)] as const);
    return entries.every(([name, item]) => item === value[name]) ? value : Object.fromEntries(entries);
  };
  const entries = Object.entries(data).map(
    ([key, value]) => [key, key === "title" || key === "variableName" ? value : change(value, key)] as const,
  );
  return entries.every(([key, value]) => value === data[key]) ? data : Object.fromEntries(entries);
}

function kept(before: unknown[], after: unknown[]): unknown[] {
  return before.every((item, at) => item === after[at]) ? before : after;
}

function renamedText(text: string, names: ReadonlyMap<string, string>): string {
  let result = "";
  let at = 0;
  for (const { root, start } of referencesOf(text)) {
    const name = names.get(root);
    if (name === undefined) continue;
    result += text.slice(at, start + 2) + name;
    at = start + 2 + root.length;
  }
  result += text.slice(at);
  return result.replace(/\b(vars|run\.inputs)\.([A-Za-z_][A-Za-z0-9_]*)/g, (whole, scope: string, name: string) =>
    names.has(name) ? `${scope}.${names.get(name)}` : whole,
  );
}

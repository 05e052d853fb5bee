// rename: changes ids and names, and everything that refers to them.
//   N1. Ids appear in edges, layout, `finally`, `output`, `stdin`, `${…}` and `nodes.…`. Names of values (`variableName`,
//       inputs) appear in `${…}` and `vars.…`, and come before ids.
//   N2. `$${name}` is text. In a command, a name in the node's env.static refers to that variable.

import { referencesOf } from "../../shell/template.ts";
import { NODE_ID } from "../../workflow/schema.ts";
import { titleFromId } from "../../workflow/short-form.ts";
import { AT_END, setField } from "./edits.ts";
import { isMapValue } from "./equal.ts";
import { isSameLink, linksOf, relink } from "./links.ts";
import {
  applied,
  freshId,
  idsOf,
  named,
  nodeOf,
  nodesOf,
  type PlainNode,
  refused,
  titleOf,
  withHead,
  withNodes,
} from "./plain.ts";
import type { Edit, Plain } from "./types.ts";

export function renameNode(id: string, to: string): Edit {
  return {
    label: `Rename ${id} to ${to}`,
    apply(plain) {
      if (id === to) return applied(plain);
      if (nodeOf(plain, id) === undefined) return refused(`There is no node "${id}" any more.`);
      if (!NODE_ID.test(to))
        return refused(
          "An id starts with a letter or _, followed by letters, digits, _ and -. It has at most 64 characters.",
        );
      if (idsOf(plain).has(to)) return refused(`Another node has the id "${to}".`);
      return applied(withIds(plain, new Map([[id, to]])), [to]);
    },
  };
}

/**
 * Sets the title of a node. An id that was made from the title follows it, until a text names the id (`${id}`) or the
 * node has run. Edges, positions, and the lists of nodes at the end name it again.
 */
export function retitle(id: string, title: string | undefined, hasRun: boolean): Edit {
  const set = setField(id, ["title"], title);
  return {
    ...set,
    apply(plain, doc) {
      const node = nodeOf(plain, id);
      const change = set.apply(plain, doc);
      if (node === undefined || title === undefined || hasRun || !change.ok) return change;
      const to = freshId(title, new Set([...idsOf(plain), ...valueNames(plain)].filter((name) => name !== id)));
      const isMade = id.replace(/_\d+$/, "") === freshId(titleOf(node), new Set()).replace(/_\d+$/, "");
      if (to === id || !isMade || !/[A-Za-z]/.test(title) || isNamed(plain, id)) return change;
      // A short node without a title has the one that its id says.
      const isSaid = node.data?.title === undefined && titleFromId(to) === title;
      return applied(withIds(isSaid ? plain : change.plain, new Map([[id, to]])), [to]);
    },
  };
}

/** Whether a text, an expression, or the `stdin` of a node names the id. */
function isNamed(plain: Plain, id: string): boolean {
  const before = nodesOf(plain);
  return nodesOf(withReferences(plain, new Map([[id, `${id}_`]]))).some((node, at) => node.data !== before[at]?.data);
}

/** Renames ids in the whole document. */
export function withIds(plain: Plain, ids: ReadonlyMap<string, string>): Plain {
  const name = (id: string): string => ids.get(id) ?? id;
  let next = withReferences(plain, ids);
  next = withNodes(next, (node) => (ids.has(node.id) ? { ...node, id: name(node.id) } : node));
  next = relink(next, (link) =>
    ids.has(link.source) || ids.has(link.target)
      ? [{ ...link, source: name(link.source), target: name(link.target) }]
      : [link],
  );
  if (isMapValue(next.layout) && Object.keys(next.layout).some((id) => ids.has(id)))
    next = withHead(next, "layout", mapKeys(next.layout, name));
  for (const list of AT_END) {
    const found = next[list];
    if (Array.isArray(found) && found.some((id) => ids.has(String(id))))
      next = withHead(
        next,
        list,
        found.map((id) => (typeof id === "string" ? name(id) : id)),
      );
  }
  if (typeof next.output === "string" && ids.has(next.output)) next = withHead(next, "output", name(next.output));
  return next;
}

/** Names that mean something else than a node. */
export function valueNames(plain: Plain): Set<string> {
  const names = nodesOf(plain).flatMap(({ data }) => [data?.variableName, data?.as, data?.loopVariable].map(String));
  const inputs = Object.keys(isMapValue(plain.inputs) ? plain.inputs : {});
  return new Set([...names, ...inputs, ...(Array.isArray(plain.secrets) ? plain.secrets.map(String) : [])]);
}

/** Renames the references to nodes. A name that also means something else in the document is not an id. */
function withReferences(plain: Plain, ids: ReadonlyMap<string, string>): Plain {
  const taken = valueNames(plain);
  const names = new Map([...ids].filter(([id]) => VALUE_NAME.test(id) && !taken.has(id)));
  return withNodes(plain, (node) => {
    if (node.data === undefined) return node;
    const { stdin } = node.data;
    const fed = isMapValue(stdin) ? stdin.node : stdin;
    const id = typeof fed === "string" ? ids.get(fed) : undefined;
    const own = id === undefined ? node.data : { ...node.data, stdin: isMapValue(stdin) ? { ...stdin, node: id } : id };
    const data = referring({ ...node, data: own }, names, "nodes");
    return data === node.data ? node : { ...node, data };
  });
}

/** Removes the plain edge, and names its value by the node's id. An expression with `inputs` needs a person. */
export function nameInsteadOfEdge(source: string, target: string): Edit {
  return {
    label: `Name ${named(source)} in ${named(target)} instead of the edge`,
    apply(plain) {
      const into = linksOf(plain.edges).filter((link) => link.target === target);
      const number = into.findIndex((link) => link.source === source && link.handle === undefined) + 1;
      const data = nodeOf(plain, target)?.data;
      if (data === undefined || number === 0)
        return refused(`There is no edge from "${source}" to "${target}" any more.`);
      if (!VALUE_NAME.test(source))
        return refused(`\${${source}} is shell syntax. Rename the node first, without a dash.`);
      if (/\binputs\b/.test(JSON.stringify(data)))
        return refused(`"${target}" uses inputs in an expression. Change it there.`);
      const gone = into[number - 1];
      const changed = { ...eachText(data, (text, key) => (key === "title" ? text : renumbered(text, number, source))) };
      const stdin = isMapValue(data.stdin) && data.stdin.source === "parent-index" ? (data.stdin.parentIndex ?? 0) : -1;
      if (stdin === number - 1) changed.stdin = source;
      else if (Number(stdin) >= number) changed.stdin = { ...(data.stdin as Plain), parentIndex: Number(stdin) - 1 };
      const unlinked = relink(plain, (link) => (isSameLink(link, gone!) ? [] : [link]));
      return applied(
        withNodes(unlinked, (node) => (node.id === target ? { ...node, data: changed } : node)),
        [target],
      );
    },
  };
}

/** Removes the value of a node from another one: `stdin`, and each `${…}`. An expression needs a person. */
export function removeReference(source: string, target: string): Edit {
  return {
    label: `Remove the value of ${named(source)} from ${named(target)}`,
    apply(plain) {
      const data = nodeOf(plain, target)?.data;
      if (data === undefined) return refused(`There is no node "${target}" any more.`);
      const { stdin, ...others } = data;
      const own = (isMapValue(stdin) ? stdin.node : stdin) === source ? others : data;
      const isHidden = isMapValue(data.env) && isMapValue(data.env.static) && Object.hasOwn(data.env.static, source);
      const changed = eachText(own, (text, key) =>
        key === "title" || (isHidden && key !== "env") ? text : without(text, source),
      );
      if (new RegExp(`\\bnodes\\.${source}\\b`).test(JSON.stringify(changed)))
        return refused(`"${target}" uses it in an expression. Change it there.`);
      return applied(
        withNodes(plain, (node) => (node.id === target ? { ...node, data: changed } : node)),
        [target],
      );
    },
  };
}

function without(text: string, name: string): string {
  return referencesOf(text).reduceRight(
    (rest, { root, start, end }) => (root === name ? rest.slice(0, start) + rest.slice(end) : rest),
    text,
  );
}

function renumbered(text: string, gone: number, name: string): string {
  return withRoots(text, (root) =>
    Number(root) >= gone ? (Number(root) === gone ? name : String(Number(root) - 1)) : undefined,
  );
}

function mapKeys(map: Plain, name: (key: string) => string): Plain {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [name(key), value]));
}

export const VALUE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Renames the value of a Variable or an Accumulator and its references. A name that is invalid or in use is written
 * without changing references, and the checks report it.
 */
export function renameVariable(id: string, to: string): Edit {
  return {
    label: `Rename the value of ${named(id)} to ${to}`,
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
      if (!VALUE_NAME.test(to)) return refused("A name starts with a letter or _, followed by letters, digits and _.");
      if (Object.hasOwn(plain.inputs, to)) return refused(`Another input has the name "${to}".`);
      const inputs = mapKeys(plain.inputs, (name) => (name === from ? to : name));
      return applied(withValueNames({ ...plain, inputs }, new Map([[from, to]]), new Set()));
    },
  };
}

/** Names another secret in the document and its references. */
export function renameSecret(from: string, to: string): Edit {
  return {
    label: `Name ${to} instead of ${from}`,
    apply(plain) {
      const listed: unknown[] = Array.isArray(plain.secrets) ? plain.secrets : [];
      const secrets = [...new Set(listed.map((name) => (name === from ? to : name)))];
      return applied(withValueNames({ ...plain, secrets }, new Map([[from, to]]), new Set()));
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

function referring(node: PlainNode, names: ReadonlyMap<string, string>, maps = "vars|run\\.inputs"): Plain {
  const data = node.data ?? {};
  const env = isMapValue(data.env) && isMapValue(data.env.static) ? data.env.static : {};
  const hidden = new Map([...names].filter(([name]) => !Object.hasOwn(env, name)));
  return eachText(data, (text, key) =>
    key === "title" || key === "variableName" ? text : renamedText(text, key === "env" ? names : hidden, maps),
  );
}

/** The data with other texts. `key` is the field that has the text. An unchanged part stays the same object. */
export function eachText(data: Plain, change: (text: string, key: string) => string): Plain {
  const changed = (value: unknown, key: string): unknown => {
    if (typeof value === "string") return change(value, key);
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(([name, item]) => [name, changed(item, key || name)] as const);
    if (entries.every(([name, item]) => item === (value as Plain)[name])) return value;
    return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
  };
  return changed(data, "") as Plain;
}

function renamedText(text: string, names: ReadonlyMap<string, string>, maps: string): string {
  return withRoots(text, (root) => names.get(root)).replace(
    new RegExp(`\\b(${maps})\\.([A-Za-z_]\\w*)`, "g"),
    (whole, scope: string, name: string) => (names.has(name) ? `${scope}.${names.get(name)}` : whole),
  );
}

/** The text with other names in its references. `undefined` keeps a name. */
function withRoots(text: string, rename: (root: string) => string | undefined): string {
  return referencesOf(text).reduceRight((rest, { root, start }) => {
    const name = rename(root) ?? root;
    return `${rest.slice(0, start + 2)}${name}${rest.slice(start + 2 + root.length)}`;
  }, text);
}

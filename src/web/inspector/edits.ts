// edits: the panel's changes to a document beyond single fields (document/edits.ts): rows of maps, several fields,
// fixes.
//   E1. An empty text removes its key.
//   E2. Setting the first member of a map also sets its required members, so that the file never has half a rate limit.

import { type Fix, applied as patched } from "../code/fixes.ts";
import { setDocumentField, setField } from "../document/edits.ts";
import { isMapValue } from "../document/equal.ts";
import { applied, getIn, nodeOf, refused, setIn, withNodes } from "../document/plain.ts";
import type { Edit, Plain } from "../document/types.ts";

export type FieldPath = readonly (string | number)[];

/** Default values of members that the schema requires. */
const COMPANIONS: Record<string, Record<string, unknown>> = {
  rateLimit: { key: "default", limit: 10, per: "1m" },
  concurrency: { key: "default", limit: 1 },
  cache: { key: "default", ttl: "1h" },
};

/** `id` is the node; absent: a field of the document itself. `undefined` and an empty text remove the field. */
export function setValue(id: string | undefined, path: FieldPath, value: unknown, label?: string): Edit {
  const given = value === "" ? undefined : value;
  const [first, member] = path;
  const group = String(first);
  const plainly = setText(id, path, given);
  const companions = COMPANIONS[group];
  const apply: Edit["apply"] = (plain, doc) => {
    const isNew =
      id !== undefined &&
      companions !== undefined &&
      member !== undefined &&
      given !== undefined &&
      nodeOf(plain, id)?.data?.[group] === undefined;
    const edit = isNew ? setField(id, [group], { ...companions, [member]: given }) : plainly;
    return edit.apply(plain, doc);
  };
  return label === undefined ? { ...plainly, apply } : { label, apply };
}

/** The same, but an empty text stays, because only removing a row removes it. */
export function setText(id: string | undefined, path: FieldPath, value: unknown): Edit {
  const [first = "", ...rest] = path;
  return id === undefined ? setDocumentField([String(first), ...rest], value) : setField(id, path, value);
}

/** Several fields of a node as one undo step. */
export function setFields(id: string, fields: Readonly<Record<string, unknown>>, label: string): Edit {
  return inNode(id, label, (data) =>
    Object.entries(fields).reduce<unknown>((next, [key, value]) => setIn(next, [key], value), data),
  );
}

/** Renames a key of a map and keeps its value and position. */
export function renameKey(id: string | undefined, path: FieldPath, from: string, to: string): Edit {
  const label = `Rename ${from} to ${to}`;
  const renamed = (root: Plain): Plain => {
    const map = getIn(root, path);
    if (!isMapValue(map) || from === to || Object.hasOwn(map, to)) return root;
    const entries = Object.entries(map).map(([key, value]) => [key === from ? to : key, value]);
    return setIn(root, path, Object.fromEntries(entries)) as Plain;
  };
  if (id === undefined) return { label, apply: (plain) => applied(renamed(plain)) };
  return inNode(id, label, renamed);
}

/**
 * Applies a fix to a field's characters and to fields of its node (code/fixes.ts). `text` is the field's value that the
 * fix was made for.
 */
export function fixInNode(id: string, path: FieldPath, text: string, fix: Fix): Edit {
  const { changes, set = [], label } = fix;
  const isStale = (plain: Plain) => changes !== undefined && getIn(nodeOf(plain, id)?.data, path) !== text;
  const edit = inNode(id, label, (data) => {
    const patchedData = changes === undefined ? data : setIn(data, path, patched(text, changes));
    return set.reduce<unknown>(
      (next, { path: field, value, add }) =>
        setIn(next, field, add === undefined ? value : withItem(getIn(next, field), add)),
      patchedData,
    );
  });
  return {
    label,
    apply(plain, doc) {
      if (isStale(plain)) return refused("The text has changed since this was found.");
      const used = set.find(({ path: field, isNew }) => isNew && getIn(nodeOf(plain, id)?.data, field) !== undefined);
      return used === undefined ? edit.apply(plain, doc) : refused(`The node uses ${used.path.join(".")} already.`);
    },
  };
}

function withItem(list: unknown, item: string): unknown {
  if (list === true) return true;
  const known = Array.isArray(list) ? list : [];
  return known.includes(item) ? known : [...known, item];
}

function inNode(id: string, label: string, change: (data: Plain) => unknown): Edit {
  return {
    label,
    apply: (plain) => {
      if (nodeOf(plain, id) === undefined) return refused(`There is no node "${id}" any more.`);
      return applied(
        withNodes(plain, (node) => {
          if (node.id !== id) return node;
          const data = change(node.data ?? {}) as Plain;
          return data === node.data ? node : { ...node, data };
        }),
      );
    },
  };
}

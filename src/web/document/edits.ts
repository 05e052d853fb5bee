// edits: edits of nodes, fields, edges, and positions (spec 2.3). Loops, names, and pasting have their own files.

import { isMapValue, isSame } from "./equal.ts";
import { isSameLink, type Link, linksOf, relink, withLinks } from "./links.ts";
import { partnersOf } from "./loops.ts";
import {
  applied,
  freshId,
  getIn,
  idsOf,
  named,
  nodeOf,
  nodesOf,
  type PlainNode,
  refused,
  setIn,
  withHead,
  withNodes,
} from "./plain.ts";
import type { Edit, Plain } from "./types.ts";

export type Point = readonly [number, number];

export interface NewNode {
  type: string;
  data: Plain;
  /** The preferred id. If it is in use, a similar free one is chosen. */
  id?: string;
  at?: Point;
  /** Adds an edge from this node. */
  after?: { source: string; handle?: string };
  before?: { target: string };
  /** The node that it follows in the list, if it is not `after`. */
  behind?: string;
}

/** Adds a node at the end of the list, or after the node that it is connected to. */
export function addNode(node: NewNode): Edit {
  const title = typeof node.data.title === "string" ? node.data.title : node.type;
  return {
    label: `Add ${title}`,
    apply(plain) {
      const id = freshId(node.id ?? title, idsOf(plain));
      const made: PlainNode = { id, type: node.type, data: node.data };
      const list = Array.isArray(plain.nodes) ? plain.nodes : [];
      const behind = list.findIndex((other) => isMapValue(other) && other.id === (node.behind ?? node.after?.source));
      const at = behind < 0 ? list.length : behind + 1;
      let next = withHead(plain, "nodes", [...list.slice(0, at), made, ...list.slice(at)]);
      const added: Link[] = [];
      if (node.after !== undefined) added.push({ ...node.after, target: id });
      if (node.before !== undefined) added.push({ source: id, target: node.before.target });
      next = withLinks(next, added);
      if (node.at !== undefined) next = placed(next, { [id]: node.at });
      return applied(next, [id]);
    },
  };
}

export interface NodesRemoval {
  /** Connects the parents of the removed nodes to the children. */
  heal?: boolean;
}

/** Both ends of a loop are removed together. */
export function removeNodes(ids: readonly string[], { heal = false }: NodesRemoval = {}): Edit {
  return {
    label: heal ? "Delete and reconnect" : ids.length === 1 ? `Delete ${named(ids[0])}` : `Delete ${ids.length} nodes`,
    apply(plain, doc) {
      const gone = new Set([...ids, ...partnersOf(doc, ids)]);
      if (!nodesOf(plain).some((node) => gone.has(node.id))) return refused("There is nothing to delete.");
      let next = heal ? healed(plain, gone) : cut(plain, gone);
      if (Array.isArray(plain.nodes))
        next = { ...next, nodes: plain.nodes.filter((node) => !(isMapValue(node) && gone.has(String(node.id)))) };
      return applied(forgotten(next, gone), []);
    },
  };
}

function cut(plain: Plain, gone: ReadonlySet<string>): Plain {
  return relink(plain, (link) => (gone.has(link.source) || gone.has(link.target) ? [] : [link]));
}

/**
 * An edge from a removed node becomes edges from that node's parents, at the same position among the target's parents.
 */
function healed(plain: Plain, gone: ReadonlySet<string>): Plain {
  const links = linksOf(plain.edges);
  const into = new Map<string, Link[]>();
  for (const link of links) into.set(link.target, [...(into.get(link.target) ?? []), link]);
  const parentsOf = (id: string, seen: Set<string>): Link[] =>
    (into.get(id) ?? []).flatMap((link) => {
      if (!gone.has(link.source)) return [link];
      if (seen.has(link.source)) return [];
      return parentsOf(link.source, new Set([...seen, link.source]));
    });
  const there = new Set(links.map((link) => `${link.source}:${link.handle} ${link.target}`));
  return relink(plain, (link) => {
    if (gone.has(link.target)) return [];
    if (!gone.has(link.source)) return [link];
    return parentsOf(link.source, new Set([link.source])).flatMap((parent) => {
      const key = `${parent.source}:${parent.handle} ${link.target}`;
      if (there.has(key)) return [];
      there.add(key);
      return [{ source: parent.source, target: link.target, handle: parent.handle }];
    });
  });
}

/** Lists of nodes that run at the end. */
export const AT_END = ["onFailure", "finally"] as const;

/** Removes other mentions of the nodes: positions, the lists of nodes at the end, `output`. */
function forgotten(plain: Plain, gone: ReadonlySet<string>): Plain {
  let next = plain;
  if (isMapValue(next.layout)) {
    const left = Object.entries(next.layout).filter(([id]) => !gone.has(id));
    if (left.length < Object.keys(next.layout).length)
      next = withHead(next, "layout", left.length === 0 ? undefined : Object.fromEntries(left));
  }
  for (const list of AT_END) {
    const found = next[list];
    if (!Array.isArray(found) || !found.some((id) => gone.has(String(id)))) continue;
    const left = found.filter((id) => !gone.has(String(id)));
    next = withHead(next, list, left.length === 0 ? undefined : left);
  }
  if (gone.has(String(next.output))) next = withHead(next, "output", undefined);
  return next;
}

/** `path` is within `data`. `undefined` removes the field. */
export function setField(id: string, path: readonly (string | number)[], value: unknown): Edit {
  return {
    label: `Change ${path.join(".")} of ${named(id)}`,
    key: `${id} ${path.join(".")}`,
    apply(plain) {
      if (nodeOf(plain, id) === undefined) return refused(`There is no node "${id}" any more.`);
      return applied(
        withNodes(plain, (node) => {
          if (node.id !== id || isSame(getIn(node.data, path), value)) return node;
          return setIn(node, ["data", ...path], value, 1) as PlainNode;
        }),
      );
    },
  };
}

/** A field of the document itself: `inputs`, `secrets`, `name`, `output`, … */
export function setDocumentField(path: readonly [string, ...(string | number)[]], value: unknown): Edit {
  const [key, ...rest] = path;
  return {
    label: `Change ${path.join(".")}`,
    key: `document ${path.join(".")}`,
    apply: (plain) => {
      const next = setIn(plain[key], rest, value);
      const empty = value === undefined && isMapValue(next) && Object.keys(next).length === 0;
      return applied(withHead(plain, key, empty ? undefined : next));
    },
  };
}

export function connect(source: string, target: string, handle?: string): Edit {
  const link = { source, target, handle };
  return {
    label: `Connect ${named(source)} to ${named(target)}`,
    apply(plain) {
      if (linksOf(plain.edges).some((other) => isSameLink(other, link))) return refused("They are connected already.");
      return applied(withLinks(plain, [link]));
    },
  };
}

export function disconnect(links: readonly Link[]): Edit {
  return {
    label: links.length === 1 ? `Disconnect ${named(links[0]?.source)} from ${named(links[0]?.target)}` : "Disconnect",
    apply: (plain) => applied(relink(plain, (link) => (links.some((other) => isSameLink(link, other)) ? [] : [link]))),
  };
}

/** Moves one end of an edge. If the target is the same, its order of parents stays. */
export function reconnect(old: Link, link: Link): Edit {
  return {
    label: `Connect ${named(link.source)} to ${named(link.target)}`,
    apply: (plain) =>
      linksOf(plain.edges).some((other) => isSameLink(other, link))
        ? refused("They are connected already.")
        : applied(relink(plain, (other) => (isSameLink(other, old) ? [link] : [other]))),
  };
}

/** Positions on the canvas, in whole pixels. */
export function moveNodes(places: Readonly<Record<string, Point>>, label = "Move"): Edit {
  return { label, key: `move ${Object.keys(places).join(" ")}`, apply: (plain) => applied(placed(plain, places)) };
}

export function placed(plain: Plain, places: Readonly<Record<string, Point>>): Plain {
  const layout = { ...(isMapValue(plain.layout) ? plain.layout : {}) };
  for (const [id, [x, y]] of Object.entries(places)) {
    const place = [Math.round(x), Math.round(y)];
    if (!isSame(layout[id], place)) layout[id] = place;
  }
  return isSame(layout, plain.layout ?? {}) ? plain : withHead(plain, "layout", layout);
}

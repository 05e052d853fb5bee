// keep-secret: keeps a fetched value secret, by adding a Variable with `secret: true` that takes it (spec 1.2, 4.2).
//   K1. Other nodes then name the Variable, so that they wait for it and the result of a run stays the same.

import { referencesOf } from "../../shell/template.ts";
import { addNode, type NewNode } from "./edits.ts";
import { isMapValue, isSame } from "./equal.ts";
import { freeName, idsOf, named, nodesOf, withNodes } from "./plain.ts";
import { eachText, VALUE_NAME, valueNames } from "./rename.ts";
import type { Edit, Plain } from "./types.ts";

type Members = readonly (string | number)[];

/** `members`: the part of the node's value. Nodes whose id is shell syntax give the Variable their whole value. */
export function keepSecret(id: string, members: Members, at?: NewNode["at"]): Edit {
  return {
    label: `Keep the value of ${named(id)} secret`,
    apply(plain, doc) {
      const last = String(members.at(-1));
      const name = freeName(VALUE_NAME.test(last) ? last : "token", new Set([...idsOf(plain), ...valueNames(plain)]));
      const data: Plain = { variableName: name, secret: true };
      const isNamed = VALUE_NAME.test(id);
      if (isNamed) data.content = `\${${partOf(id, members)}}`;
      const after = isNamed ? undefined : { source: id };
      const next = isNamed ? withNodes(plain, (node) => renamed(node, id, members, name)) : plain;
      return addNode({ type: "variable", id: name, data, at, after, behind: id }).apply(next, doc);
    },
  };
}

/** Whether a secret Variable takes the part already. */
export function isKept(plain: Plain, id: string, members: Members): boolean {
  return nodesOf(plain).some(({ data }) => data?.secret === true && data.content === `\${${partOf(id, members)}}`);
}

const partOf = (id: string, members: Members): string => [id, ...members].join(".");

/** K1. A name of the node's own environment would hide the Variable. */
function renamed<Node extends { data?: Plain }>(node: Node, id: string, members: Members, name: string): Node {
  const { env } = node.data ?? {};
  const isHidden = isMapValue(env) && isMapValue(env.static) && Object.hasOwn(env.static, name);
  if (node.data === undefined || isHidden) return node;
  const data = eachText(node.data, (text, key) =>
    key === "title"
      ? text
      : referencesOf(text).reduceRight((rest, { root, members: found, start }) => {
          if (root !== id || !isSame(found, members)) return rest;
          return `${rest.slice(0, start + 2)}${name}${rest.slice(start + 2 + partOf(id, members).length)}`;
        }, text),
  );
  return data === node.data ? node : { ...node, data };
}

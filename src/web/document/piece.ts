// piece: a self-contained part of a workflow: nodes and the declarations that they need (spec ui.md 6.2: snippets,
// ready-made calls).
//   I1. Existing declarations of the document stay: two pieces with an input `api` share it.

import { copyNodes, pasteNodes } from "./clipboard.ts";
import type { Point } from "./edits.ts";
import { isMapValue, isSame } from "./equal.ts";
import { type Link, linksOf, withLinks } from "./links.ts";
import { openDoc } from "./open.ts";
import { refused, withHead } from "./plain.ts";
import type { Doc, Edit, Plain } from "./types.ts";
import { written } from "./write.ts";

const MAPS = ["inputs", "auth"] as const;

/**
 * The selected nodes as text, with the inputs, secrets, and sign-ins that they name. Empty if none of the nodes exists.
 */
export function pieceOf(doc: Doc, ids: readonly string[]): string {
  const nodes = copyNodes(doc, ids);
  if (nodes === "" || doc.plain === undefined) return "";
  const { plain } = doc;
  const inNodes = wordsIn(nodes);
  const auth = membersOf(plain.auth).filter(([name]) => inNodes.has(name));
  const words = wordsIn(nodes + JSON.stringify(auth));
  const inputs = membersOf(plain.inputs).filter(([name]) => words.has(name));
  const secrets = namesOf(plain.secrets).filter((name) => words.has(name));
  return [
    inputs.length > 0 ? written({ inputs: Object.fromEntries(inputs) }) : "",
    secrets.length > 0 ? written({ secrets }) : "",
    auth.length > 0 ? written({ auth: Object.fromEntries(auth) }) : "",
    nodes,
  ].join("");
}

/** `after`: the first nodes of the piece get an edge from this node. */
export function insertPiece(
  text: string,
  label: string,
  { at, after }: { at?: Point; after?: { source: string; handle?: string } },
): Edit {
  return {
    label,
    apply(plain, doc) {
      const piece = openDoc(text, "piece.yaml").plain;
      if (piece === undefined) return refused("This piece cannot be read.");
      const pasted = pasteNodes(text, at, label).apply(declared(plain, piece), doc);
      if (!pasted.ok || after === undefined) return pasted;
      const { plain: next, select = [] } = pasted;
      const led = new Set(linksOf(next.edges).map(({ target }) => target));
      const first = [...select].find((id) => !led.has(id));
      const link: Link = { ...after, target: first ?? "" };
      if (first === undefined) return pasted;
      return { ...pasted, plain: withLinks(next, [link]) };
    },
  };
}

/** Adds the declarations that are missing (I1). */
function declared(plain: Plain, piece: Plain): Plain {
  let next = plain;
  for (const key of MAPS) {
    const known = isMapValue(next[key]) ? next[key] : {};
    const fresh = membersOf(piece[key]).filter(([name]) => !Object.hasOwn(known, name));
    if (fresh.length > 0) next = withHead(next, key, { ...known, ...Object.fromEntries(fresh) });
  }
  const secrets = namesOf(next.secrets);
  const fresh = namesOf(piece.secrets).filter((name) => !secrets.includes(name));
  return fresh.length === 0
    ? next
    : withHead(next, "secrets", [...((next.secrets as unknown[] | undefined) ?? []), ...fresh]);
}

/** Inputs and sign-ins that the piece and the document declare differently under the same name. */
export function otherMeanings(doc: Doc, text: string): string[] {
  const piece = openDoc(text, "piece.yaml").plain ?? {};
  return MAPS.flatMap((key) => {
    const known = doc.plain?.[key];
    if (!isMapValue(known)) return [];
    return membersOf(piece[key]).flatMap(([name, value]) =>
      Object.hasOwn(known, name) && !isSame(known[name], value) ? [name] : [],
    );
  });
}

function wordsIn(text: string): Set<string> {
  return new Set(text.split(/[^\w-]+/));
}

function membersOf(value: unknown): [string, unknown][] {
  return isMapValue(value) ? Object.entries(value) : [];
}

function namesOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name): name is string => typeof name === "string") : [];
}

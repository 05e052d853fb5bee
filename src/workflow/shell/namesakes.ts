// shell/namesakes: variables whose text is the author's, and names another that holds a value: `y=x; (( y ))` reads x (spec 4.1: bash and zsh
// look up what stands in a number until it is one).

import type { SyntaxNode } from "unbash";
import type { Gift } from "./gifts.ts";
import type { Surroundings } from "./place.ts";
import type { Origin, Origins } from "./taint.ts";
import { contentOf } from "./words.ts";

/** What such a variable comes to as a number, for those that come to a value at all. */
export function namesakesOf(
  gifts: readonly (Gift & { sources: { names: { name: string; copied: boolean }[] } })[],
  origins: Origins,
  around: Surroundings,
): Map<string, Origin[]> {
  const named = gifts.flatMap(({ name, word }) => {
    const { segments, literal } = contentOf(word.at(-1) as SyntaxNode, around.text);
    const printed = segments.flatMap((one) => ("dynamic" in one ? textsPrinted(one.dynamic, around) : []));
    return [literal ?? "", ...printed].flatMap((text) =>
      [...text.matchAll(/[A-Za-z_]\w*/g)].map(([other]) => ({ name, other })),
    );
  });
  // `y=x; z=$y`: z names what y names.
  const copies = gifts.flatMap(({ name, sources }) =>
    sources.names.flatMap((from) => (from.copied ? [{ name, other: from.name }] : [])),
  );
  const found = new Map<string, Origin[]>();
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const { name, other } of named) {
      const from = origins.get(other) ?? found.get(other);
      if (from !== undefined && !found.has(name)) found.set(name, from);
    }
    for (const { name, other } of copies) {
      const from = found.get(other);
      if (from !== undefined && !found.has(name)) found.set(name, from);
    }
  }
  return found;
}

/** `n=$(echo x)`, `echo x > f`, `echo x | read n`: the author's texts that something in there prints. */
function textsPrinted(node: SyntaxNode, around: Surroundings): string[] {
  const own = node.type === "Command" && /^(?:echo|printf|print)$/.test(node.name?.value ?? "") ? node.args : [];
  const fed = node.type === "HereDoc" ? [node.body] : node.type === "HereString" ? [node.target] : [];
  return [
    ...[...own, ...fed].flatMap((word) => (word === undefined ? [] : (contentOf(word, around.text).literal ?? []))),
    ...around.children(node).flatMap((child) => textsPrinted(child, around)),
  ];
}

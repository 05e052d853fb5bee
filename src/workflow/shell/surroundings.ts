// shell/surroundings: what the judgement of one place needs to know of the whole script (place.ts).

import type { SyntaxNode } from "unbash";
import { associativeNames, onlyCopies } from "./arithmetic.ts";
import { fixedTexts } from "./assigned.ts";
import { mixesDescriptors } from "./descriptors.ts";
import type { Mark, Marked } from "./marks.ts";
import { namesByEnd } from "./paths.ts";
import type { Surroundings } from "./place.ts";
import type { Tree, Unbash } from "./tree.ts";
import type { Dialect } from "./types.ts";

export function surroundingsOf(
  unbash: Unbash,
  tree: Tree,
  marked: Marked,
  dialect: Dialect,
  variableOf: (mark: Mark) => string,
): Surroundings {
  const text = { source: marked.text, marks: marked.marks, pattern: marked.pattern };
  const functions = tree.nodes.map((chain) => chain.at(-1)).filter((node) => node?.type === "Function");
  const around = {
    text: { ...text, fixed: fixedTexts(tree, text) },
    dialect,
    functions: new Set(functions.map((node) => node.name.value)),
    copiers: new Set<string>(),
    namesByEnd: namesByEnd(marked.text),
    mixedDescriptors: mixesDescriptors(tree, marked.text),
    associative: associativeNames(tree, text),
    children: (node: SyntaxNode) => {
      const children: SyntaxNode[] = [];
      unbash.forEachChild(node, (child) => children.push(child));
      return children;
    },
    variableOf,
  };
  for (const node of functions) if (onlyCopies(node.body, around)) around.copiers.add(node.name.value);
  return around;
}

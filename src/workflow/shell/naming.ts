// shell/naming: where a shell takes a text for the name of a variable. A name may have a subscript, and bash and zsh run the commands that
// stand in it: `[[ -v $x ]]`, `printf -v "$x"`, `read "$x"`.

import type { SyntaxNode } from "unbash";
import { layersOf } from "./commands.ts";
import type { Surroundings } from "./place.ts";
import { contentOf } from "./words.ts";

/** Whether what stands in `child` is, for what holds it, the name of a variable, or begins with one. */
export function namesVariable(parent: SyntaxNode, child: SyntaxNode, around: Surroundings): boolean {
  if (parent.type === "TestUnary") return parent.operator === "-v" || parent.operator === "-R";
  if (parent.type !== "Command") return false;
  const layer = layersOf(parent, around.text).at(-1);
  const at = layer?.args.findIndex(({ node }) => node === child) ?? -1;
  if (layer?.name === undefined || at === -1) return false;
  const words = layer.args.map(({ node }) => contentOf(node, around.text).literal ?? "");
  // `export X="$y"`: the name is the author's. With -n what X is given is a name, too.
  if (DECLARES.test(layer.name)) return child.type !== "Assignment" || words.some((word) => /^-\w*n/.test(word));
  const option = words[at - 1] ?? "";
  if (layer.name === "test" || layer.name === "[") return /^-[vR]$/.test(option);
  if (layer.name === "printf") return option === "-v";
  if (layer.name === "wait") return option === "-p";
  if (layer.name === "getopts") return at === 1;
  return layer.name === "read" && !/^-\w*[dinNptu]$/.test(option);
}

/** Every operand of these is a name, with or without a value behind it. */
const DECLARES = /^(?:declare|typeset|local|readonly|export|unset|mapfile|readarray|integer|float|private|vared)$/;

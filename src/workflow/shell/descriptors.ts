// shell/descriptors: values that go through a descriptor of the script: `exec 3< f; read n <&3`, `{fd}<f`, `3<<< x`, coproc (see taint.ts).
//   D1. A descriptor is followed as a file whose name is `&3`. One whose number only the run knows may be any: then all from 3 on are one.
//   D2. Of 0, 1 and 2 only what exec does to them for the rest of the script is followed here; files.ts has what a command redirects for itself.
// Deliberately absent: descriptors that the script was started with.

import type { SyntaxNode } from "unbash";
import { namesSetBy } from "./assigned.ts";
import { layersOf } from "./commands.ts";
import type { Gift } from "./gifts.ts";
import { descriptorKey, fileKey } from "./paths.ts";
import type { Surroundings } from "./place.ts";
import type { Chain, Tree } from "./tree.ts";

/** Text of no words: the gift is what it refers to. */
export const NOTHING: SyntaxNode = { type: "Word", pos: 0, end: 0, text: "", value: "", parts: undefined };

export function throughDescriptors(tree: Tree, around: Surroundings): Gift[] {
  return tree.nodes.flatMap((chain): Gift[] => {
    const node = chain.at(-1) as SyntaxNode;
    if (node.type === "Redirect" || node.type === "HereString" || node.type === "HereDoc")
      return redirected(node, chain, tree, around);
    // What it prints, and what is written to it, comes back by a number that the shell chooses.
    if (node.type === "Coproc") return [{ name: descriptorKey(undefined, around), word: [...chain, node.body] }];
    return node.type === "Command" ? readFrom(node, around) : [];
  });
}

function redirected(
  node: SyntaxNode & { type: "Redirect" | "HereString" | "HereDoc" },
  chain: Chain,
  tree: Tree,
  around: Surroundings,
): Gift[] {
  const own = node.type === "Redirect" && node.operator.includes(">") && node.operator !== "<>" ? 1 : 0;
  const number =
    node.descriptor === undefined ? own : node.descriptor.type === "FileDescriptor" ? node.descriptor.value : undefined;
  // D2.
  if (number !== undefined && number < 3 && !isLasting(chain.at(-2))) return [];
  const name = descriptorKey(number, around);
  const text = node.type === "HereDoc" ? node.body : node.target;
  if (text === undefined) return [];
  if (node.type !== "Redirect") return [{ name, word: [...chain, text] }];
  const other = fileKey(text, around, node);
  const gifts: Gift[] = [];
  if (node.operator.includes("<")) gifts.push({ name, word: [...chain, text], refersTo: other });
  if (node.operator.includes(">") || node.operator === "<&")
    gifts.push({ name: other, word: [NOTHING], refersTo: name });
  // All that is printed from here on.
  if (number === 1 || number === 2) gifts.push({ name, word: [tree.root] });
  return gifts;
}

/** `exec > f`: for the rest of the script. */
function isLasting(holder: SyntaxNode | undefined): boolean {
  return holder?.type === "Command" && holder.name?.value === "exec" && holder.args.length === 0;
}

/** `read -u 3 n`; by itself it reads what exec made its input. */
function readFrom(command: SyntaxNode & { type: "Command" }, around: Surroundings): Gift[] {
  const layer = layersOf(command, around.text).at(-1);
  if (!/^(?:read|mapfile|readarray|sysread)$/.test(layer?.name ?? "")) return [];
  const named = namesSetBy(command, around.text);
  const names = named.length > 0 ? named : [layer?.name === "read" ? "REPLY" : "MAPFILE"];
  const from = descriptorKey(numberRead(command, around), around);
  return names.map((name) => ({ name, word: [NOTHING], refersTo: from }));
}

function numberRead(command: SyntaxNode & { type: "Command" }, around: Surroundings): string | undefined {
  const said = command.args.map((word) => around.text.source.slice(word.pos, word.end).replaceAll(/["']/g, ""));
  const at = said.findIndex((word) => /^-\w*u/.test(word));
  if (at !== -1) {
    const value = said[at]?.replace(/^-\w*?u/, "") || said[at + 1];
    return /^\d+$/.test(value ?? "") ? value : undefined;
  }
  return around.dialect === "zsh" && said.some((word) => /^-\w*p/.test(word)) ? undefined : "0";
}

/** D1. */
export function mixesDescriptors(tree: Tree, source: string): boolean {
  return tree.nodes.some((chain) => {
    const node = chain.at(-1) as SyntaxNode;
    if (node.type === "Coproc" || node.type === "FileDescriptorVariable") return true;
    if (node.type === "Redirect" && node.operator.endsWith("&") && node.target !== undefined)
      return !/^["']?(?:\d+-?|-)["']?$/.test(source.slice(node.target.pos, node.target.end));
    return (
      node.type === "Command" &&
      /\s-\w*(?:u\s*["']?\$|p\b)|\/fd\/["']?\$/.test(source.slice(node.pos, node.end)) &&
      /\bread|\bmapfile|\/fd\//.test(source.slice(node.pos, node.end))
    );
  });
}

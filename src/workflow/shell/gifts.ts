// gifts: every way in which a script gives a text to one of its variables (see taint.ts).
// Counted: assignments, `${x:=…}`, for and select lists, read and mapfile from what they are fed with, set --, arguments of the script's
// own functions and what those print, namerefs, what env and its like set, and `$_`.

import type { SyntaxNode } from "unbash";
import { namesSetBy, wordsDeclared } from "./assigned.ts";
import { layersOf } from "./commands.ts";
import type { Surroundings } from "./place.ts";
import type { Chain, Tree } from "./tree.ts";

/** `word`: the text, with all that stands around it. `byCommand`: something made of it, not it. */
export interface Gift {
  name: string;
  word: Chain;
  byCommand?: true;
  /** A nameref, or `for x; do`: whatever that variable holds. */
  refersTo?: string;
}

export function givingsOf(tree: Tree, around: Surroundings): Gift[] {
  const gifts: Gift[] = [];
  for (const chain of tree.nodes) {
    const node = chain.at(-1) as SyntaxNode;
    const give = (name: string, word: SyntaxNode) => gifts.push({ name, word: [...chain, word] });
    if (node.type === "Assignment")
      for (const word of node.value.type === "Word" ? [node.value] : node.value.elements) give(node.name, word);
    if (
      node.type === "ParameterExpansion" &&
      node.operation?.type === "Default" &&
      node.operation.operator.endsWith("=")
    )
      give(node.parameter, node.operation.operand);
    if (node.type === "For" || node.type === "Select") {
      for (const word of node.wordlist ?? []) give(node.name.value, word);
      // Without a list it goes over the parameters of the script or function.
      if ((node.wordlist ?? []).length === 0)
        gifts.push({ name: node.name.value, word: [...chain, node.name], refersTo: positionalKey(chain) });
    }
    if (node.type === "Function") give(outputKey(node.name.value), node.body);
    if (node.type === "Command") byCommand(node, chain, around, gifts);
  }
  return gifts;
}

function byCommand(command: SyntaxNode & { type: "Command" }, chain: Chain, around: Surroundings, gifts: Gift[]): void {
  const layers = layersOf(command, around.text);
  for (const { wrapper, own } of layers)
    for (const { node, head } of wrapper ? own : []) {
      const name = /^([A-Za-z_]\w*)=/.exec(head)?.[1];
      if (name !== undefined) gifts.push({ name, word: [...chain, node] });
    }
  const [layer] = layers;
  if (layer?.name === undefined) return;
  if (layer.name === "read" || layer.name === "mapfile" || layer.name === "readarray") {
    const named = namesSetBy(command, around.text);
    const names = named.length > 0 ? named : [layer.name === "read" ? "REPLY" : "MAPFILE"];
    for (const { word, copied } of fedWith(command, chain))
      for (const name of names) gifts.push({ name, word, ...(copied ? {} : { byCommand: true }) });
  }
  if (
    /^(declare|typeset|local)$/.test(layer.name) &&
    layer.args.some(({ content }) => /^-\w*n/.test(content.literal ?? ""))
  )
    for (const { node } of layer.args)
      if (node.type === "Assignment" && node.value.type === "Word")
        gifts.push({ name: node.name, word: [...chain, node.value], refersTo: node.value.text });
  const words = layer.args.filter(({ node }) => node.type === "Word");
  if (layer.name === "printf" && words[0]?.content.literal === "-v")
    // What has nothing to put in is a text itself: `printf -v n x`.
    for (const { node } of words.slice(words[2]?.content.literal?.includes("%") === false ? 2 : 3))
      gifts.push({ name: words[1]?.content.literal ?? "", word: [...chain, node] });
  if (layer.name === "getopts") {
    gifts.push({ name: "OPTARG", word: [...chain, command.name as SyntaxNode], refersTo: positionalKey(chain) });
    for (const { node } of words.slice(2)) gifts.push({ name: "OPTARG", word: [...chain, node] });
  }
  const declared = words.map(({ node }) => node);
  for (const { name, word } of wordsDeclared(layer.name, declared)) gifts.push({ name, word: [...chain, word] });
  if (layer.name === "set")
    for (const { node } of words) gifts.push({ name: positionalKey(chain), word: [...chain, node] });
  if (around.functions.has(layer.name))
    for (const { node } of words) gifts.push({ name: functionKey(layer.name), word: [...chain, node] });
  for (const { node } of words) gifts.push({ name: "_", word: [...chain, node], byCommand: true });
}

/** The texts on a command's standard input, from the nearest outwards: its own, those of loops and groups around it, and pipes. */
export function fedWith(command: SyntaxNode & { type: "Command" }, chain: Chain): { word: Chain; copied: boolean }[] {
  const fed: { word: Chain; copied: boolean }[] = [];
  const redirects = (from: readonly SyntaxNode[], above: Chain) => {
    for (const redirect of from) {
      if (redirect.type === "HereString" && redirect.target !== undefined)
        fed.push({ word: [...above, redirect, redirect.target], copied: true });
      if (redirect.type === "HereDoc" && redirect.body !== undefined)
        fed.push({ word: [...above, redirect, redirect.body], copied: true });
      if (redirect.type === "Redirect" && redirect.target !== undefined)
        fed.push({ word: [...above, redirect, redirect.target], copied: true });
    }
  };
  redirects(command.redirects, chain);
  for (let level = chain.length - 2; level >= 0; level--) {
    const node = chain[level] as SyntaxNode;
    const below = chain[level + 1] as SyntaxNode;
    const above = chain.slice(0, level + 1);
    if (node.type === "Redirected" && node.command === below) redirects(node.redirects, above);
    if (node.type === "Pipeline")
      for (const earlier of node.commands.slice(0, (node.commands as readonly SyntaxNode[]).indexOf(below)))
        fed.push({ word: [...above, earlier], copied: true });
  }
  return fed;
}

export function positionalKey(chain: Chain): string {
  const inside = chain.findLast((node) => node.type === "Function");
  return inside?.type === "Function" ? functionKey(inside.name.value) : " set";
}

/** What a function of the script prints. */
export function outputKey(name: string): string {
  return ` output ${name}`;
}

function functionKey(name: string): string {
  return ` function ${name}`;
}

/** Where functions of the script are called. */
export function callsOfOwn(tree: Tree, around: Surroundings): { name: string; chain: Chain }[] {
  return tree.nodes.flatMap((chain) => {
    const node = chain.at(-1);
    const name = node?.type === "Command" ? (node.name?.value ?? "") : "";
    return around.functions.has(name) ? [{ name, chain }] : [];
  });
}

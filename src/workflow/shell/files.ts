// shell/files: values that a script writes to a file and reads back by the same name (see taint.ts). A file is followed as a variable is.
//   F1. A name is what the script says: a literal path, or the same variables in it (`"$t"`, `$HOME/f`); nothing is looked up.
//   F2. Written by `>`, tee, dd, cp, mv, ln and install; read wherever its name stands as a word, but for where it is written.
// Deliberately absent: names that are put together differently, folders, descriptors (`read <&3`).

import type { SyntaxNode } from "unbash";
import { someCopy } from "./arithmetic.ts";
import { layersOf } from "./commands.ts";
import { fedWith, type Gift } from "./gifts.ts";
import type { Surroundings } from "./place.ts";
import type { Carriers, Origins } from "./taint.ts";
import type { Chain, Tree } from "./tree.ts";

const PREFIX = " file ";

/** The variable that stands for a file. */
export function fileKey(word: SyntaxNode, around: Surroundings): string {
  return keyOfPath(around.text.source.slice(word.pos, word.end));
}

function keyOfPath(raw: string): string {
  const path = raw.replaceAll(/["'\\]/g, "").replaceAll(/\$\{(\w+)\}/g, "$$$1");
  return PREFIX + path.replace(/^(?:\$PWD\/|\.\/)+/, "");
}

export function pathOf(key: string): string | undefined {
  return key.startsWith(PREFIX) ? key.slice(PREFIX.length) : undefined;
}

/** What is written to files, and what one file is made of others. */
export function filesWritten(tree: Tree, around: Surroundings): Gift[] {
  return tree.nodes.flatMap((chain): Gift[] => {
    const node = chain.at(-1) as SyntaxNode;
    if (node.type === "Command") {
      const targets = [...targetsOf(node.redirects), ...named(node, around)];
      const fed = fedWith(node, chain).filter(({ word }) => !isTarget(word));
      return [
        ...targets.flatMap((target) => {
          const name = fileKey(target, around);
          return [{ name, word: [...chain.slice(0, -1), node] }, ...fed.map(({ word }) => ({ name, word }))];
        }),
        ...copied(node, chain, around),
      ];
    }
    if (node.type !== "Redirected") return [];
    return targetsOf(node.redirects).map((target) => ({
      name: fileKey(target, around),
      word: [...chain, node.command],
    }));
  });
}

function targetsOf(redirects: readonly SyntaxNode[]): SyntaxNode[] {
  return redirects.flatMap((one) =>
    one.type === "Redirect" && one.operator.includes(">") && one.target !== undefined ? [one.target] : [],
  );
}

function isTarget(word: Chain): boolean {
  const holder = word.at(-2);
  return holder?.type === "Redirect" && holder.operator.includes(">");
}

/** `tee f`. */
function named(command: SyntaxNode & { type: "Command" }, around: Surroundings): SyntaxNode[] {
  const layer = layersOf(command, around.text).at(-1);
  return layer?.name === "tee" ? layer.args.map(({ node }) => node) : [];
}

/** `cp f g`, `dd if=f of=g`. */
function copied(command: SyntaxNode & { type: "Command" }, chain: Chain, around: Surroundings): Gift[] {
  const layer = layersOf(command, around.text).at(-1);
  const words = layer?.args.map(({ node }) => node) ?? [];
  if (/^(?:cp|mv|ln|install)$/.test(layer?.name ?? "")) {
    const to = words.at(-1);
    if (to === undefined) return [];
    return words
      .slice(0, -1)
      .map((from) => ({ name: fileKey(to, around), word: [...chain, to], refersTo: fileKey(from, around) }));
  }
  if (layer?.name !== "dd") return [];
  const said = words.map((word) => around.text.source.slice(word.pos, word.end));
  const part = (option: string) => said.find((word) => word.startsWith(option))?.slice(option.length);
  const [from, to] = [part("if="), part("of=")];
  if (to === undefined) return [];
  const name = keyOfPath(to);
  if (from !== undefined) return [{ name, word: chain, refersTo: keyOfPath(from) }];
  return fedWith(command, chain).map(({ word }) => ({ name, word }));
}

/** Where one of these files is read; `chain` ends with the word that names it, or with the backquotes that do. */
export function filesRead(
  tree: Tree,
  around: Surroundings,
  files: ReadonlySet<string>,
): { name: string; chain: Chain }[] {
  if (files.size === 0) return [];
  return tree.nodes.flatMap((chain): { name: string; chain: Chain }[] => {
    const node = chain.at(-1) as SyntaxNode;
    if (node.type === "CommandExpansion" && node.text.startsWith("`"))
      return node.text
        .slice(1, -1)
        .split(/[\s;|&<>()"']+/)
        .flatMap((word) => (files.has(keyOfPath(word)) ? [{ name: keyOfPath(word), chain }] : []));
    if (node.type !== "Word" || isTarget(chain)) return [];
    const name = fileKey(node, around);
    return files.has(name) ? [{ name, chain }] : [];
  });
}

/** `$(cat f)` of a file that holds a value. */
export function readBack(
  reads: readonly { name: string; chain: Chain }[],
  origins: Origins,
  around: Surroundings,
): Carriers {
  return reads.flatMap(({ name, chain }) => {
    const inside = readIn(chain);
    const from = origins.get(name);
    if (inside === undefined || from === undefined) return [];
    const copies = someCopy(inside.at(-1) as SyntaxNode, around);
    return [
      {
        name,
        chain: inside,
        from: from.map((one) => ({ ...one, stored: true, whole: false, copied: one.copied && copies })),
      },
    ];
  });
}

/** The expansion around it. */
function readIn(chain: Chain): Chain | undefined {
  const level = chain.findLastIndex(({ type }) => /CommandExpansion$/.test(type));
  return level === -1 ? undefined : chain.slice(0, level + 1);
}

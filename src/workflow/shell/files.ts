// shell/files: values that a script writes to a file and reads back by the same name (see taint.ts). A file is followed as a variable is.
//   F1. Its name is that of paths.ts. A variable that is given such a name is another name of it: `for p in f g; do sh "$p"; done`.
//   F2. Written by `>`, tee, dd, sort -o, cp, mv, ln and install; read wherever its name, or a pattern for it, stands as a word, but for
//       where it is written.
// Deliberately absent: what other programs write by themselves (`split`, awk's `print > "f"`).

import type { SyntaxNode } from "unbash";
import { someCopy } from "./arithmetic.ts";
import { layersOf } from "./commands.ts";
import { NOTHING } from "./descriptors.ts";
import { fedWith, type Gift } from "./gifts.ts";
import { descriptorKey, fileKey, keyOfPath, meantByPattern, pathOf } from "./paths.ts";
import type { Surroundings } from "./place.ts";
import type { Carriers, Origins } from "./taint.ts";
import type { Chain, Tree } from "./tree.ts";

/** What is written to files, and what one file is made of others. */
export function filesWritten(tree: Tree, around: Surroundings): Gift[] {
  return tree.nodes.flatMap((chain): Gift[] => {
    const node = chain.at(-1) as SyntaxNode;
    if (node.type === "Command") {
      const targets = [...targetsOf(node.redirects, around), ...named(node, around)];
      const fed = fedWith(node, chain).filter(({ word }) => !isTarget(word));
      return [
        ...targets.flatMap((name) => [
          { name, word: [...chain.slice(0, -1), node] },
          ...fed.map(({ word }) => ({ name, word })),
        ]),
        ...copied(node, chain, around),
      ];
    }
    if (node.type !== "Redirected") return [];
    return targetsOf(node.redirects, around).map((name) => ({ name, word: [...chain, node.command] }));
  });
}

function targetsOf(redirects: readonly SyntaxNode[], around: Surroundings): string[] {
  return redirects.flatMap((one) =>
    one.type === "Redirect" && one.operator.includes(">") && one.target !== undefined
      ? [fileKey(one.target, around, one)]
      : [],
  );
}

function isTarget(word: Chain): boolean {
  const holder = word.at(-2);
  return holder?.type === "Redirect" && holder.operator.includes(">");
}

/** `tee f`, `sort -o f`. */
function named(command: SyntaxNode & { type: "Command" }, around: Surroundings): string[] {
  const layer = layersOf(command, around.text).at(-1);
  const words = layer?.args.map(({ node }) => node) ?? [];
  if (layer?.name === "tee") return words.map((word) => fileKey(word, around));
  if (layer?.name !== "sort") return [];
  const raw = words.map((word) => around.text.source.slice(word.pos, word.end));
  const at = raw.findIndex((word) => /^(?:-\w*o|--output)/.test(word));
  const path = raw[at]?.replace(/^(?:-\w*?o|--output=?)/, "") || raw[at + 1];
  return at === -1 || path === undefined ? [] : [keyOfPath(path, around)];
}

/** `cp f g`, `dd if=f of=g`. */
function copied(command: SyntaxNode & { type: "Command" }, chain: Chain, around: Surroundings): Gift[] {
  const layer = layersOf(command, around.text).at(-1);
  const words = layer?.args.map(({ node }) => node) ?? [];
  if (/^(?:cp|mv|ln|install)$/.test(layer?.name ?? "")) {
    const to = words.at(-1);
    if (to === undefined) return [];
    return words.slice(0, -1).map((from) =>
      // What a command prints: `install <(printf %s ${v}) f`.
      /^[<=]\(/.test(around.text.source.slice(from.pos, from.end))
        ? { name: fileKey(to, around), word: [...chain, from] }
        : { name: fileKey(to, around), word: [...chain, to], refersTo: fileKey(from, around) },
    );
  }
  if (layer?.name !== "dd") return [];
  const said = words.map((word) => around.text.source.slice(word.pos, word.end));
  const part = (option: string) => said.find((word) => word.startsWith(option))?.slice(option.length);
  const [from, to] = [part("if="), part("of=")];
  if (to === undefined) return [];
  const name = keyOfPath(to, around);
  if (from !== undefined) return [{ name, word: chain, refersTo: keyOfPath(from, around) }];
  return fedWith(command, chain).map(({ word }) => ({ name, word }));
}

/** F1: a variable that is given a file's name is another name of that file, both ways. */
export function otherNames(gifts: readonly Gift[], files: ReadonlySet<string>, around: Surroundings): Gift[] {
  const paths = [...files].flatMap((key) => pathOf(key) ?? []);
  return gifts.flatMap(({ name, word }): Gift[] => {
    const said = word.at(-1) as SyntaxNode;
    if (said.type !== "Word" || !/^\w+$/.test(name)) return [];
    const variable = keyOfPath(`$${name}`, around);
    const key = fileKey(said, around);
    const keys = [key, ...meantByPattern(pathOf(key) ?? "", paths).map((path) => keyOfPath(path, around))];
    return keys
      .filter((one) => one !== variable && (files.has(one) || files.has(variable)))
      .flatMap((one) => [
        { name: variable, word: [NOTHING], refersTo: one },
        { name: one, word: [NOTHING], refersTo: variable },
      ]);
  });
}

/** Where one of these files is read; `chain` ends with the word that names it, or with the backquotes or the command that do. */
export function filesRead(
  tree: Tree,
  around: Surroundings,
  files: ReadonlySet<string>,
): { name: string; chain: Chain }[] {
  if (files.size === 0) return [];
  const paths = [...files].flatMap((key) => pathOf(key) ?? []);
  const input = descriptorKey(0, around);
  return tree.nodes.flatMap((chain): { name: string; chain: Chain }[] => {
    const node = chain.at(-1) as SyntaxNode;
    // What exec made the input of all that follows.
    if (node.type === "Command" && files.has(input)) return [{ name: input, chain }];
    if (node.type === "CommandExpansion" && node.text.startsWith("`"))
      return node.text
        .slice(1, -1)
        .split(/[\s;|&<>()"']+/)
        .map((word) => keyOfPath(word, around))
        .flatMap((name) => (files.has(name) ? [{ name, chain }] : []));
    if (node.type !== "Word" || isTarget(chain)) return [];
    const name = fileKey(node, around, chain.at(-2));
    if (files.has(name)) return [{ name, chain }];
    return meantByPattern(pathOf(name) ?? "", paths).map((path) => ({ name: keyOfPath(path, around), chain }));
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

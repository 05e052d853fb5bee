// shell/elsewhere: values that come to run by a way around: a program that reads a descriptor of the whole script (coproc, exec > >(…)),
// or a file that the script writes and then runs (spec 4.1, "Refused").

import type { SyntaxNode } from "unbash";
import { atMark } from "./at.ts";
import { layersOf } from "./commands.ts";
import { fedTo } from "./feeds.ts";
import { fileKey, pathOf } from "./files.ts";
import type { Marked } from "./marks.ts";
import type { Surroundings } from "./place.ts";
import * as problems from "./problems.ts";
import { programText, readsProgramFromStdin } from "./programs.ts";
import type { Taint } from "./taint.ts";
import type { Tree } from "./tree.ts";
import type { ShellProblem } from "./types.ts";
import { contentOf } from "./words.ts";

export function fedElsewhere(
  tree: Tree,
  marked: Marked,
  { carriers, origins }: Taint,
  text: string,
  around: Surroundings,
): ShellProblem[] {
  const [first] = marked.marks.filter(({ kind }) => kind === "reference");
  if (first === undefined) return [];
  const at = atMark(text, first);
  const standing = { at, mark: undefined, chain: [] };
  for (const chain of tree.nodes) {
    const node = chain.at(-1) as SyntaxNode;
    const outer = node.type === "Coproc" || (node.type === "Command" && node.name?.value === "exec");
    const problem = outer ? fedTo(standing, node, around) : undefined;
    if (problem !== undefined) return [problem];
  }
  // Everything that a value stands in, itself or by a variable.
  const holders = new Set([...[...tree.places.values()].flat(2), ...carriers.flatMap(({ chain }) => chain)]);
  const written = writtenFiles(tree, holders, around);
  for (const name of origins.keys()) written.add(pathOf(name) ?? "");
  written.delete("");
  const run = written.size === 0 ? undefined : runAmong(tree, written, around);
  return run === undefined ? [] : [problems.writtenAndRun(at, run)];
}

/** Files that what holds a value writes to: by `>`, and by tee. */
function writtenFiles(tree: Tree, holders: ReadonlySet<SyntaxNode>, around: Surroundings): Set<string> {
  const written = new Set<string>();
  for (const chain of tree.nodes) {
    const node = chain.at(-1) as SyntaxNode;
    const holder = chain.at(-2);
    if (node.type === "Redirect" && node.operator.includes(">") && node.target !== undefined) {
      const name = plain(node.target, around);
      if (name !== undefined && holder !== undefined && holders.has(holder)) written.add(name);
    }
    if (node.type !== "Command" || !isFed(chain, holders)) continue;
    const layer = layersOf(node, around.text).at(-1);
    if (layer?.name === "tee")
      for (const { content } of layer.args) if (content.literal !== undefined) written.add(short(content.literal));
  }
  return written;
}

/** A value stands in it, or in a pipe or group around it. */
function isFed(chain: readonly SyntaxNode[], holders: ReadonlySet<SyntaxNode>): boolean {
  return chain.some(
    (node) => (node.type === "Command" || node.type === "Pipeline" || node.type === "Redirected") && holders.has(node),
  );
}

export function runAmong(tree: Tree, written: ReadonlySet<string>, around: Surroundings): string | undefined {
  for (const chain of tree.nodes) {
    const node = chain.at(-1);
    const run = node?.type === "Command" ? runBy(node, around) : node?.type === "Pipeline" ? piped(node, around) : [];
    const found = run.find((word) => written.has(word));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Files that a command runs: itself, what it is told to read as its program, and what it makes fit to be run. */
function runBy(command: SyntaxNode & { type: "Command" }, around: Surroundings): string[] {
  const layers = layersOf(command, around.text);
  const layer = layers.at(-1);
  if (command.name === undefined || layer?.name === undefined) return [];
  const words = layer.args.map(({ node }) => plain(node, around) ?? "");
  const files = [plain(command.name, around) ?? "", short(layer.nameArgument.content.literal ?? "")];
  if (layer.name === "source" || layer.name === ".") return [...files, ...words.slice(0, 1)];
  if (layer.name === "chmod")
    return words.some((word) => /^[ugoa]*[+=]\w*x|^[0-7]*[1357][0-7]*$/.test(word)) ? words : files;
  const program = programText(layer.name, layer.args);
  files.push(...[...program].map(({ node }) => plain(node, around) ?? ""));
  if (!readsProgramFromStdin(layers)) return files;
  return [
    ...files,
    ...command.redirects.flatMap((one) =>
      one.type === "Redirect" && one.target !== undefined ? [plain(one.target, around) ?? ""] : [],
    ),
  ];
}

/** `cat f | sh`. */
function piped(pipeline: SyntaxNode & { type: "Pipeline" }, around: Surroundings): string[] {
  const commands = (pipeline.commands as readonly SyntaxNode[]).filter((one) => one.type === "Command");
  const reader = commands.findLastIndex((one) => readsProgramFromStdin(layersOf(one, around.text)));
  return commands
    .slice(0, Math.max(reader, 0))
    .flatMap((one) => one.args.map((word) => (word.type === "Word" ? (plain(word, around) ?? "") : "")));
}

function plain(word: SyntaxNode, around: Surroundings): string | undefined {
  const { literal } = contentOf(word, around.text);
  return literal === undefined ? pathOf(fileKey(word, around)) : short(literal);
}

function short(path: string): string {
  return path.replace(/^\.\//, "");
}

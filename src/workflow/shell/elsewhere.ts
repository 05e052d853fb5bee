// shell/elsewhere: values that come to run by a way around: a program that reads a descriptor of the whole script (coproc, exec > >(…)),
// or a file that the script writes and then runs (spec 4.1, "Refused").

import type { SyntaxNode } from "unbash";
import { isDangerousName } from "../../base/environment-names.ts";
import { atMark } from "./at.ts";
import { layersOf } from "./commands.ts";
import { fedTo } from "./feeds.ts";
import { givingsOf } from "./gifts.ts";
import { base, interpreterOf, SHELLS } from "./interpreters.ts";
import type { Marked } from "./marks.ts";
import type { Argument } from "./options.ts";
import { descriptorKey, endOf, fileKey, keyOfPath, meantByPattern, pathOf, patternOf } from "./paths.ts";
import type { Surroundings } from "./place.ts";
import * as problems from "./problems.ts";
import { programText, readsProgramFromStdin } from "./programs.ts";
import type { Taint } from "./taint.ts";
import type { Tree } from "./tree.ts";
import type { ShellProblem } from "./types.ts";

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
    if (node.type === "Redirect" && node.operator.includes(">") && node.target !== undefined)
      if (holder !== undefined && holders.has(holder)) written.add(pathOf(fileKey(node.target, around, node)) ?? "");
    if (node.type !== "Command" || !isFed(chain, holders)) continue;
    const layer = layersOf(node, around.text).at(-1);
    if (layer?.name === "tee")
      for (const { node: word } of layer.args) written.add(pathOf(fileKey(word, around)) ?? "");
  }
  return written;
}

/** A value stands in it, or in a pipe or group around it. */
function isFed(chain: readonly SyntaxNode[], holders: ReadonlySet<SyntaxNode>): boolean {
  return chain.some(
    (node) => (node.type === "Command" || node.type === "Pipeline" || node.type === "Redirected") && holders.has(node),
  );
}

/** One of the files that the script runs, itself or as a program of another. */
export function runAmong(tree: Tree, written: ReadonlySet<string>, around: Surroundings): string | undefined {
  const startup = [...written].find((path) => STARTS_SHELLS.test(endOf(path)));
  if (startup !== undefined) return startup;
  const among = (paths: readonly string[]) =>
    paths.flatMap((path) => (written.has(path) ? [path] : meantByPattern(path, written)))[0];
  for (const chain of tree.nodes) {
    const node = chain.at(-1);
    const run =
      node?.type === "Command"
        ? [...runBy(node, around), ...byItsName(node, written, around)]
        : node?.type === "Pipeline"
          ? piped(node, around)
          : [];
    const found = among(run);
    if (found !== undefined) return found;
  }
  return among(inVariables(tree, around));
}

/** What a shell, or python, reads by itself when it starts. */
const STARTS_SHELLS =
  /^\.(?:bashrc|bash_profile|bash_login|bash_logout|profile|zshenv|zshrc|zprofile|zlogin|zlogout|kshrc|mkshrc|shrc)$|^(?:site|user)customize\.py$/;

/** `export BASH_ENV=f`, `env ENV=./f sh`, `NODE_OPTIONS="-r ./f"`. */
function inVariables(tree: Tree, around: Surroundings): string[] {
  return givingsOf(tree, around).flatMap(({ name, word }) => {
    const said = word.at(-1) as SyntaxNode;
    if (!isDangerousName(name)) return [];
    const text = around.text.source.slice(said.pos, said.end).replaceAll(/["']/g, "");
    const parts = text.replace(/^\w+=/, "").split(/[\s:=,]+/);
    return [text.replace(/^\w+=/, ""), ...parts].map((part) => short(part, around));
  });
}

/** Files that a command runs: itself, what it is told to read as its program, and what it makes fit to be run. */
function runBy(command: SyntaxNode & { type: "Command" }, around: Surroundings): string[] {
  const layers = layersOf(command, around.text);
  const layer = layers.at(-1);
  if (command.name === undefined || layer?.name === undefined) return [];
  const words = layer.args.map(({ node }) => plain(node, around));
  const files = [plain(command.name, around), short(layer.nameArgument.content.literal ?? "", around)];
  if (layer.name === "source" || layer.name === ".") return [...files, ...words.slice(0, 1)];
  if (layer.name === "chmod")
    return words.some((word) => /^[ugoa]*[+=]\w*x|^[0-7]*[1357][0-7]*$/.test(word)) ? words : files;
  const program = programText(layer.name, layer.args);
  for (const argument of program) {
    files.push(plain(argument.node, around), ...inOption(argument, around));
    const read = /^\s*(?:\.read|\\ir?|\\\.|source)\s+(\S+)/.exec(argument.content.literal ?? "")?.[1];
    if (read !== undefined) files.push(short(read, around));
  }
  if (!readsProgramFromStdin(layers)) return files;
  const inputs = command.redirects.flatMap((one) =>
    one.type === "Redirect" && one.target !== undefined ? [plain(one.target, around, one)] : [],
  );
  return [...files, ...inputs, pathOf(descriptorKey(0, around)) ?? ""];
}

/** `-ff`, `-nff`, `--file=f`. */
function inOption({ node }: Argument, around: Surroundings): string[] {
  const raw = around.text.source.slice(node.pos, node.end);
  if (raw.startsWith("--")) return raw.includes("=") ? [short(raw.slice(raw.indexOf("=") + 1), around)] : [];
  const letters = /^-([A-Za-z]+)/.exec(raw)?.[1]?.length ?? 0;
  return Array.from({ length: letters }, (_, index) => short(raw.slice(index + 2), around));
}

/** Files that a program runs without being told their whole name: a Makefile, `node ./f` of f.js, `python3 -m f`. */
function byItsName(
  command: SyntaxNode & { type: "Command" },
  written: ReadonlySet<string>,
  around: Surroundings,
): string[] {
  const layer = layersOf(command, around.text).at(-1);
  const name = layer?.name ?? "";
  if (layer === undefined || written.size === 0) return [];
  const ends = (rule: RegExp) => [...written].filter((path) => rule.test(endOf(path)));
  if (/^g?make$/.test(name)) return ends(/^(?:GNUm|[mM])akefile$/);
  if (name === "find") return ends(foundAndRun(layer.args));
  if (Object.hasOwn(STARTS_PROGRAMS, name)) return ends(STARTS_PROGRAMS[name]!);
  if (interpreterOf(name) === undefined) return [];
  const said = layer.args.map(({ content }) => content.literal ?? "").join("\n");
  return [...written].filter((path) => {
    const stem = /^(.+)\.(?:py|[cm]?js|[cm]?ts|rb|p[lm]|lua|php|jl)$/.exec(endOf(path))?.[1];
    if (stem === undefined || !/^[\w-]+$/.test(stem)) return false;
    return new RegExp(
      String.raw`(?:^|\n)-m\n?${stem}(?:\n|$)|(?:^|[\n/])${stem}(?:\n|$)|\b(?:import|from|require|load|use|do)\b[s('"./]*${stem}\b`,
    ).test(said);
  });
}

/** What programs read by themselves and may run commands by. */
const STARTS_PROGRAMS: Readonly<Record<string, RegExp>> = {
  ...{ gdb: /^\.gdbinit$/, sqlite3: /^\.sqliterc$/, psql: /^\.psqlrc$/, git: /^\.gitconfig$/, lldb: /^\.lldbinit$/ },
  ...{ vim: /^\.vimrc$|^\.exrc$/, vi: /^\.vimrc$|^\.exrc$/, ex: /^\.vimrc$|^\.exrc$/, nvim: /^init\.(?:vim|lua)$/ },
};

/** `find . -name '*.sh' -exec sh {} \\;`: the names that are run. */
function foundAndRun(args: readonly Argument[]): RegExp {
  const words = args.map(({ content }) => content.literal ?? "");
  const isRun = words.some((word, index) => {
    const above = base(words[index - 1] ?? "");
    return word === "{}" && (/^-(?:exec|ok)/.test(above) || SHELLS.has(above) || interpreterOf(above) !== undefined);
  });
  if (!isRun) return /^(?!)/;
  const names = words.flatMap((word, index) => (/^-i?name$/.test(words[index - 1] ?? "") ? [patternOf(word)] : []));
  return new RegExp(`^(?:${names.length === 0 ? ".*" : names.join("|")})$`);
}

/** `cat f | sh`. */
function piped(pipeline: SyntaxNode & { type: "Pipeline" }, around: Surroundings): string[] {
  const commands = (pipeline.commands as readonly SyntaxNode[]).filter((one) => one.type === "Command");
  const reader = commands.findLastIndex((one) => readsProgramFromStdin(layersOf(one, around.text)));
  return commands
    .slice(0, Math.max(reader, 0))
    .flatMap((one) => one.args.map((word) => (word.type === "Word" ? plain(word, around) : "")));
}

function plain(word: SyntaxNode, around: Surroundings, holder?: SyntaxNode): string {
  return pathOf(fileKey(word, around, holder)) ?? "";
}

function short(path: string, around: Surroundings): string {
  return pathOf(keyOfPath(path, around)) ?? "";
}

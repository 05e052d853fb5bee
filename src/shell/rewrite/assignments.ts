// assignments: every place where a script sets a variable, and the words that its value comes from.

import type { SyntaxNode } from "unbash";
import { layersOf } from "./commands.ts";
import type { Chain, Tree } from "./tree.ts";
import { type MarkedText, readWord } from "./words.ts";

export interface Assigned {
  name: string;
  /**
   * `text`: `x=…`. `list`: `for x in …`. `input`: `read x`. `setting`: `env x=… program`. `name`: `local x`, which only
   * declares it.
   */
  kind: "text" | "list" | "input" | "setting" | "name";
  words: readonly SyntaxNode[];
  /** False: the variable gets only a part of a word's text, or more than it. */
  whole: boolean;
  chain: Chain;
}

/** The name that stands for the positional parameters of the script, outside its functions. */
export const POSITIONAL = " set";

export function assignmentsIn(tree: Tree, text: MarkedText): Assigned[] {
  return tree.nodes.flatMap((chain): Assigned[] => {
    const node = chain.at(-1) as SyntaxNode;
    switch (node.type) {
      case "Assignment": {
        const words = node.value.type === "Word" ? [node.value] : node.value.elements;
        return [{ name: node.name, kind: "text", words, whole: node.append !== true, chain }];
      }
      case "For":
      case "Select":
        return [{ name: node.name.value, kind: "list", words: node.wordlist ?? [], whole: true, chain }];
      case "Command":
        return setBy(node, chain, text);
      default:
        return [];
    }
  });
}

function setBy(command: SyntaxNode & { type: "Command" }, chain: Chain, text: MarkedText): Assigned[] {
  const layers = layersOf(command, text);
  const settings = layers
    .flatMap(({ wrapper, own }) => (wrapper ? own : []))
    .flatMap(({ node, head }): Assigned[] => {
      const [, name] = /^([A-Za-z_]\w*)=/.exec(head) ?? [];
      return name === undefined ? [] : [{ name, kind: "setting", words: [node], whole: false, chain }];
    });
  const { name = "", args = [] } = layers.at(-1) ?? {};
  const words = args.map(({ literal }) => literal ?? "");
  const named = words.filter((word) => /^[A-Za-z_]\w*$/.test(word));
  const by = (kind: Assigned["kind"], names: readonly string[], from: readonly SyntaxNode[] = []): Assigned[] => [
    ...settings,
    ...names.map((one) => ({ name: one, kind, words: from, whole: kind === "text", chain })),
  ];
  if (/^(?:read|mapfile|readarray)$/.test(name)) {
    const unnamed = name === "read" ? "REPLY" : "MAPFILE";
    return by("input", named.length > 0 ? named : [unnamed], inputOf(command, chain));
  }
  if (/^(?:declare|typeset|local|export|readonly|integer|float)$/.test(name)) return by("name", named);
  if (name === "getopts") return by("input", [...words.slice(1, 2), "OPTARG"]);
  if (name === "printf" && words[0] === "-v") return by("input", words.slice(1, 2));
  if (name !== "set" || isInFunction(chain)) return settings;
  return by(
    "text",
    [POSITIONAL],
    args.map(({ node }) => node),
  );
}

/** The here-strings and heredocs of a command, and of the loop or group around it. */
function inputOf(command: SyntaxNode & { type: "Command" }, chain: Chain): SyntaxNode[] {
  const holders = chain.filter((one, index) => one.type === "Redirected" && one.command === chain[index + 1]);
  return [command, ...holders].flatMap((holder) =>
    ("redirects" in holder ? holder.redirects : []).flatMap((one): SyntaxNode[] => {
      if (one.type === "HereDoc") return [one.body];
      return one.type === "HereString" && one.target !== undefined ? [one.target] : [];
    }),
  );
}

export function isInFunction(chain: Chain): boolean {
  return chain.some(({ type }) => type === "Function");
}

/** Whether it sets the variable to the workflow's value of that name, so that both mean the same: `name=${name}`. */
export function isCopyOf(root: string, { kind, words, whole }: Assigned, text: MarkedText): boolean {
  const [word, ...others] = words;
  if (kind !== "text" || !whole || word === undefined || others.length > 0) return false;
  const [segment, ...rest] = readWord(word, text).segments;
  if (segment === undefined || rest.length > 0 || !("mark" in segment) || segment.mark.kind !== "reference")
    return false;
  const { reference } = segment.mark;
  return reference.root === root && reference.members.length === 0 && reference.filter === undefined;
}

/** The words of variables that the script sets once, to a fixed text: `PY="python3 -c"`. */
export function fixedTexts(assigned: readonly Assigned[], text: MarkedText): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const set = assigned.filter(({ kind }) => kind === "text" || kind === "list");
  for (const [name, [only, ...more]] of Map.groupBy(set, (one) => one.name)) {
    if (only?.kind !== "text" || !only.whole || more.length > 0) continue;
    const literals = only.words.map((word) => readWord(word, text).literal);
    if (!literals.includes(undefined)) found.set(name, literals.join(" ").split(/\s+/).filter(Boolean));
  }
  return found;
}

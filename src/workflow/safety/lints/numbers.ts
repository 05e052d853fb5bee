// safety/lints/numbers: what is set to a variable that is declared as a number (declare -i, zsh: integer, float) is arithmetic, which runs
// commands that stand in a subscript (4.1, "Warned"; told as `(( ))` is in shell.ts).
//   N1. Told where it is set: at `$x`, at the name of a variable in a text (`n=x`), at `$(…)` and at what `read` reads.
//   N2. Looking at the number afterwards is too late, unless it was set before it was declared.
// Deliberately absent: further variables in between, namerefs.

import type { SyntaxNode } from "unbash";
import { numbersOf, wordsDeclared } from "../../shell/assigned.ts";
import { contentOf } from "../../shell/words.ts";
import type { Script } from "../script.ts";

/** The variable `number` takes the value of `name`; with no name, what a command printed or a line that was read. `early`: N2. */
export interface Taken {
  node: { pos: number; end: number };
  number: string;
  name: string | undefined;
  early: boolean;
}

/** `numbers`: names that are declared so anywhere. */
export function takenByNumbers(script: Script): { numbers: ReadonlyMap<string, number>; taken: Taken[] } {
  const { tree, text } = script.reading;
  const numbers = numbersOf(tree, text);
  const taken: Taken[] = [];
  if (numbers.size === 0) return { numbers, taken };
  const take = (node: { pos: number; end: number }, number: string, name: string | undefined) =>
    taken.push({ node, number, name, early: node.pos < (numbers.get(number) ?? 0) });
  for (const chain of tree.nodes) {
    const node = chain.at(-1) as SyntaxNode;
    for (const { number, word } of wordsSet(node)) {
      if (!numbers.has(number)) continue;
      const { segments, literal } = contentOf(word, text);
      for (const name of literal?.match(/[A-Za-z_]\w*/g) ?? []) take(word, number, name);
      for (const segment of segments) {
        if (!("dynamic" in segment)) continue;
        const { dynamic } = segment;
        const name = expandedName(dynamic);
        if (name !== undefined) take(dynamic, number, name);
        if (dynamic.type === "CommandExpansion" && !printsNumber(dynamic.script?.commands.at(-1)?.command))
          take(dynamic, number, undefined);
      }
    }
    if (node.type !== "Command") continue;
    if (READS.test(node.name?.value ?? "") && !node.redirects.some(({ type }) => type === "HereString"))
      for (const word of node.args)
        if (word.type === "Word" && numbers.has(word.value)) take(word, word.value, undefined);
  }
  return { numbers, taken };
}

const READS = /^(?:read|mapfile|readarray)$/;

/** Every text that a variable is set to, by name. */
function wordsSet(node: SyntaxNode): { number: string; word: SyntaxNode }[] {
  const all = (number: string, words: readonly SyntaxNode[]) => words.map((word) => ({ number, word }));
  if (node.type === "Assignment")
    return all(node.name, node.value.type === "Word" ? [node.value] : node.value.elements);
  if (node.type === "For" || node.type === "Select") return all(node.name.value, node.wordlist ?? []);
  if (node.type === "ParameterExpansion" && node.operation?.type === "Default")
    return node.operation.operator.endsWith("=") ? all(node.parameter, [node.operation.operand]) : [];
  if (node.type !== "Command") return [];
  const names = node.args.map((word) => (word.type === "Word" ? word.value : ""));
  if (node.name?.value === "printf" && names[0] === "-v") return all(names[1] ?? "", node.args.slice(3));
  if (!READS.test(node.name?.value ?? ""))
    return wordsDeclared(node.name?.value ?? "", node.args).map(({ name, word }) => ({ number: name, word }));
  const fed = node.redirects.flatMap((one) =>
    one.type === "HereString" && one.target !== undefined ? [one.target] : [],
  );
  return names.flatMap((name) => all(name, fed));
}

/** `$x`, `${x:-1}`, `${x#a}`; not `${#x}`. */
function expandedName(node: SyntaxNode): string | undefined {
  if (node.type === "SimpleExpansion") return node.text.slice(1);
  return node.type === "ParameterExpansion" && node.prefix === undefined && /^\$\{\w/.test(node.text)
    ? node.parameter
    : undefined;
}

/** The command prints a number and nothing else. */
export function printsNumber(node: SyntaxNode | undefined): boolean {
  if (node?.type === "Pipeline") return printsNumber(node.commands.at(-1));
  if (node?.type !== "Command") return false;
  const name = node.name?.value.split("/").pop() ?? "";
  const words = node.args.map((word) => word.text);
  if (/^(wc|nproc|expr|getconf|stat|mktemp)$/.test(name)) return true;
  if (name === "date")
    return words.some((word) => /^\+?["']?\+?%s/.test(word) || /\+%(s|Y|m|d|H|M|S|j|u)["']?$/.test(word));
  if (name === "grep") return words.some((word) => /^-[a-zA-Z]*c|^--count/.test(word));
  if (name === "id") return words.some((word) => /^-[a-zA-Z]*[ug]/.test(word));
  if (name === "jq") return words.some((word) => /^["']?(\.\s*\|\s*)?length["']?$/.test(word));
  return name === "curl" && words.some((word) => /^["']?%\{(http_code|response_code)\}/.test(word));
}

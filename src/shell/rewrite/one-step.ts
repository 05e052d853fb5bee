// one-step: treats a variable that the script assigns from a reference like that reference, wherever the variable is
// used (spec 4.1).
//   O1. One pass over the script, in any order: `x=${v}`, `for x in ${v}`, `read x <<< ${v}`, `set -- ${v}`.
//   O2. Values are followed no further: not to a second variable, function arguments, files or pipes.
//   O3. Arithmetic, subscripts, `let` and `-eq` read variables by their bare names.
//   O4. A variable that the workflow fills (env.static, exposeParents) may not run as a program. It must be a number
//       where the script reads it as one.

import type { SyntaxNode } from "unbash";
import { isDangerousName } from "../../base/environment-names.ts";
import { limits } from "../../base/limits.ts";
import { declaredNames, isNumberOf, NUMBER_OF, passesOn, readsNumber } from "./arithmetic.ts";
import { assignmentsIn, fixedTexts, isInFunction, POSITIONAL } from "./assignments.ts";
import { isSpecialParameter, layersOf } from "./commands.ts";
import { type Mark, type Marked, mark } from "./marks.ts";
import { type Judged, judge, type Placement, type Surroundings } from "./place.ts";
import { refuse } from "./problems.ts";
import { isShell } from "./programs.ts";
import { type Chain, readTree, type Tree, type Unbash } from "./tree.ts";
import type { Dialect, ShellProblem } from "./types.ts";
import { readWord } from "./words.ts";

/** A value in a variable. */
interface Held {
  mark: Mark;
  /** False: the variable has only a part of the value, or more than it. */
  whole: boolean;
}

interface Use {
  name: string;
  chain: Chain;
  around: Surroundings;
  /** Set for an expansion that evaluates the value. */
  special?: string;
  /** It is always a number: `declare -i n=x`, and in zsh `$a[x]`. */
  counts: boolean;
  /** It is in text that a shell reads as a script: `trap '…' EXIT`. */
  inner: boolean;
}

/** `counted`: the variables of `filled` that must be numbers. */
export interface OneStep {
  problems: ShellProblem[];
  counted: string[];
}

/** Follows values one step, and adds the guards of the variables' positions to `places`. */
export function oneStep(
  unbash: Unbash,
  tree: Tree,
  around: Surroundings,
  places: ReadonlyMap<Mark, Placement>,
  filled: readonly string[],
): OneStep {
  const problems: ShellProblem[] = [];
  const held = heldIn(around, places, problems);
  const uses = usesOf(unbash, tree, around, (name) => held.has(name) || filled.includes(name));
  for (const use of uses) {
    const values = held.get(use.name) ?? [];
    const problem = judgeHeld(use, values, around, places);
    if (problem !== undefined) problems.push(problem);
  }
  const given = uses
    .filter(({ name }) => filled.includes(name))
    .map((use) => ({ use, verdict: judgeFilled(use, around) }));
  const runs = given.find(({ verdict }) => runsIt(verdict))?.verdict;
  if (runs !== undefined && "problem" in runs) problems.push(runs.problem);
  return {
    problems: problems.filter(
      ({ code, start }, index) => problems.findIndex((one) => one.code === code && one.start === start) === index,
    ),
    counted: countedNames(tree, around, given, filled),
  };
}

/** O1. The references that each variable holds. */
function heldIn(
  around: Surroundings,
  places: ReadonlyMap<Mark, Placement>,
  problems: ShellProblem[],
): Map<string, Held[]> {
  const held = new Map<string, Held[]>();
  for (const { name, words, whole } of around.assigned)
    for (const word of words) {
      const { segments } = readWord(word, around.text);
      for (const segment of segments) {
        if (!("mark" in segment) || segment.mark.kind !== "reference") continue;
        held.set(name, [...(held.get(name) ?? []), { mark: segment.mark, whole: whole && segments.length === 1 }]);
        if (isDangerousName(name) || isSpecialParameter(name, around.dialect))
          problems.push(refuse("template-dangerous-variable", around.marked.atMark(segment.mark), name));
        // A value assigned to a variable that is declared as a number is evaluated as arithmetic.
        if (around.numbers.has(name)) addGuards(places.get(segment.mark), [{ kind: "int" }]);
      }
    }
  return held;
}

/** Adds the guards of one use to the values that the variable holds. */
function judgeHeld(
  use: Use,
  values: readonly Held[],
  around: Surroundings,
  places: ReadonlyMap<Mark, Placement>,
): ShellProblem | undefined {
  const [first] = values;
  if (first === undefined) return undefined;
  const at = around.marked.atMark(first.mark);
  const verdict: Judged = use.counts
    ? { quote: "double", guards: INT, leavesShell: false }
    : use.special === undefined
      ? judge({ at, mark: undefined, chain: use.chain }, use.around)
      : { problem: refuse("template-evaluated/expansion", at, use.special) };
  // In an inner script, only positions that run the value count.
  if ("problem" in verdict) return use.inner && !runsIt(verdict) ? undefined : verdict.problem;
  for (const { mark: one, whole } of values) {
    const place = places.get(one);
    // If the value is only part of a longer text, its first characters do not matter.
    addGuards(place, whole && !use.inner ? verdict.guards : verdict.guards.filter(({ kind }) => kind === "int"));
    if (place !== undefined) place.leavesShell ||= verdict.leavesShell && !use.inner;
  }
  return undefined;
}

const INT: Placement["guards"] = [{ kind: "int" }];

function addGuards(place: Placement | undefined, guards: Placement["guards"]): void {
  for (const guard of guards)
    if (place?.guards.every((known) => JSON.stringify(known) !== JSON.stringify(guard))) place.guards.push(guard);
}

function runsIt(verdict: Judged): boolean {
  return "problem" in verdict && RUNS_IT.has(verdict.problem.code);
}
const RUNS_IT = new Set(["template-evaluated", "template-program-text", "template-command-name"]);

/** O4. `around`: the whole script, which has the offsets of the author's text. */
function judgeFilled({ name, chain, around: inside, inner }: Use, { marked }: Surroundings): Judged {
  const { pos, end } = chain.at(-1) as SyntaxNode;
  const at = inner
    ? { start: 0, end: Math.min(marked.text.length, 80) }
    : { start: marked.original(pos), end: marked.original(end) };
  return judge({ at: { ...at, name: `$${name}` }, mark: undefined, chain }, inside);
}

/** The names of `filled` that the script reads as numbers, and does not compare with digits before. */
function countedNames(
  tree: Tree,
  around: Surroundings,
  given: readonly { use: Use; verdict: Judged }[],
  filled: readonly string[],
): string[] {
  const compared = namesCompared(tree, around);
  const counted = given
    .filter(({ use, verdict }) => use.counts || isCounted(use, verdict))
    .map(({ use }) => use)
    .filter(({ name, inner, chain }) => {
      const { pos } = chain.at(-1) as SyntaxNode;
      return inner || pos < (compared.get(name) ?? Number.POSITIVE_INFINITY);
    });
  return [...new Set([...counted.map(({ name }) => name), ...filled.filter((name) => around.numbers.has(name))])];
}

function isCounted({ chain, around }: Use, verdict: Judged): boolean {
  if ("guards" in verdict && verdict.guards.some(({ kind }) => kind === "int")) return true;
  const { pos } = chain.at(-1) as SyntaxNode;
  for (let level = chain.length - 2; level >= 0; level--) {
    const [parent, child] = [chain[level] as SyntaxNode, chain[level + 1] as SyntaxNode];
    if (readsNumber(parent, child, pos, around)) return true;
    if (!passesOn(parent, child, around)) return false;
  }
  return false;
}

/**
 * Where the script first compares a variable with a pattern of digits: `case $n in *[!0-9]*)`, `[[ $n =~ ^[0-9]+$ ]]`.
 */
function namesCompared(tree: Tree, { text }: Surroundings): Map<string, number> {
  const isDigits = ({ pos, end }: SyntaxNode) => {
    const source = text.source.slice(pos, end);
    // `re='^[0-9]+$'; [[ $n =~ $re ]]`
    return /0-9|\[:digit:\]/.test(text.fixed?.get(source.replace("$", ""))?.join(" ") ?? source);
  };
  const compared = tree.parameters.filter(({ chain }) =>
    chain.some((node, index) => {
      if (node.type === "Case")
        return chain[index + 1] === node.word && node.items.flatMap((one) => one.pattern).some(isDigits);
      return node.type === "TestBinary" && chain[index + 1] === node.left && isDigits(node.right);
    }),
  );
  // Reversed, so that the first comparison is set last.
  return new Map(compared.reverse().map(({ name, chain }) => [name, chain.at(-1)?.pos ?? 0]));
}

function usesOf(unbash: Unbash, tree: Tree, around: Surroundings, isHeld: (name: string) => boolean, depth = 0): Use[] {
  const uses: Use[] = [];
  const inner = depth > 0;
  const add = (name: string, chain: Chain, special?: string, counts = false) => {
    const isPosition = /^(?:[0-9]+|[@*])$/.test(name);
    if (isPosition && (inner || isInFunction(chain))) return;
    const key = isPosition ? POSITIONAL : name;
    if (isHeld(key)) uses.push({ name: key, chain, around, inner, special, counts });
  };
  for (const { name, chain } of tree.parameters) {
    const node = chain.at(-1) as SyntaxNode;
    if (isNumberOf(node)) continue;
    // The parser does not split zsh's `${(e)x}` and `${~x}`.
    const isZsh = around.dialect === "zsh" && "text" in node && !/^[A-Za-z_]/.test(name);
    const names = isZsh ? (node.text.match(/[A-Za-z_]\w*|(?<![\w(:.,])[0-9@*]/g) ?? []) : [name];
    for (const one of names) add(one, chain, specialExpansion(node, around));
  }
  for (const chain of tree.nodes) {
    const node = chain.at(-1) as SyntaxNode;
    const below = [...chain, node];
    const source = around.text.source.slice(node.pos, node.end);
    if (isReadByName(chain, around))
      for (const [name] of source.replaceAll(NUMBER_OF, "").matchAll(NAME)) add(name, below);
    if (node.type === "Assignment" && isNumber(node.name, around))
      for (const [name] of source.slice(node.name.length).matchAll(NAME)) add(name, below, undefined, true);
    if (around.dialect === "zsh" && (node.type === "Word" || node.type === "Literal")) {
      for (const [text, name = ""] of source.matchAll(/\$[=^]*~[~=^]*(\w+)/g)) add(name, below, text);
      for (const [, array = "", index = ""] of source.matchAll(/\$([A-Za-z_]\w*)\[([^\]]*)\]/g))
        if (!around.associative.has(array))
          for (const [name] of index.matchAll(NAME)) add(name, below, undefined, true);
    }
    if (depth >= limits.innerScriptsDeepMax) continue;
    for (const { text, dialect } of innerScripts(node, around)) {
      const marked = mark(text, () => false);
      const read = readTree(unbash, marked.text, []);
      if (read.errors.length === 0)
        uses.push(...usesOf(unbash, read, surroundingsOf(unbash, read, marked, dialect), isHeld, depth + 1));
    }
  }
  return uses;
}

/** Names in arithmetic text: `x`, `$x`, `${x}`, `$1`. */
const NAME = /(?<!\w)[A-Za-z_]\w*|(?<=\$\{?)(?:[0-9]+|[@*])/g;

/** Whether a value assigned to this variable is arithmetic. */
function isNumber(name: string, { numbers, dialect }: Surroundings): boolean {
  return numbers.has(name) || (/^[A-Z]/.test(name) && isSpecialParameter(name, dialect));
}

/** Literal text that a shell reads as a script: `eval '…'`, `trap '…'`, `sh -c '…'`, backquotes. */
function innerScripts(node: SyntaxNode, around: Surroundings): { text: string; dialect: Dialect }[] {
  const { dialect } = around;
  if (node.type === "CommandExpansion" && node.text.startsWith("`"))
    return [{ text: node.text.slice(1, -1).replaceAll(/\\([\\`$])/g, "$1"), dialect }];
  if (node.type !== "Command") return [];
  const { name = "", args = [] } = layersOf(node, around.text).at(-1) ?? {};
  const textOf = (words: typeof args) =>
    words
      .flatMap(({ segments }) => segments)
      .map((segment) => ("text" in segment ? segment.text : "x"))
      .join("");
  if (name === "eval" || name === "trap") return [{ text: textOf(name === "trap" ? args.slice(0, 1) : args), dialect }];
  const option = args.findIndex(({ literal }) => /^-[a-z]*c$/.test(literal ?? ""));
  if (!isShell(name) || option === -1) return [];
  const other = name === "zsh" ? "zsh" : /^(?:bash|ksh|mksh)$/.test(name) ? "bash" : "sh";
  return [{ text: textOf(args.slice(option + 1, option + 2)), dialect: other }];
}

/** Expansions that read the value as a name, a pattern with code, or a prompt. */
function specialExpansion(node: SyntaxNode, { dialect }: Surroundings): string | undefined {
  if (node.type !== "ParameterExpansion") return undefined;
  const isIndirect = node.prefix === "!" && node.operation?.type !== "Names";
  const isPrompt = node.operation?.type === "Transform" && node.operation.operand.text.includes("P");
  // zsh: `${(e)x}`, `${(P)x}`, `${(%)x}`, `${~x}`, and the arithmetic in `${(l:x:)y}`.
  const isZsh = dialect === "zsh" && /^\$\{(?:\([^)]*[eP%][^)]*\)|\([^)]*[lr](.)(?![0-9]+\1)|[=^]*~)/.test(node.text);
  return isIndirect || isPrompt || isZsh ? node.text : undefined;
}

/** O3. */
function isReadByName(chain: Chain, around: Surroundings): boolean {
  const [above, parent, node] = [chain.at(-3), chain.at(-2), chain.at(-1) as SyntaxNode];
  if (node.type === "ArithmeticWord") return true;
  switch (parent?.type) {
    case "Slice":
      return true;
    case "ParameterExpansion":
    case "Assignment":
      return parent.index === node;
    case "ArrayValue":
      // `a=([x]=1)`
      return (
        /^\[.*\]\+?=/s.test("text" in node ? node.text : "") &&
        !(above?.type === "Assignment" && around.associative.has(above.name))
      );
    case "TestUnary":
    case "TestBinary":
      return readsNumber(parent, node, node.pos, around);
    case "Command":
      return parent.name !== node && readsNumber(parent, node, node.pos, around);
    default:
      return false;
  }
}

export function surroundingsOf(
  unbash: Unbash,
  tree: Tree,
  marked: Marked,
  dialect: Dialect,
  variableOf: (mark: Mark) => string = () => "",
): Surroundings {
  const nodes = tree.nodes.map((chain) => chain.at(-1));
  const plain = { source: marked.text, marks: marked.marks, pattern: marked.pattern };
  const assigned = assignmentsIn(tree, plain);
  const text = { ...plain, fixed: fixedTexts(assigned, plain) };
  return {
    marked,
    text,
    dialect,
    assigned,
    functions: new Set(nodes.flatMap((node) => (node?.type === "Function" ? [node.name.value] : []))),
    ...declaredNames(nodes, text),
    children: (node) => {
      const children: SyntaxNode[] = [];
      unbash.forEachChild(node, (child) => children.push(child));
      return children;
    },
    variableOf,
  };
}

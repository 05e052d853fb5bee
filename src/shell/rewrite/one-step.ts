// one-step: treats a variable that the script assigns from a reference like that reference, wherever the variable is
// used (spec 4.1).
//   O1. One pass over the script, in any order: `x=${v}`, `for x in ${v}`, `read x <<< ${v}`, `set -- ${v}`.
//   O2. Values are followed no further: not to a second variable, function arguments, files or pipes.
//   O3. Arithmetic, subscripts, `let` and `-eq` read variables by their bare names.
// countedNames() checks the same for variables that the workflow sets (env.static, exposeParents).

import type { SyntaxNode } from "unbash";
import { isDangerousName } from "../../base/environment-names.ts";
import { limits } from "../../base/limits.ts";
import { referencesOf } from "../template.ts";
import { declaredNames, isNumberOf, NUMBER_OF, passesOn, readsNumber } from "./arithmetic.ts";
import { atMark } from "./at.ts";
import { fixedTexts, isSpecialParameter, layersOf } from "./commands.ts";
import { type Mark, type Marked, mark } from "./marks.ts";
import { judge, type Place, type Surroundings } from "./place.ts";
import { refuse } from "./problems.ts";
import { isShell } from "./programs.ts";
import { namesSetBy } from "./refusals.ts";
import { type Chain, readTree, type Tree, type Unbash } from "./tree.ts";
import type { Counted, Dialect, ShellProblem } from "./types.ts";
import { contentOf } from "./words.ts";

/** A variable and a word assigned to it. */
interface Gift {
  name: string;
  word: SyntaxNode;
  /** False: the variable gets only a part of the word's text, or more than it. */
  whole: boolean;
}

/** A value in a variable. */
interface Held {
  mark: Mark;
  whole: boolean;
}

/** The positional parameters of the script, outside its functions. */
const POSITIONAL = " set";

/** Follows values one step and adds the guards of the variables' positions. */
export function oneStep(
  unbash: Unbash,
  tree: Tree,
  around: Surroundings,
  text: string,
  places: ReadonlyMap<Mark, Place>,
): ShellProblem[] {
  const found: ShellProblem[] = [];
  const held = new Map<string, Held[]>();
  for (const { name, word, whole } of giftsIn(tree, around)) {
    const { segments } = contentOf(word, around.text);
    for (const segment of segments) {
      if (!("mark" in segment) || segment.mark.kind !== "reference") continue;
      const known = held.get(name) ?? [];
      held.set(name, [...known, { mark: segment.mark, whole: whole && segments.length === 1 }]);
      if (isDangerousName(name) || isSpecialParameter(name, around.dialect))
        found.push(refuse("template-dangerous-variable", atMark(text, segment.mark), name));
      // A value assigned to a variable that is declared as a number is evaluated as arithmetic.
      if (around.numbers.has(name)) addGuards(places.get(segment.mark), [{ kind: "int" }]);
    }
  }
  for (const use of usesOf(unbash, tree, around, (one) => held.has(one))) {
    const values = held.get(use.name) ?? [];
    const [first] = values;
    if (first === undefined) continue;
    const at = atMark(text, first.mark);
    if (use.counts === true) {
      for (const { mark: one } of values) addGuards(places.get(one), [{ kind: "int" }]);
      continue;
    }
    const verdict =
      use.odd === undefined
        ? judge({ at, mark: undefined, chain: use.chain }, use.around)
        : { problem: refuse("template-evaluated/expansion", at, use.odd) };
    if ("problem" in verdict) {
      // In an inner script, only positions that run the value count.
      if (!use.inner || RUNS_IT.has(verdict.problem.code)) found.push(verdict.problem);
      continue;
    }
    for (const { mark: one, whole } of values) {
      const place = places.get(one);
      // If the value is only part of a longer text, its first characters do not matter.
      addGuards(place, whole && !use.inner ? verdict.guards : verdict.guards.filter(({ kind }) => kind === "int"));
      if (place !== undefined) place.leavesShell ||= verdict.leavesShell && !use.inner;
    }
  }
  return found.filter(
    ({ code, start }, index) => found.findIndex((one) => one.code === code && one.start === start) === index,
  );
}

const RUNS_IT = new Set(["template-evaluated", "template-program-text", "template-command-name"]);

function addGuards(place: Place | undefined, guards: Place["guards"]): void {
  for (const guard of guards)
    if (place?.guards.every((known) => JSON.stringify(known) !== JSON.stringify(guard))) place.guards.push(guard);
}

/** O1. */
function giftsIn(tree: Tree, around: Surroundings): Gift[] {
  return tree.nodes.flatMap((chain): Gift[] => {
    const node = chain.at(-1) as SyntaxNode;
    if (node.type === "Assignment") {
      const whole = node.append !== true;
      const words = node.value.type === "Word" ? [node.value] : node.value.elements;
      return words.map((word) => ({ name: node.name, word, whole }));
    }
    if (node.type === "For" || node.type === "Select")
      return (node.wordlist ?? []).map((word) => ({ name: node.name.value, word, whole: true }));
    if (node.type !== "Command") return [];
    const layers = layersOf(node, around.text);
    // `env x=${v} sh -c '…'`
    const set = layers
      .flatMap(({ wrapper, own }) => (wrapper ? own : []))
      .flatMap(({ node: word, head }) => {
        const [, name] = /^([A-Za-z_]\w*)=/.exec(head) ?? [];
        return name === undefined ? [] : [{ name, word, whole: false }];
      });
    if (set.length > 0) return set;
    const layer = layers.at(-1);
    if (layer?.name === "set" && !isInFunction(chain))
      return layer.args.map(({ node: word }) => ({ name: POSITIONAL, word, whole: true }));
    if (layer === undefined || !/^(?:read|mapfile|readarray)$/.test(layer.name ?? "")) return [];
    const named = namesSetBy(node, around.text);
    const names = named.length > 0 ? named : [layer.name === "read" ? "REPLY" : "MAPFILE"];
    return fedWith(node, chain).flatMap((word) => names.map((name) => ({ name, word, whole: false })));
  });
}

/** The here-strings and heredocs of a command, and of the loop or group around it. */
function fedWith(command: SyntaxNode & { type: "Command" }, chain: Chain): SyntaxNode[] {
  const holders = chain.filter((one, index) => one.type === "Redirected" && one.command === chain[index + 1]);
  return [command, ...holders].flatMap((holder) =>
    ("redirects" in holder ? holder.redirects : []).flatMap((one): SyntaxNode[] => {
      if (one.type === "HereDoc") return [one.body];
      return one.type === "HereString" && one.target !== undefined ? [one.target] : [];
    }),
  );
}

interface Use {
  name: string;
  chain: Chain;
  around: Surroundings;
  /** Set for an expansion that evaluates the value. */
  odd?: string;
  /** Set where it is always a number: `declare -i n=x`, and in zsh `$a[x]`. */
  counts?: boolean;
  /** It is in text that a shell reads as a script: `trap '…' EXIT`. */
  inner: boolean;
}

function usesOf(unbash: Unbash, tree: Tree, around: Surroundings, isHeld: (name: string) => boolean, depth = 0): Use[] {
  const uses: Use[] = [];
  const inner = depth > 0;
  const add = (name: string, chain: Chain, more: { odd?: string; counts?: boolean } = {}) => {
    const isPosition = /^(?:[0-9]+|[@*])$/.test(name);
    if (isPosition && (inner || isInFunction(chain))) return;
    const key = isPosition ? POSITIONAL : name;
    if (isHeld(key)) uses.push({ name: key, chain, around, inner, ...more });
  };
  for (const { name, chain } of tree.parameters) {
    const node = chain.at(-1) as SyntaxNode;
    if (isNumberOf(node)) continue;
    // The parser does not split zsh's `${(e)x}` and `${~x}`.
    const isZsh = around.dialect === "zsh" && "text" in node && !/^[A-Za-z_]/.test(name);
    const names = isZsh ? (node.text.match(/[A-Za-z_]\w*|(?<![\w(:.,])[0-9@*]/g) ?? []) : [name];
    for (const one of names) add(one, chain, { odd: oddExpansion(node, around) });
  }
  for (const chain of tree.nodes) {
    const node = chain.at(-1) as SyntaxNode;
    const source = around.text.source.slice(node.pos, node.end);
    if (isReadByName(chain, around))
      for (const [name] of source.replaceAll(NUMBER_OF, "").matchAll(NAME)) add(name, [...chain, node]);
    if (node.type === "Assignment" && isNumber(node.name, around))
      for (const [name] of source.slice(node.name.length).matchAll(NAME)) add(name, [...chain, node], { counts: true });
    if (depth < limits.innerScriptsDeepMax)
      for (const { text, dialect } of innerScripts(node, around)) {
        const marked = mark(text, () => false);
        const read = readTree(unbash, marked.text, []);
        if (read.errors.length === 0)
          uses.push(...usesOf(unbash, read, surroundingsOf(unbash, read, marked, dialect), isHeld, depth + 1));
      }
    if (around.dialect !== "zsh" || (node.type !== "Word" && node.type !== "Literal")) continue;
    for (const [text, name = ""] of source.matchAll(/\$[=^]*~[~=^]*(\w+)/g)) add(name, [...chain, node], { odd: text });
    for (const [, array = "", index = ""] of source.matchAll(/\$([A-Za-z_]\w*)\[([^\]]*)\]/g))
      if (!around.associative.has(array))
        for (const [name] of index.matchAll(NAME)) add(name, [...chain, node], { counts: true });
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
      .flatMap(({ content }) => content.segments)
      .map((segment) => ("text" in segment ? segment.text : "x"))
      .join("");
  if (name === "eval" || name === "trap") return [{ text: textOf(name === "trap" ? args.slice(0, 1) : args), dialect }];
  const option = args.findIndex(({ content }) => /^-[a-z]*c$/.test(content.literal ?? ""));
  if (!isShell(name) || option === -1) return [];
  const other = name === "zsh" ? "zsh" : /^(?:bash|ksh|mksh)$/.test(name) ? "bash" : "sh";
  return [{ text: textOf(args.slice(option + 1, option + 2)), dialect: other }];
}

function isInFunction(chain: Chain): boolean {
  return chain.some(({ type }) => type === "Function");
}

/** Expansions that read the value as a name, a pattern with code, or a prompt. */
function oddExpansion(node: SyntaxNode, { dialect }: Surroundings): string | undefined {
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
  const text = { ...plain, fixed: fixedTexts(nodes, plain) };
  return {
    text,
    dialect,
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

/** The variables in a CLI node's `data`. */
interface Variables {
  content: string;
  env?: { static?: Record<string, string>; exposeParents?: boolean; names?: string[] };
}

/** Names of the author's variables that contain runtime values. */
export function valueNames({ content, env }: Variables): string[] {
  const statics = Object.entries(env?.static ?? {}).filter(([, text]) => referencesOf(text).length > 0);
  const parents =
    env?.exposeParents === true ? [...(env.names ?? []), ...(content.match(/INPUT_[1-9]\d*/g) ?? [])] : [];
  return [...new Set([...statics.map(([name]) => name), ...parents])];
}

/** The `names` that the script reads as numbers. All of them if it has arithmetic but cannot be parsed. */
export async function countedNames(
  content: string,
  dialect: Dialect,
  known: (root: string) => boolean,
  names: readonly string[],
): Promise<Counted[]> {
  const source = content.replaceAll("\r\n", "\n");
  const present = names.filter((name) => source.includes(name));
  if (present.length === 0) return [];
  const unbash: Unbash = await import("unbash");
  const marked = mark(source, known);
  const tree = readTree(unbash, marked.text, marked.marks);
  if (tree.errors.length > 0) return COUNTS.test(source) ? present.map((name) => ({ name })) : [];
  const around = surroundingsOf(unbash, tree, marked, dialect);
  const uses = usesOf(unbash, tree, around, (name) => present.includes(name));
  const checked = namesCompared(tree, around);
  const counted = uses
    .filter((use) => use.counts === true || isCounted(use))
    .filter((use) => {
      const { pos } = use.chain.at(-1) as SyntaxNode;
      return use.inner || pos < (checked.get(use.name) ?? Number.POSITIVE_INFINITY);
    });
  const all = new Set([...counted.map(({ name }) => name), ...present.filter((name) => around.numbers.has(name))]);
  return [...all].map((name) => ({ name }));
}

/**
 * Reports the first place where the script runs a variable of `names` as a program: `eval "$X"`, `sh -c "$X"`,
 * `ssh host "$X"`.
 */
export async function evaluatedNames(
  content: string,
  dialect: Dialect,
  known: (root: string) => boolean,
  names: readonly string[],
): Promise<ShellProblem[]> {
  const present = names.filter((name) => content.includes(name));
  if (present.length === 0) return [];
  const unbash: Unbash = await import("unbash");
  const marked = mark(content, known);
  const tree = readTree(unbash, marked.text, marked.marks);
  if (tree.errors.length > 0) return [];
  const around = surroundingsOf(unbash, tree, marked, dialect);
  const problems = usesOf(unbash, tree, around, (name) => present.includes(name)).flatMap((use) => {
    const { pos, end } = use.chain.at(-1) as SyntaxNode;
    const at = use.inner
      ? { start: 0, end: Math.min(content.length, 80), name: `$${use.name}` }
      : { start: marked.original(pos), end: marked.original(end), name: `$${use.name}` };
    const verdict = judge({ at, mark: undefined, chain: use.chain }, use.around);
    return "problem" in verdict && RUNS_IT.has(verdict.problem.code) ? [verdict.problem] : [];
  });
  return problems.slice(0, 1);
}

const COUNTS = /\(\(|\$\[|\b(?:let|repeat)\b|\s-\w*i\b|\s-(?:eq|ne|lt|le|gt|ge)\s/;

function isCounted({ chain, around }: Use): boolean {
  const verdict = judge({ at: { start: 0, end: 0, name: "" }, mark: undefined, chain }, around);
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

// shell/inner: texts of the author's that another shell, or the same one once more, reads as a script: `sh -c '…'`, `eval '…'`, `trap '…'`,
// backquotes, `PS4='…'`, what a quoted heredoc feeds to a shell (spec 4.1: nothing in a value is executed).
//   I1. A value comes into such a text by the variables of the script around it, or by the words after it (`sh -c '…' sh ${v}`); it is
//       followed there as outside.
//   I2. Only what would run the value is refused there, and numbers are looked at: how its bytes come out is that shell's own business.
//   I3. A text that names such a variable and cannot be read is refused.
// Deliberately absent: programs of other languages, and texts that are put together from parts.

import type { SyntaxNode } from "unbash";
import { limits } from "../../base/limits.ts";
import { atMark } from "./at.ts";
import { layersOf } from "./commands.ts";
import { runAmong } from "./elsewhere.ts";
import { followCarriers, followGiven, RUNS_IT } from "./follow.ts";
import { positionalKey } from "./gifts.ts";
import { base, SHELLS } from "./interpreters.ts";
import { type Mark, mark } from "./marks.ts";
import { type Argument, split } from "./options.ts";
import { pathOf } from "./paths.ts";
import type { Place, Surroundings } from "./place.ts";
import * as problems from "./problems.ts";
import { surroundingsOf } from "./surroundings.ts";
import { type Origin, type Origins, originsIn, taintOf } from "./taint.ts";
import { type Chain, readTree, type Tree, type Unbash } from "./tree.ts";
import type { Dialect, ShellProblem } from "./types.ts";
import { contentOf } from "./words.ts";

interface Inner {
  text: string;
  dialect: Dialect;
  /** What its parameters (`$1`, `$@`) hold. */
  given: Origin[];
}

/** `text`: the author's, whose marks the origins are. Adds guards to `places`. */
export function followInside(
  unbash: Unbash,
  tree: Tree,
  origins: Origins,
  around: Surroundings,
  text: string,
  places: Map<Mark, Place>,
  depth = 0,
): ShellProblem[] {
  const found: ShellProblem[] = [];
  for (const inner of innerTexts(tree, origins, around)) {
    const held = new Map(origins);
    held.set(positionalKey([]), inner.given);
    const present = [...held].filter(([name, from]) => from.length > 0 && isNamed(name, inner.text));
    const [first] = present.flatMap(([, from]) => from);
    if (first === undefined) continue;
    const at = atMark(text, first.mark);
    const marked = mark(inner.text, () => false);
    const read = readTree(unbash, marked.text, marked.marks);
    const there = surroundingsOf(unbash, read, marked, inner.dialect, () => "");
    const taint = read.errors.length > 0 ? undefined : taintOf(read, marked, there, held);
    if (taint === undefined || depth >= limits.innerScriptsDeepMax) {
      found.push(problems.unreadable(at, "a text in it that is a script of its own cannot be followed"));
      continue;
    }
    const run = runAmong(read, new Set([...held.keys()].map((name) => pathOf(name) ?? "\0")), there);
    if (run !== undefined) found.push(problems.writtenAndRun(at, run));
    found.push(
      ...followCarriers(taint, text, places, there).filter(({ code }) => RUNS_IT.has(code)),
      ...followGiven(taint, text, places),
      ...followInside(unbash, read, taint.origins, there, text, places, depth + 1),
    );
  }
  return found;
}

function isNamed(name: string, text: string): boolean {
  if (name === positionalKey([]))
    return /\$\{?(?:\([^)]*\))?[=^~!#]*[0-9@*]|\bfor\s+\w+\s*(?:;|\n|do\b)|\bgetopts\b/.test(text);
  const path = pathOf(name);
  if (path?.startsWith("&") === true) return path === "&0" || /[<>]&|\bread\b|\/fd\//.test(text);
  return text.includes(path ?? name) || text.includes("${!");
}

function innerTexts(tree: Tree, origins: Origins, around: Surroundings): Inner[] {
  return tree.nodes.flatMap((chain): Inner[] => {
    const node = chain.at(-1) as SyntaxNode;
    const here = () => origins.get(positionalKey(chain)) ?? [];
    if (node.type === "CommandExpansion" && node.text.startsWith("`"))
      return [{ text: unquoted(node.text), dialect: around.dialect, given: here() }];
    if (node.type === "ExtendedGlob" && around.dialect === "zsh")
      return qualifierTexts(around.text.source.slice(node.pos, node.end)).map((code) => ({
        text: code,
        dialect: around.dialect,
        given: here(),
      }));
    if (node.type === "Assignment" && node.name === "PS4" && node.value.type === "Word")
      return [{ text: `: "${contentText(node.value, around)}"`, dialect: around.dialect, given: here() }];
    if (node.type !== "Command") return [];
    const layer = layersOf(node, around.text).at(-1);
    if (layer?.name === "eval" || layer?.name === "trap") {
      const words = layer.args.filter(({ content }) => content.literal !== "--");
      const said = layer.name === "trap" ? words.slice(0, 1) : words;
      return [{ text: said.map(textOf).join(" "), dialect: around.dialect, given: here() }];
    }
    return layer === undefined ? [] : givenToShell(layer.name, layer.args, node, chain, tree, origins, around);
  });
}

/** `sh -c TEXT`, also behind a program that starts it (`find -exec`), and `sh <<'END'`. */
function givenToShell(
  name: string | undefined,
  args: readonly Argument[],
  command: SyntaxNode & { type: "Command" },
  chain: Chain,
  tree: Tree,
  origins: Origins,
  around: Surroundings,
): Inner[] {
  const isShell = name !== undefined && SHELLS.has(name);
  const from = isShell ? 0 : args.findIndex(({ content }) => SHELLS.has(base(content.literal ?? ""))) + 1;
  if (!isShell && from === 0) return [];
  const dialect = dialectOf(isShell ? name : base(args[from - 1]?.content.literal ?? ""));
  const words = args.slice(from);
  const items = split(words, { short: "oO", long: ["--rcfile", "--init-file"], posix: true });
  const program = items.find(({ position }) => position === 0);
  const given = (words_: readonly Argument[]) =>
    words_.flatMap(({ node }) => originsIn(tree, around, origins, [...chain, node]));
  if (items.some(({ kind, argument }) => kind === "flag" && /^-[a-zA-Z]*c/.test(argument.head)))
    return program === undefined
      ? []
      : [{ text: textOf(program.argument), dialect, given: given(words.slice(words.indexOf(program.argument) + 1)) }];
  if (!isShell) return [];
  return command.redirects.flatMap((redirect): Inner[] => {
    const body =
      redirect.type === "HereDoc" ? redirect.body : redirect.type === "HereString" ? redirect.target : undefined;
    if (body === undefined) return [];
    const isQuoted = redirect.type === "HereDoc" && redirect.delimiter?.quoted === true;
    const text = isQuoted ? around.text.source.slice(body.pos, body.end) : contentText(body, around);
    return [{ text, dialect, given: given(words) }];
  });
}

/** zsh, `*(e:'…':)`: what it evaluates for every file. */
function qualifierTexts(glob: string): string[] {
  return [...glob.matchAll(/e(['"]?)([^\w\s'"])(.*)/gs)].flatMap(([, quote = "", sign = "", rest = ""]) => {
    const closing = { "{": "}", "[": "]", "<": ">", "(": ")" }[sign] ?? sign;
    const end = rest.lastIndexOf(closing);
    return end === -1 ? [] : [`${quote}${rest.slice(0, end)}`.replaceAll(/["'\\]/g, "")];
  });
}

function dialectOf(shell: string): Dialect {
  return shell === "zsh" ? "zsh" : /^(?:bash|rbash|ksh|mksh)$/.test(shell) ? "bash" : "sh";
}

/** What only the run knows stands there as a word. */
function textOf({ content }: Argument): string {
  return content.segments.map((segment) => ("text" in segment ? segment.text : "x")).join("");
}

function contentText(node: SyntaxNode, around: Surroundings): string {
  return contentOf(node, around.text)
    .segments.map((segment) => ("text" in segment ? segment.text : "x"))
    .join("");
}

function unquoted(text: string): string {
  return text.slice(1, -1).replace(/\\([\\`$])/g, "$1");
}

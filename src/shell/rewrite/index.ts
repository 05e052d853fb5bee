// rewrite: replaces `${name}` in a POSIX shell script by shell parameters (spec 1.3, 4.1).
// A shell parser reads the script with a mark in place of each reference, and the mark's position in the tree decides
// its replacement. The result is parsed again and must have the same shape. Values travel in the environment and never
// become text of the script.
//   R1. Every reference is handled exactly once; otherwise the script is rejected (fail closed).
//   R2. Everything that is not a known reference keeps its bytes, except that CRLF becomes LF.
//   R3. Line numbers stay: no line is added or removed.
// Not done here: values (guards.ts checks them, kinds/cli/script-values.ts exports them), PowerShell (shell/pwsh.ts), cmd
// (shell/cmd.ts).

import { limits } from "../../base/limits.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { atMark, lineShift, pointAt, shifted, whole } from "./at.ts";
import { rewritten } from "./edit.ts";
import { type Mark, type Marked, mark } from "./marks.ts";
import { evaluatedNames, oneStep, surroundingsOf } from "./one-step.ts";
import { judge, type Place } from "./place.ts";
import { refuse } from "./problems.ts";
import {
  assignedNames,
  dialectProblems,
  filterProblems,
  operatorProblems,
  reservedProblems,
  unclosedHeredoc,
} from "./refusals.ts";
import { commentsAmong, readTree, skeleton, type Tree, type Unbash } from "./tree.ts";
import { type Dialect, PREFIX, type ShellProblem, type ShellProgram } from "./types.ts";
import { VariableNames } from "./variables.ts";

export { refuseInCmd } from "./cmd.ts";
export { guardCounted, guardValue, notUtf8, tooLargeForArgument, tooLargeTogether } from "./guards.ts";
export { countedNames, valueNames } from "./one-step.ts";
export { rewritePwsh } from "./pwsh.ts";
export type { Counted, Dialect, Guard, ShellProblem, ShellProgram, ShellVariable, Use } from "./types.ts";

/**
 * `known`: whether a name belongs to the workflow. `exported`: whether the command also gets it under its own name
 * (env.static). Then shell operators (`${NAME:-x}`) work on it. `filled`: exported variables with runtime values.
 * @example await rewriteShell('curl "https://x/${i}"', "bash", (root) => root === "i")
 */
export async function rewriteShell(
  content: string,
  dialect: Dialect,
  known: (root: string) => boolean,
  exported: (name: string) => boolean = () => false,
  filled: readonly string[] = [],
): Promise<Result<ShellProgram, ShellProblem[]>> {
  const text = content.replaceAll("\r\n", "\n");
  const shift = lineShift(content);
  const marked = mark(text, known);
  const evaluated = await evaluatedNames(text, dialect, known, filled);
  if (evaluated.length > 0) return refused(evaluated, shift);
  if (marked.marks.length === 0 && !text.includes("${")) return ok({ script: text, variables: [], unknown: [] });
  if (marked.marks.length > limits.templateReferencesMax) {
    const at = { start: 0, end: Math.min(content.length, 80), name: "" };
    return err([refuse("template-too-many", at, String(marked.marks.length))]);
  }
  const unbash: Unbash = await import("unbash");
  const answer = rewrite(unbash, text, marked, dialect, known, exported);
  return answer.ok ? ok(shifted(answer.value, shift)) : refused(answer.error, shift);
}

/** Converts offsets to those of the original script. */
function refused(problems: ShellProblem[], shift: (at: number) => number): Result<never, ShellProblem[]> {
  return err(problems.map((problem) => ({ ...problem, start: shift(problem.start), end: shift(problem.end) })));
}

/**
 * Parameters that a script reads and does not set itself, even inside `$(…)`, but not in single quotes. Offsets in
 * `content`. Empty if the text is not a shell script.
 */
export async function parametersOf(content: string): Promise<{ name: string; start: number; end: number }[]> {
  const text = content.replaceAll("\r\n", "\n");
  const marked = mark(text, () => false);
  const tree = readTree(await import("unbash"), marked.text, marked.marks);
  if (tree.errors.length > 0) return [];
  const assigned = assignedNames(tree, marked);
  const shift = lineShift(content);
  return tree.parameters.flatMap(({ name, chain }) => {
    const node = chain.at(-1);
    if (node === undefined || assigned.has(name) || !/^[A-Za-z_]/.test(name)) return [];
    return [{ name, start: shift(marked.original(node.pos)), end: shift(marked.original(node.end)) }];
  });
}

function rewrite(
  unbash: Unbash,
  text: string,
  marked: Marked,
  dialect: Dialect,
  known: (root: string) => boolean,
  exported: (name: string) => boolean,
): Result<ShellProgram, ShellProblem[]> {
  const tree = readTree(unbash, marked.text, marked.marks);
  const assigned = assignedNames(tree, marked);
  const unknown = unknownNames(tree, marked, known, assigned);
  const found: ShellProblem[] = [
    ...filterProblems(text, marked),
    ...operatorProblems(tree, marked, text, known, exported, assigned),
  ];
  // A script without a reference of the workflow is passed on unchecked, even with syntax errors.
  if (marked.marks.length === 0) return found.length > 0 ? err(found) : ok({ script: text, variables: [], unknown });
  const broken = text.includes("\0") ? NUL : (tree.errors[0] ?? unclosedHeredoc(tree));
  if (broken !== undefined)
    return err([refuse("template-script-unreadable", pointAt(marked, broken.pos), broken.message)]);

  const names = new VariableNames();
  const around = surroundingsOf(unbash, tree, marked, dialect, (other) =>
    other.kind === "reference" ? names.of(other.reference).variable : "",
  );
  found.push(...dialectProblems(tree, marked, dialect), ...reservedProblems(tree, marked));
  const places = new Map<Mark, Place>();
  const unplaced = marked.marks.filter((one) => !tree.places.has(one.index));
  const comments = commentsAmong(unbash, tree, unplaced);
  for (const one of marked.marks) {
    if (comments.has(one)) continue;
    const at = atMark(text, one);
    const [chain, ...others] = tree.places.get(one.index) ?? [];
    if (chain === undefined || others.length > 0) {
      found.push(refuse("template-place-unknown", at));
      continue;
    }
    if (one.kind === "reference" && assigned.get(one.reference.root)?.onlyFrom(one.reference) === false)
      found.push(refuse("template-assigned", at));
    const verdict = judge({ at, mark: one, chain }, around);
    if ("problem" in verdict) found.push(verdict.problem);
    else places.set(one, verdict);
  }
  found.push(...oneStep(unbash, tree, around, text, places));
  if (found.length > 0) return err(found.sort((a, b) => a.start - b.start));

  for (const [one, place] of places) if (one.kind === "reference") names.use(one.reference, place);
  const script = rewritten(text, marked, places, comments, names);
  const problem = contradiction(unbash, tree, script, marked, places, names, text);
  return problem === undefined ? ok({ script, variables: names.all(), unknown }) : err([problem]);
}

const NUL = { pos: 0, message: "it contains a NUL character" };

/** R1, second half: the result has the same shape, and exactly the expected expansions, plain and in order. */
function contradiction(
  unbash: Unbash,
  tree: Tree,
  script: string,
  marked: Marked,
  places: ReadonlyMap<Mark, Place>,
  names: VariableNames,
  text: string,
): ShellProblem | undefined {
  const again = readTree(unbash, script, []);
  const expected = marked.marks
    .filter((one) => places.has(one))
    .flatMap((one) => (one.kind === "reference" ? [names.of(one.reference).variable] : []));
  const seen = again.parameters
    .filter(({ name }) => name.startsWith(PREFIX))
    .sort((a, b) => (a.chain.at(-1)?.pos ?? 0) - (b.chain.at(-1)?.pos ?? 0))
    .map(({ name, chain }) => {
      const node = chain.at(-1);
      const isPlain =
        node?.type === "ParameterExpansion" &&
        node.operation === undefined &&
        node.prefix === undefined &&
        node.index === undefined;
      return isPlain ? name : "";
    });
  if (again.errors.length === 0 && skeleton(again, false) === skeleton(tree, false) && seen.join() === expected.join())
    return undefined;
  const [first] = marked.marks;
  return refuse("template-place-unknown", first === undefined ? whole(text) : atMark(text, first));
}

function unknownNames(
  tree: Tree,
  marked: Marked,
  known: (root: string) => boolean,
  assigned: ReadonlyMap<string, unknown>,
): ShellProgram["unknown"] {
  return tree.parameters.flatMap(({ name, chain }) => {
    const node = chain.at(-1);
    if (node?.type !== "ParameterExpansion" || node.operation !== undefined || !/^[A-Za-z_]/.test(name)) return [];
    if (known(name) || assigned.has(name)) return [];
    return [{ name, start: marked.original(node.pos), end: marked.original(node.end) }];
  });
}

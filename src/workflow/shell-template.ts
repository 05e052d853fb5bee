// shell-template: turns `${name}` in a POSIX shell script into expansions of real shell parameters (spec 1.3, 4.1).
// The author's text is read by a shell parser with a mark where each reference stands; the mark's place in the tree decides what it
// becomes; the result is read again and must have the same shape. Values travel in the environment and are never text of the script.
//   R1. Every reference is accounted for exactly once, or the script is refused (fail closed).
//   R2. What is not a known reference keeps its bytes, except that CRLF becomes LF.
//   R3. Line numbers stay: no line is added or removed.
// Deliberately absent: values (guards.ts checks them, nodes/template-shell.ts exports them), PowerShell (shell/pwsh.ts), cmd (shell/cmd.ts).

import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import { assignedNames } from "./shell/assigned.ts";
import { atMark, lineShift, pointAt, shifted, whole } from "./shell/at.ts";
import { rewritten } from "./shell/edit.ts";
import { fedElsewhere } from "./shell/elsewhere.ts";
import { followCarriers, followGiven } from "./shell/follow.ts";
import { followInside } from "./shell/inner.ts";
import { type Mark, type Marked, mark } from "./shell/marks.ts";
import { judge, type Place } from "./shell/place.ts";
import * as problems from "./shell/problems.ts";
import {
  dialectProblems,
  filterProblems,
  operatorProblems,
  reservedProblems,
  unclosedHeredoc,
} from "./shell/refusals.ts";
import { surroundingsOf } from "./shell/surroundings.ts";
import { taintOf } from "./shell/taint.ts";
import { commentsAmong, readTree, skeleton, type Tree, type Unbash } from "./shell/tree.ts";
import { type Dialect, PREFIX, type ShellProblem, type ShellProgram } from "./shell/types.ts";
import { VariableNames } from "./shell/variables.ts";

export { countedNames, valueNames } from "./shell/counted.ts";
export { guardCounted, guardValue } from "./shell/guards.ts";
export type { Counted, Dialect, Guard, ShellProblem, ShellProgram, ShellVariable, Use } from "./shell/types.ts";

/**
 * `known`: which names are the workflow's. `exported`: which of them the command also gets under their own name (env.static),
 * so that the shell's operators (`${NAME:-x}`) work on them.
 * @example await rewriteShell('curl "https://x/${i}"', "bash", (root) => root === "i")
 */
export async function rewriteShell(
  content: string,
  dialect: Dialect,
  known: (root: string) => boolean,
  exported: (name: string) => boolean = () => false,
): Promise<Result<ShellProgram, ShellProblem[]>> {
  const text = content.replaceAll("\r\n", "\n");
  const shift = lineShift(content);
  const marked = mark(text, known);
  if (marked.marks.length === 0 && !text.includes("${")) return ok({ script: text, variables: [], unknown: [] });
  if (marked.marks.length > limits.templateReferencesMax)
    return err([problems.tooMany({ start: 0, end: Math.min(content.length, 80), name: "" }, marked.marks.length)]);
  const unbash: Unbash = await import("unbash");
  const answer = rewrite(unbash, text, marked, dialect, known, exported);
  return answer.ok
    ? ok(shifted(answer.value, shift))
    : err(answer.error.map((problem) => ({ ...problem, start: shift(problem.start), end: shift(problem.end) })));
}

/**
 * Parameters that a script reads and does not set itself, also inside `$(…)`; not what stands in single quotes. Offsets in `content`.
 * Empty for a text that is no shell script.
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

export { refuseInCmd } from "./shell/cmd.ts";
export { rewritePwsh } from "./shell/pwsh.ts";

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
  // Without a reference of ours the script is the shell's own business, syntax errors and all.
  if (marked.marks.length === 0) return found.length > 0 ? err(found) : ok({ script: text, variables: [], unknown });
  if (text.includes("\0")) return err([problems.unreadable(whole(text), "it holds a NUL character")]);
  const broken = tree.errors[0] ?? unclosedHeredoc(tree);
  if (broken !== undefined) return err([problems.unreadable(pointAt(marked, broken.pos), broken.message)]);

  const names = new VariableNames();
  const around = surroundingsOf(unbash, tree, marked, dialect, (other) =>
    other.kind === "reference" ? names.of(other.reference).variable : "",
  );
  found.push(...dialectProblems(tree, marked, dialect), ...reservedProblems(tree, marked));
  const places = new Map<Mark, Place>();
  const comments = commentsAmong(
    unbash,
    tree,
    marked.marks.filter((one) => !tree.places.has(one.index)),
  );
  for (const one of marked.marks) {
    const at = atMark(text, one);
    const chains = tree.places.get(one.index) ?? [];
    const [chain] = chains;
    if (comments.has(one)) continue;
    if (chain === undefined || chains.length > 1) {
      found.push(problems.unaccounted(at));
      continue;
    }
    if (
      one.kind === "reference" &&
      assigned.has(one.reference.root) &&
      !assigned.get(one.reference.root)?.onlyFrom(one.reference)
    )
      found.push(problems.scriptAssigns(at));
    const verdict = judge({ at, mark: one, chain }, around);
    if ("problem" in verdict) found.push(verdict.problem);
    else places.set(one, verdict);
  }
  const taint = taintOf(tree, marked, around);
  if (taint === undefined)
    return err([problems.unreadable(whole(text), "its values go through more variables than can be followed")]);
  found.push(...followCarriers(taint, text, places, around), ...followGiven(taint, text, places));
  found.push(...fedElsewhere(tree, marked, taint, text, around));
  found.push(...followInside(unbash, tree, taint.origins, around, text, places));
  if (found.length > 0) return err(found.sort((a, b) => a.start - b.start));

  for (const [one, place] of places) if (one.kind === "reference") names.use(one.reference, place);
  const script = rewritten(text, marked, places, comments, names);
  const problem = contradiction(unbash, tree, script, marked, places, names, text);
  return problem === undefined ? ok({ script, variables: names.all(), unknown }) : err([problem]);
}

/** R1, the second half: the result has the same shape, and exactly our expansions stand in it, plain and in order. */
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
      return node?.type === "ParameterExpansion" &&
        node.operation === undefined &&
        node.prefix === undefined &&
        node.index === undefined
        ? name
        : "";
    });
  if (again.errors.length === 0 && skeleton(again, false) === skeleton(tree, false) && seen.join() === expected.join())
    return undefined;
  const first = marked.marks[0];
  return problems.unaccounted(first === undefined ? whole(text) : atMark(text, first));
}

function unknownNames(
  tree: Tree,
  marked: Marked,
  known: (root: string) => boolean,
  assigned: ReadonlyMap<string, unknown>,
): ShellProgram["unknown"] {
  return tree.parameters.flatMap(({ name, chain }) => {
    const node = chain.at(-1);
    if (
      node?.type !== "ParameterExpansion" ||
      node.operation !== undefined ||
      !/^[A-Za-z_]/.test(name) ||
      known(name) ||
      assigned.has(name)
    )
      return [];
    return [{ name, start: marked.original(node.pos), end: marked.original(node.end) }];
  });
}

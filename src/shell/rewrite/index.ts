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
import { type Known, referencesOf } from "../template.ts";
import { assignmentsIn, isCopyOf } from "./assignments.ts";
import { rewritten } from "./edit.ts";
import { type Mark, type Marked, mark } from "./marks.ts";
import { oneStep, surroundingsOf } from "./one-step.ts";
import { type Judged, judge, type Placement, type Surroundings } from "./place.ts";
import { refuse } from "./problems.ts";
import { dialectProblems, filterProblems, operatorProblems, reservedProblems, unclosedHeredoc } from "./refusals.ts";
import { commentsAmong, readTree, skeleton, type Tree, type Unbash } from "./tree.ts";
import { type Dialect, PREFIX, type ShellProblem, type ShellProgram } from "./types.ts";
import { VariableNames } from "./variables.ts";

export { refuseInCmd } from "./cmd.ts";
export { guardCounted, guardValue, notUtf8, tooLargeForArgument, tooLargeTogether } from "./guards.ts";
export { rewritePwsh } from "./pwsh.ts";
export type { Dialect, Guard, ShellProblem, ShellProgram, ShellVariable, Use } from "./types.ts";

/**
 * `known`: whether a name belongs to the workflow. `exported`: whether the command also gets it under its own name
 * (env.static). Then shell operators (`${NAME:-x}`) work on it. `filled`: variables of the command with runtime values,
 * from filledNames().
 * @example await rewriteShell('curl "https://x/${i}"', "bash", (root) => root === "i")
 */
export async function rewriteShell(
  content: string,
  dialect: Dialect,
  known: Known,
  exported: (name: string) => boolean = () => false,
  filled: readonly string[] = [],
): Promise<Result<ShellProgram, ShellProblem[]>> {
  const marked = mark(content, known);
  if (marked.marks.length > limits.templateReferencesMax) {
    const at = { start: 0, end: Math.min(content.length, 80), name: "" };
    return err([refuse("template-too-many", at, String(marked.marks.length))]);
  }
  const isFilled = filled.some((name) => content.includes(name));
  if (marked.marks.length === 0 && !content.includes("${") && !isFilled) return ok(unchanged(marked));
  return rewrite(await import("unbash"), content, marked, dialect, { known, exported, filled: isFilled ? filled : [] });
}

/** The variables of a CLI node that contain runtime values: those of env.static with references, and the parents'. */
export function filledNames({
  content,
  env,
}: {
  content: string;
  env?: { static?: Record<string, string>; exposeParents?: boolean; names?: string[] };
}): string[] {
  const statics = Object.entries(env?.static ?? {}).filter(([, text]) => referencesOf(text).length > 0);
  const parents =
    env?.exposeParents === true ? [...(env.names ?? []), ...(content.match(/INPUT_[1-9]\d*/g) ?? [])] : [];
  return [...new Set([...statics.map(([name]) => name), ...parents])];
}

function unchanged(
  marked: Marked,
  names?: Pick<ShellProgram, "unknown" | "quoted">,
  counted: string[] = [],
): ShellProgram {
  return { script: marked.text, variables: [], unknown: [], quoted: [], ...names, counted };
}

/**
 * Parameters that a script reads and does not set itself, even inside `$(…)`, but not in single quotes. Offsets in
 * `content`. Empty if the text is not a shell script.
 */
export async function parametersOf(content: string): Promise<{ name: string; start: number; end: number }[]> {
  const marked = mark(content, () => false);
  const tree = readTree(await import("unbash"), marked.text, []);
  if (tree.errors.length > 0) return [];
  const assigned = new Set(assignmentsIn(tree, { ...marked, source: marked.text }).map(({ name }) => name));
  return tree.parameters.flatMap(({ name, chain }) => {
    const node = chain.at(-1);
    if (node === undefined || assigned.has(name) || !/^[A-Za-z_]/.test(name)) return [];
    return [{ name, start: marked.original(node.pos), end: marked.original(node.end) }];
  });
}

interface Names {
  known: Known;
  exported(name: string): boolean;
  filled: readonly string[];
}

function rewrite(
  unbash: Unbash,
  text: string,
  marked: Marked,
  dialect: Dialect,
  { known, exported, filled }: Names,
): Result<ShellProgram, ShellProblem[]> {
  const tree = readTree(unbash, marked.text, marked.marks);
  const variables = new VariableNames();
  const around = surroundingsOf(unbash, tree, marked, dialect, (other) =>
    other.kind === "reference" ? variables.of(other.reference).variable : "",
  );
  const assigned = new Set(around.assigned.map(({ name }) => name));
  const isKnown: Known = (root, members) => known(root, members) || assigned.has(root);
  const names = { unknown: unknownNames(tree, marked, isKnown), quoted: quotedNames(tree, marked, isKnown) };
  const isWorkflows = (name: string) => known(name) && !exported(name) && !assigned.has(name);
  const problems = [...filterProblems(marked), ...operatorProblems(tree, marked, text, isWorkflows)];
  // A script without a reference of the workflow is passed on unchecked, even with syntax errors.
  if (marked.marks.length === 0 && (filled.length === 0 || tree.errors.length > 0)) {
    const counted = COUNTS.test(text) ? filled.filter((name) => text.includes(name)) : [];
    return problems.length > 0 ? err(problems) : ok(unchanged(marked, names, counted));
  }
  const broken = text.includes("\0") ? NUL : (tree.errors[0] ?? unclosedHeredoc(tree));
  if (marked.marks.length > 0) {
    if (broken !== undefined)
      return err([refuse("template-script-unreadable", marked.atPoint(broken.pos), broken.message)]);
    problems.push(...dialectProblems(tree, marked, dialect), ...reservedProblems(tree, marked));
  }
  const places = new Map<Mark, Placement>();
  const unplaced = marked.marks.filter((one) => !tree.places.has(one.index));
  const comments = commentsAmong(unbash, tree, unplaced);
  for (const one of marked.marks) {
    if (comments.has(one)) continue;
    const found = placeOf(one, tree, around);
    if (!("problem" in found)) places.set(one, found);
    else problems.push(found.problem);
    const root = one.kind === "reference" ? one.reference.root : "";
    if (around.assigned.some((set) => set.name === root && !isCopyOf(root, set, around.text)))
      problems.push(refuse("template-assigned", marked.atMark(one)));
  }
  const followed = oneStep(unbash, tree, around, places, filled);
  problems.push(...followed.problems);
  if (problems.length > 0) return err(problems.sort((a, b) => a.start - b.start));

  for (const [one, place] of places) if (one.kind === "reference") variables.use(one.reference, place);
  const script = rewritten(text, marked, places, comments, variables);
  const problem = contradiction(unbash, tree, script, marked, places, variables);
  if (problem !== undefined) return err([problem]);
  return ok({ script, variables: variables.all(), ...names, counted: followed.counted });
}

const NUL = { pos: 0, message: "it contains a NUL character" };

/** Marks of arithmetic, for a script that cannot be parsed. */
const COUNTS = /\(\(|\$\[|\b(?:let|repeat)\b|\s-\w*i\b|\s-(?:eq|ne|lt|le|gt|ge)\s/;

/** R1, first half: the position of a mark, which must be in the tree once. */
function placeOf(one: Mark, tree: Tree, around: Surroundings): Judged {
  const at = around.marked.atMark(one);
  const [chain, ...others] = tree.places.get(one.index) ?? [];
  if (chain === undefined || others.length > 0) return { problem: refuse("template-place-unknown", at) };
  return judge({ at, mark: one, chain }, around);
}

/** R1, second half: the result has the same shape, and exactly the expected expansions, plain and in order. */
function contradiction(
  unbash: Unbash,
  tree: Tree,
  script: string,
  marked: Marked,
  places: ReadonlyMap<Mark, Placement>,
  variables: VariableNames,
): ShellProblem | undefined {
  const [first] = marked.marks;
  if (first === undefined) return undefined;
  const again = readTree(unbash, script, []);
  const expected = marked.marks.flatMap((one) =>
    places.has(one) && one.kind === "reference" ? [variables.of(one.reference).variable] : [],
  );
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
  const isSame =
    again.errors.length === 0 && skeleton(again, false) === skeleton(tree, false) && seen.join() === expected.join();
  return isSame ? undefined : refuse("template-place-unknown", marked.atMark(first));
}

function unknownNames(tree: Tree, marked: Marked, isKnown: (name: string) => boolean): ShellProgram["unknown"] {
  return tree.parameters.flatMap(({ name, chain }) => {
    const node = chain.at(-1);
    // No shell knows `${name.member}`, so it is a reference too.
    const isPlain = node?.type === "ParameterExpansion" && /^\.|^$/.test(node.operation?.operator ?? "");
    if (node === undefined || !isPlain) return [];
    if (!/^[A-Za-z_]/.test(name) || isKnown(name)) return [];
    return [{ name, start: marked.original(node.pos), end: marked.original(node.end) }];
  });
}

/** `${name}` in single quotes and quoted heredocs, where the shell leaves it as it is. */
function quotedNames(tree: Tree, marked: Marked, isKnown: Known): ShellProgram["quoted"] {
  return tree.nodes.flatMap((chain) => {
    const [parent, node] = chain.slice(-2);
    if (node === undefined || parent === undefined) return [];
    const isQuoted =
      parent.type === "HereDoc" ? node.type === "HereDocBody" && parent.delimiter?.quoted === true : false;
    if (node.type !== "SingleQuoted" && !isQuoted) return [];
    return referencesOf(tree.source.slice(node.pos, node.end))
      .filter(({ root, members }) => /^[A-Za-z_]/.test(root) && !isKnown(root, members))
      .map(({ root, start, end }) => ({
        name: root,
        start: marked.original(node.pos + start),
        end: marked.original(node.pos + end),
      }));
  });
}

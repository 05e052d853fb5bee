// validate: checks everything about a workflow beyond its shape (spec 1.1 to 1.5).
//   V1. It executes nothing, uses no network and reads no file: tree.ts loads subflows through a given function.
//   V2. The same text and options give the same findings, in text order.
//   V3. The parsers of expressions and shell scripts are loaded only if the workflow has some.

import { limits } from "../base/limits.ts";
import { type CheckOptions, checkOf } from "./check/context.ts";
import { checkCredentials } from "./check/credentials.ts";
import { checkDocumentFields, checkUnusedInputs } from "./check/document.ts";
import { checkEdges } from "./check/edges.ts";
import { graphFinding } from "./check/graph.ts";
import { checkListeners } from "./check/listeners.ts";
import { checkMistakes, checkSecretNames } from "./check/mistakes.ts";
import { namesOf } from "./check/names.ts";
import { checkNodes } from "./check/nodes.ts";
import { checkSafety } from "./check/safety.ts";
import { checkTemplates } from "./check/templates.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { tooManyDiagnostics } from "./diagnostics/document.ts";
import { analyze, type Graph, type GraphProblem } from "./graph.ts";
import type { Workflow } from "./model.ts";
import { type ParsedWorkflow, parseWorkflow } from "./parse.ts";
import { type SourceMap, withShown } from "./source-map.ts";

export type { CheckOptions as ValidateOptions } from "./check/context.ts";

export interface ValidatedWorkflow {
  /** Set only if there is no error; warnings are allowed. */
  workflow?: Workflow;
  /** Set together with `workflow`. */
  graph?: Graph;
  /** In text order, at most limits.diagnosticsMax. The last one then says how many more there are. */
  diagnostics: Diagnostic[];
  source: SourceMap;
}

/**
 * Reads and checks one workflow without its subflows (see `validateTree`). Never throws.
 * @example const { workflow, diagnostics } = await validateWorkflow(text, "a.flow.yaml");
 */
export async function validateWorkflow(
  text: string,
  file: string,
  options: CheckOptions = {},
): Promise<ValidatedWorkflow> {
  return validateParsed(parseWorkflow(text, file), options);
}

export async function validateParsed(parsed: ParsedWorkflow, options: CheckOptions = {}): Promise<ValidatedWorkflow> {
  const { draft, source } = parsed;
  const diagnostics = [...parsed.diagnostics];
  let graph: Graph | undefined;
  if (draft !== undefined) {
    const analysed = analyze(draft.workflow);
    graph = analysed.graph;
    const check = checkOf(draft, source, graph, options, (diagnostic) => diagnostics.push(diagnostic));
    checkDocumentFields(check);
    checkNodes(check);
    checkEdges(check, source);
    checkListeners(check);
    checkMistakes(check, source);
    // An invalid node or edge is missing from the graph and makes loops look open, so graph problems are reported only
    // without errors.
    const whole = parsed.diagnostics.every((diagnostic) => diagnostic.severity !== "error");
    const ids = new Set(draft.workflow.nodes.map((node) => node.id));
    const connected =
      draft.workflow.edges.every((edge) => ids.has(edge.source) && ids.has(edge.target)) &&
      ids.size === draft.workflow.nodes.length;
    if (whole && connected)
      for (const problem of toldProblems(analysed.problems).slice(0, limits.shapeFindingsMax))
        diagnostics.push(graphFinding(problem, check, source));
    const names = namesOf(check);
    checkSecretNames(check, names);
    await checkTemplates(check, names);
    await checkSafety(check, names);
    checkUnusedInputs(check);
  }
  const credentials = await checkCredentials(source, draft?.workflow, draft?.nodeIndexes ?? [], options.scanTokens);
  const sorted = inOrder([...diagnostics.map(credentials.cover), ...credentials.diagnostics], source);
  const sound = sorted.every((diagnostic) => diagnostic.severity !== "error");
  const shown = { diagnostics: sorted, source: withShown(source, credentials.shown) };
  return sound && draft !== undefined && graph !== undefined ? { workflow: draft.workflow, graph, ...shown } : shown;
}

/** Removes follow-up problems: a self-edge has its own finding, and finally nodes in a loop make the loop look open. */
function toldProblems(problems: readonly GraphProblem[]): GraphProblem[] {
  const misplaced = problems.some(({ problem }) => problem === "finally-in-loop" || problem === "edge-from-finally");
  return problems.filter((problem) => {
    if (problem.problem === "cycle") return problem.named !== undefined || problem.nodes.length > 2;
    return !misplaced || (problem.problem !== "loop-without-end" && problem.problem !== "end-without-start");
  });
}

/** Sorted by position, without duplicates, at most limits.diagnosticsMax; errors come before warnings when cut. */
function inOrder(diagnostics: readonly Diagnostic[], source: SourceMap): Diagnostic[] {
  const byPlace = (a: Diagnostic, b: Diagnostic) =>
    a.range.start.line - b.range.start.line ||
    a.range.start.column - b.range.start.column ||
    (a.code < b.code ? -1 : a.code > b.code ? 1 : 0);
  const seen = new Set<string>();
  const unique = diagnostics.filter((diagnostic) => {
    const key = `${diagnostic.code} ${diagnostic.range.start.line}:${diagnostic.range.start.column} ${diagnostic.message}`;
    return !seen.has(key) && seen.add(key) !== undefined;
  });
  if (unique.length <= limits.diagnosticsMax) return unique.sort(byPlace);
  const errors = unique.filter((diagnostic) => diagnostic.severity === "error").sort(byPlace);
  const warnings = unique.filter((diagnostic) => diagnostic.severity !== "error").sort(byPlace);
  const shown = [...errors, ...warnings].slice(0, limits.diagnosticsMax).sort(byPlace);
  const last = tooManyDiagnostics(source.at(), unique.length - shown.length);
  return [...shown, errors.length > 0 ? last : { ...last, severity: "warning" }];
}

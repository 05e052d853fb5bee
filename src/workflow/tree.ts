// tree: loads a workflow with all its subflows and checks each once (spec 1.1, 2.7).
//   T1. It reads files only through the given function. Paths are the root's path joined with those of subflow nodes.
//   T2. It always ends: recursion and excessive depth are findings.

import { limits } from "../base/limits.ts";
import type { Result } from "../base/result.ts";
import type { Diagnostic } from "./diagnostic.ts";
import * as found from "./diagnostics/workflow.ts";
import type { Graph } from "./graph.ts";
import { checkInputs, type Matches } from "./inputs.ts";
import type { InputSpec, SubflowNode, Workflow } from "./model.ts";
import { parseWorkflow } from "./parse.ts";
import type { Path, SourceMap } from "./source-map.ts";
import { subflowPath } from "./subflow-path.ts";
import { inputSpecs } from "./triggers/index.ts";
import { unseenFindings } from "./unseen-findings.ts";
import { type ValidatedWorkflow, type ValidateOptions, validateParsed } from "./validate.ts";

/**
 * `path` is relative to the same place as the root's path. The error is a short reason (`no such file`), or the folder
 * that the file is outside of.
 */
export type ReadFile = (path: string) => Promise<Result<string, string | { outside: string }>>;

export interface WorkflowTree {
  /** The root workflow; absent if any file has an error. */
  workflow?: Workflow;
  graph?: Graph;
  /** Diagnostics of all files: the root's first, then each subflow's. */
  diagnostics: Diagnostic[];
  /** Sources by path, including the root's, as `renderDiagnostic` needs them. */
  sources: Map<string, SourceMap>;
  /** Every subflow found, by path, with its text, and its workflow and graph if it is valid. */
  subflows: Map<string, { text: string; workflow?: Workflow; graph?: Graph }>;
}

/** `text` is the root's; `file` is its path as the user gave it. */
export async function validateTree(
  text: string,
  file: string,
  readFile: ReadFile,
  options: ValidateOptions = {},
): Promise<WorkflowTree> {
  const tree: WorkflowTree = { diagnostics: [], sources: new Map(), subflows: new Map() };
  const root = await visit(text, file, [file], { tree, readFile, options, done: new Map() });
  if (options.trust !== undefined)
    tree.diagnostics.push(...(await unseenFindings({ ...root, file }, tree, options.trust)));
  const sound = tree.diagnostics.every((diagnostic) => diagnostic.severity !== "error");
  if (sound && root.workflow !== undefined && root.graph !== undefined)
    Object.assign(tree, { workflow: root.workflow, graph: root.graph });
  return tree;
}

interface Visit {
  tree: WorkflowTree;
  readFile: ReadFile;
  options: ValidateOptions;
  /** `wrong`: it, or a subflow below it, has an error. */
  done: Map<string, { validated: ValidatedWorkflow; wrong: boolean }>;
}

async function visit(text: string, file: string, chain: readonly string[], state: Visit): Promise<ValidatedWorkflow> {
  const parsed = parseWorkflow(text, file);
  const validated = await validateParsed(parsed, state.options);
  state.tree.sources.set(file, validated.source);
  const own = [...validated.diagnostics];
  const at = state.tree.diagnostics.length;
  let wrong = false;
  for (const [index, node] of (parsed.draft?.workflow.nodes ?? []).entries()) {
    if (node.type !== "subflow") continue;
    const path: Path = ["nodes", parsed.draft!.nodeIndexes[index]!, "data"];
    const followed = await follow(node, path, validated.source, file, chain, state);
    own.push(...followed.diagnostics);
    wrong ||= followed.wrong;
  }
  state.tree.diagnostics.splice(at, 0, ...own);
  state.done.set(file, { validated, wrong: wrong || own.some((diagnostic) => diagnostic.severity === "error") });
  return validated;
}

/** Checks one subflow node and visits its file. */
async function follow(
  node: SubflowNode,
  path: Path,
  source: SourceMap,
  file: string,
  chain: readonly string[],
  state: Visit,
): Promise<{ diagnostics: Diagnostic[]; wrong: boolean }> {
  const said = node.data.workflow;
  const at = { file, range: source.range([...path, "workflow"]) };
  const refused = (diagnostic: Diagnostic) => ({ diagnostics: [diagnostic], wrong: true });
  if (/^([/\\]|[A-Za-z]:|~)/.test(said)) return refused(found.subflowAbsolute(at, said));
  if (!/\.(ya?ml|json)$/i.test(said)) return refused(found.subflowNotAFlow(at, said));
  const target = subflowPath(file, said);
  if (chain.includes(target))
    return refused(found.subflowRecursive(at, [...chain.slice(chain.indexOf(target)), target]));
  if (chain.length > limits.subflowDepthMax) return refused(found.subflowTooDeep(at));
  if (!state.done.has(target)) {
    const text = await state.readFile(target);
    if (!text.ok)
      return refused(
        typeof text.error === "string"
          ? found.subflowMissing(at, said, text.error)
          : found.subflowOutside(at, said, text.error.outside),
      );
    state.tree.subflows.set(target, { text: text.value });
    const { workflow, graph } = await visit(text.value, target, [...chain, target], state);
    if (workflow !== undefined && graph !== undefined)
      state.tree.subflows.set(target, { text: text.value, workflow, graph });
  }
  const inner = state.done.get(target);
  // Reported once, at the root. The errors themselves are reported in their file.
  if (inner?.wrong === true)
    return chain.length === 1 ? refused(found.subflowWrong(at, said)) : { diagnostics: [], wrong: true };
  const specs = inner?.validated.workflow === undefined ? {} : inputSpecs(inner.validated.workflow);
  const diagnostics = checkGiven(node, specs, path, source, at, state.options.matches);
  return { diagnostics, wrong: diagnostics.length > 0 };
}

function checkGiven(
  node: SubflowNode,
  specs: Record<string, InputSpec>,
  path: Path,
  source: SourceMap,
  at: { file: string; range: Diagnostic["range"] },
  matches: Matches | undefined,
): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const given = node.data.inputs ?? {};
  const place = (name: string, what: "key" | "value") => ({
    file: at.file,
    range: source.range([...path, "inputs", name], what),
  });
  for (const [name, text] of Object.entries(given)) {
    const spec = Object.hasOwn(specs, name) ? specs[name] : undefined;
    if (spec === undefined)
      diagnostics.push(found.subflowUnknownInput(place(name, "key"), name, node.data.workflow, Object.keys(specs)));
    else if (!text.includes("${")) {
      const read = checkInputs({ [name]: spec }, { [name]: text }, "text", matches);
      if (!read.ok)
        diagnostics.push(
          found.subflowWrongInput(place(name, "value"), node.data.workflow, read.error[0]?.message ?? ""),
        );
    }
  }
  for (const [name, spec] of Object.entries(specs))
    if (spec.required === true && spec.default === undefined && !Object.hasOwn(given, name))
      diagnostics.push(found.subflowMissingInput(at, name, node.data.workflow));
  return diagnostics;
}

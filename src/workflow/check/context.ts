// check/context: what every check of a document works with.

import type { Diagnostic, Range } from "../diagnostic.ts";
import type { At } from "../diagnostics/base.ts";
import type { Graph } from "../graph.ts";
import type { Matches } from "../inputs.ts";
import type { Workflow, WorkflowNode } from "../model.ts";
import type { Draft } from "../parse.ts";
import type { Path, SourceMap } from "../source-map.ts";
import type { SeenGround } from "../unseen-findings.ts";
import type { ScanTokens } from "./credentials.ts";

export interface CheckOptions {
  /** Names of the process environment: known in fields that no shell reads. */
  environment?: ReadonlySet<string>;
  /** Whether a command gets this name of the environment without being told to; absent: not looked at. */
  passesEnvironment?: (name: string) => boolean;
  /** Finds tokens by the shapes that vendors give them; absent: only those that their place gives away are found. */
  scanTokens?: ScanTokens;
  /** Tries the patterns of inputs; absent: without a deadline. */
  matches?: Matches;
  /** What a person of this home has seen of imported documents; absent: nothing is said of that. */
  trust?: SeenGround;
}

export interface Check {
  workflow: Workflow;
  draft: Draft;
  graph: Graph;
  options: CheckOptions;
  report(diagnostic: Diagnostic): void;
  /** The place of a path. */
  at(path: Path, what?: "value" | "key"): At;
  /** The place of a part of the text at a path. */
  inside(path: Path, text: string, start: number, end: number): At;
  line(path: Path): number;
  /** Sources of the edges into a node, in file order, also those that do not exist. */
  parentsOf(id: string): readonly string[];
  /** Where the n-th node of the model stands. */
  nodePath(index: number): Path;
}

export function checkOf(
  draft: Draft,
  source: SourceMap,
  graph: Graph,
  options: CheckOptions,
  report: (diagnostic: Diagnostic) => void,
): Check {
  const { workflow } = draft;
  const parents = new Map<string, string[]>();
  for (const edge of workflow.edges) {
    const known = parents.get(edge.target);
    if (known === undefined) parents.set(edge.target, [edge.source]);
    else known.push(edge.source);
  }
  const at = (range: Range): At => ({ file: source.file, range });
  return {
    workflow,
    draft,
    graph,
    options,
    report,
    at: (path, what) => at(source.range(path, what)),
    inside: (path, text, start, end) => at(source.rangeInside(path, text, start, end)),
    line: (path) => source.range(path).start.line,
    parentsOf: (id) => parents.get(id) ?? NONE,
    nodePath: (index) => ["nodes", draft.nodeIndexes[index]!],
  };
}

const NONE: readonly string[] = [];

export function nodeName(node: WorkflowNode): string {
  return `Node "${node.id}"`;
}

export const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

// check/context: the data and functions that every check of a workflow uses.

import { parseDuration } from "../../base/duration.ts";
import type { Diagnostic, Range } from "../diagnostic.ts";
import type { At } from "../diagnostics/base.ts";
import { zeroDuration } from "../diagnostics/node.ts";
import type { Graph } from "../graph.ts";
import type { Matches } from "../inputs.ts";
import type { Workflow } from "../model.ts";
import type { Draft } from "../parse.ts";
import type { Path, SourceMap } from "../source-map.ts";
import type { SeenDeps } from "../unseen-findings.ts";
import type { ScanTokens } from "./credentials.ts";

export interface CheckOptions {
  /** Names of the process environment, which are valid in fields that no shell reads. */
  environment?: ReadonlySet<string>;
  /** Whether a command gets this environment variable by default. Absent: not checked. */
  passesEnvironment?: (name: string) => boolean;
  /** Finds tokens in the formats of vendors. Absent: only those that their position gives away are found. */
  scanTokens?: ScanTokens;
  /** Matches the patterns of inputs. Absent: without a time limit. */
  matches?: Matches;
  /** The commands of imported workflows that a user of this data directory has approved. Absent: not checked. */
  trust?: SeenDeps;
}

export interface Check {
  workflow: Workflow;
  draft: Draft;
  graph: Graph;
  options: CheckOptions;
  report(diagnostic: Diagnostic): void;
  /** The position of a path. */
  at(path: Path, what?: "value" | "key"): At;
  /** The position of a part of the text at a path. */
  inside(path: Path, text: string, start: number, end: number): At;
  line(path: Path): number;
  /** Sources of the edges into a node, in file order, including unknown ids. Without edges, the nodes that it names. */
  parentsOf(id: string): readonly string[];
  /** Ids of nodes with outgoing edges. */
  leaves: ReadonlySet<string>;
  /** The path of the n-th node of the model. */
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
  for (const node of graph.nodes)
    if (node.parents[0]?.reference === true)
      parents.set(
        node.id,
        node.parents.map((parent) => graph.nodes[parent.source]!.id),
      );
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
    leaves: new Set(workflow.edges.map((edge) => edge.source)),
    nodePath: (index) => ["nodes", draft.nodeIndexes[index]!],
  };
}

const NONE: readonly string[] = [];

export function nodeName(node: { id: string }): string {
  return `Node "${node.id}"`;
}

export const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Reports durations of zero. */
export function zeroDurations(data: object | undefined, fields: readonly string[], path: Path, check: Check): void {
  for (const field of fields) {
    const text = (data as Record<string, unknown> | undefined)?.[field];
    if (typeof text !== "string") continue;
    const parsed = parseDuration(text);
    if (parsed.ok && parsed.value === 0) check.report(zeroDuration(check.at([...path, field]), field));
  }
}

// check/mistakes: finds workflows that run, but do something else than their author meant (spec 8.4).
//   M1. No example and no page of the docs has one of them.

import { type Reference, referencesOf, stringReferencesOf } from "../../shell/template.ts";
import { soundsSecret } from "../credentials.ts";
import type { At } from "../diagnostics/base.ts";
import * as found from "../diagnostics/mistakes.ts";
import { edgeRange, edgeText } from "../edges.ts";
import { textComparison } from "../expression.ts";
import type { Graph, GraphNode } from "../graph.ts";
import { kindOf } from "../kinds/index.ts";
import { textsOf } from "../kinds/kind.ts";
import { inheritedBy } from "../node-fields.ts";
import type { Path, SourceMap } from "../source-map.ts";
import type { Check } from "./context.ts";
import { foreignNames } from "./foreign-names.ts";
import type { Names } from "./names.ts";

export function checkMistakes(check: Check, source: SourceMap): void {
  checkBranches(check, source);
  for (const node of check.graph.nodes) {
    checkConcurrency(node, check);
    checkCollected(node, check);
    const base: Path = [...check.nodePath(node.index), "data"];
    for (const { path, text, reading } of textsOf(kindOf(node.node), node.node.data)) {
      const at = (start: number, end: number) => check.inside([...base, ...path], text, start, end);
      const isText = (node.node.type === "text" && path[0] === "content") || path[0] === "stdin";
      for (const one of foreignNames(text, reading === "script", (id) => check.graph.indexOf.has(id)))
        check.report(found.foreignSyntax(at(one.start, one.end), one.seen, one.tool, one.meant, one.help));
      if (isText) for (const one of stringReferencesOf(text)) checkJsonString(text, one, at, check);
      if (reading !== "script" && textComparison(text) !== undefined)
        for (const [seen, braces, member] of text.matchAll(/(\$\{[^{}\n|]+)\}(\.[A-Za-z_][\w.[\]]*)/g))
          check.report(
            found.conditionMember(
              at(text.indexOf(seen), text.indexOf(seen) + seen.length),
              seen,
              `${braces}${member}}`,
            ),
          );
    }
  }
}

/** The value of each iteration would be the list so far. */
function checkCollected({ node, index, parents }: GraphNode, check: Check): void {
  const { nodes, startOf } = check.graph;
  const start = nodes[startOf.get(index) ?? -1]?.node;
  if (start === undefined) return;
  const isList = "items" in start.data && start.data.items !== undefined;
  if (!isList && !("collect" in node.data && node.data.collect === true)) return;
  const list = nodes[parents[0]?.source ?? -1]?.node;
  if (list === undefined || kindOf(list).effect !== "collects") return;
  check.report(found.collectedTwice(check.at([...check.nodePath(index), "id"]), list.id, node.id));
}

/** Curlew masks such a value automatically. The finding says so, once for each name. */
export function checkSecretNames(check: Check, names: Names): void {
  const { environment } = check.options;
  const { unmasked = [] } = check.workflow;
  const told = new Set<string>(unmasked);
  const look = (name: string, at: () => At): void => {
    if (told.has(name) || !environment?.has(name) || names.shared.has(name) || !soundsSecret(name)) return;
    told.add(name);
    check.report(found.looksLikeASecret(at(), name));
  };
  for (const { node, index } of check.graph.nodes) {
    const base: Path = [...check.nodePath(index), "data"];
    for (const { path, text, reading } of textsOf(kindOf(node), node.data)) {
      if (reading === "script") continue;
      for (const { root, start, end } of referencesOf(text))
        look(root, () => check.inside([...base, ...path], text, start, end));
    }
    const inherited = inheritedBy(node);
    for (const [at, name] of (inherited === true ? [] : inherited).entries())
      look(name, () => check.at([...base, "env", "inherit", at]));
  }
}

/** A node with an edge from a branch, and a plain edge from a node before the IF, runs whatever the answer is. */
function checkBranches(check: Check, source: SourceMap): void {
  const { graph, draft, workflow } = check;
  for (const node of graph.nodes) {
    // A loop ends after both answers, and finally nodes always run.
    if (node.finally || node.node.type === "loop-end") continue;
    const branches = node.parents.filter(
      ({ source: from, handle }) => isBranch(graph.nodes[from]!) && handle !== undefined,
    );
    const plain = node.parents.filter(
      ({ source: from, handle }) => handle === undefined && !isBranch(graph.nodes[from]!),
    );
    if (plain.length === 0) continue;
    for (const branch of branches) {
      // Both answers lead here: the node is meant to run.
      if (branches.some((other) => other.source === branch.source && other.handle !== branch.handle)) continue;
      const before = ancestorsOf(branch.source, graph);
      const bypass = plain.find((edge) => before.has(edge.source));
      if (bypass === undefined) continue;
      const range = edgeRange(source, draft.edgeOrigins[bypass.edge]!, "whole");
      const text = (edge: number) => edgeText(workflow.edges[edge]!);
      check.report(
        found.branchBypassed(
          { file: source.file, range },
          node.id,
          text(branch.edge),
          text(bypass.edge),
          graph.nodes[bypass.source]!.id,
        ),
      );
      break;
    }
  }
}

function isBranch({ node }: GraphNode): boolean {
  return kindOf(node).effect === "branch";
}

function ancestorsOf(index: number, graph: Graph): Set<number> {
  const seen = new Set<number>();
  const open = [index];
  for (let at = open.pop(); at !== undefined; at = open.pop())
    for (const { source } of graph.nodes[at]!.parents)
      if (!seen.has(source)) {
        seen.add(source);
        open.push(source);
      }
  return seen;
}

function checkConcurrency({ node, index }: GraphNode, check: Check): void {
  const { concurrency } = check.workflow;
  const wanted = node.type === "loop-start" ? node.data.maxConcurrency : undefined;
  if (wanted !== undefined && concurrency !== undefined && wanted > concurrency)
    check.report(
      found.concurrencyCapped(check.at([...check.nodePath(index), "data", "maxConcurrency"]), wanted, concurrency),
    );
}

/** Facts that never need escaping, and those that often do. */
const PLAIN_FACT = /^(?:run\.(?!name)|trigger\.|attempt$|failure\.(?!message|body|stderr))/;
const FREE_TEXT = /^failure\.(?:message|body|stderr)\b/;

/** A value that is the whole string: the filter json says the same, and is right for every value. */
function checkJsonString(
  text: string,
  { root, members, start, end, filter }: Reference,
  at: (start: number, end: number) => ReturnType<Check["at"]>,
  check: Check,
): void {
  const name = [root, ...members].join(".");
  if (PLAIN_FACT.test(name)) return;
  if (text[start - 1] !== '"' || text[end] !== '"') {
    if (FREE_TEXT.test(name)) check.report(found.jsonInString(at(start, end), text.slice(start, end)));
    return;
  }
  const bare = filter === undefined ? text.slice(start, end - 1) : text.slice(start, end - filter.length - 2);
  check.report(found.jsonInQuotes(at(start - 1, end + 1), text.slice(start - 1, end + 1), `${bare}|json}`));
}

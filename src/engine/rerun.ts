// rerun: starts a run that reuses another run's results: reads it, checks it, and takes over its files (spec 2.2 `runs
// retry RUN [--from NODE]`).
//   A1. All checks come before the new run is recorded. Kept results are recorded in one transaction with its start.
//   A2. The new run does not depend on the other one: files of kept results are hard-linked (or copied) into its own
//       folder before an event names them.
//   A3. Nothing is guessed: if a needed result's secret or file is gone, a failure says so and suggests what to do.

import { dirname, resolve } from "node:path";
import type { Failure } from "../base/failure.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { EventBody, Rerun, RunEvent } from "../scheduler/event.ts";
import { type KeptRun, keptResultsOf, type Target } from "../scheduler/rerun.ts";
import { secretsNeeded, withoutSealed } from "../scheduler/rerun-secrets.ts";
import type { Store } from "../store/index.ts";
import { analyze, type Graph } from "../workflow/graph.ts";
import { kindOf } from "../workflow/kinds/index.ts";
import type { WorkflowNode } from "../workflow/model.ts";
import { listed, nearest } from "../workflow/nearest.ts";
import { parseWorkflow } from "../workflow/parse.ts";
import type { RerunRequest, RunRequest } from "./contract.ts";
import { linkReusedFiles } from "./kept-files.ts";
import { targetOf } from "./rerun-target.ts";
import { readAllEvents } from "./run-start.ts";

export interface RerunStart {
  again: Rerun;
  /** The events after `run.started`. They still name files as in the other run. */
  bodies: EventBody[];
  warnings: Failure[];
}

export interface RerunDeps {
  store: Store;
  home: string;
  /** Whether the result is passed to a parent run. */
  isChild: boolean;
}

/** The workflow to run, with the texts of its subflows by absolute path. */
type Document = Pick<RunRequest, "again" | "file" | "subflows">;

/** The start of run `id`, with its files in that run's folder. Failures: those of `beginningOf` and of `linkReusedFiles`. */
export async function rerunStart(
  request: Document,
  id: string,
  graph: Graph,
  deps: RerunDeps,
): Promise<Result<RerunStart | undefined, Failure>> {
  const { again: asked } = request;
  if (asked === undefined) return ok(undefined);
  const beginning = await beginningOf(asked, request, graph, deps);
  if (!beginning.ok) return beginning;
  const bodies = await linkReusedFiles(beginning.value.bodies, asked.run, id, deps.store);
  return bodies.ok ? ok({ ...beginning.value, bodies: bodies.value }) : bodies;
}

/** The earlier run to reuse for a subflow, if its inputs are the same. Compared masked, because inputs are recorded masked. */
export async function rerunInside(
  again: Rerun | undefined,
  path: string,
  inputs: Record<string, unknown>,
  { store, mask }: { store: Store; mask(text: string): string },
): Promise<{ again?: RerunRequest }> {
  const child = again?.inside?.[path];
  if (child === undefined) return {};
  const first = await store.journal.read(child.run, 1, 1);
  const started = first.ok ? first.value[0] : undefined;
  const given = (of: Record<string, unknown>): string => mask(JSON.stringify(of));
  // With other inputs nothing of the earlier run is kept.
  if (started?.type === "run.started" && given(started.inputs) !== given(inputs)) return {};
  return { again: { ...child, ...(again?.current === true ? { current: true } : {}) } };
}

/** Failures: `from-unknown`, `from-skipped`, `rerun-unfit`, `kept-secret-missing`, and those of reading the other run. */
async function beginningOf(
  asked: RerunRequest,
  document: Document,
  graph: Graph,
  deps: RerunDeps,
): Promise<Result<RerunStart, Failure>> {
  const read = await readAllEvents(asked.run, deps);
  if (!read.ok) return read;
  const before = { graph: read.value.graph, events: read.value.events };
  const from = asked.from === undefined ? ok(undefined) : targetOf(asked.from, graph, before);
  if (!from.ok) return from;
  const { target, path, inner } = from.value ?? {};
  const again = rerunNodesOf(asked.rerun ?? [], graph, asked.run);
  if (!again.ok) return again;
  const kept = keptResultsOf(before, graph, { target, again: again.value });
  const unkept = [...again.value].find((index) => kept.state.root.nodes.get(index)?.status !== "succeeded");
  if (unkept !== undefined)
    return err(rerunUnfit(graph.nodes[unkept]!.id, "It runs again anyway, or did not succeed."));
  const [needed] = secretsNeeded(kept, graph, again.value, deps.isChild);
  if (needed !== undefined) return err(secretGone(needed, asked.run));
  const inside: Record<string, { run: string; from?: string }> = Object.fromEntries(kept.inside);
  if (path !== undefined && inner !== undefined) {
    const child = lastChild(before.events, path);
    const unfit = await unfitInside(
      { from: inner, child, path },
      graph.nodes[target?.node ?? -1]?.node,
      document,
      deps,
    );
    if (unfit !== undefined) return err(unfit);
    if (child !== undefined) inside[path] = { run: child, from: inner };
  }
  return ok({
    again: {
      run: asked.run,
      from: asked.from,
      anew: again.value.size === 0 ? undefined : [...again.value].map((index) => graph.nodes[index]!.id),
      ...(asked.current === true ? { current: true } : {}),
      inside: Object.keys(inside).length === 0 ? undefined : inside,
    },
    bodies: kept.bodies.map(withoutSealed),
    warnings: asked.current === true ? changes(kept, before, graph, target) : [],
  });
}

/**
 * A1. Checks a target inside a subflow here, because the subflow's own run would notice only after this run has
 * started.
 */
async function unfitInside(
  { from, child, path }: { from: string; child: string | undefined; path: string },
  node: WorkflowNode | undefined,
  document: Document,
  deps: RerunDeps,
): Promise<Failure | undefined> {
  if (node?.type !== "subflow") return undefined;
  const file = resolve(dirname(document.file), node.data.workflow);
  const { workflow, source } = parseWorkflow(document.subflows[file] ?? "", file);
  if (workflow === undefined) return undefined;
  const { graph } = analyze(workflow);
  const read = child === undefined ? undefined : await readAllEvents(child, deps);
  const before = read?.ok === true ? read.value : { graph, events: [] };
  const found = targetOf(from, graph, before);
  if (!found.ok) {
    const ids = workflow.nodes.map(({ id }) => id);
    const id = from.replace(/[[/].*/, "");
    const near = ids.indexOf(ids.includes(id) ? id : (nearest(id, ids) ?? ""));
    const { line } = source.range(near < 0 ? ["nodes"] : ["nodes", near, "id"], near < 0 ? "key" : "value").start;
    const where = `In the subflow "${path}" (${node.data.workflow}:${line}): `;
    return { ...found.error, message: where + found.error.message };
  }
  const { target, path: inside, inner } = found.value;
  if (inner === undefined) return undefined;
  const deeper = { from: inner, child: lastChild(before.events, inside), path: `${path}/${inside}` };
  return unfitInside(deeper, graph.nodes[target.node]?.node, { ...document, file }, deps);
}

function rerunNodesOf(names: readonly string[], graph: Graph, run: string): Result<Set<number>, Failure> {
  const found = new Set<number>();
  for (const name of names) {
    const index = graph.indexOf.get(name);
    const drawn = graph.nodes[index ?? -1];
    if (index === undefined || drawn === undefined) {
      const unknown = targetOf(name, graph, { graph, events: [] });
      return err(unknown.ok ? rerunUnfit(name, `Run ${run} has no such node.`) : unknown.error);
    }
    if (drawn.loops.length > 0) return err(rerunUnfit(name, "It is in a loop."));
    const { effect } = kindOf(drawn.node);
    if (effect === "branch" || effect === "loop" || drawn.finally)
      return err(rerunUnfit(name, "The nodes after it depend on more than its value."));
    found.add(index);
  }
  return ok(found);
}

function rerunUnfit(node: string, why: string): Failure {
  return {
    code: "rerun-unfit",
    message: `"${node}" cannot run again for its value alone. ${why}`,
    hint: `"--from ${node}" runs it again, and all nodes after it.`,
  };
}

function secretGone({ node, by }: { node: string; by: string }, run: string): Failure {
  return {
    code: "kept-secret-missing",
    message: `The value of "${node}" contains a secret, and ${by === "the run's result" ? by : `"${by}"`} needs it. Secrets are not kept when a run has ended.`,
    hint: `"curlew runs retry ${run} --rerun ${node}" runs it again and keeps the results after it. "--from ${node}" runs all nodes from there.`,
  };
}

function lastChild(events: readonly RunEvent[], path: string): string | undefined {
  const started = events.findLast((event) => event.type === "attempt.started" && event.path === path);
  return started?.type === "attempt.started" ? started.detail.childRun : undefined;
}

/** Warnings about changes of the workflow since the other run. */
function changes(
  kept: KeptRun,
  before: { graph: Graph; events: readonly RunEvent[] },
  graph: Graph,
  target: Target | undefined,
): Failure[] {
  const ids = (of: KeptRun): Set<string> =>
    new Set(of.bodies.flatMap((body) => (body.type === "node.kept" ? [body.node] : [])));
  const now = ids(kept);
  const id = graph.nodes[target?.node ?? -1]?.id ?? "";
  const same = before.graph.indexOf.get(id);
  const then = ids(
    keptResultsOf(
      before,
      before.graph,
      target === undefined || same === undefined ? {} : { target: { ...target, node: same } },
    ),
  );
  const changed = [...now].filter((one) => shape(before.graph, one) !== shape(graph, one));
  const lost = [...then].filter((one) => !now.has(one) && one !== id);
  const warnings: Failure[] = [];
  if (changed.length > 0)
    warnings.push({
      code: "kept-changed",
      message: `${listed(changed)} changed in the file since, and what ${changed.length === 1 ? "it" : "they"} came to then is kept.`,
      hint: `"--from ${changed[0]}" runs ${changed.length === 1 ? "it" : "them"} again, and the nodes after.`,
    });
  if (lost.length > 0)
    warnings.push({
      code: "kept-less",
      message: `${listed(lost)} succeeded, but can't be reused, because the file has changed at or before ${lost.length === 1 ? "it" : "them"}.`,
    });
  return warnings;
}

function shape(graph: Graph, id: string): string {
  const node = graph.nodes[graph.indexOf.get(id) ?? -1]?.node;
  return JSON.stringify([node?.type, node?.data]);
}

// rerun-target: parses the target of `--from`: `fetch`, `fetch[2]`, `pages[2]` (a whole iteration), `sub/gate` (spec
// 2.2).
//   N1. A missing index means the first iteration. A target that the other run did not reach is rejected.

import type { Failure } from "../base/failure.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { RerunDeps, Target } from "../scheduler/rerun.ts";
import { indexesOf } from "../scheduler/state.ts";
import type { Graph } from "../workflow/graph.ts";
import { didYouMean, listed } from "../workflow/nearest.ts";

const NAME = /^([^[\]/]+)((?:\[\d{1,9}\])*)(?:\/(.+))?$/;

/**
 * `path`: path of `target`. `inner`: the rest of the name, inside the subflow. Failures: `from-unknown`,
 * `from-skipped`.
 */
export function targetOf(
  name: string,
  graph: Graph,
  before: RerunDeps,
): Result<{ target: Target; path: string; inner?: string }, Failure> {
  const [, id = "", brackets = "", inner] = NAME.exec(name) ?? [];
  const index = graph.indexOf.get(id);
  if (index === undefined) return err(unknownNode(name, id, graph));
  const drawn = graph.nodes[index]!;
  const given = indexesOf(id + brackets);
  const depth = drawn.loops.length;
  const pass = drawn.node.type === "loop-start" && given.length === depth + 1;
  if (given.length > depth && !pass)
    return err(
      unknown(
        `"${name}" does not exist in this workflow: "${id}" is in ${depth === 0 ? "no loop" : `${depth} loops`}.`,
        depth === 0 ? `"--from ${id}".` : `"--from ${id}${"[0]".repeat(depth)}" is its first iteration.`,
      ),
    );
  const indexes = [...given, ...Array<number>(Math.max(0, depth - given.length)).fill(0)];
  const passes = passesOf(
    before,
    [...drawn.loops, ...(pass ? [index] : [])].map((loop) => graph.nodes[loop]!.id),
    indexes,
  );
  if (passes !== undefined) return err(unknown(`"${name}": ${passes}`, '"curlew runs show" lists the iterations.'));
  if (inner !== undefined && drawn.node.type !== "subflow")
    return err(unknown(`"${id}" is not a subflow, so it contains no "${inner}".`));
  const path = id + indexes.map((one) => `[${one}]`).join("");
  const skipped = before.events.some(
    (event) => event.type === "node.skipped" && event.path === path && event.reason === "branch-not-taken",
  );
  if (skipped) return err(notTaken(path));
  return ok({ target: { node: index, indexes, pass }, path, inner });
}

function unknownNode(name: string, id: string, graph: Graph): Failure {
  const ids = graph.nodes.map((node) => node.id);
  return unknown(`There is no node "${id || name}".${didYouMean(id, ids)}`, `Known nodes: ${listed(ids, 12)}.`);
}

/** A problem text if the other run did not start that iteration. */
function passesOf({ events }: RerunDeps, loops: readonly string[], indexes: readonly number[]): string | undefined {
  for (const [depth, loop] of loops.entries()) {
    const around = indexes
      .slice(0, depth)
      .map((one) => `[${one}]`)
      .join("");
    const begun = events.filter(
      (event) => event.type === "pass.started" && event.path.replace(/\[\d+\]$/, "") === loop + around,
    );
    if (begun.length > (indexes[depth] ?? 0)) continue;
    if (begun.length === 0) return indexes[depth] === 0 ? undefined : `the loop "${loop}${around}" had not begun.`;
    return `the loop "${loop}${around}" had begun ${begun.length === 1 ? "1 iteration" : `${begun.length} iterations`}, counted from 0.`;
  }
  return undefined;
}

function unknown(message: string, hint?: string): Failure {
  return { code: "from-unknown", message, hint };
}

function notTaken(path: string): Failure {
  return {
    code: "from-skipped",
    message: `"${path}" was skipped, because its branch was not taken. It would be skipped again.`,
    hint: "Start at the node that decided this.",
  };
}

// retried: a run that ended early, and a run that reuses it. The second must have the result that the oracle predicts
// for the drawing. Nothing that had succeeded runs twice, and nothing after a repeated node is kept.

import { keptResultsOf, type Target } from "../../src/scheduler/rerun.ts";
import type { Graph } from "../../src/workflow/graph.ts";
import { differences } from "./compare.ts";
import type { Drawing } from "./drawing.ts";
import { randomFrom } from "./generate.ts";
import { Oracle } from "./oracle.ts";
import { type Options, type Simulated, simulate } from "./simulate.ts";

/** Runs the drawing until an unscripted event ends it, then reuses that run from a node on or from the failure. */
export function checkAgain(drawing: Drawing, seed: number): string[] {
  const random = randomFrom(seed ^ 0x3c6ef372);
  const first = interrupted(drawing, random);
  const target = random() < 0.5 ? targetOf(first, random) : undefined;
  const options: Options = { random };
  if (random() < 0.3) options.crashes = 0.1;
  const kept = keptResultsOf(first, first.graph, { target });
  // A failure after which the drawing continues is kept, or happens again.
  const again = simulate(goesOn(first) ? first.drawing : drawing, { ...options, kept: kept.bodies });
  const found = differences(again, true).map(
    (difference) => `again${target === undefined ? "" : " from"}: ${difference}`,
  );
  if (kept.bodies.some((body) => "state" in body)) found.push("again: a kept result is stored again");
  if (target === undefined) found.push(...forgotten(first, again));
  else found.push(...notBegun(again, target, first.graph));
  // A time limit's effect depends on when the run started.
  return drawing.timeout === undefined ? found : found.filter((difference) => !difference.includes("the run is"));
}

function interrupted(drawing: Drawing, random: () => number): Simulated {
  const kind = Math.floor(random() * 4);
  if (kind === 0) return simulate(drawing, { random });
  if (kind === 1) return simulate(drawing, { random, cancelAfter: 1 + Math.floor(random() * 40) });
  const paths = [...new Oracle(drawing).paths()].filter(([, { attempts }]) => attempts > 0).map(([path]) => path);
  const path = paths[Math.floor(random() * paths.length)];
  const script = path === undefined ? drawing.script : { ...drawing.script, [path]: kind === 2 ? "fail" : "lost" };
  return simulate({ ...drawing, script }, { random });
}

function goesOn({ drawing, graph }: Simulated): boolean {
  const path = Object.keys(drawing.script).at(-1)?.split("[", 1)[0] ?? "";
  const drawn = graph.nodes[graph.indexOf.get(path) ?? -1];
  return drawn !== undefined && (drawn.tolerated || drawn.hasErrorBranch);
}

/** A node or iteration that the run reached. */
function targetOf(run: Simulated, random: () => number): Target | undefined {
  const { graph, events } = run;
  const reached = events.flatMap((event): Target[] => {
    if (!("path" in event)) return [];
    const node = graph.indexOf.get(event.node) ?? -1;
    const indexes = [...event.path.matchAll(/\[(\d+)\]/g)].map(([, index]) => Number(index));
    if (graph.nodes[node]?.finally !== false || event.type === "node.skipped") return [];
    return [{ node, indexes, pass: event.type.startsWith("pass.") }];
  });
  return reached[Math.floor(random() * reached.length)];
}

/** Results of the first run that the second does not keep. */
function forgotten(first: Simulated, again: Simulated): string[] {
  const kept = new Set(again.events.flatMap((event) => (event.type === "node.kept" ? [event.path] : [])));
  const last = first.events.at(-1);
  const fatal = last?.type === "run.failed" ? last.path : undefined;
  const stopped = first.events.findIndex(
    (event) =>
      event.type === "run.cancel-requested" ||
      event.type === "run.timed-out-requested" ||
      ("path" in event && event.path === fatal && !event.type.endsWith("started")),
  );
  const failedLate = (path: string): boolean =>
    stopped !== -1 && first.events.slice(stopped).some((event) => "path" in event && event.path === path);
  const opened = new Set(
    again.events.flatMap((event) => (event.type === "loop.started" && event.kept ? [event.path] : [])),
  );
  return [...first.seen].flatMap(([path, { status }]) => {
    const drawn = first.graph.nodes[first.graph.indexOf.get(path.split(/[[ ]/, 1)[0] ?? "") ?? -1];
    if (path.includes(" ") || drawn === undefined || drawn.finally) return [];
    const isDone =
      status === "succeeded" || (status === "failed" && (drawn.tolerated || drawn.hasErrorBranch) && !failedLate(path));
    if (!isDone || (drawn.node.type === "loop-start" ? opened.has(path) : kept.has(path))) return [];
    return [`${path} was ${status}, and is not kept`];
  });
}

/** Results that are kept although they were named, or are in a later iteration. */
function notBegun(again: Simulated, target: Target, graph: Graph): string[] {
  const loopsOf = (node: number, pass: boolean): readonly number[] => [
    ...graph.nodes[node]!.loops,
    ...(pass ? [node] : []),
  ];
  const named = loopsOf(target.node, target.pass);
  for (const event of again.events) {
    if (!("path" in event) || !("kept" in event) || event.kept === undefined) continue;
    const node = graph.indexOf.get(event.node) ?? -1;
    const isPass = event.type.startsWith("pass.");
    const loops = loopsOf(node, isPass);
    const indexes = [...event.path.matchAll(/\[(\d+)\]/g)].map(([, index]) => Number(index));
    const differs = named.findIndex((loop, depth) => loops[depth] !== loop || indexes[depth] !== target.indexes[depth]);
    const isNamed = differs === -1 && node === target.node && isPass === target.pass;
    const isLater = differs !== -1 && loops[differs] === named[differs] && indexes[differs]! > target.indexes[differs]!;
    if (isNamed || isLater) return [`${event.type} of ${event.path}, and everything from the one named on was to run`];
  }
  return [];
}

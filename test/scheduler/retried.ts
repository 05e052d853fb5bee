// retried: a run that ended somewhere on the way, and the run that goes by it: that one must come to what the oracle says of the drawing,
// with nothing run twice that had succeeded, and nothing kept that lies behind what runs again.

import { keptOf, type Target } from "../../src/scheduler/rerun.ts";
import type { Graph } from "../../src/workflow/graph.ts";
import { differences } from "./compare.ts";
import type { Drawing } from "./drawing.ts";
import { randomFrom } from "./generate.ts";
import { Oracle } from "./oracle.ts";
import { type Options, type Simulated, simulate } from "./simulate.ts";

/** The drawing is run until something that is not drawn happens to it; then again by that run, from a node on or from what failed. */
export function checkAgain(drawing: Drawing, seed: number): string[] {
  const random = randomFrom(seed ^ 0x3c6ef372);
  const first = interrupted(drawing, random);
  const target = random() < 0.5 ? targetOf(first, random) : undefined;
  const options: Options = { random };
  if (random() < 0.3) options.crashes = 0.1;
  const kept = keptOf(first, first.graph, { target });
  // A failure that the drawing goes on with is kept, or happens again.
  const again = simulate(goesOn(first) ? first.drawing : drawing, { ...options, kept: kept.bodies });
  const found = differences(again, true).map(
    (difference) => `again${target === undefined ? "" : " from"}: ${difference}`,
  );
  if (target === undefined) found.push(...forgotten(first, again));
  else found.push(...notBegun(again, target, first.graph));
  // What ends a run by its time limit depends on when it was begun.
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

/** Some node or pass that the run reached. */
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

/** What the first run settled well and the second does not keep. */
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

/** What is kept though it is what was named, or lies in a pass after it. */
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

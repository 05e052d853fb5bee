// judge: lists how a run differs from what was promised, and from the result that the oracle predicts.

import { isDeepStrictEqual } from "node:util";
import type { RunEvent } from "../../src/scheduler/event.ts";
import { evolve } from "../../src/scheduler/evolve.ts";
import { initialState, stateAt } from "../../src/scheduler/state.ts";
import { differences } from "../scheduler/compare.ts";
import type { Drawing } from "../scheduler/drawing.ts";
import { Oracle } from "../scheduler/oracle.ts";
import { outcomeOf } from "../scheduler/script.ts";
import type { Seen } from "../scheduler/simulate.ts";
import { read } from "./commands.ts";
import { repeatsLost } from "./document.ts";
import { folded, type Lived } from "./live.ts";

export function judge(lived: Lived): string[] {
  const { world, events } = lived;
  const found = [...world.broken];
  if (events.length === 0) return [...found, "nothing is on record"];
  const meant = withLosses(lived, found);
  const { graph, state } = folded(lived.drawing, events);
  const oracle = new Oracle(meant).paths();
  const seen = new Map<string, Seen>();
  let replayed = initialState(graph, { concurrencyDefault: 4 });
  for (const event of events) {
    replayed = evolve(replayed, event);
    const node = "path" in event && !event.type.startsWith("pass.") ? stateAt(replayed, event.path) : undefined;
    // The values are those of real templates, which the oracle does not know. They are compared with a run without
    // deaths.
    if (node !== undefined) seen.set(node.path, { status: node.status, value: oracle.get(node.path)?.value ?? "" });
  }
  if (!isDeepStrictEqual(replayed, state)) found.push("folding the journal again gives another state");
  const extra = extraAttempts(events);
  // Lost with another attempt to come, which the end of the run has prevented.
  const isCut = (difference: string): boolean => [...extra].some((path) => difference.startsWith(`${path} is failed,`));
  const shape = differences({ drawing: meant, graph, events, state, seen, broken: [] }, true).filter(
    (difference) =>
      ![...extra].some((path) => difference.startsWith(`${path} was tried`)) &&
      !(isCut(difference) && state.status !== "succeeded"),
  );
  return [...found, ...shape, ...doubled(lived)];
}

/** Attempts that ended in a death are lost, and must stay so. */
function withLosses({ drawing, events, world, disk }: Lived, found: string[]): Drawing {
  const script = { ...drawing.script };
  for (const event of events) {
    if (event.type !== "attempt.lost") continue;
    const node = drawing.nodes.find(({ id }) => id === event.node)!;
    if (event.retryAt !== undefined) {
      if (!repeatsLost(node.id)) found.push(`${event.path} #${event.number} is lost and repeated`);
      continue;
    }
    if (outcomeOf(drawing, node, event.path) === "lost") continue;
    if (world.powerCuts === 0 && (world.adopts || world.deaths === 0))
      found.push(`${event.path} #${event.number} is lost, and its process has not died`);
    script[event.path] = "lost";
  }
  for (const [path, child] of childrenOf(events))
    if (read(disk, child).some((event) => event.type === "attempt.lost" && event.retryAt === undefined))
      script[path] = "fail";
  return { ...drawing, script };
}

/** The last run of each subflow. */
function childrenOf(events: readonly RunEvent[]): Map<string, string> {
  const children = new Map<string, string>();
  for (const event of events)
    if (event.type === "attempt.started" && event.detail.childRun !== undefined)
      children.set(event.path, event.detail.childRun);
  return children;
}

/** Paths that were tried more often because an attempt was lost or never started. */
function extraAttempts(events: readonly RunEvent[]): Set<string> {
  const paths = events.flatMap((event) =>
    event.type === "attempt.lost" || event.type === "attempt.not-started" ? [event.path] : [],
  );
  return new Set(paths);
}

/** No process without its record, no two at a time for one path. */
function doubled({ world, events, run }: Lived): string[] {
  const found: string[] = [];
  const started = new Set(events.flatMap((event) => (event.type === "attempt.started" ? [String(event.seq)] : [])));
  for (const process of world.processes.values()) {
    if (process.run === run && !started.has(process.stem))
      found.push(`${process.path} #${process.number} ran, and is not on record`);
    if (process.state === "running" && world.adopts)
      found.push(`${process.path} #${process.number} still runs when all is over`);
  }
  return found;
}

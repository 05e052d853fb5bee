// partial-run: starts a run of one node, or up to one, with values of a past run or pinned values (spec 2.3 "run this node").
//   L1. Approvals, secrets, and checks are those of any run. A request is rejected before the run is recorded.
//   L2. Values of a past run are taken over as for `runs retry` (rerun.ts), files by hard links.

import type { Failure } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { Value } from "../base/value.ts";
import type { EventBody, Only } from "../scheduler/event.ts";
import { onlyBodies, onlyPlan } from "../scheduler/partial-run.ts";
import { keptOf } from "../scheduler/rerun.ts";
import { secretsNeeded, withoutSealed } from "../scheduler/rerun-secrets.ts";
import type { Graph } from "../workflow/graph.ts";
import { kindOf } from "../workflow/kinds/index.ts";
import { didYouMean } from "../workflow/nearest.ts";
import type { PartialRunRequest } from "./contract.ts";
import { takeKept } from "./kept-files.ts";
import type { RerunDeps } from "./rerun.ts";
import { readBack } from "./run-start.ts";

interface OnlyBeginning {
  only: Only;
  bodies: EventBody[];
}

/** The first event with the request in it, and the events after it. Without a request, the event unchanged. */
export function onlyOf(
  asked: PartialRunRequest | undefined,
  id: string,
  started: RunStarted,
  graph: Graph,
  deps: RerunDeps,
): Result<{ started: RunStarted; bodies?: EventBody[] }, Failure> {
  if (asked === undefined) return ok({ started });
  const found = onlyThis(asked, id, started, graph, deps);
  return found.ok ? ok({ started: { ...started, only: found.value.only }, bodies: found.value.bodies }) : found;
}

type RunStarted = Extract<EventBody, { type: "run.started" }>;

/**
 * Failures: `unknown-node`, `only-unfit`, `only-missing`, `from-skipped`, `kept-secret-gone`, and those of reading the
 * other run.
 */
function onlyThis(
  asked: PartialRunRequest,
  id: string,
  started: EventBody,
  graph: Graph,
  deps: RerunDeps,
): Result<OnlyBeginning, Failure> {
  const name = asked.node ?? asked.to ?? "";
  const index = indexOf(name, graph);
  if (!index.ok) return index;
  const plan = onlyPlan(graph, index.value);
  if (plan === undefined) return err(unfit(name, "It is in the iterations of a listener."));
  const pinned = pinnedValues(asked.pinned ?? {}, graph);
  if (!pinned.ok) return pinned;
  const again = [...pinned.value.keys()].find((node) => plan.group.has(node));
  if (again !== undefined) return err(unfit(graph.nodes[again]!.id, "It is what runs, so its value cannot be given."));
  const before = asked.run === undefined ? undefined : readBack(asked.run, deps);
  if (before?.ok === false) return before;
  const first = plan.group.size === 1 ? plan.target : (graph.startOf.get(plan.target) ?? plan.target);
  const target = { node: first, indexes: [], pass: false };
  const kept = before === undefined ? [] : keptOf(before.value, graph, { target }).bodies;
  const found = onlyBodies(started, {
    ...{ graph, plan, kept, pinned: pinned.value, run: id },
    runsBefore: asked.to !== undefined,
  });
  if ("missing" in found) return err(missing(found, name, asked));
  if ("notTaken" in found)
    return err({
      code: "from-skipped",
      message: `By these values "${name}" would be skipped: its branch is not taken.`,
      hint: "Begin at the node that decides so, or take another run's values.",
    });
  const [secret] = secretsNeeded({ ...found, inside: new Map() }, graph, new Set(), deps.isChild);
  if (secret !== undefined)
    return err({
      code: "kept-secret-gone",
      message: `"${secret.by}" needs the value of "${secret.node}", which contains a secret. Secrets are not kept when a run has ended.`,
      hint: `Run up to "${name}" without the values of a run.`,
    });
  const bodies = taken(found.bodies.map(withoutSealed), id, asked.run, deps);
  if (!bodies.ok) return bodies;
  const only = {
    ...(asked.node === undefined ? { to: name } : { node: name }),
    ...(asked.run === undefined ? {} : { run: asked.run }),
    ...(pinned.value.size === 0 ? {} : { pinned: [...pinned.value.keys()].map((each) => graph.nodes[each]!.id) }),
    result: graph.nodes[plan.target]!.id,
  };
  return ok({ only, bodies: bodies.value });
}

/** L2. */
function taken(
  bodies: EventBody[],
  id: string,
  run: string | undefined,
  { store }: RerunDeps,
): Result<EventBody[], Failure> {
  return run === undefined ? ok(bodies) : takeKept(bodies, run, id, store);
}

function indexOf(name: string, graph: Graph): Result<number, Failure> {
  const index = graph.indexOf.get(name);
  if (index !== undefined) return ok(index);
  const ids = graph.nodes.map((node) => node.id);
  return err({ code: "unknown-node", message: `No node is called "${name}".${didYouMean(name, ids)}` });
}

function pinnedValues(given: Readonly<Record<string, string>>, graph: Graph): Result<Map<number, Value>, Failure> {
  const pinned = new Map<number, Value>();
  for (const [name, text] of Object.entries(given)) {
    const index = indexOf(name, graph);
    if (!index.ok) return index;
    const { node, loops, finally: last } = graph.nodes[index.value]!;
    if (loops.length > 0 || last) return err(unfit(name, "It is in a loop, or runs at the end."));
    if (kindOf(node).effect !== undefined) return err(unfit(name, "The nodes after it depend on more than a text."));
    if (Buffer.byteLength(text) > limits.inlineValueBytesMax)
      return err(unfit(name, `A value that is given has at most ${limits.inlineValueBytesMax} bytes; take a run's.`));
    pinned.set(index.value, { text });
  }
  return ok(pinned);
}

function unfit(node: string, why: string): Failure {
  return { code: "only-unfit", message: `"${node}" cannot run alone. ${why}` };
}

function missing(
  { missing: node, by }: { missing: string; by: string },
  name: string,
  asked: PartialRunRequest,
): Failure {
  const where = asked.run === undefined ? "no value was given for it" : `run ${asked.run} has none that can be taken`;
  return {
    code: "only-missing",
    message: `"${by}" needs the value of "${node}", and ${where}.`,
    hint: `Give it, take another run's values, or run everything up to "${name}".`,
  };
}

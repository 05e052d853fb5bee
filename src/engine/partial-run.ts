// partial-run: starts a run of one node, or up to one, with values of a past run or pinned values (spec 2.3 "run this node").
//   L1. Approvals, secrets, and checks are those of any run. A request is rejected before the run is recorded.
//   L2. Values of a past run are taken over as for `runs retry` (rerun.ts), files by hard links.

import type { Failure } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { Value } from "../base/value.ts";
import type { EventBody, PartialRun } from "../scheduler/event.ts";
import { partialRunEvents, planPartialRun } from "../scheduler/partial-run.ts";
import { keptResultsOf } from "../scheduler/rerun.ts";
import { secretsNeeded, withoutSealed } from "../scheduler/rerun-secrets.ts";
import type { Graph } from "../workflow/graph.ts";
import { kindOf } from "../workflow/kinds/index.ts";
import { didYouMean } from "../workflow/nearest.ts";
import type { PartialRunRequest } from "./contract.ts";
import { linkReusedFiles } from "./kept-files.ts";
import type { RerunDeps } from "./rerun.ts";
import { readAllEvents } from "./run-start.ts";

interface OnlyBeginning {
  only: PartialRun;
  bodies: EventBody[];
}

/** The first event with the request in it, and the events after it. Without a request, the event unchanged. */
export async function partialRunOf(
  asked: PartialRunRequest | undefined,
  id: string,
  started: RunStarted,
  graph: Graph,
  deps: RerunDeps,
): Promise<Result<{ started: RunStarted; bodies?: EventBody[] }, Failure>> {
  if (asked === undefined) return ok({ started });
  const found = await onlyThis(asked, id, started, graph, deps);
  return found.ok ? ok({ started: { ...started, only: found.value.only }, bodies: found.value.bodies }) : found;
}

type RunStarted = Extract<EventBody, { type: "run.started" }>;

/**
 * Failures: `unknown-node`, `partial-run-unfit`, `partial-run-input-missing`, `from-skipped`, `kept-secret-missing`, and those of reading the
 * other run.
 */
async function onlyThis(
  asked: PartialRunRequest,
  id: string,
  started: EventBody,
  graph: Graph,
  deps: RerunDeps,
): Promise<Result<OnlyBeginning, Failure>> {
  const name = asked.node ?? asked.to ?? "";
  const index = indexOf(name, graph);
  if (!index.ok) return index;
  const plan = planPartialRun(graph, index.value);
  if (plan === undefined) return err(unfit(name, "It is in the iterations of a listener."));
  const pinned = pinnedValues(asked.pinned ?? {}, graph);
  if (!pinned.ok) return pinned;
  const again = [...pinned.value.keys()].find((node) => plan.group.has(node));
  if (again !== undefined)
    return err(unfit(graph.nodes[again]!.id, "It is the node that runs, so you can't give its value."));
  const before = asked.run === undefined ? undefined : await readAllEvents(asked.run, deps);
  if (before?.ok === false) return before;
  const first = plan.group.size === 1 ? plan.target : (graph.startOf.get(plan.target) ?? plan.target);
  const target = { node: first, indexes: [], pass: false };
  const kept = before === undefined ? [] : keptResultsOf(before.value, graph, { target }).bodies;
  const found = partialRunEvents(started, {
    ...{ graph, plan, kept, pinned: pinned.value, run: id },
    runsBefore: asked.to !== undefined,
  });
  if ("missing" in found) return err(missing(found, name, asked));
  if ("notTaken" in found)
    return err({
      code: "from-skipped",
      message: `With these values, "${name}" would be skipped, because its branch is not taken.`,
      hint: "Start at the node that decides this, or use the values of another run.",
    });
  const [secret] = secretsNeeded({ ...found, inside: new Map() }, graph, new Set(), deps.isChild);
  if (secret !== undefined)
    return err({
      code: "kept-secret-missing",
      message: `"${secret.by}" needs the value of "${secret.node}", which contains a secret. Curlew deletes secrets when a run ends.`,
      hint: `Run up to "${name}" without the values of a run.`,
    });
  const bodies = await taken(found.bodies.map(withoutSealed), id, asked.run, deps);
  if (!bodies.ok) return bodies;
  const only = {
    ...(asked.node === undefined ? { to: name } : { node: name }),
    run: asked.run,
    pinned: pinned.value.size === 0 ? undefined : [...pinned.value.keys()].map((each) => graph.nodes[each]!.id),
    result: graph.nodes[plan.target]!.id,
  };
  return ok({ only, bodies: bodies.value });
}

/** L2. */
async function taken(
  bodies: EventBody[],
  id: string,
  run: string | undefined,
  { store }: RerunDeps,
): Promise<Result<EventBody[], Failure>> {
  return run === undefined ? ok(bodies) : linkReusedFiles(bodies, run, id, store);
}

function indexOf(name: string, graph: Graph): Result<number, Failure> {
  const index = graph.indexOf.get(name);
  if (index !== undefined) return ok(index);
  const ids = graph.nodes.map((node) => node.id);
  return err({ code: "unknown-node", message: `There is no node "${name}".${didYouMean(name, ids)}` });
}

function pinnedValues(given: Readonly<Record<string, string>>, graph: Graph): Result<Map<number, Value>, Failure> {
  const pinned = new Map<number, Value>();
  for (const [name, text] of Object.entries(given)) {
    const index = indexOf(name, graph);
    if (!index.ok) return index;
    const { node, loops, finally: last } = graph.nodes[index.value]!;
    if (loops.length > 0 || last) return err(unfit(name, "It is in a loop, or runs at the end."));
    if (kindOf(node).effect !== undefined) return err(unfit(name, "The nodes after it depend on more than its value."));
    if (Buffer.byteLength(text) > limits.inlineValueBytesMax)
      return err(
        unfit(
          name,
          `A given value may have at most ${limits.inlineValueBytesMax} bytes. Use the value of a run instead.`,
        ),
      );
    pinned.set(index.value, { text });
  }
  return ok(pinned);
}

function unfit(node: string, why: string): Failure {
  return { code: "partial-run-unfit", message: `"${node}" cannot run alone. ${why}` };
}

function missing(
  { missing: node, by }: { missing: string; by: string },
  name: string,
  asked: PartialRunRequest,
): Failure {
  const where = asked.run === undefined ? "no value was given for it" : `run ${asked.run} has no value to use`;
  return {
    code: "partial-run-input-missing",
    message: `"${by}" needs the value of "${node}", but ${where}.`,
    hint: `Give a value, use the values of another run, or run everything up to "${name}".`,
  };
}

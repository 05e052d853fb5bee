// lost: decides about attempts that were running when their engine ended, as their node's `onLost` says (spec 3.4).
//   L1. A subflow's attempt is never lost: it is adopted and continues in its own run. If that run was never recorded,
//       the attempt is recorded as `attempt.not-started` and starts again under the same number.
//   L2. Any other attempt whose end is unknown is `lost`. It never counts as succeeded, and is not repeated by default.
//   L3. With `onLost: ask` a person decides whether it is repeated (engine/approvals.ts P6).
//   L4. The command is looked for first (process/runner/find.ts): it is lost only if its runner has died as well.
//   L5. `onLost: retry` stops after `retry.maxAttempts`, or after limits.attemptsLostMax without `retry`. Otherwise a
//       command that kills its runner each time would be repeated forever. A listener is restarted without limit, but
//       not at once.

import type { Failure } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import type { EventBody } from "../../scheduler/event.ts";
import type { NodeState, RunState } from "../../scheduler/state.ts";
import type { WorkflowNode } from "../../workflow/model.ts";
import { emitsLines, repeatsWhenLost } from "../../workflow/node-fields.ts";

/**
 * `sought`: paths whose commands are looked for and report their own end. `known`: the runs of subflows that are
 * recorded.
 */
export function lostAttempts(
  state: RunState,
  nowMs: number,
  known: ReadonlySet<string>,
  sought: ReadonlySet<string>,
): EventBody[] {
  const open = [...state.running.values(), ...state.paused.values()].filter(({ path }) => !sought.has(path));
  const running = open.filter(({ childRun }) => childRun === undefined || !known.has(childRun));
  return running.map((running) => {
    const { node } = state.graph.nodes[running.node]!;
    const place = { node: node.id, path: running.path, number: running.attempts };
    return hasNotBegun(running) ? { type: "attempt.not-started", ...place } : lostEvent(place, node, nowMs);
  });
}

export function lostEvent(
  { node, path, number }: { node: string; path: string; number: number },
  drawn: WorkflowNode,
  nowMs: number,
  leaseLost?: true,
): EventBody {
  const onLost = "onLost" in drawn.data ? drawn.data.onLost : undefined;
  const isListener = emitsLines(drawn) && repeatsWhenLost(drawn);
  const repeats = isListener || (repeatsWhenLost(drawn) && number < attemptsMax(drawn));
  const asks = onLost === "ask" && drawn.type !== "subflow";
  const waitMs = isListener && number > 1 ? limits.listenerAgainMs : 0;
  const plainly = drawn.type === "llm" ? lostAnswer(node) : lost(node, onLost === "retry" ? number : undefined);
  const again = repeats || asks ? { retryAt: new Date(nowMs + waitMs).toISOString() } : {};
  return {
    type: "attempt.lost",
    ...{ node, path, number, failure: leaseLost === true ? leaseGone(node) : plainly },
    ...again,
    ...(asks ? { asks: true } : {}),
  };
}

/** Its run would be recorded, unless it has been removed since. */
function hasNotBegun({ childRun, paused }: NodeState): boolean {
  return childRun !== undefined && paused === undefined;
}

/** L5. */
function attemptsMax({ data }: WorkflowNode): number {
  return ("retry" in data ? data.retry?.maxAttempts : undefined) ?? limits.attemptsLostMax;
}

/** `times`: number of attempts so far. */
function lost(id: string, times: number | undefined): Failure {
  return {
    code: "attempt-lost",
    message: `The process that supervised the command of "${id}" died, so Curlew can't tell whether the command finished.`,
    hint:
      times === undefined
        ? 'Check what the command has done. If repeating it is safe, retry the run. "onLost: retry" on the node repeats it automatically.'
        : `Attempt ${times}. Find out what ends its runner process each time, usually too little memory. retry.maxAttempts limits the attempts.`,
  };
}

/** The runner ended it, so that no other machine repeats it while it lives (process/runner/deadline.ts). */
function leaseGone(id: string): Failure {
  return {
    code: "lease-lost",
    message: `This machine could not renew its lease in time, so "${id}" was given up: its command was ended before another machine could repeat it.`,
    hint: "Look at the connection to the database, and at what stopped this machine.",
  };
}

function lostAnswer(id: string): Failure {
  return {
    code: "attempt-lost",
    message: `Curlew ended while the model was replying to "${id}", so the reply is not known.`,
    hint: 'Asking again costs tokens and does no harm otherwise: "onLost: retry" on the node.',
  };
}

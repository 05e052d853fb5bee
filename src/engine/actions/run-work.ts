// run-work: implements the driver's requests for one run: decides nodes, prepares attempts, builds their end events
// (spec 1.2, 3.1).
//   W1. Everything that a node sees comes from the folded state (run-context.ts). State kept here can be computed from
//       it again.

import type { Warning } from "../../base/attempt.ts";
import type { Failure } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import { after, type Now } from "../../base/now.ts";
import { impossible, ok, type Result } from "../../base/result.ts";
import { oneLine } from "../../base/text.ts";
import { EMPTY, type Value } from "../../base/value.ts";
import type { NodeContext } from "../../kinds/context.ts";
import type { Decision } from "../../kinds/decision.ts";
import type { Prepared } from "../../kinds/executor.ts";
import { hideValue } from "../../kinds/secret-values.ts";
import { andThen, joinParts, type RunFiles } from "../../kinds/values.ts";
import type { EventBody } from "../../scheduler/event.ts";
import { collectedCount, loopVariables, placeAt } from "../../scheduler/scope.ts";
import { type RunState, stateAt } from "../../scheduler/state.ts";
import type { Graph } from "../../workflow/graph.ts";
import type { WorkflowNode } from "../../workflow/model.ts";
import { isSecretVariable } from "../../workflow/node-fields.ts";
import { type ApprovalDeps, type Asked, isUnseen, mayStart, requestOf } from "../approvals.ts";
import type { ComputedAction, Ready, RunWork } from "../driver/driver-work.ts";
import { maskEvent } from "../mask-event.ts";
import { endedEvent, repeats } from "./attempt-end.ts";
import { answerFromCache, cacheNameOf } from "./cached.ts";
import { answerEndLine, answerStartLine, type Lines, linesOf } from "./line-answers.ts";
import { answerClose, answerEndPass, answerOpen, answerStartPass, type LoopMemory } from "./loop-answers.ts";
import { contextAt, nodeById, type RunDeps } from "./run-context.ts";
import { sharesOf } from "./shared-limits.ts";
import { toEvents } from "./to-events.ts";

type Answers = Pick<RunWork, "answer" | "prepare" | "find" | "ended" | "mask" | "repeats" | "onGrowth">;

/** `shown`: listener for growing output. */
export function answersFor(deps: RunDeps, graph: Graph, shown: RunWork["onGrowth"]): Answers {
  const memory: LoopMemory = { items: new Map(), warnings: new Map() };
  const lines = linesOf(deps);
  const warned = new Map<string, Warning[]>();
  return {
    answer: (action, state) => {
      const found = answer(action, state, deps, memory, lines);
      const named = (bodies: readonly EventBody[]) => bodies.map((body) => withLoop(body, state, deps));
      return after(found, named);
    },
    onGrowth: grownFor(graph, lines, shown),
    prepare: (action, state) => {
      const asked = askedAt(action, state, deps);
      const asking = askingDeps(deps);
      return andThen(asking.prepare(asked.node, asked.context), (prepared) => {
        const { warnings = [] } = asked.context;
        if (warnings.length > 0) warned.set(asked.path, warnings);
        const may = after(isUnseen(asked, asking), (unseen) => mayStart({ ...asked, unseen }, prepared, state, asking));
        return andThen(may, (ready) => andThen(withCache(ready, asked, deps), (left) => withShares(left, asked, deps)));
      });
    },
    find: ({ node, path }, state, before, onGrowth) =>
      deps.kinds.find(nodeById(state, node), contextAt(state, placeAt(state, path), path, deps), before, onGrowth),
    repeats: (action, ending, state) => {
      const noted = warned.get(action.path) ?? [];
      warned.set(action.path, noted);
      return repeats(action, ending, state, deps, noted);
    },
    ended: (action, ending, state, again) => {
      lines.grown(action.path);
      const event = withLoop(endedEvent(action, ending, state, deps, again), state, deps);
      const noted = warned.get(action.path) ?? [];
      warned.delete(action.path);
      if (noted.length === 0 || !("end" in event) || event.end === undefined) return event;
      return { ...event, end: { ...event.end, warnings: [...noted, ...(event.end.warnings ?? [])] } };
    },
    mask: (body) => maskEvent(body, deps.masker, deps.files),
  };
}

/** Adds the values of the loop variables to a failure in a loop. Masked first, so that no part of a secret is left. */
function withLoop(body: EventBody, state: RunState, deps: RunDeps): EventBody {
  if (
    (body.type !== "attempt.failed" && body.type !== "attempt.timed-out" && body.type !== "node.failed") ||
    stateAt(state, body.path) === undefined
  )
    return body;
  const values = Object.entries(loopVariables(state, placeAt(state, body.path)));
  const shown = values.flatMap(([name, value]) => {
    const text = "text" in value ? oneLine(deps.files.mask(value.text)) : "…";
    return `${name} = ${text.length > limits.loopValueCharsMax ? `${text.slice(0, limits.loopValueCharsMax)}…` : text}`;
  });
  return shown.length === 0 ? body : { ...body, failure: { ...body.failure, loop: shown.join(", ") } };
}

/** The cached value in place of a start, if there is one. */
function withCache(ready: Ready, asked: Omit<Asked, "unseen">, deps: RunDeps): Now<Result<Ready, Failure>> {
  if ("instead" in ready) return ok(ready);
  const found = andThen(cacheNameOf(asked, ready, deps), (cacheName): Now<Result<Ready, Failure>> => {
    if (cacheName === undefined) return ok(ready);
    return andThen(answerFromCache(asked, cacheName, deps), (instead): Result<Ready, Failure> => {
      if (instead === undefined) return ok({ ...ready, cacheName });
      ready.discard?.();
      return ok({ instead });
    });
  });
  return discarding(ready, found);
}

/** Discards what was prepared if it cannot start. */
function discarding(ready: Prepared, found: Now<Result<Ready, Failure>>): Now<Result<Ready, Failure>> {
  const look = (result: Result<Ready, Failure>): Result<Ready, Failure> => {
    if (!result.ok) ready.discard?.();
    return result;
  };
  return after(found, look);
}

/**
 * Adds the shares that the attempt has to take first. If they cannot be computed, the attempt fails and nothing
 * prepared is left.
 */
function withShares(
  ready: Ready,
  { node, context }: Omit<Asked, "unseen">,
  deps: RunDeps,
): Now<Result<Ready, Failure>> {
  if ("instead" in ready) return ok(ready);
  const found = andThen(
    sharesOf(node, context, deps.approvalKey),
    (shares): Result<Ready, Failure> => ok(shares === undefined ? ready : { ...ready, shares }),
  );
  return discarding(ready, found);
}

function answer(
  action: ComputedAction,
  state: RunState,
  deps: RunDeps,
  memory: LoopMemory,
  lines: Lines,
): Now<readonly EventBody[]> {
  switch (action.do) {
    case "skip":
      return [{ type: "node.skipped", node: action.node, path: action.path, reason: action.reason }];
    case "decide":
      return answerDecide(action.node, action.path, state, deps);
    case "open-loop":
      return answerOpen(action.node, action.path, state, deps, memory);
    case "receive-lines":
      return lines.receive(action, state);
    case "start-pass":
      if (isListener(action.node, state)) return answerStartLine(action.node, action.path, action.index, state, deps);
      return answerStartPass(action.node, action.path, action.index, state, deps, memory);
    case "end-pass":
      if (isListener(action.node, state)) return [answerEndLine(action.node, action.path, action.index, state)];
      return answerEndPass(action.node, action.path, action.index, state, deps, memory);
    case "close-loop":
      return answerClose(action.node, action.path, state, deps, memory);
    case "request-approval":
      return answerApproval(action, state, deps);
    case "expire-approval":
      return [{ type: "approval.expired", node: action.node, path: action.path, hash: action.hash, as: action.as }];
    case "time-out-run":
      return [{ type: "run.timed-out-requested" }];
    case "finish-run":
      return [finish(action.as, state)];
  }
}

/** Reports growth to listener nodes as well. */
function grownFor(graph: Graph, lines: Lines, shown: RunWork["onGrowth"]): RunWork["onGrowth"] {
  if (![...graph.loops.values()].some(({ listener }) => listener)) return shown;
  return (attempt, stream, bytes) => {
    shown?.(attempt, stream, bytes);
    if (stream === "stdout") lines.grown(attempt.path);
  };
}

function isListener(id: string, state: RunState): boolean {
  return state.graph.loops.get(state.graph.indexOf.get(id) ?? -1)?.listener === true;
}

function answerDecide(id: string, path: string, state: RunState, deps: RunDeps): Now<readonly EventBody[]> {
  const node = nodeById(state, id);
  const place = placeAt(state, path);
  const first = collectedCount(state, place.node) === 0;
  const context = contextAt(state, place, path, deps);
  const decided = deps.kinds.decide(node, context, first);
  const plain = andThen(decided, (decision) =>
    context.isSecret ? hiddenValues(decision, node, context) : plainValues(decision, deps.files),
  );
  return toEvents(plain, id, path, (decision) => {
    const { warnings = [] } = context;
    const event = { type: "node.succeeded" as const, node: id, path, ...decision };
    return warnings.length === 0 ? event : { ...event, warnings };
  });
}

/**
 * Writes the joined values of an accumulator to one value, because events hold no joined values. A value that is too
 * large fails the node. It is never replaced by an empty one.
 */
function plainValues(decision: Decision, files: RunFiles): Result<Decision, Failure> {
  const plain: Value[] = [];
  for (const value of "added" in decision ? decision.added : [decision.value]) {
    const joined = joinParts(value, files);
    if (!joined.ok) return joined;
    plain.push(joined.value);
  }
  return ok("added" in decision ? { added: plain } : { ...decision, value: plain[0] ?? EMPTY });
}

/** For a secret Variable, and for secret values that it takes. */
async function hiddenValues(
  decision: Decision,
  node: WorkflowNode,
  context: NodeContext,
): Promise<Result<Decision, Failure>> {
  const strict = isSecretVariable(node);
  const hidden: Value[] = [];
  for (const value of "added" in decision ? decision.added : [decision.value]) {
    const one = await hideValue(value, context, strict);
    if (!one.ok) return one;
    hidden.push(one.value);
  }
  return ok("added" in decision ? { added: hidden } : { ...decision, value: hidden[0] ?? EMPTY });
}

/**
 * Prepares what would run, so that the person approves exactly that. A preparation failure is reported before anyone is
 * asked.
 */
async function answerApproval(
  action: Extract<ComputedAction, { do: "request-approval" }>,
  state: RunState,
  deps: RunDeps,
): Promise<readonly EventBody[]> {
  const { node, path } = action;
  const asked = askedAt(action, state, deps);
  const asking = askingDeps(deps);
  const prepared = await asking.prepare(asked.node, asked.context);
  const event = prepared.ok
    ? await requestOf({ ...asked, unseen: await isUnseen(asked, asking) }, prepared.value, asking)
    : prepared;
  return [event.ok ? event.value : { type: "node.failed", node, path, failure: event.error }];
}

function askedAt(
  action: { node: string; path: string; number: number },
  state: RunState,
  deps: RunDeps,
): Omit<Asked, "unseen"> {
  const { path, number } = action;
  const context = contextAt(state, placeAt(state, path), path, deps);
  const inDoubt = stateAt(state, path)?.inDoubt === true;
  return { node: nodeById(state, action.node), path, number, context, inDoubt };
}

function askingDeps(deps: RunDeps): ApprovalDeps {
  return { ...deps, prepare: (node, context) => deps.kinds.prepare(node, context) };
}

function finish(as: "succeeded" | "failed" | "cancelled" | "timed-out", state: RunState): EventBody {
  if (as !== "failed") return { type: `run.${as}` };
  return { type: "run.failed", ...(state.failure ?? impossible("a run failed without a failure")) };
}

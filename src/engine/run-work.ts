// run-work: what the driver's questions mean for one run: values looked up in the fold, nodes decided, attempts prepared (spec 1.2, 3.1).
//   W1. Everything a node sees comes from the folded state; what is kept here can be computed from it again.

import { randomInt } from "node:crypto";
import type { Failure } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import { impossible, ok, type Result } from "../base/result.ts";
import { EMPTY, type Value } from "../base/value.ts";
import { type NodeContext, renderField } from "../nodes/context.ts";
import { type Decision, decide, endPass, holds, type LoopOpening, mayStartPass, openLoop } from "../nodes/decide.ts";
import type { AttemptEnding } from "../nodes/executor.ts";
import { type Kinds, type Masker, secretParts } from "../nodes/index.ts";
import { hide, hideValue } from "../nodes/secret-values.ts";
import { andThen, jsonOf, type Now, type RunFiles, settle, store } from "../nodes/values.ts";
import type { EventBody } from "../scheduler/event.ts";
import {
  collectedCount,
  lookup,
  loopOpenAt,
  loopResult,
  loopVariables,
  type Place,
  parentsOf,
  placeAt,
  placeInPass,
} from "../scheduler/scope.ts";
import { type RunState, stateAt } from "../scheduler/state.ts";
import type { SecretSources } from "../workflow/graph-secrets.ts";
import type { WorkflowNode } from "../workflow/model.ts";
import { type Asked, type AskingGround, mayStart, requestOf } from "./approvals.ts";
import { maskEvent } from "./mask-event.ts";
import { httpStatusOf, retryAtMs } from "./retry.ts";
import type { ComputedAction, RunWork, StartAction } from "./run-driver.ts";

/** What stays the same for all nodes of a run. */
export interface RunGround {
  run: { id: string; name: string; startedAt: string };
  inputs: Readonly<Record<string, unknown>>;
  secrets: ReadonlyMap<string, string>;
  environment: Readonly<Record<string, string | undefined>>;
  folder: string;
  files: RunFiles;
  kinds: Kinds;
  masker: Masker;
  /** What secret Variables take their values from. */
  sources: SecretSources;
  nowMs(): number;
  /** SHA-256 of the document's text. */
  revision: string;
  /** The key that digests of approvals are made with. */
  approvalKey(): Result<Buffer, Failure>;
}

type Answers = Pick<RunWork, "answer" | "prepare" | "ended" | "mask" | "repeats">;

export function answersFor(ground: RunGround): Answers {
  const items = new Map<string, readonly unknown[]>();
  return {
    answer: (action, state) => answer(action, state, ground, items),
    prepare: (action, state) => {
      const asked = askedAt(action, state, ground);
      const asking = askingGround(ground);
      return andThen(asking.prepare(asked.node, asked.context), (ready) => mayStart(asked, ready, state, asking));
    },
    repeats: (action, ending, state) => repeats(action, ending, state, ground),
    ended: (action, ending, state, again) => endedEvent(action, ending, state, ground, again),
    mask: (body) => maskEvent(body, ground.masker, ground.files),
  };
}

/** What a node at this place sees. */
export function contextAt(state: RunState, place: Place, path: string, ground: RunGround): NodeContext {
  const context: NodeContext = {
    path,
    parents: () => parentsOf(state, place),
    variable: (name) => {
      const found = lookup(state, place, name);
      if (found === undefined || !("initial" in found)) return found;
      const isSecret = ground.sources.nodes.has(state.graph.named.get(name) ?? -1);
      return initialValue(found.initial, isSecret, context);
    },
    loop: () => loopVariables(state, place),
    knows: (name) => knowsName(state, place, name, ground),
    inputs: ground.inputs,
    secrets: ground.secrets,
    environment: ground.environment,
    workflow: state.graph.workflow,
    folder: ground.folder,
    run: ground.run,
    files: ground.files,
    masker: ground.masker,
    isSecret: ground.sources.nodes.has(place.node),
  };
  return context;
}

function knowsName(state: RunState, place: Place, name: string, ground: RunGround): boolean {
  if (Object.hasOwn(ground.inputs, name) || Object.hasOwn(state.graph.workflow.inputs, name)) return true;
  return state.graph.workflow.secrets.includes(name) || lookup(state, place, name) !== undefined;
}

/** A variable that no pass has set yet: its `initialValue`, which names nothing that has to be waited for. */
function initialValue(template: string, isSecret: boolean, context: NodeContext): Value {
  const text = renderField(template, context);
  if (text instanceof Promise || !text.ok) return EMPTY;
  if (isSecret) context.files.learn(secretParts(text.value));
  return { text: text.value };
}

function answer(
  action: ComputedAction,
  state: RunState,
  ground: RunGround,
  items: Map<string, readonly unknown[]>,
): Now<readonly EventBody[]> {
  switch (action.do) {
    case "skip":
      return [{ type: "node.skipped", node: action.node, path: action.path, reason: action.reason }];
    case "decide":
      return answerDecide(action.node, action.path, state, ground);
    case "open-loop":
      return answerOpen(action.node, action.path, state, ground, items);
    case "start-pass":
      return answerStartPass(action.node, action.path, action.index, state, ground, items);
    case "end-pass":
      return answerEndPass(action.node, action.path, action.index, state, ground);
    case "close-loop":
      return answerClose(action.node, action.path, state, ground, items);
    case "request-approval":
      return answerApproval(action, state, ground);
    case "expire-approval":
      return [{ type: "approval.expired", node: action.node, path: action.path, hash: action.hash, as: action.as }];
    case "time-out-run":
      return [{ type: "run.timed-out-requested" }];
    case "finish-run":
      return [finish(action.as, state)];
  }
}

function answerDecide(id: string, path: string, state: RunState, ground: RunGround): Now<readonly EventBody[]> {
  const node = drawn(state, id);
  if (!ground.kinds.isDecided(node)) return impossible(`"${id}" is not decided without a process`);
  const place = placeAt(state, path);
  const first = collectedCount(state, place.node) === 0;
  const context = contextAt(state, place, path, ground);
  const decided = decide(node, context, ground.kinds.evaluator, first);
  const plain = andThen(decided, (decision) =>
    context.isSecret ? hiddenValues(decision, node, context) : plainValues(decision, ground.files),
  );
  return told(plain, id, path, (decision) => ({ type: "node.succeeded", node: id, path, ...decision }));
}

/**
 * What an accumulator has collected, handed on by another node, is written down once: events hold no joined values. One that is too large
 * for that fails the node, it is never handed on as nothing.
 */
function plainValues(decision: Decision, files: RunFiles): Now<Result<Decision, Failure>> {
  const values = "added" in decision ? decision.added : [decision.value];
  if (!values.some((value) => "joined" in value)) return ok(decision);
  return Promise.all(values.map((value) => settle(value, files))).then((settled) => {
    const plain: Value[] = [];
    for (const value of settled) {
      if (!value.ok) return value;
      plain.push(value.value);
    }
    return ok("added" in decision ? { added: plain } : { ...decision, value: plain[0] ?? EMPTY });
  });
}

/** Of a secret Variable, and of what it takes its value from. */
async function hiddenValues(
  decision: Decision,
  node: WorkflowNode,
  context: NodeContext,
): Promise<Result<Decision, Failure>> {
  const strict = node.type === "variable" && node.data.secret === true;
  const hidden: Value[] = [];
  for (const value of "added" in decision ? decision.added : [decision.value]) {
    const one = await hideValue(value, context, strict);
    if (!one.ok) return one;
    hidden.push(one.value);
  }
  return ok("added" in decision ? { added: hidden } : { ...decision, value: hidden[0] ?? EMPTY });
}

/** Writes a text down: sealed when its node holds a secret. */
function written(text: string, context: NodeContext): Now<Result<Value, Failure>> {
  if (context.isSecret) return hide(Buffer.from(text), context);
  const value = store(text, context.files);
  return value instanceof Promise ? value.then(ok) : ok(value);
}

function answerOpen(
  id: string,
  path: string,
  state: RunState,
  ground: RunGround,
  items: Map<string, readonly unknown[]>,
): Now<readonly EventBody[]> {
  const node = loopStart(state, id);
  const context = contextAt(state, placeAt(state, path), path, ground);
  const opened = andThen(openLoop(node, context, ground.kinds.evaluator), (opening) => {
    if (opening.items === undefined) return ok({ opening });
    items.set(path, opening.items);
    return andThen(written(JSON.stringify(opening.items), context), (list) => ok({ opening, list }));
  });
  return told(opened, id, path, ({ opening, list }: { opening: LoopOpening; list?: Value }) => ({
    type: "loop.started",
    node: id,
    path,
    first: opening.first,
    ...(opening.passes === undefined ? {} : { passes: opening.passes }),
    ...(list === undefined ? {} : { items: list }),
  }));
}

function answerStartPass(
  id: string,
  path: string,
  index: number,
  state: RunState,
  ground: RunGround,
  items: Map<string, readonly unknown[]>,
): Now<readonly EventBody[]> {
  const node = loopStart(state, id);
  const loop = loopOpenAt(state, path);
  const counter = loop.first + index;
  const context = contextAt(state, { node: loop.start, scope: loop.scope }, path, ground);
  const counterName = node.data.loopVariable ?? "i";
  // `while` is asked on behalf of the pass that would start: it sees that pass's counter.
  const ahead: NodeContext = {
    ...context,
    loop: () => ({ ...context.loop(), [counterName]: { text: String(counter) } }),
    variable: (name) => (name === counterName ? { text: String(counter) } : context.variable(name)),
  };
  const asked = andThen(
    mayStartPass(node, ahead, ground.kinds.evaluator, index),
    (go): Now<Result<EventBody, Failure>> => {
      if (!go) return ok({ type: "loop.exhausted", node: id, path, passes: index });
      const started = { type: "pass.started" as const, node: id, path: `${path}[${index}]`, index, counter };
      if (loop.items === undefined) return ok(started);
      return andThen(itemOf(path, loop.items, index, context, items), (item) => ok({ ...started, item }));
    },
  );
  return told(asked, id, path, (event) => event);
}

/** The item of one pass. The list is read again after a restart. */
function itemOf(
  path: string,
  list: Value,
  index: number,
  context: NodeContext,
  items: Map<string, readonly unknown[]>,
): Now<Result<Value, Failure>> {
  const known = items.get(path);
  if (known !== undefined) {
    const item = known[index];
    return written(typeof item === "string" ? item : JSON.stringify(item), context);
  }
  return andThen(jsonOf(list, context.files, limits.expressionInputBytesMax), (json) => {
    if (!Array.isArray(json)) return impossible(`the items of loop "${path}" cannot be read again`);
    items.set(path, json);
    return itemOf(path, list, index, context, items);
  });
}

function answerEndPass(
  id: string,
  path: string,
  index: number,
  state: RunState,
  ground: RunGround,
): Now<readonly EventBody[]> {
  const place = placeInPass(state, path);
  const end = state.graph.nodes[place.node]!.node;
  if (end.type !== "loop-end") return impossible(`"${end.id}" is no loop end`);
  const failedAt = `${end.id}${place.scope.outer?.suffix ?? ""}`;
  const ended = endPass(end, contextAt(state, place, path, ground), ground.kinds.evaluator);
  return told(ended, end.id, failedAt, ({ value, from, last }) => {
    const by = "joined" in value && from !== undefined ? { from } : { value };
    return { type: "pass.succeeded", node: id, path, index, ...by, last };
  });
}

async function answerClose(
  id: string,
  path: string,
  state: RunState,
  ground: RunGround,
  items: Map<string, readonly unknown[]>,
): Promise<readonly EventBody[]> {
  const start = state.graph.startOf.get(state.graph.indexOf.get(id) ?? -1);
  const loopPath = `${state.graph.nodes[start ?? -1]?.id}${path.slice(id.length)}`;
  items.delete(loopPath);
  const context = contextAt(state, placeAt(state, path), path, ground);
  const result = loopResult(loopOpenAt(state, loopPath));
  const value = await (context.isSecret ? hideValue(result, context, false) : settle(result, ground.files));
  return [
    value.ok
      ? { type: "node.succeeded", node: id, path, value: value.value }
      : { type: "node.failed", node: id, path, failure: value.error },
  ];
}

/** What would run is prepared, so that a person is asked about exactly that; what cannot be prepared fails before anybody is asked. */
async function answerApproval(
  action: Extract<ComputedAction, { do: "request-approval" }>,
  state: RunState,
  ground: RunGround,
): Promise<readonly EventBody[]> {
  const { node, path } = action;
  const asked = askedAt(action, state, ground);
  const asking = askingGround(ground);
  const prepared = await asking.prepare(asked.node, asked.context);
  const event = prepared.ok ? await requestOf(asked, prepared.value, asking) : prepared;
  return [event.ok ? event.value : { type: "node.failed", node, path, failure: event.error }];
}

function askedAt(action: { node: string; path: string; number: number }, state: RunState, ground: RunGround): Asked {
  const { path, number } = action;
  const context = contextAt(state, placeAt(state, path), path, ground);
  return { node: drawn(state, action.node), path, number, context };
}

function askingGround(ground: RunGround): AskingGround {
  return { ...ground, prepare: (node, context) => ground.kinds.prepare(node, context) };
}

/** In `retry.on` the names `exitCode` and `status` are those of the attempt itself. An expression that fails repeats nothing. */
function repeats(
  action: StartAction,
  ending: AttemptEnding,
  state: RunState,
  ground: RunGround,
): Promise<boolean> | undefined {
  if (ending.status !== "failed" && ending.status !== "timed-out") return undefined;
  const { data } = drawn(state, action.node);
  const on = "retry" in data ? data.retry?.on : undefined;
  if (typeof on !== "string") return undefined;
  const { exitCode } = ending.failure;
  const status = httpStatusOf(ending.failure);
  const own = { ...(exitCode === undefined ? {} : { exitCode }), ...(status === undefined ? {} : { status }) };
  const context = contextAt(state, placeAt(state, action.path), action.path, ground);
  const asked = holds(on, context, ground.kinds.evaluator, own);
  return Promise.resolve(asked).then((answer) => answer.ok && answer.value);
}

function endedEvent(
  action: StartAction,
  ending: AttemptEnding,
  state: RunState,
  ground: RunGround,
  repeats: boolean | undefined,
): EventBody {
  const { node, path, number } = action;
  if (ending.status === "succeeded")
    return { type: "attempt.succeeded", node, path, number, value: ending.value, end: ending.facts };
  if (ending.status === "cancelled") return { type: "attempt.cancelled", node, path, number, end: ending.facts };
  const type = ending.status === "timed-out" ? "attempt.timed-out" : "attempt.failed";
  const { data } = drawn(state, node);
  const atMs = retryAtMs(
    { ...("retry" in data ? { retry: data.retry } : {}), ...("content" in data ? { content: data.content } : {}) },
    {
      failure: ending.failure,
      number,
      firstStartedMs: stateAt(state, path)?.firstStartedMs ?? ground.nowMs(),
      nowMs: ground.nowMs(),
      random: randomInt(1_000_000) / 1_000_000,
      repeats,
    },
  );
  return {
    type,
    node,
    path,
    number,
    failure: ending.failure,
    value: ending.value,
    end: ending.facts,
    ...(atMs === undefined ? {} : { retryAt: new Date(atMs).toISOString() }),
  };
}

function finish(as: "succeeded" | "failed" | "cancelled" | "timed-out", state: RunState): EventBody {
  if (as !== "failed") return { type: `run.${as}` };
  return { type: "run.failed", ...(state.failure ?? impossible("a run failed without a failure")) };
}

/** The event for an answer, or the node's failure. */
function told<T>(
  answer: Now<Result<T, Failure>>,
  node: string,
  path: string,
  event: (value: T) => Now<EventBody>,
): Now<readonly EventBody[]> {
  const say = (result: Result<T, Failure>): Now<readonly EventBody[]> => {
    if (!result.ok) return [{ type: "node.failed", node, path, failure: result.error }];
    const body = event(result.value);
    return body instanceof Promise ? body.then((later) => [later]) : [body];
  };
  return answer instanceof Promise ? answer.then(say) : say(answer);
}

function drawn(state: RunState, id: string): WorkflowNode {
  return state.graph.nodes[state.graph.indexOf.get(id) ?? -1]?.node ?? impossible(`no node "${id}"`);
}

function loopStart(state: RunState, id: string): Extract<WorkflowNode, { type: "loop-start" }> {
  const node = drawn(state, id);
  return node.type === "loop-start" ? node : impossible(`"${id}" is no loop start`);
}

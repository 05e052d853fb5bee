// loop-answers: computes the events of loops: open, iterations, result (spec 1.2, 3.1).
//   O1. The items of an open loop are cached beside the fold for speed only. After a restart they are read again from
//       `loop.started`.
//   O2. The warnings of all iterations are one list, and the end of the loop records it. A loop of 10,000 iterations
//       has each warning once.

import type { Warning } from "../../base/attempt.ts";
import type { Failure } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import type { Now } from "../../base/now.ts";
import { impossible, ok, type Result } from "../../base/result.ts";
import type { Value } from "../../base/value.ts";
import type { NodeContext } from "../../kinds/context.ts";
import { endPass, type LoopOpening, mayStartPass, openLoop } from "../../kinds/loop.ts";
import { hideValue } from "../../kinds/secret-values.ts";
import { andThen, joinParts, jsonOf } from "../../kinds/values.ts";
import type { EventBody } from "../../scheduler/event.ts";
import { loopOpenAt, loopResult, placeAt, placeInPass } from "../../scheduler/scope.ts";
import type { RunState } from "../../scheduler/state.ts";
import type { WorkflowNode } from "../../workflow/model.ts";
import { contextAt, nodeById, type RunDeps } from "./run-context.ts";
import { storedText, toEvents } from "./to-events.ts";

/** O1, O2: by the path of the loop. */
export interface LoopMemory {
  items: Map<string, readonly unknown[]>;
  warnings: Map<string, Warning[]>;
}

export function answerOpen(
  id: string,
  path: string,
  state: RunState,
  deps: RunDeps,
  { items }: LoopMemory,
): Now<readonly EventBody[]> {
  const node = loopStart(state, id);
  const context = contextAt(state, placeAt(state, path), path, deps);
  const opened = andThen(openLoop(node, context, deps.kinds.evaluator), (opening) => {
    if (opening.items === undefined) return ok({ opening });
    items.set(path, opening.items);
    return andThen(storedText(JSON.stringify(opening.items), context), (list) => ok({ opening, list }));
  });
  return toEvents(opened, id, path, ({ opening, list }: { opening: LoopOpening; list?: Value }) => ({
    type: "loop.started",
    node: id,
    path,
    first: opening.first,
    passes: opening.passes,
    items: list,
    warnings: context.warnings?.length ? context.warnings : undefined,
  }));
}

export function answerStartPass(
  id: string,
  path: string,
  index: number,
  state: RunState,
  deps: RunDeps,
  { items, warnings }: LoopMemory,
): Now<readonly EventBody[]> {
  const node = loopStart(state, id);
  const loop = loopOpenAt(state, path);
  const counter = loop.first + index;
  const context = contextAt(state, { node: loop.start, scope: loop.scope }, path, deps);
  const counterName = node.data.loopVariable ?? "i";
  // `while` is evaluated for the iteration that would start, so it sees that iteration's counter.
  const ahead: NodeContext = {
    ...context,
    warnings: listAt(path, warnings),
    loop: () => ({ ...context.loop(), [counterName]: { text: String(counter) } }),
    variable: (name) => (name === counterName ? { text: String(counter) } : context.variable(name)),
  };
  const asked = andThen(
    mayStartPass(node, ahead, deps.kinds.evaluator, index),
    (go): Now<Result<EventBody, Failure>> => {
      if (!go) return ok({ type: "loop.exhausted", node: id, path, passes: index });
      const started = { type: "pass.started" as const, node: id, path: `${path}[${index}]`, index, counter };
      if (loop.items === undefined) return ok(started);
      return andThen(itemOf(path, loop.items, index, context, items), (item) => ok({ ...started, item }));
    },
  );
  return toEvents(asked, id, path, (event) => event);
}

/** The item of one iteration. The list is read again after a restart. */
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
    return storedText(typeof item === "string" ? item : JSON.stringify(item), context);
  }
  return andThen(jsonOf(list, context.files, limits.expressionInputBytesMax), (json) => {
    if (!Array.isArray(json)) return impossible(`the items of loop "${path}" cannot be read again`);
    items.set(path, json);
    return itemOf(path, list, index, context, items);
  });
}

export function answerEndPass(
  id: string,
  path: string,
  index: number,
  state: RunState,
  deps: RunDeps,
  { warnings }: LoopMemory,
): Now<readonly EventBody[]> {
  const place = placeInPass(state, path);
  const end = state.graph.nodes[place.node]!.node;
  if (end.type !== "loop-end") return impossible(`"${end.id}" is not a loop end`);
  const failedAt = `${end.id}${place.scope.outer?.suffix ?? ""}`;
  const noted = listAt(path.slice(0, path.lastIndexOf("[")), warnings);
  const ended = endPass(end, { ...contextAt(state, place, path, deps), warnings: noted }, deps.kinds.evaluator);
  return toEvents(ended, end.id, failedAt, ({ value, from, last }) => {
    const by = "joined" in value && from !== undefined ? { from } : { value };
    return { type: "pass.succeeded", node: id, path, index, ...by, last };
  });
}

export async function answerClose(
  id: string,
  path: string,
  state: RunState,
  deps: RunDeps,
  { items, warnings }: LoopMemory,
): Promise<readonly EventBody[]> {
  const start = state.graph.startOf.get(state.graph.indexOf.get(id) ?? -1);
  const loopPath = `${state.graph.nodes[start ?? -1]?.id}${path.slice(id.length)}`;
  items.delete(loopPath);
  const noted = warnings.get(loopPath);
  warnings.delete(loopPath);
  const context = contextAt(state, placeAt(state, path), path, deps);
  const result = loopResult(loopOpenAt(state, loopPath), state);
  const value = await (context.isSecret ? hideValue(result, context, false) : joinParts(result, deps.files));
  return [
    value.ok
      ? { type: "node.succeeded", node: id, path, value: value.value, warnings: noted?.length ? noted : undefined }
      : { type: "node.failed", node: id, path, failure: value.error },
  ];
}

function listAt(path: string, warnings: LoopMemory["warnings"]): Warning[] {
  const list = warnings.get(path) ?? [];
  warnings.set(path, list);
  return list;
}

function loopStart(state: RunState, id: string): Extract<WorkflowNode, { type: "loop-start" }> {
  const node = nodeById(state, id);
  return node.type === "loop-start" ? node : impossible(`"${id}" is not a loop start`);
}

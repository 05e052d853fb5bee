// line-answers: records the lines of listeners, and starts and ends the iterations they cause (spec 3.7).
//   N1. A line that was read but not recorded is read again: the journal says where to continue, the output file has
//       the bytes.
//   N2. A line that does not match the listener's `output` fails its iteration before any node in it starts.

import type { Failure } from "../../base/failure.ts";
import type { Now } from "../../base/now.ts";
import { impossible, ok, type Result } from "../../base/result.ts";
import type { Value } from "../../base/value.ts";
import { checkOutput, LineReader } from "../../kinds/cli/index.ts";
import type { Action } from "../../scheduler/action.ts";
import type { EventBody } from "../../scheduler/event.ts";
import { loopOpenAt, passAt } from "../../scheduler/scope.ts";
import type { RunState } from "../../scheduler/state.ts";
import type { CliNode } from "../../workflow/model.ts";
import { contextAt, nodeById, type RunDeps } from "./run-context.ts";

type Receive = Extract<Action, { do: "receive-lines" }>;

export interface Lines {
  receive(action: Receive, state: RunState): Now<readonly EventBody[]>;
  /** The node's output may have grown, or the node has ended. */
  grown(path: string): void;
}

export function linesOf(deps: RunDeps): Lines {
  const readers = new Map<string, LineReader>();
  const waiting = new Map<string, () => void>();
  return {
    receive: (action, state) => {
      const { node, path, number, over } = action;
      const reader = readers.get(path) ?? new LineReader(deps.files);
      readers.set(path, reader);
      const skipsBlank = listenerNode(state, node).data.output?.format === "json";
      const { lines, end } = reader.read({ ...action, over, skipsBlank });
      const events: EventBody[] = lines.map(({ value, next, failure }, at) => {
        const refused = failure === undefined ? {} : { failure };
        return { type: "line.received", node, path, number, index: action.index + at, next, value, ...refused };
      });
      if (end !== undefined) {
        events.push({ type: "lines.ended", node, path, number, ...end });
        reader.close();
      }
      if (events.length > 0) return events;
      return new Promise((resolve) => {
        waiting.set(path, () => resolve([]));
      });
    },
    grown: (path) => {
      const wake = waiting.get(path);
      waiting.delete(path);
      wake?.();
    },
  };
}

export function answerStartLine(
  id: string,
  path: string,
  index: number,
  state: RunState,
  deps: RunDeps,
): Now<readonly EventBody[]> {
  const node = listenerNode(state, id);
  const loop = loopOpenAt(state, path);
  const line = loop.listener?.queue.get(index) ?? impossible(`line ${index} of "${path}" is not on record`);
  const pass = { node: id, path: `${path}[${index}]`, index };
  const begin = (result: Result<Value | undefined, Failure>): EventBody[] => {
    if (!result.ok) return [{ type: "pass.failed", ...pass, failedAt: pass.path, failure: result.error }];
    const item = result.value === undefined || result.value === line.value ? {} : { item: result.value };
    return [{ type: "pass.started", ...pass, counter: loop.first + index, ...item }];
  };
  if (line.failure !== undefined) return begin({ ok: false, error: line.failure });
  const { output } = node.data;
  if (output === undefined || ((output.format ?? "text") === "text" && output.select === undefined))
    return begin(ok(undefined));
  const context = contextAt(state, { node: loop.start, scope: loop.scope }, path, deps);
  return checkOutput(output, line.value, context, deps.kinds.evaluator).then(begin);
}

export function answerEndLine(id: string, path: string, index: number, state: RunState): EventBody {
  const { failed } = passAt(state, path);
  const pass = { node: id, path, index };
  return failed === undefined
    ? { type: "pass.succeeded", ...pass, last: false }
    : { type: "pass.failed", ...pass, failedAt: failed.path, failure: failed.failure };
}

function listenerNode(state: RunState, id: string): CliNode {
  const node = nodeById(state, id);
  return node.type === "cli" ? node : impossible(`"${id}" is not a listener`);
}

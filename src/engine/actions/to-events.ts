// to-events: turns the outcome of an action into events (spec 3.1, 4.2).
//   T1. If the outcome is a failure, it is the failure of the node.
//   T2. The text of a node that holds a secret is stored sealed.

import type { Failure } from "../../base/failure.ts";
import { after, type Now } from "../../base/now.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Value } from "../../base/value.ts";
import type { NodeContext } from "../../kinds/context.ts";
import { sealText } from "../../kinds/secret-values.ts";
import { store } from "../../kinds/values.ts";
import type { EventBody } from "../../scheduler/event.ts";

/** The event for the outcome, or the node's failure. */
export function toEvents<T>(
  answer: Now<Result<T, Failure>>,
  node: string,
  path: string,
  event: (value: T) => Now<EventBody>,
): Now<readonly EventBody[]> {
  const say = (result: Result<T, Failure>): Now<readonly EventBody[]> => {
    if (!result.ok) return [{ type: "node.failed", node, path, failure: result.error }];
    return after(event(result.value), (body) => [body]);
  };
  return after(answer, say);
}

/** Stores a text, sealed if its node holds a secret. */
export function storedText(text: string, context: NodeContext): Result<Value, Failure> {
  return context.isSecret ? sealText(Buffer.from(text), context) : ok(store(text, context.files));
}

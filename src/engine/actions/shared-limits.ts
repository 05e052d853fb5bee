// shared-limits: what a node shares with other nodes of the data directory, with rendered keys (spec 3.3 `rateLimit`,
// `concurrency`, `cache`).
//   S1. A key that contains a secret is identified by a keyed hash and shown masked.

import { createHmac } from "node:crypto";
import { parseDuration } from "../../base/duration.ts";
import type { Failure } from "../../base/failure.ts";
import type { Now } from "../../base/now.ts";
import { ok, type Result } from "../../base/result.ts";
import { type NodeContext, renderField } from "../../kinds/context.ts";
import { andThen } from "../../kinds/values.ts";
import type { Wanted } from "../../store/index.ts";
import type { WorkflowNode } from "../../workflow/model.ts";

/** `id` identifies the key, `shown` is safe to display. */
export interface Key {
  id: string;
  shown: string;
}

/** The shares to take before an attempt starts, and its keys as shown. */
export interface Shares {
  wanted: Wanted;
  shown: { rate?: string; concurrency?: string };
}

/** Undefined for a node that shares nothing. Failures: those of templates, `home-key-*`. */
export function sharesOf(
  node: WorkflowNode,
  context: NodeContext,
  homeKey: () => Result<Buffer, Failure>,
): Now<Result<Shares | undefined, Failure>> {
  if (node.type !== "cli" || (node.data.rateLimit === undefined && node.data.concurrency === undefined))
    return ok(undefined);
  const { rateLimit, concurrency } = node.data;
  return andThen(keyOf(rateLimit?.key, context, homeKey), (rate) =>
    andThen(keyOf(concurrency?.key, context, homeKey), (slot) => {
      const per = rateLimit === undefined ? undefined : parseDuration(rateLimit.per);
      const wanted: Wanted = {
        rate:
          rateLimit === undefined || rate === undefined || per?.ok !== true
            ? undefined
            : { key: rate.id, limit: rateLimit.limit, perMs: per.value },
        concurrency:
          concurrency === undefined || slot === undefined ? undefined : { key: slot.id, limit: concurrency.limit },
      };
      const shown = {
        rate: rate?.shown,
        concurrency: slot?.shown,
      };
      return ok({ wanted, shown });
    }),
  );
}

export function keyOf(
  template: string | undefined,
  context: NodeContext,
  homeKey: () => Result<Buffer, Failure>,
): Now<Result<Key | undefined, Failure>> {
  if (template === undefined) return ok(undefined);
  return andThen(renderField(template, context), (text): Result<Key, Failure> => {
    const shown = context.masker.mask(text);
    if (shown === text) return ok({ id: text, shown });
    const key = homeKey();
    if (!key.ok) return key;
    return ok({ id: `#${createHmac("sha256", key.value).update(text).digest("hex")}`, shown });
  });
}

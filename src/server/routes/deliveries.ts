// The inbox of webhook deliveries (spec 2.5).
//   D1. A body is returned as a string in JSON, never with the content type its sender claimed (S7).

import { join } from "node:path";
import type { Delivery, DeliveryItem, Page } from "../../api/shapes.ts";
import { relativePath } from "../../app/documents/relative-path.ts";
import { limits } from "../../base/limits.ts";
import type { DeliveryRow } from "../../store/index.ts";
import { wholeNumber } from "../asked-number.ts";
import { type Handlers, json } from "../call.ts";
import type { ServerContext } from "../context.ts";
import { failureProblem, problem } from "../problem.ts";
import { refused } from "./workflows.ts";

export const deliveryRoutes = {
  "GET /deliveries": async ({ query }, { store, folder }) => {
    const limit = wholeNumber(query.get("limit") ?? String(limits.deliveriesListedDefault));
    const cursor = query.get("cursor") ?? undefined;
    const hook = query.get("hook") ?? undefined;
    if (!Number.isSafeInteger(limit) || limit < 1 || limit > limits.deliveriesListedMax)
      return problem("bad-query", { detail: `"limit" is 1 to ${limits.deliveriesListedMax}.` });
    if (cursor !== undefined && !/^\d{1,15}$/.test(cursor))
      return problem("bad-query", { detail: '"cursor" is the "next" of the page before.' });
    const page = await store.deliveries.list({
      limit,
      hook,
      cursor,
    });
    if (!page.ok) return failureProblem(page.error, 503);
    const { deliveries, next } = page.value;
    return json({
      items: deliveries.map((row) => itemOf(row, folder)),
      next,
    } satisfies Page<DeliveryItem>);
  },

  "GET /deliveries/{id}": async ({ params }, { store, folder }) => {
    const found = await store.deliveries.find(params.id);
    if (!found.ok) return failureProblem(found.error, 503);
    if (found.value === undefined) return problem("not-found", { detail: `There is no delivery ${params.id}.` });
    const { body, headers = {}, query = {} } = found.value;
    const text = body === undefined ? undefined : Buffer.from(body).toString("utf8");
    return json({
      ...itemOf(found.value, folder),
      ...{ headers, query },
      body: text,
    } satisfies Delivery);
  },

  /** `{ workflow? }`: a path in the served folder. Absent: the current version of the workflow it was sent to. */
  "POST /deliveries/{id}/replay": async ({ params, body }, context) => {
    const { store, folder, clock, triggers, documents } = context;
    const { workflow } = body;
    const there = workflow === undefined ? undefined : documents.folder.read(workflow);
    if (there?.ok === false) return refused(there.error, context);
    const file = workflow === undefined ? undefined : join(folder, workflow);
    const replayed = await triggers?.kinds.webhook.inbox.replay(params.id, clock.nowMs(), file);
    if (replayed !== undefined && !replayed.ok) return failureProblem(replayed.error, 503);
    if (replayed?.value !== undefined) return json(itemOf(replayed.value, folder), 201);
    const known = await store.deliveries.find(params.id);
    if (!known.ok || known.value === undefined)
      return problem("not-found", { detail: `There is no delivery ${params.id}.` });
    return problem("delivery-without-body", { detail: `Delivery ${params.id} was ${known.value.status}.` });
  },
} satisfies Partial<Handlers>;

function itemOf(row: DeliveryRow, folder: ServerContext["folder"]): DeliveryItem {
  const { id, hook, file, senderId, receivedAt, bytes, status, reason, run, replayOf } = row;
  const hasRun = run !== undefined && (status === "started" || status === "duplicate" || status === "received");
  return {
    ...{ id, hook, workflow: relativePath(folder, file), receivedAt, bytes, status },
    deliveryId: senderId,
    reason,
    ...(hasRun ? { run } : {}),
    replayOf,
  };
}

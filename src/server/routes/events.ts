// events: what happens, as it happens and from any place on: of everything, and of one run (spec 2.4, 2.7).
//   E1. `Last-Event-ID` names the last event that is known: what came behind it is sent first, then what happens. Without it everything
//       begins now, a run with its first event.

import { limits } from "../../base/limits.ts";
import { wholeNumber } from "../asked-number.ts";
import { type Call, type Handlers, json } from "../call.ts";
import type { ServerContext } from "../context.ts";
import { eventStream } from "../event-stream.ts";
import { problem } from "../problem.ts";
import { runOr404 } from "./run-row.ts";

export const eventRoutes = {
  "GET /events": ({ request, signal }, { hub, store }) => {
    const after = lastId(request);
    if (after instanceof Response) return after;
    const last = store.journal.lastPosition();
    const now = last.ok ? last.value : 0;
    return eventStream({ after: Math.min(after ?? now, now), signal }, hub, store);
  },

  "GET /runs/{id}/events": (call, context) => {
    const row = runOr404(call.params.id, context.store);
    if (row instanceof Response) return row;
    const after = lastId(call.request);
    if (after instanceof Response) return after;
    if (!wantsStream(call.request)) return listOf(row.id, after ?? 0, call, context);
    const stream = { run: row.id, after: Math.min(after ?? 0, row.lastSeq), signal: call.signal };
    return eventStream(stream, context.hub, context.store);
  },
} satisfies Partial<Handlers>;

/** `?from=SEQ&limit=`, or behind Last-Event-ID: a part of it, for who knows the rest. */
function listOf(run: string, after: number, { query }: Call, { store }: ServerContext): Response {
  const from = wholeNumber(query.get("from") ?? String(after + 1));
  const limit = wholeNumber(query.get("limit") ?? String(limits.eventsListedMax));
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(limit) || from < 1 || limit < 1)
    return problem("bad-query", { detail: '"from" and "limit" are whole numbers from 1.' });
  const events = store.journal.read(run, from, Math.min(limit, limits.eventsListedMax) + 1);
  if (!events.ok) return problem("not-found", { detail: events.error.message });
  const items = events.value.slice(0, Math.min(limit, limits.eventsListedMax));
  const next = events.value.length > items.length ? { next: String(from + items.length) } : {};
  return json({ items, ...next });
}

/** Whoever does not say otherwise follows it. */
function wantsStream(request: Request): boolean {
  const accept = request.headers.get("accept") ?? "";
  return !accept.includes("application/json") || accept.includes("text/event-stream");
}

function lastId(request: Request): number | undefined | Response {
  const given = request.headers.get("last-event-id");
  if (given === null || given === "") return undefined;
  // One that nothing has is of another history, such as one before a backup came back: it goes on from now.
  return /^\d{1,15}$/.test(given)
    ? Number(given)
    : problem("bad-request", { detail: "Last-Event-ID is the id of an event: a whole number." });
}

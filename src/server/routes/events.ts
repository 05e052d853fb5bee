// Streams events of all runs or of one run, live and from any earlier position (spec 2.4, 2.7).
//   E1. `Last-Event-ID` names the last event the client knows: later events are sent first, then new ones. Without it,
//       all runs start with new events, and one run starts with its first event.

import { limits } from "../../base/limits.ts";
import { wholeNumber } from "../asked-number.ts";
import { type Call, type Handlers, json } from "../call.ts";
import type { ServerContext } from "../context.ts";
import { eventStream } from "../events/event-stream.ts";
import { problem } from "../problem.ts";
import { runOr404 } from "./run-row.ts";

export const eventRoutes = {
  "GET /events": async ({ request, signal }, { bus, store }) => {
    const after = lastId(request);
    if (after instanceof Response) return after;
    const last = await store.journal.lastPosition();
    const now = last.ok ? last.value : 0;
    return eventStream({ after: Math.min(after ?? now, now), signal }, bus, store);
  },

  "GET /runs/{id}/events": async (call, context) => {
    const row = await runOr404(call.params.id, context.store);
    if (row instanceof Response) return row;
    const after = lastId(call.request);
    if (after instanceof Response) return after;
    if (!wantsStream(call.request)) return listOf(row.id, after ?? 0, call, context);
    const stream = { run: row.id, after: Math.min(after ?? 0, row.lastSeq), signal: call.signal };
    return eventStream(stream, context.bus, context.store);
  },
} satisfies Partial<Handlers>;

/** `?from=SEQ&limit=`, or after Last-Event-ID: a page of events, for clients that know the others. */
async function listOf(run: string, after: number, { query }: Call, { store }: ServerContext): Promise<Response> {
  const from = wholeNumber(query.get("from") ?? String(after + 1));
  const limit = wholeNumber(query.get("limit") ?? String(limits.eventsListedMax));
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(limit) || from < 1 || limit < 1)
    return problem("bad-query", { detail: '"from" and "limit" must be integers from 1.' });
  const events = await store.journal.read(run, from, Math.min(limit, limits.eventsListedMax) + 1);
  if (!events.ok) return problem("not-found", { detail: events.error.message });
  const items = events.value.slice(0, Math.min(limit, limits.eventsListedMax));
  const next = events.value.length > items.length ? { next: String(from + items.length) } : {};
  return json({ items, ...next });
}

/** Streaming is the default. */
function wantsStream(request: Request): boolean {
  const accept = request.headers.get("accept") ?? "";
  return !accept.includes("application/json") || accept.includes("text/event-stream");
}

function lastId(request: Request): number | undefined | Response {
  const given = request.headers.get("last-event-id");
  if (given === null || given === "") return undefined;
  // An unknown id belongs to another history, for example before a backup was restored. The
  // stream then starts with new events.
  return /^\d{1,15}$/.test(given)
    ? Number(given)
    : problem("bad-request", { detail: "Last-Event-ID must be the id of an event, an integer." });
}

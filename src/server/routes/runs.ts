// Starts, lists, shows, cancels, resumes, retries, and removes runs (spec 2.4).
//   R1. A started run is on record before the response. `?wait=` waits until it ends or needs approval.
//   R2. Errors have the same codes as on the command line.

import { randomBytes } from "node:crypto";
import type { Page, RunCounts, RunItem, StartedRun } from "../../api/shapes.ts";
import { pathIn } from "../../app/documents/relative-path.ts";
import { retryRun } from "../../app/runs/retry-run.ts";
import { type NotStarted, startStored } from "../../app/runs/start-run.ts";
import type { Failure } from "../../base/failure.ts";
import { newRunId, RUN_ID_RANDOM_BYTES } from "../../base/ids.ts";
import { limits } from "../../base/limits.ts";
import type { RunHandle } from "../../engine/contract.ts";
import { outermostOf } from "../../engine/pending.ts";
import { readRun } from "../../engine/read-run.ts";
import { mayBeAlive } from "../../engine/recovery/owner.ts";
import { sha256 } from "../../engine/trust-hash.ts";
import type { RunRow } from "../../store/index.ts";
import { plainNumber } from "../asked-number.ts";
import { type Call, type Handlers, json, noContent } from "../call.ts";
import type { ServerContext } from "../context.ts";
import { failureProblem, problem } from "../problem.ts";
import { countQuery, listQuery } from "../run-filter.ts";
import { runOr404 } from "./run-row.ts";

export const runRoutes = {
  "POST /workflows/{path}/runs": async (call, context) => {
    const given = call.body;
    const waitMs = waitOf(call.query);
    if (waitMs instanceof Response) return waitMs;
    if (given.approve?.length && !call.caller.rights.includes("approve"))
      return problem("right-missing", { detail: 'To approve in advance takes the right "approve".' });
    const start = (id?: string) => startStored(call.params.path, given, triggerOf(call), context, id);
    const key = call.request.headers.get("idempotency-key");
    return key === null
      ? started(await start(), waitMs, call, context)
      : startedOnce(key, { path: call.params.path, ...given }, start, waitMs, call, context);
  },

  "GET /runs": async ({ query }, { store, runs, folder, documents }) => {
    const asked = listQuery(query, folder);
    if (asked instanceof Response) return asked;
    const page = await store.journal.listRuns(asked);
    if (!page.ok) return failureProblem(page.error, 503);
    const items = page.value.runs.map(async (row) => ({
      ...itemOf(row, runs.whyStuck(row), folder),
      failure: await documents.failureOf(row),
    }));
    return json({ items: await Promise.all(items), next: page.value.next } satisfies Page<RunItem>);
  },

  "GET /runs/counts": async ({ query }, { store, folder, clock }) => {
    const asked = countQuery(query, folder, clock.nowMs());
    if (asked instanceof Response) return asked;
    const counted = await store.countRuns(asked);
    if (!counted.ok) return failureProblem(counted.error, 503);
    const { sinceMs, untilMs, stepMs, slices } = counted.value;
    const timeOf = (ms: number) => new Date(ms).toISOString();
    const items = [...Map.groupBy(slices, ({ at }) => at)].map(([at, some]) => ({
      at: timeOf(sinceMs + at * stepMs),
      runs: Object.fromEntries(some.map(({ status, runs }) => [status, runs])),
    }));
    return json({ since: timeOf(sinceMs), until: timeOf(untilMs), stepMs, items } satisfies RunCounts);
  },

  "GET /runs/{id}": async ({ params }, { store, runs, folder }) => {
    const row = await runOr404(params.id, store);
    if (row instanceof Response) return row;
    const view = await readRun(row, store);
    if (!view.ok) return failureProblem(view.error, 500);
    const stuck = runs.whyStuck(row);
    const path = pathIn(folder, row.file);
    return json({
      ...view.value,
      path,
      parent: row.parent,
      stuck,
      machine: row.owner?.machine,
    });
  },

  "DELETE /runs/{id}": async ({ params }, { store, bus }) => {
    const row = await runOr404(params.id, store);
    if (row instanceof Response) return row;
    const removed = await store.removeRun(row.id, mayBeAlive);
    await bus.tellRemoved();
    return removed.ok ? noContent() : failureProblem(removed.error, statusOf(removed.error));
  },

  "POST /runs/{id}/cancel": async (call, context) => {
    const row = await outermostOr404(call, context);
    if (row instanceof Response) return row;
    const cancelled = await context.runs.cancel(row, whoAsks(call));
    return cancelled.ok ? now(row.id, 202, context) : failureProblem(cancelled.error, statusOf(cancelled.error));
  },

  "POST /runs/{id}/resume": async (call, context) => {
    const row = await outermostOr404(call, context);
    if (row instanceof Response) return row;
    const resumed = await context.runs.resume(row.id);
    return resumed.ok ? now(row.id, 202, context) : failureProblem(resumed.error, statusOf(resumed.error));
  },

  /** `{ from?, rerun?, all?, current?, approve? }`, like the options of `curlew runs retry`. */
  "POST /runs/{id}/retry": async (call, context) => {
    const row = await runOr404(call.params.id, context.store);
    if (row instanceof Response) return row;
    const waitMs = waitOf(call.query);
    if (waitMs instanceof Response) return waitMs;
    const choice = call.body;
    if (choice.approve?.length && !call.caller.rights.includes("approve"))
      return problem("right-missing", { detail: 'To approve in advance takes the right "approve".' });
    return started(await retryRun(row, choice, triggerOf(call), context), waitMs, call, context);
  },
} satisfies Partial<Handlers>;

/** A repeated request with the same key returns the same run in its current state. */
async function startedOnce(
  key: string,
  asked: object,
  start: (id: string) => ReturnType<typeof startStored>,
  waitMs: number,
  call: Call,
  context: ServerContext,
): Promise<Response> {
  if (key === "" || key.length > limits.startKeyCharsMax)
    return problem("bad-request", { detail: `Idempotency-Key has 1 to ${limits.startKeyCharsMax} characters.` });
  const { startKeys, journal } = context.store;
  const name = sha256(key);
  const fresh = newRunId(context.clock.nowMs(), randomBytes(RUN_ID_RANDOM_BYTES));
  const taken = await startKeys.take(name, sha256(JSON.stringify(asked)), fresh, context.clock.nowMs());
  if (!taken.ok) return failureProblem(taken.error, 503);
  const { run, same } = taken.value;
  if (!same) return problem("key-taken", { detail: "An earlier request with it was different." });
  const begun = (await journal.lastSeq(run)).ok ? undefined : await start(run);
  if (begun?.ok) return started(begun, waitMs, call, context);
  if (begun !== undefined && begun.error.code !== "run-exists") {
    await startKeys.forget(name);
    return notStarted(begun.error);
  }
  const handle = context.runs.handle(run);
  if (handle !== undefined) await ended(handle, waitMs, call.signal);
  return now(run, 200, context);
}

/** R1. */
async function started(
  begun: Awaited<ReturnType<typeof startStored>>,
  waitMs: number,
  { signal }: Call,
  context: ServerContext,
): Promise<Response> {
  if (!begun.ok) return notStarted(begun.error);
  await ended(begun.value, waitMs, signal);
  return now(begun.value.id, 201, context);
}

async function ended({ done }: RunHandle, waitMs: number, signal: AbortSignal): Promise<void> {
  if (waitMs > 0) {
    const over = new AbortController();
    const enough = new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      over.signal.addEventListener("abort", () => clearTimeout(timer));
      // Removed when the wait is over: a combined signal stays in memory while it has listeners.
      signal.addEventListener("abort", () => resolve(), { once: true, signal: over.signal });
    });
    await Promise.race([done.catch(() => {}), enough]);
    over.abort();
  }
}

/** The run in its current state. */
async function now(id: string, status: number, { store }: ServerContext): Promise<Response> {
  const row = await store.journal.findRun(id);
  if (!row.ok) return failureProblem(row.error, 503);
  const view = row.value.status === "succeeded" ? await readRun(row.value, store) : undefined;
  const result = view?.ok === true ? view.value.result : undefined;
  const body: StartedRun = { id, status: row.value.status, result };
  return json(body, status, { location: `/api/v1/runs/${id}` });
}

function notStarted({ code, message, hint, diagnostics, problems }: NotStarted): Response {
  const more = {
    diagnostics,
    problems: problems === undefined || problems.length < 2 ? undefined : problems,
  };
  return failureProblem({ code, message, hint }, statusOf({ code }), more);
}

function statusOf({ code }: Pick<Failure, "code">): number {
  if (code === "not-found" || code === "run-not-found") return 404;
  if (code === "run-claimed" || code === "run-ended" || code === "run-not-ended") return 409;
  return code.startsWith("store-") ? 503 : 422;
}

function waitOf(query: URLSearchParams): number | Response {
  const given = query.get("wait");
  if (given === null) return 0;
  const seconds = plainNumber(given);
  if (seconds * 1_000 <= limits.waitMsMax) return seconds * 1_000;
  return problem("bad-query", { detail: `"wait" must be a number of seconds up to ${limits.waitMsMax / 1_000}.` });
}

function triggerOf({ caller }: Call): { kind: "api"; by?: string } {
  return caller.session === undefined ? { kind: "api" } : { kind: "api", by: "web" };
}

function whoAsks({ caller }: Call): string {
  return caller.session === undefined ? "the API" : "someone in the browser";
}

async function outermostOr404({ params }: Call<"id">, { store }: ServerContext): Promise<RunRow | Response> {
  const row = await runOr404(params.id, store);
  return row instanceof Response ? row : ((await outermostOf(row, store))?.run ?? row);
}

function itemOf(row: RunRow, stuck: Failure | undefined, folder: string): RunItem {
  const path = pathIn(folder, row.file);
  return {
    id: row.id,
    workflow: row.name,
    path,
    file: row.file,
    status: row.status,
    trigger: row.trigger,
    kind: row.kind,
    startedAt: row.startedAt,
    ...(row.endedAt === undefined
      ? {}
      : { endedAt: row.endedAt, durationMs: Date.parse(row.endedAt) - Date.parse(row.startedAt) }),
    waiting: row.waiting,
    stuck: row.endedAt === undefined ? stuck : undefined,
    machine: row.owner?.machine,
  };
}

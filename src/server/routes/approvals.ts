// Lists pending approvals and records decisions (spec 2.4, 3.5).
//   P1. An id names one request, by the asking run and event. A decision is never applied to another request.
//   P2. The record says who decided, how, and from where. All of it comes from the session
//       and the system, not from the request.
//   P3. A decision is given to the engine if it is working on the run. A run at rest is resumed at once.

import type { ApprovalItem } from "../../api/shapes.ts";
import { checkEdit } from "../../app/approvals/check-edit.ts";
import { pathIn } from "../../app/documents/relative-path.ts";
import type { Failure } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import type { Result } from "../../base/result.ts";
import { type Answer, type Answerer, giveAnswer, isWritten, type Mask, secretIn } from "../../engine/answer.ts";
import { maskForAnswer } from "../../engine/mask-of-answer.ts";
import {
  allPending,
  comparedText,
  type KnownApprovals,
  lastApproved,
  outermostOf,
  type Pending,
  pendingOf,
  requestId,
} from "../../engine/pending.ts";
import { actorHere, type Store } from "../../store/index.ts";
import type { Workflow } from "../../workflow/model.ts";
import { parseWorkflow } from "../../workflow/parse.ts";
import { type Call, type Handlers, json } from "../call.ts";
import type { ServerContext } from "../context.ts";
import { pageOf } from "../page-of.ts";
import { failureProblem, problem } from "../problem.ts";

export const approvalRoutes = {
  /** `?run=`: only requests of this run and its subflows. */
  "GET /approvals": async ({ query }, { store, folder }) => {
    const run = query.get("run");
    const row = run === null ? undefined : await store.journal.findRun(run);
    const found =
      row === undefined
        ? await allPending(store)
        : row.ok
          ? { ok: true as const, value: await pendingOf(row.value, store) }
          : row;
    if (!found.ok) return failureProblem(found.error, found.error.code === "run-not-found" ? 404 : 503);
    const order = run === null ? newestFirst : outermostFirst;
    const waiting = found.value.toSorted((a, b) => order(placeOf(a), placeOf(b)));
    const page = pageOf(query, waiting, {
      list: "approvals",
      keyOf: requestId,
      isBehind: (one, key) => order(placeOf(one), placeIn(key)) > 0,
    });
    if (page instanceof Response) return page;
    const known: Known = { approvals: new Map(), documents: new Map() };
    const items = [];
    for (const pending of page.items) items.push(await itemOf(pending, store, folder, known));
    return json({ ...page, items });
  },

  "POST /approvals/{id}/grant": (call, context) => answer(call, { grant: true, edited: call.body.edited }, context),

  "POST /approvals/{id}/reject": (call, context) =>
    answer(call, { grant: false, reason: call.body.reason ?? "" }, context),
} satisfies Partial<Handlers>;

/** The asking run and event, which form the id and the order of the list. */
type PageKey = readonly [asker: string, seq: number];

const placeOf = ({ asker, seq }: Pending): PageKey => [asker.id, seq];

function placeIn(id: string): PageKey {
  const [asker = "", seq] = id.split("-");
  return [asker, Number(seq)];
}

/** Run ids grow, so a subflow's run sorts after the run that contains it. */
function outermostFirst([a, first]: PageKey, [b, second]: PageKey): number {
  return a < b ? -1 : a > b ? 1 : first - second;
}

function newestFirst([a, first]: PageKey, [b, second]: PageKey): number {
  return a < b ? 1 : a > b ? -1 : first - second;
}

async function answer(call: Call<"id">, given: Answer, context: ServerContext): Promise<Response> {
  const pending = await named(call.params.id, context.store);
  if (pending instanceof Response) return pending;
  const mask = await maskFor(pending, given, context);
  const settled = await checkEdited(pending, given, mask, context);
  if (settled instanceof Response) return settled;
  const answered = await put(pending, settled, mask, answererOf(call), context);
  if (!answered.ok) return failureProblem(answered.error, statusOf(answered.error.code));
  // For a run at rest, this server and not the engine recorded the decision.
  context.bus.notify();
  if (context.engine.working(pending.asker.id) === undefined) void context.runs.continueRun(pending.run.id);
  return json({ run: pending.run.id, path: pending.path, answer: given.grant ? "granted" : "rejected" });
}

/** Tries again if this server's engine is just taking up the run. */
async function put(
  pending: Pending,
  given: Answer,
  mask: Mask,
  who: Answerer,
  context: ServerContext,
): Promise<Result<void, Failure>> {
  const { store, engine, clock } = context;
  for (let tries = 0; ; tries++) {
    const answered = await giveAnswer(pending, given, store, mask, () => clock.nowMs(), who, engine);
    if (answered.ok || answered.error.code !== "run-claimed" || tries >= limits.claimTries) return answered;
    const row = await store.journal.findRun(pending.run.id);
    if (row.ok && row.value.owner !== undefined && row.value.owner.pid !== process.pid) return answered;
    await new Promise((resolve) => setTimeout(resolve, limits.claimRetryMs));
  }
}

/** Masks what is recorded for a run of another process, just as for one of this server. */
async function maskFor(pending: Pending, given: Answer, { store, engine, home, env }: ServerContext): Promise<Mask> {
  if (!isWritten(given)) return (text) => text;
  const isAtWork = engine.mask(pending.run.id, "") !== undefined;
  const working: Mask = (text) =>
    [pending.run, pending.asker].reduce((shown, { id }) => engine.mask(id, shown) ?? shown, text);
  return maskForAnswer(pending, { store, home, env, ...(isAtWork ? { working } : {}) });
}

/** P1. */
async function named(id: string, store: Store): Promise<Pending | Response> {
  const [, run = "", seq] = /^([0-9a-z]{1,26})-(\d{1,15})$/.exec(id) ?? [];
  const row = await store.journal.findRun(run);
  if (!row.ok || row.value.id !== run) return problem("not-found", { detail: `There is no request ${id}.` });
  const place = await outermostOf(row.value, store);
  const waiting =
    place === undefined ? [] : (await pendingOf(place.run, store)).filter(({ asker }) => asker.id === run);
  const found = waiting.find((each) => each.seq === Number(seq));
  if (found !== undefined) return found;
  const asked = await store.journal.read(run, Number(seq), 1);
  const [event] = asked.ok ? asked.value : [];
  if (event?.type !== "approval.requested") return problem("not-found", { detail: `There is no request ${id}.` });
  const other = waiting.some(({ request }) => request.path === event.path);
  return failureProblem(
    other
      ? { code: "approval-stale", message: `Another request is now waiting at "${event.path}".` }
      : { code: "not-waiting", message: `"${event.path}" is no longer waiting.` },
    409,
  );
}

/** P2. */
function answererOf({ caller, address }: Call): Answerer {
  const { user, from } = actorHere();
  const session = caller.session === undefined ? {} : { session: caller.session.slice(0, 12) };
  return {
    user,
    door: caller.session === undefined ? "api" : "web",
    from: { host: from.host, address, ...session },
  };
}

/** Rejects an edit that could not run. An edit that changes nothing is dropped. */
async function checkEdited(
  pending: Pending,
  given: Answer,
  mask: Mask,
  { store, env }: ServerContext,
): Promise<Answer | Response> {
  if (!given.grant || given.edited === undefined) return given;
  const holds = secretIn(given, mask);
  if (holds !== undefined) return failureProblem(holds, 422);
  const { detail } = pending.request;
  if (given.edited === (detail.wholeProgram ? detail.rendered : detail.command)) return { grant: true };
  if (given.edited.trim() === "")
    return failureProblem({ code: "edit-empty", message: "The edited command is empty. Nothing was approved." });
  const wrong = await checkEdit(given.edited, pending, store, env);
  return wrong === undefined ? given : failureProblem(wrong);
}

function statusOf(code: string): number {
  return code === "edit-unusable" ? 422 : code.startsWith("store-") ? 503 : 409;
}

/** Shared by the items of one list. `documents`: parsed documents, by text. */
interface Known {
  approvals: KnownApprovals;
  documents: Map<string, Workflow | undefined>;
}

async function itemOf(
  pending: Pending,
  store: Store,
  folder: string,
  { approvals, documents }: Known,
): Promise<ApprovalItem> {
  const { run, path, requestedAt, request } = pending;
  const { hash, reasons, prompt, again, expiresAt, onTimeout, detail } = request;
  const workflowPath = pathIn(folder, run.file);
  const last = await lastOf(pending, store, approvals);
  return {
    id: requestId(pending),
    run: run.id,
    workflow: run.name,
    workflowPath,
    path,
    title: await titleOf(pending, store, documents),
    requestedAt,
    expiresAt,
    onTimeout,
    hash,
    reasons,
    prompt,
    again,
    detail,
    lastApproved: last,
  };
}

async function lastOf(
  pending: Pending,
  store: Store,
  approvals: KnownApprovals,
): Promise<ApprovalItem["lastApproved"]> {
  const last = await lastApproved(pending, store, approvals);
  if (last === undefined) return undefined;
  const before = comparedText(last.request.detail);
  const now = comparedText(pending.request.detail);
  const { command, rendered, wholeProgram } = last.request.detail;
  const edited =
    last.edited === undefined ? {} : { edited: { from: wholeProgram ? rendered : command, to: last.edited } };
  const known = { by: last.by, at: last.at, ...edited };
  if (before === now) return { ...known, identical: true };
  const { changedLines } = await import("../../engine/difference.ts");
  return { ...known, identical: false, diff: changedLines(before, now).join("\n") };
}

async function titleOf({ asker, request }: Pending, store: Store, documents: Known["documents"]): Promise<string> {
  const first = await store.journal.read(asker.id, 1, 1);
  const started = first.ok ? first.value[0] : undefined;
  if (started?.type !== "run.started") return request.node;
  const { text, file } = started.workflow;
  if (!documents.has(text)) documents.set(text, parseWorkflow(text, file).workflow);
  return documents.get(text)?.nodes.find(({ id }) => id === request.node)?.data.title ?? request.node;
}

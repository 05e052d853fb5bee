// answer: records a person's answer to an approval request (spec 2.2, 3.5, 4.2).
//   N1. The run is claimed while it is answered, so no other process works on it. The request is then read again and
//       the answer is written. A run that this process is driving is answered through its driver.
//   N2. An answer is for one request, identified by its hash, before it expires. Anything else is rejected with exit
//       code 2.
//   N3. No secret of the run is recorded: a reason is masked, and an edit that contains a secret is rejected.
//   N4. The answerer is the user of this process, or of the session that a server has authenticated. No variable,
//       option or request field can change that.

import type { Failure } from "../base/failure.ts";
import { shortRunId } from "../base/ids.ts";
import { err, ok, type Result } from "../base/result.ts";
import { timeBetween } from "../base/time-text.ts";
import type { AnsweredFrom, EventBody, RunEvent } from "../scheduler/event.ts";
import { actorHere, type IndexChange, type Owner, type RunRow, type Store, type StoreError } from "../store/index.ts";
import type { Engine } from "./contract.ts";
import { type Answered, lastAnswer, type Pending, pendingOf } from "./pending.ts";
import { isAlive, mayBeAlive, nameOf, thisProcess } from "./recovery/owner.ts";
import { openRuns } from "./recovery/unfinished.ts";

export type Answer = { grant: true; edited?: string } | { grant: false; reason: string };

/** The person who answers, the interface they use, and where the identity comes from. */
export interface Answerer {
  user: string;
  door: string;
  from: AnsweredFrom;
}

/** Masks the secrets of the run. */
export type Mask = (text: string) => string;

/** The engine of this process, for the runs that it is driving. */
export type Working = Pick<Engine, "working">;

/**
 * Failures, besides the store's:
 * - `run-claimed`: another living process is driving the run.
 * - `not-waiting`: already answered, or the node has ended.
 * - `approval-stale`: a different request is waiting now.
 * - `approval-expired`
 * - `edit-unusable`: the edit contains a secret.
 */
export async function giveAnswer(
  pending: Pending,
  answer: Answer,
  store: Store,
  mask: Mask,
  now = Date.now,
  who: Answerer = { ...actorHere(), door: "cli" },
  engine?: Working,
): Promise<Result<void, Failure>> {
  const holds = secretIn(answer, mask);
  if (holds !== undefined) return err(holds);
  const { run, asker } = pending;
  const nowMs = (): Promise<number> => notBefore(asker.id, now(), store);
  const look = async () => {
    const all = await pendingOf(run, store);
    return all.find((each) => each.path === pending.path && each.asker.id === asker.id);
  };
  // A late answer claims nothing: the process that answered first is about to resume the run.
  const late = await refusal(pending, await look(), store, await nowMs());
  if (late !== undefined) return err(late);
  const masked = answer.grant ? answer : { ...answer, reason: mask(answer.reason) };
  // A run that has just ended, come to rest, or taken another answer refuses. Its claim decides then.
  if (await engine?.working(asker.id)?.tell(bodyOf(pending, masked, who))) return ok(undefined);
  const around = engine === undefined ? undefined : (await outerRunsOf(asker, store)).find((id) => engine.working(id));
  const apart = await apartFrom(run, asker, store);
  if (apart !== undefined && store.tellOwner !== undefined) {
    const told = await store.tellOwner(apart, asker.id, bodyOf(pending, masked, who));
    // The subflow may have come to rest before its machine read the decision.
    if (told.ok || told.error.code !== "machine-silent" || (await apartFrom(run, asker, store)) !== undefined)
      return told;
  }
  const ids = [...new Set(around === undefined ? [run.id, asker.id] : [asker.id])];
  const owner = thisProcess();
  const claimed: string[] = [];
  try {
    for (const id of ids) {
      const claim = await store.journal.claim(id, owner, mayBeAlive);
      if (!claim.ok) {
        const { error } = claim;
        if (error.code !== "run-claimed") return err(error);
        if (error.owner.machine === undefined || store.tellOwner === undefined) return err(busy(pending, error.owner));
        return await store.tellOwner(id, asker.id, bodyOf(pending, masked, who));
      }
      claimed.push(id);
    }
    const refused = await refusal(pending, await look(), store, await nowMs());
    if (refused !== undefined) return err(refused);
    return await write(pending, bodyOf(pending, masked, who), store, await nowMs());
  } finally {
    for (const id of claimed) await store.journal.release(id);
    if (around !== undefined) engine?.working(around)?.wake();
  }
}

/** The nearest run around the asking one, or itself, that another machine drives than the outermost one. */
async function apartFrom(run: RunRow, asker: RunRow, store: Store): Promise<string | undefined> {
  if (asker.parent === undefined) return undefined;
  const outermost = await store.journal.findRun(run.id);
  for (const id of [asker.id, ...(await outerRunsOf(asker, store))]) {
    const row = id === run.id ? outermost : await store.journal.findRun(id);
    const owner = row.ok ? row.value.owner : undefined;
    if (owner === undefined) continue;
    const isApart = owner.machine !== undefined && outermost.ok && owner.token !== outermost.value.owner?.token;
    return isApart && mayBeAlive(owner) ? id : undefined;
  }
  return undefined;
}

/** The ids of the runs that contain a subflow's run, nearest first. */
export async function outerRunsOf(row: RunRow, store: Store): Promise<string[]> {
  const ids: string[] = [];
  for (let at: RunRow | undefined = row; at?.parent !== undefined; ) {
    ids.push(at.parent.run);
    const found = await store.journal.findRun(at.parent.run);
    at = found.ok ? found.value : undefined;
  }
  return ids;
}

/** N3, for callers that show an edit before it is approved. Failure: `edit-unusable`. */
export function secretIn(answer: Answer, mask: Mask): Failure | undefined {
  const isFree = !answer.grant || answer.edited === undefined || mask(answer.edited) === answer.edited;
  return isFree ? undefined : HOLDS_A_SECRET;
}

/** Whether the answer contains text that the person wrote and that may hold a secret. */
export function isWritten(answer: Answer): boolean {
  return answer.grant ? answer.edited !== undefined : answer.reason !== "";
}

const HOLDS_A_SECRET: Failure = {
  code: "edit-unusable",
  message: "The edited command contains the value of a secret, which would be recorded. Nothing was approved.",
  hint: "Write the secret's name instead: ${NAME}.",
};

async function refusal(
  pending: Pending,
  current: Pending | undefined,
  store: Store,
  nowMs: number,
): Promise<Failure | undefined> {
  const { request, path, run } = pending;
  if (current === undefined) {
    const last = await lastAnswer(pending.asker, request.path, store);
    return {
      code: "not-waiting",
      message: `"${path}" of run ${run.id} does not wait any more${last === undefined ? "" : `: ${answered(last, nowMs)}`}.`,
    };
  }
  if (current.request.hash !== request.hash) return alreadyAnswered(path, run.id);
  const { expiresAt } = current.request;
  if (expiresAt === undefined || Date.parse(expiresAt) > nowMs) return undefined;
  return {
    code: "approval-expired",
    message: `The time limit of "${path}" in run ${run.id} ended ${timeBetween(expiresAt, nowMs)} ago.`,
    hint: `"curlew runs resume ${shortRunId(run.id)}" continues with the decision that applies now: ${request.onTimeout ?? "reject"}.`,
  };
}

export function alreadyAnswered(path: string, run: string): Failure {
  return {
    code: "approval-stale",
    message: `This decision is for an earlier request of "${path}" in run ${run}: the hash differs.`,
    hint: `"curlew approvals ${shortRunId(run)}" shows what is waiting now.`,
  };
}

export function answered(last: Answered, nowMs: number): string {
  const ago = `${timeBetween(last.at, nowMs)} ago`;
  if (last.type === "approval.expired") return `the time limit ended ${ago}, which counted as ${last.as}`;
  return `${last.type === "approval.granted" ? "approved" : "rejected"} by ${last.by} ${ago}`;
}

function busy({ path, run }: Pending, owner: Owner): Failure {
  return {
    code: "run-claimed",
    message: `"${path}" cannot be decided here now. ${nameOf(owner)} is working on run ${run.id}.`,
    hint: `Decide ${owner.machine === undefined ? "on its terminal" : "there"}, or wait until it has stopped.`,
  };
}

function bodyOf({ request }: Pending, answer: Answer, { user, door, from }: Answerer): EventBody {
  const about = { node: request.node, path: request.path, hash: request.hash, by: user, door, from };
  return answer.grant
    ? { type: "approval.granted", ...about, ...(answer.edited === undefined ? {} : { edited: answer.edited }) }
    : { type: "approval.rejected", ...about, reason: answer.reason };
}

async function write(
  { asker }: Pending,
  body: EventBody,
  store: Store,
  nowMs: number,
): Promise<Result<void, StoreError>> {
  const last = await store.journal.lastSeq(asker.id);
  if (!last.ok) return last;
  const event: RunEvent = { seq: last.value + 1, at: new Date(nowMs).toISOString(), run: asker.id, ...body };
  const row = await store.journal.findRun(asker.id);
  const waiting = row.ok ? Math.max(0, row.value.waiting - 1) : 0;
  const appended = await store.journal.append(asker.id, [event], { waiting });
  return appended.ok ? ok(undefined) : appended;
}

/**
 * Event times never go back within a run (ADR 36): the current time, or the time of the last event if that is later.
 */
async function notBefore(run: string, nowMs: number, store: Store): Promise<number> {
  const seq = await store.journal.lastSeq(run);
  const last = seq.ok && seq.value > 0 ? await store.journal.read(run, seq.value, 1) : undefined;
  return last?.ok === true ? Math.max(nowMs, Date.parse(last.value[0]!.at)) : nowMs;
}

/** Records a decision in a subflow's run at rest, whose outermost run this machine drives. */
export async function recordAtRest(run: string, body: EventBody, owner: Owner, store: Store): Promise<boolean> {
  const recorded = await recordOne(run, body, owner, store, ({ waiting }) => ({ waiting: Math.max(0, waiting - 1) }));
  return recorded.ok;
}

/** Requests an orderly end of a run that no process is driving. */
export function requestCancel(run: string, by: string, store: Store): Promise<Result<number, StoreError>> {
  const body = { type: "run.cancel-requested" as const, by };
  return recordOne(run, body, thisProcess(), store, () => ({ status: "cancelling" }));
}

/** Claims the run for one event. */
async function recordOne(
  run: string,
  body: EventBody,
  owner: Owner,
  store: Store,
  change: (row: RunRow) => IndexChange,
): Promise<Result<number, StoreError>> {
  const claimed = await store.journal.claim(run, owner, mayBeAlive);
  if (!claimed.ok) return claimed;
  const at = new Date(await notBefore(run, Date.now(), store)).toISOString();
  const event: RunEvent = { seq: claimed.value.lastSeq + 1, at, run, ...body };
  const appended = await store.journal.append(run, [event], change(claimed.value));
  await store.journal.release(run);
  return appended;
}

/**
 * Asks the process that is driving the run to exit, which cancels the run. In a cluster, its machine cancels it. Failure `run-claimed` if it drives other
 * runs too.
 */
export async function cancelElsewhere(
  { id, owner }: RunRow,
  store: Store,
  by = actorHere().user,
): Promise<Result<void, Failure>> {
  if (owner === undefined) return ok(undefined);
  if (owner.machine !== undefined && store.tellOwner !== undefined)
    return store.tellOwner(id, id, { type: "run.cancel-requested", by });
  if (owner.machine !== undefined && !isAlive(owner))
    return err({
      code: "run-claimed",
      message: `Machine ${owner.machine} is working on run ${id}. It can be cancelled only there.`,
      hint: "Cancel it on that machine.",
    });
  const open = await openRuns(store);
  if (!open.ok) return open;
  const others = open.value.filter((row) => row.id !== id && row.owner?.token === owner.token).length;
  if (others > 0)
    return err({
      code: "run-claimed",
      message: `Process ${owner.pid} is working on run ${id} and on ${others} other run${others === 1 ? "" : "s"}. Ending it would cancel all of them.`,
      hint: "To cancel all, press Ctrl-C on its terminal. Otherwise wait until the other runs have ended.",
    });
  process.kill(owner.pid, "SIGTERM");
  return ok(undefined);
}

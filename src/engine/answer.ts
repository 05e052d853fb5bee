// answer: puts a person's answer on record (spec 2.2, 3.5, 4.2).
//   N1. Nobody else is at work on the run while it is answered: it is claimed first, then looked at again, then written, then given back.
//       What our own engine works on is answered there: it records the answer and goes on.
//   N2. An answer is to one request, named by its hash, before its time is over; anything else is refused with exit code 2.
//   N3. No secret of the run goes on record: one in a reason is hidden, an edit with one is refused.
//   N4. Who answers is what the system says of this process, or of the session that a server has let in; never what a variable, an option
//       or a field of a request says.

import type { Failure } from "../base/failure.ts";
import { shortRunId } from "../base/ids.ts";
import { err, ok, type Result } from "../base/result.ts";
import { timeBetween } from "../base/time-text.ts";
import type { AnsweredFrom, EventBody, RunEvent } from "../scheduler/event.ts";
import { here, type RunRow, type Store, type StoreError } from "../store/index.ts";
import type { Engine } from "./contract.ts";
import { isAlive, thisProcess } from "./local/owner.ts";
import { openRuns } from "./local/unfinished.ts";
import { type Answered, lastAnswer, type Pending, pendingOf } from "./pending.ts";

export type Answer = { grant: true; edited?: string } | { grant: false; reason: string };

/** Who answers, through which door and from where. */
export interface Answerer {
  user: string;
  door: string;
  from: AnsweredFrom;
}

/** Whoever sits at this process. */
export function atThisProcess(): Answerer {
  return { ...here(), door: "cli" };
}

/** Hides the secrets of the run; without it nothing is known of them. */
export type Mask = (text: string) => string;

/** The engine of this process, for runs that it works on itself. */
export type Working = Pick<Engine, "working">;

/**
 * Failures: run-claimed (a living process is at work on the run), not-waiting (somebody was quicker, or the node ended), approval-stale
 * (what waits now is another request), approval-expired, edit-unusable (a
 * secret stands in the edited text), and the store's.
 */
export function giveAnswer(
  pending: Pending,
  answer: Answer,
  store: Store,
  mask: Mask,
  now = Date.now,
  who: Answerer = atThisProcess(),
  engine?: Working,
): Result<void, Failure> {
  const holds = secretIn(answer, mask);
  if (holds !== undefined) return err(holds);
  const { run, asker } = pending;
  const nowMs = (): number => notBefore(asker.id, now(), store);
  const look = () => pendingOf(run, store).find((each) => each.path === pending.path && each.asker.id === asker.id);
  // Who comes too late claims nothing: the one who was quicker is about to go on with the run.
  const late = refusal(pending, look(), store, nowMs());
  if (late !== undefined) return err(late);
  const masked = answer.grant ? answer : { ...answer, reason: mask(answer.reason) };
  const working = engine?.working(asker.id);
  if (working !== undefined) {
    working.tell(bodyOf(pending, masked, who));
    return ok(undefined);
  }
  const around = engine === undefined ? undefined : aroundOf(asker, store).find((id) => engine.working(id));
  const ids = [...new Set(around === undefined ? [run.id, asker.id] : [asker.id])];
  const owner = thisProcess();
  const claimed: string[] = [];
  try {
    for (const id of ids) {
      const claim = store.journal.claim(id, owner, isAlive);
      if (!claim.ok)
        return err(claim.error.code === "run-claimed" ? busy(pending, claim.error.owner.pid) : claim.error);
      claimed.push(id);
    }
    const refused = refusal(pending, look(), store, nowMs());
    if (refused !== undefined) return err(refused);
    return write(pending, bodyOf(pending, masked, who), store, nowMs());
  } finally {
    for (const id of claimed) store.journal.release(id);
    if (around !== undefined) engine?.working(around)?.stir();
  }
}

/** The runs around a subflow's, the nearest first. */
export function aroundOf(row: RunRow, store: Store): string[] {
  const ids: string[] = [];
  for (let at: RunRow | undefined = row; at?.parent !== undefined; ) {
    ids.push(at.parent.run);
    const found = store.journal.findRun(at.parent.run);
    at = found.ok ? found.value : undefined;
  }
  return ids;
}

/** N3, for whoever shows an edit before it is approved. Failure edit-unusable. */
export function secretIn(answer: Answer, mask: Mask): Failure | undefined {
  const isFree = !answer.grant || answer.edited === undefined || mask(answer.edited) === answer.edited;
  return isFree ? undefined : HOLDS_A_SECRET;
}

/** Whether there is something of the person's own in it, which a secret may stand in. */
export function isWritten(answer: Answer): boolean {
  return answer.grant ? answer.edited !== undefined : answer.reason !== "";
}

const HOLDS_A_SECRET: Failure = {
  code: "edit-unusable",
  message: "The value of a secret stands in the edited command, and would stay on record. Nothing was approved.",
  hint: "Write the secret's name instead: ${NAME}.",
};

function refusal(pending: Pending, current: Pending | undefined, store: Store, nowMs: number): Failure | undefined {
  const { request, path, run } = pending;
  if (current === undefined) {
    const last = lastAnswer(pending.asker, request.path, store);
    return {
      code: "not-waiting",
      message: `"${path}" of run ${run.id} does not wait any more${last === undefined ? "" : `: ${answered(last, nowMs)}`}.`,
    };
  }
  if (current.request.hash !== request.hash) return stale(path, run.id);
  const { expiresAt } = current.request;
  if (expiresAt === undefined || Date.parse(expiresAt) > nowMs) return undefined;
  return {
    code: "approval-expired",
    message: `The time to answer "${path}" of run ${run.id} was over ${timeBetween(expiresAt, nowMs)} ago.`,
    hint: `"curlew runs resume ${shortRunId(run.id)}" goes on with what counts as the answer now: ${request.onTimeout ?? "reject"}.`,
  };
}

export function stale(path: string, run: string): Failure {
  return {
    code: "approval-stale",
    message: `What waits at "${path}" of run ${run} is not what this answer is about: its hash is another.`,
    hint: `"curlew approvals ${shortRunId(run)}" shows what waits now.`,
  };
}

export function answered(last: Answered, nowMs: number): string {
  const ago = `${timeBetween(last.at, nowMs)} ago`;
  if (last.type === "approval.expired") return `the time to answer was over ${ago}, which counted as ${last.as}`;
  return `${last.type === "approval.granted" ? "approved" : "rejected"} by ${last.by} ${ago}`;
}

function busy({ path, run }: Pending, pid: number): Failure {
  return {
    code: "run-claimed",
    message: `"${path}" cannot be answered here now: process ${pid} is at work on run ${run.id}.`,
    hint: "Answer on its terminal, or wait until it has stopped.",
  };
}

function bodyOf({ request }: Pending, answer: Answer, { user, door, from }: Answerer): EventBody {
  const about = { node: request.node, path: request.path, hash: request.hash, by: user, door, from };
  return answer.grant
    ? { type: "approval.granted", ...about, ...(answer.edited === undefined ? {} : { edited: answer.edited }) }
    : { type: "approval.rejected", ...about, reason: answer.reason };
}

function write({ asker }: Pending, body: EventBody, store: Store, nowMs: number): Result<void, StoreError> {
  const last = store.journal.lastSeq(asker.id);
  if (!last.ok) return last;
  const event: RunEvent = { seq: last.value + 1, at: new Date(nowMs).toISOString(), run: asker.id, ...body };
  const row = store.journal.findRun(asker.id);
  const waiting = row.ok ? Math.max(0, row.value.waiting - 1) : 0;
  const appended = store.journal.append(asker.id, [event], { waiting });
  return appended.ok ? ok(undefined) : appended;
}

/** Time never goes back in a run (ADR 36): now, or when its last event was. */
function notBefore(run: string, nowMs: number, store: Store): number {
  const seq = store.journal.lastSeq(run);
  const last = seq.ok && seq.value > 0 ? store.journal.read(run, seq.value, 1) : undefined;
  return last?.ok === true ? Math.max(nowMs, Date.parse(last.value[0]!.at)) : nowMs;
}

/** Asks for an orderly end of a run whose program is gone. Claims the run for one event and gives it back. */
export function requestCancel(run: string, by: string, store: Store): Result<number, StoreError> {
  const claimed = store.journal.claim(run, thisProcess(), isAlive);
  if (!claimed.ok) return claimed;
  const at = new Date(notBefore(run, Date.now(), store)).toISOString();
  const event: RunEvent = { seq: claimed.value.lastSeq + 1, at, run, type: "run.cancel-requested", by };
  const appended = store.journal.append(run, [event], { status: "cancelling" });
  store.journal.release(run);
  return appended;
}

/** Asks the living process at work on the run to end, which cancels it; one that has other runs too is left alone: `run-claimed`. */
export function cancelElsewhere({ id, owner }: RunRow, store: Store): Result<void, Failure> {
  if (owner === undefined) return ok(undefined);
  const open = openRuns(store);
  if (!open.ok) return open;
  const others = open.value.filter((row) => row.id !== id && row.owner?.token === owner.token).length;
  if (others > 0)
    return err({
      code: "run-claimed",
      message: `Process ${owner.pid} is at work on run ${id} and on ${others} other run${others === 1 ? "" : "s"}: ending it would cancel all of them.`,
      hint: "Ctrl-C on its terminal cancels all; or wait until it has come to the end of the others.",
    });
  process.kill(owner.pid, "SIGTERM");
  return ok(undefined);
}

// view-events: writes what an event says about attempts and approvals into the view of a node (spec 2.7).
// Not done here: statuses, which view.ts takes from the fold.

import type { AttemptDetail, AttemptEnd } from "../base/attempt.ts";
import type { RunEvent } from "./event.ts";
import type { AttemptView, NodeView } from "./view.ts";

const GOES_ON: ReadonlySet<string> = new Set(["attempt.adopted", "attempt.paused", "attempt.resumed"]);

/** Adds, updates or removes the event's attempt. */
export function attempt(view: NodeView, event: Extract<RunEvent, { path: string }>): void {
  if (event.type === "node.kept") {
    kept(view, event);
    return;
  }
  if (event.type === "loop.started" && event.kept !== undefined) view.kept = event.kept;
  if (event.type === "attempt.started") {
    const { number, at, detail } = event;
    view.attempts.push({ number, status: "running", startedAt: at, ...shown(detail), http: [] });
    return;
  }
  if (!event.type.startsWith("attempt.") || !("number" in event)) return;
  const current = view.attempts.findLast(({ number }) => number === event.number);
  // A paused subflow has not ended: its attempt is still running.
  if (current === undefined || GOES_ON.has(event.type)) return;
  if (event.type === "attempt.not-started") {
    view.attempts.splice(view.attempts.indexOf(current), 1);
    return;
  }
  current.status = event.type.slice("attempt.".length) as AttemptView["status"];
  current.endedAt = event.at;
  if ("end" in event) Object.assign(current, ended(event.end));
  if ("failure" in event && event.failure !== undefined) {
    const { exitCode: _exitCode, signal: _signal, stderr: _stderr, answer: _answer, ...why } = event.failure;
    Object.assign(current, why);
  }
  current.cause = causeOf(event);
}

function kept(view: NodeView, event: Extract<RunEvent, { type: "node.kept" }>): void {
  view.kept = event.kept;
  if (event.attempt === undefined) return;
  const { number, startedAt, endedAt, status, detail, end } = event.attempt;
  view.attempts.push({
    ...{ number, status, kept: true, startedAt, endedAt, ...shown(detail), http: [] },
    ...(end === undefined ? {} : ended(end)),
    cause: end?.exitCode === undefined ? (event.failure?.code ?? status) : `exited(${end.exitCode})`,
  });
}

/**
 * `commands`: the command of each request, by hash. A decision about any but the last request is not shown, because it
 * changed nothing.
 */
export function approval(
  view: NodeView,
  event: Extract<RunEvent, { path: string }>,
  commands: Map<string, string>,
): void {
  if (event.type === "approval.requested") {
    const { number, hash, reasons, expiresAt, again, at, detail } = event;
    commands.set(hash, detail.wholeProgram ? detail.rendered : detail.command);
    view.approvals ??= [];
    view.approvals.push({ number, hash, reasons, requestedAt: at, expiresAt, again });
    return;
  }
  const last = view.approvals?.at(-1);
  if (last === undefined || last.answer !== undefined || !("hash" in event) || event.hash !== last.hash) return;
  if (event.type === "approval.expired") Object.assign(last, { answer: "expired", answeredAt: event.at, as: event.as });
  if (event.type !== "approval.granted" && event.type !== "approval.rejected") return;
  if (last.expiresAt !== undefined && event.at >= last.expiresAt) return;
  const { by, door, from, at } = event;
  const answer = event.type === "approval.granted" ? "granted" : "rejected";
  Object.assign(last, { answer, answeredAt: at, by, door, from });
  if (event.type === "approval.rejected") last.reason = event.reason;
  else if (event.edited !== undefined) last.edited = { from: commands.get(event.hash) ?? "", to: event.edited };
}

function shown(detail: AttemptDetail): Partial<AttemptView> {
  const { runner: _, ...rest } = detail;
  return rest;
}

function ended(end: AttemptEnd): Partial<AttemptView> {
  const { stdout, stderr, ...rest } = end;
  return { ...rest, ...(stdout && { stdout: sized(stdout) }), ...(stderr && { stderr: sized(stderr) }) };
}

/** Leaves out checksums, which only the store's self-check needs. */
function sized<T extends { sha256?: string; sum?: number }>({ sha256: _, sum: __, ...rest }: T): Omit<T, "sha256"> {
  return rest as Omit<T, "sha256">;
}

function causeOf(event: Extract<RunEvent, { path: string }>): string {
  if (event.type === "attempt.timed-out")
    return event.failure.code === "timed-out-idle" ? "timed-out(idle)" : "timed-out(total)";
  if ("end" in event) {
    if (event.end.exitCode !== undefined) return `exited(${event.end.exitCode})`;
    if (event.end.signal !== undefined && event.type !== "attempt.cancelled") return `signalled(${event.end.signal})`;
  }
  return "failure" in event && event.failure !== undefined ? event.failure.code : event.type.slice("attempt.".length);
}

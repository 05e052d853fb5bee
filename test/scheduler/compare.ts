// compare: lists how a simulated run differs from the oracle's prediction.

import { isDeepStrictEqual } from "node:util";
import type { RunEvent } from "../../src/scheduler/event.ts";
import { hasListener, listenerDifferences } from "./listener-oracle.ts";
import { Oracle } from "./oracle.ts";
import { asker, isCached } from "./script.ts";
import { NOBODY, refold, type Simulated } from "./simulate.ts";

/** `again`: the run reuses another run, so not everything is checked here. */
export function differences(run: Simulated, again = false): string[] {
  if (!isDeepStrictEqual(refold(run.graph, run.events), run.state))
    return [...run.broken, "folding the journal again gives another state"];
  if (hasListener(run.drawing)) return listenerDifferences(run);
  const oracle = new Oracle(run.drawing);
  const found = [...run.broken];
  const early = run.events.findIndex((event) => endsEarly(event, oracle));
  statuses(run, oracle, early, found);
  values(run, oracle, early, found, again);
  order(run, oracle, early, found);
  passOrder(run, oracle, found);
  attempts(run, oracle, early, found);
  return [...found, ...outcome(run, oracle, early)];
}

/** A failure that ends the run, a cancel or a timeout, while nodes that are not finally nodes run. */
function endsEarly(event: RunEvent, oracle: Oracle): boolean {
  if (event.type === "run.cancel-requested" || event.type === "run.timed-out-requested") return true;
  return isFatal(event, oracle) && !oracle.isFinally(event.node);
}

function isFatal(event: RunEvent, oracle: Oracle): event is RunEvent & { node: string; path: string } {
  if (event.type === "approval.rejected" && isIgnored(event)) return false;
  const ends =
    ["attempt.failed", "attempt.timed-out", "attempt.lost", "node.failed", "approval.rejected"].includes(event.type) ||
    (event.type === "approval.expired" && event.as !== "approve");
  return ends && "path" in event && !("retryAt" in event) && (oracle.paths().get(event.path)?.fatal ?? false);
}

/** An answer that was late, or for something else: it must change nothing. */
function isIgnored(event: RunEvent): boolean {
  return (event.type === "approval.granted" || event.type === "approval.rejected") && event.by === NOBODY;
}

/** The time limit has passed and approves. */
function isLetGo(event: RunEvent): boolean {
  return event.type === "approval.expired" && event.as === "approve";
}

function statuses(run: Simulated, oracle: Oracle, early: number, found: string[]): void {
  // A finally node may get the value of a node of onFailure, which the oracle does not compute.
  const hasFailed = early !== -1 || run.drawing.onFailure !== undefined;
  const meant = oracle.paths();
  const walked = [...run.seen].filter(([path]) => !path.includes(" "));
  for (const [path, { status, value }] of walked) {
    const meaning = meant.get(path);
    if (oracle.isOnFailure(path) && (early === -1 || run.events[early]?.type === "run.cancel-requested")) {
      if (status !== "skipped") found.push(`${path} is ${status}, but the run did not fail`);
    } else if (oracle.isOnFailure(path) && run.events[early]?.type === "run.timed-out-requested") {
      // The time may be over when the nodes have succeeded already.
    } else if (meaning === undefined) found.push(`${path} should not be there at all`);
    else if (early === -1 || status === "succeeded" || status === "failed") {
      if (status === "failed" && early !== -1 && meaning.attempts === 2) continue;
      if (status !== meaning.status) found.push(`${path} is ${status}, should be ${meaning.status}`);
      else if (value !== meaning.value && !(hasFailed && oracle.isFinally(path)) && !hasOwnValue(run, path))
        found.push(`${path} has ${JSON.stringify(value)}, should have ${JSON.stringify(meaning.value)}`);
    } else if (!["skipped", "cancelled"].includes(status)) found.push(`${path} is left ${status}`);
    else if (oracle.isFinally(path)) found.push(`${path} is ${status}, but finally nodes run always`);
  }
  for (const [path, { status }] of meant) {
    if (run.seen.has(path)) continue;
    if (early === -1 || !path.includes("[")) found.push(`${path} was forgotten, should be ${status}`);
  }
}

/** A loop start has a value per iteration; outside of iterations its value is never visible. */
function hasOwnValue(run: Simulated, path: string): boolean {
  return run.graph.nodes[run.graph.indexOf.get(path.split("[", 1)[0] ?? "") ?? -1]?.node.type === "loop-start";
}

function values(run: Simulated, oracle: Oracle, early: number, found: string[], again: boolean): void {
  const asked = oracle.asked();
  for (const [key, { value }] of run.seen) {
    if (!key.includes(" ")) continue;
    const meant = asked.get(key);
    if (meant === undefined && early === -1) found.push(`${key} should not be there`);
    if (meant !== undefined && meant !== value)
      found.push(`${key} saw ${JSON.stringify(value)}, should see ${JSON.stringify(meant)}`);
  }
  for (const key of asked.keys()) if (early === -1 && !again && !run.seen.has(key)) found.push(`${key} was forgotten`);
}

function order(run: Simulated, oracle: Oracle, early: number, found: string[]): void {
  const began = new Map<string, number>();
  const settled = new Map<string, number>();
  for (const [at, event] of run.events.entries()) {
    if (!("path" in event) || event.type === "run.failed") continue;
    if (isIgnored(event)) continue;
    const key = event.type.startsWith("pass.") ? `pass ${event.path}` : event.path;
    if (!(event.type === "node.skipped" && event.reason === "run-ended") && !began.has(key)) began.set(key, at);
    settled.set(key, at);
    const isNew = ["attempt.started", "loop.started", "pass.started", "approval.requested"].includes(event.type);
    if (early !== -1 && at > early && isNew && !oracle.isFinally(event.node))
      found.push(`${event.path} began after the run had ended`);
  }
  for (const [path, at] of began) {
    if (path.startsWith("pass ")) continue;
    for (const before of oracle.after(path)) {
      const then = settled.get(before);
      if (then === undefined || then > at) found.push(`${path} began before ${before} was settled`);
    }
    if (!oracle.isFinally(path)) continue;
    for (const [other, then] of settled)
      if (stageOf(other.replace("pass ", ""), oracle) < stageOf(path, oracle) && then > at)
        found.push(`${path} began before ${other} was settled`);
  }
}

/**
 * Nodes that could have started when a command ended and a slot was free, but had not. An attempt that lacks a value
 * starts no command, and ends before the other nodes have their turn.
 */
export function hesitations(run: Simulated): string[] {
  const oracle = new Oracle(run.drawing);
  const meant = [...oracle.paths()].filter(
    ([path, { status }]) => status !== "never" && !waitsForMore(run, oracle, path),
  );
  const begun = new Set(["run"]);
  const settled = new Set<string>();
  const running = new Set<string>();
  for (const event of run.events) {
    if (endsEarly(event, oracle)) return [];
    if (!("path" in event) || isIgnored(event)) continue;
    if (
      event.type.startsWith("attempt.") &&
      event.type !== "attempt.started" &&
      event.type !== "attempt.resumed" &&
      !(event.type === "attempt.failed" && event.failure.code === "value-absent") &&
      running.size <= run.drawing.concurrency
    ) {
      const isFull = running.size === run.drawing.concurrency;
      for (const [path, { attempts }] of meant) {
        if (
          begun.has(path) ||
          (isFull && (attempts > 0 || isFoundOut(run, path))) ||
          !begun.has(oracle.passAround(path) ?? "run")
        )
          continue;
        if (oracle.after(path).every((before) => settled.has(before)))
          return [`${path} had not begun when ${event.path} ended, though nothing was in its way`];
      }
    }
    if (event.type === "attempt.started" || event.type === "attempt.resumed") running.add(event.path);
    else running.delete(event.path);
    const key = event.type.startsWith("pass.") ? `pass ${event.path}` : event.path;
    begun.add(key);
    if (
      event.type === "pass.succeeded" ||
      ![
        "attempt.started",
        "attempt.paused",
        "attempt.resumed",
        "approval.requested",
        "pass.started",
        "budget.awaited",
        "budget.freed",
      ].includes(event.type)
    )
      if (!("retryAt" in event) && event.type !== "approval.granted" && !isLetGo(event)) settled.add(key);
  }
  return [];
}

/**
 * Preparing a command shows that it needs approval, or that the cache has its result. That takes a slot for a moment.
 */
function isFoundOut(run: Simulated, path: string): boolean {
  const node = run.drawing.nodes.find(({ id }) => id === path.split("[", 1)[0]);
  if (node === undefined) return false;
  return asker(run.drawing, node, path) === "found" || isCached(run.drawing, node, path);
}

/** Loops wait for their inputs from outside, accumulators for their turn, finally nodes for everything. */
function waitsForMore(run: Simulated, oracle: Oracle, path: string): boolean {
  const type = run.graph.nodes[run.graph.indexOf.get(path.split("[", 1)[0] ?? "") ?? -1]?.node.type;
  return type === "loop-start" || type === "loop-end" || type === "accumulator" || oracle.isFinally(path);
}

const stageOf = (path: string, oracle: Oracle) => (oracle.isOnFailure(path) ? 1 : oracle.isFinally(path) ? 2 : 0);

function passOrder(run: Simulated, oracle: Oracle, found: string[]): void {
  const open = new Map<string, Set<number>>();
  for (const event of run.events) {
    if (event.type !== "pass.started" && event.type !== "pass.succeeded") continue;
    const loop = event.path.slice(0, event.path.lastIndexOf("["));
    const passes = open.get(loop) ?? new Set();
    open.set(loop, passes);
    if (event.type === "pass.succeeded") passes.delete(event.index);
    else passes.add(event.index);
    if (passes.size > 1 && oracle.isOneByOne(event.node))
      found.push(`${loop} has ${passes.size} passes at a time, should go one by one`);
  }
}

function attempts(run: Simulated, oracle: Oracle, early: number, found: string[]): void {
  const started = new Map<string, number>();
  const kept = new Set<string>();
  for (const event of run.events) {
    if (event.type === "node.kept") kept.add(event.path);
    // Its number is used again.
    if (event.type === "attempt.not-started") started.set(event.path, (started.get(event.path) ?? 1) - 1);
    if (event.type !== "attempt.started") continue;
    if (kept.has(event.path)) found.push(`${event.path} is kept, and runs again`);
    const number = (started.get(event.path) ?? 0) + 1;
    started.set(event.path, number);
    if (event.number !== number) found.push(`${event.path}: attempt ${event.number} should have number ${number}`);
  }
  if (early !== -1) return;
  for (const [path, meaning] of oracle.paths())
    if (!kept.has(path) && !oracle.isOnFailure(path) && (started.get(path) ?? 0) !== meaning.attempts)
      found.push(`${path} was tried ${started.get(path) ?? 0} times, should be ${meaning.attempts}`);
}

function outcome(run: Simulated, oracle: Oracle, early: number): string[] {
  const first = run.events[early];
  const atEnd = run.drawing.finally.some((id) => oracle.paths().get(id)?.fatal === true);
  const meant =
    first === undefined
      ? atEnd
        ? "failed"
        : "succeeded"
      : first.type === "run.cancel-requested"
        ? "cancelled"
        : first.type === "run.timed-out-requested"
          ? "timed-out"
          : "failed";
  // An interruption during finally nodes counts unless one of them has already failed the run.
  const inFinally = first !== undefined && run.events.slice(0, early).some((event) => isFatal(event, oracle));
  const expected = inFinally ? "failed" : meant;
  return run.state.status === expected ? [] : [`the run is ${run.state.status}, should be ${expected}`];
}

// plain: progress without a terminal: one plain line per change (spec 2.2).

import { placeOfFailure } from "../base/failure.ts";
import { shortRunId } from "../base/ids.ts";
import { count, oneLine } from "../base/text.ts";
import { duration } from "../base/time-text.ts";
import type { Budget } from "../scheduler/event.ts";
import type { Change } from "./progress.ts";
import { expired } from "./text.ts";

/** The line without its newline, or undefined for changes that need no line. */
export function plainLine(change: Change): string | undefined {
  switch (change.kind) {
    case "run-started":
      return change.subflow ? undefined : `run ${change.run} started: ${oneLine(change.name)}`;
    case "node-started":
      return change.number === 1 ? `${change.path} started` : `${change.path} started again (attempt ${change.number})`;
    case "node-adopted":
      return `${change.path} continues: its command was still running`;
    case "node-ended":
      return nodeEnded(change);
    case "run-reused":
      return `reuses the results of run ${shortRunId(change.run)}${change.from === undefined ? "" : `, and runs again from ${change.from}`}`;
    case "node-kept":
      return change.path.includes("[")
        ? undefined
        : `${change.path} kept${change.status === "failed" ? " (failed)" : ""}`;
    case "retry-waited":
      return `${placeOfFailure(change.path, change)} failed (attempt ${change.number}), trying again in ${duration(change.waitMs)}: ${oneLine(change.note)}`;
    case "budget-awaited":
      return `${change.path} waits for ${budgetText(change)}`;
    case "loop-started":
      if (change.lines) return `${change.path} has printed its first line`;
      return `${change.path} loop started${change.passes === undefined ? "" : `: ${count(change.passes, "iteration", "iterations")}`}`;
    case "loop-ended":
      if (change.lines) return `${change.path} has handled ${count(change.passes, "line")}`;
      return `${change.path} loop ended after ${count(change.passes, "iteration", "iterations")} in ${duration(change.durationMs)}`;
    case "approval-requested":
      return `${change.path} waits for an approval`;
    case "approval-answered":
      return `${change.path} ${change.granted ? "approved" : "rejected"} by ${oneLine(change.by)}`;
    case "approval-expired":
      return `${change.path} ${expired(change.as)}`;
    case "cancelling":
      return "cancelling";
    // The summary covers it.
    case "run-ended":
      return undefined;
    default:
      return change satisfies never;
  }
}

/** The budget a node waits for, and the time if known: `a rate budget (github), 12 s`. */
export function budgetText({ for: what, key, waitMs }: { for: Budget; key: string; waitMs?: number }): string {
  const name = `${what === "rate" ? "a rate budget" : "a concurrency slot"} (${oneLine(key)})`;
  return waitMs === undefined || waitMs <= 0 ? name : `${name}, ${duration(waitMs)}`;
}

function nodeEnded(change: Extract<Change, { kind: "node-ended" }>): string {
  const status = change.status === "timed-out" ? "timed out" : change.status;
  const time =
    change.durationMs === undefined
      ? ""
      : ` ${change.status === "succeeded" ? "in" : "after"} ${duration(change.durationMs)}`;
  const note =
    change.note === undefined ? "" : change.status === "skipped" ? ` (${change.note})` : `: ${oneLine(change.note)}`;
  return `${placeOfFailure(change.path, change)} ${status}${time}${note}`;
}

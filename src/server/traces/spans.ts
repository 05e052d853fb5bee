// spans: a run as spans of a trace: the run, and each attempt below it (spec 2.4). Made from its events when it has ended.
//   O1. Ids follow from the run's: a run told twice is the same trace, and the run of a subflow lies under the attempt that began it.
//   O2. Names, numbers and codes; never a command, value, output or address.

import { createHash } from "node:crypto";
import { limits } from "../../base/limits.ts";
import type { RunEvent } from "../../scheduler/event.ts";

export interface SpanData {
  name: string;
  traceId: string;
  spanId: string;
  parentId?: string;
  startMs: number;
  endMs: number;
  attributes: Record<string, string | number>;
  /** Code of the failure. */
  error?: string;
}

type Started = Extract<RunEvent, { type: "run.started" }>;

/** `outermost`: the run that contains this one, itself if there is none. Empty for what has no beginning. */
export function spansOf(events: readonly RunEvent[], outermost: string): SpanData[] {
  const [first] = events;
  const last = events.at(-1);
  if (first?.type !== "run.started" || last === undefined) return [];
  const traceId = hash(`trace ${outermost}`, 16);
  const root = runSpan(first, last, traceId);
  const attempts = attemptSpans(events, Date.parse(last.at), { traceId, parentId: root.spanId });
  const kept = attempts.slice(0, limits.tracedSpansMax);
  if (kept.length < attempts.length) root.attributes["curlew.attempts.left_out"] = attempts.length - kept.length;
  return [root, ...kept];
}

function runSpan(started: Started, last: RunEvent, traceId: string): SpanData {
  const status = last.type.replace(/^run\./, "");
  return {
    name: started.workflow.name,
    traceId,
    spanId: hash(`run ${started.run}`, 8),
    ...(started.parent === undefined ? {} : { parentId: hash(`into ${started.run}`, 8) }),
    startMs: Date.parse(started.at),
    endMs: Date.parse(last.at),
    attributes: {
      "curlew.run.id": started.run,
      "curlew.run.status": status,
      "curlew.run.trigger": started.trigger.kind,
      "curlew.workflow.name": started.workflow.name,
    },
    ...(status === "succeeded" ? {} : { error: last.type === "run.failed" ? last.failure.code : status }),
  };
}

function attemptSpans(
  events: readonly RunEvent[],
  endedMs: number,
  below: Pick<SpanData, "traceId" | "parentId">,
): SpanData[] {
  const spans = new Map<string, SpanData>();
  for (const event of events) {
    if (!event.type.startsWith("attempt.") || !("number" in event)) continue;
    const key = `${event.path} ${event.number}`;
    if (event.type === "attempt.started") {
      const { childRun } = event.detail;
      spans.set(key, {
        name: event.path,
        ...below,
        spanId: hash(childRun === undefined ? `attempt ${event.run} ${key}` : `into ${childRun}`, 8),
        startMs: Date.parse(event.at),
        endMs: endedMs,
        attributes: {
          "curlew.run.id": event.run,
          "curlew.node.id": event.node,
          "curlew.node.path": event.path,
          "curlew.attempt.number": event.number,
        },
      });
      continue;
    }
    const span = spans.get(key);
    const status = event.type.slice("attempt.".length);
    if (span === undefined || !ENDS.has(status)) continue;
    span.endMs = Math.max(span.startMs, Date.parse(event.at));
    span.attributes["curlew.attempt.status"] = status;
    if ("end" in event && event.end.exitCode !== undefined) span.attributes["curlew.exit_code"] = event.end.exitCode;
    if (status !== "succeeded") span.error = "failure" in event ? event.failure.code : status;
  }
  return [...spans.values()];
}

const ENDS = new Set(["succeeded", "failed", "timed-out", "cancelled", "lost", "not-started"]);

function hash(text: string, bytes: number): string {
  return createHash("sha256")
    .update(text)
    .digest("hex")
    .slice(0, 2 * bytes);
}

// Converts the events of a finished run to the spans of a trace: one for the run, one below it per attempt (spec 2.4).
//   O1. Ids are derived from the run's id, so sending a run again gives the same trace. A subflow's run
//       is below the attempt that started it.
//   O2. Spans contain names, numbers, and codes, but no commands, values, outputs, or URLs.
//   O3. At most limits.tracedSpansMax attempts are kept. The run's span says how many were left out.

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
  /** The failure's code. */
  error?: string;
}

type Started = Extract<RunEvent, { type: "run.started" }>;

/** Takes the events of a run in order. O3. */
export class RunSpans {
  private readonly traceId: string;
  private readonly attempts = new Map<string, SpanData>();
  private first: RunEvent | undefined;
  private last: RunEvent | undefined;
  private begun = 0;

  /** `outermost`: the id of the outermost run that contains this one, or its own id. */
  constructor(outermost: string) {
    this.traceId = hash(`trace ${outermost}`, 16);
  }

  take(event: RunEvent): void {
    this.first ??= event;
    this.last = event;
    if (!event.type.startsWith("attempt.") || !("number" in event)) return;
    const key = `${event.path} ${event.number}`;
    if (event.type === "attempt.started") {
      this.begun += 1;
      if (this.attempts.size < limits.tracedSpansMax) this.attempts.set(key, attemptSpan(event, key, this.traceId));
      return;
    }
    const span = this.attempts.get(key);
    if (span !== undefined) endAttempt(span, event);
  }

  /** Empty if the start event is missing. */
  made(): SpanData[] {
    const { first, last, attempts, begun } = this;
    if (first?.type !== "run.started" || last === undefined) return [];
    const root = runSpan(first, last, this.traceId);
    if (begun > attempts.size) root.attributes["curlew.attempts.left_out"] = begun - attempts.size;
    // An attempt without an end was abandoned when the run ended.
    const ended = [...attempts.values()].map((span) => (span.endMs < 0 ? { ...span, endMs: root.endMs } : span));
    return [root, ...ended];
  }
}

function runSpan(started: Started, last: RunEvent, traceId: string): SpanData {
  const status = last.type.replace(/^run\./, "");
  return {
    name: started.workflow.name,
    traceId,
    spanId: runSpanId(started.run),
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

type AttemptStarted = Extract<RunEvent, { type: "attempt.started" }>;

function attemptSpan({ run, node, path, number, at, detail }: AttemptStarted, key: string, traceId: string): SpanData {
  const { childRun } = detail;
  return {
    name: path,
    traceId,
    parentId: runSpanId(run),
    spanId: hash(childRun === undefined ? `attempt ${run} ${key}` : `into ${childRun}`, 8),
    startMs: Date.parse(at),
    endMs: NOT_ENDED,
    attributes: {
      "curlew.run.id": run,
      "curlew.node.id": node,
      "curlew.node.path": path,
      "curlew.attempt.number": number,
    },
  };
}

function endAttempt(span: SpanData, event: RunEvent): void {
  const status = event.type.slice("attempt.".length);
  if (!ENDS.has(status)) return;
  span.endMs = Math.max(span.startMs, Date.parse(event.at));
  span.attributes["curlew.attempt.status"] = status;
  if ("end" in event && event.end.exitCode !== undefined) span.attributes["curlew.exit_code"] = event.end.exitCode;
  if (status !== "succeeded")
    span.error = "failure" in event && event.failure !== undefined ? event.failure.code : status;
}

const NOT_ENDED = -1;

const ENDS = new Set(["succeeded", "failed", "timed-out", "cancelled", "lost", "not-started"]);

function runSpanId(run: string): string {
  return hash(`run ${run}`, 8);
}

function hash(text: string, bytes: number): string {
  return createHash("sha256")
    .update(text)
    .digest("hex")
    .slice(0, 2 * bytes);
}

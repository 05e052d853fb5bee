// progress: what to display while a run is active, as a fold of its events. Pure: times come with the events.
//   P1. `apply` returns the changes in words that both views share: plain lines (plain.ts) and the live area (live.ts).
//   P2. Memory grows with active work, not with finished work. Only a count is kept of finished iterations.
// Deliberately absent: statuses that decide anything. The scheduler's fold holds the state of a run.

import type { Failure } from "../base/failure.ts";
import type { AttemptEnd, Budget, RunEvent } from "../scheduler/event.ts";
import type { NodeType, Workflow } from "../workflow/model.ts";
import { type Loop, lineWentOn, loopWentOn } from "./progress-loops.ts";

export type EndStatus = "succeeded" | "failed" | "skipped" | "cancelled" | "timed-out" | "lost";

export type Change =
  | { kind: "run-started"; run: string; name: string; subflow: boolean }
  | { kind: "node-started"; path: string; number: number }
  | { kind: "node-adopted"; path: string }
  | {
      kind: "node-ended";
      path: string;
      node: string;
      status: EndStatus;
      durationMs?: number;
      note?: string;
      type?: NodeType | undefined;
    }
  | { kind: "run-goes-by"; run: string; from?: string }
  | { kind: "node-kept"; path: string; status: "succeeded" | "failed"; type?: NodeType | undefined }
  | { kind: "retry-waited"; path: string; number: number; waitMs: number; note: string }
  | { kind: "budget-awaited"; path: string; for: Budget; key: string; waitMs?: number }
  | { kind: "loop-started"; path: string; passes?: number; lines?: true }
  | { kind: "loop-ended"; path: string; passes: number; durationMs: number; lines?: true }
  | { kind: "approval-requested"; path: string }
  | { kind: "approval-answered"; path: string; granted: boolean; by: string }
  | { kind: "approval-expired"; path: string; as: "reject" | "approve" | "fail" }
  | { kind: "cancelling" }
  | {
      kind: "run-ended";
      run: string;
      status: "succeeded" | "failed" | "cancelled" | "timed-out";
      durationMs: number;
      subflow: boolean;
    };

export interface Running {
  path: string;
  startedAtMs: number;
  number: number;
  /** The newest bytes of the output, at most TAIL_BYTES. */
  tail: Uint8Array;
  command: string | undefined;
}

/** Enough for the longest line that a terminal shows. */
const TAIL_BYTES = 1_024;
const SKIPPED = {
  "branch-not-taken": "branch not taken",
  "run-ended": "run ended",
  "pass-failed": "its line failed",
  "not-wanted": "left out",
};
const NOTHING = new Uint8Array(0);

export class Progress {
  readonly running = new Map<string, Running>();
  readonly loops = new Map<string, Loop>();
  readonly retries = new Map<string, { path: string; number: number; atMs: number }>();
  readonly budgets = new Map<string, { path: string; for: Budget; key: string; untilMs?: number }>();
  readonly approvals = new Set<string>();
  readonly ended: Record<EndStatus, number> = {
    succeeded: 0,
    failed: 0,
    skipped: 0,
    cancelled: 0,
    "timed-out": 0,
    lost: 0,
  };
  /** The first failure, with the node's path. */
  firstFailure: { path: string; failure: Failure; command?: string | undefined } | undefined;
  /** Warnings of attempts that succeeded. */
  readonly warnings: { path: string; message: string }[] = [];
  /** Number of results reused from another run. */
  kept = 0;
  startedAtMs = 0;
  cancelling = false;
  private readonly types = new Map<string, NodeType>();
  private readonly titles = new Map<string, string>();
  private readonly silent = new Set<string>();
  private readonly prefixes = new Map<string, string>();
  private run: string | undefined;

  constructor(workflow?: Pick<Workflow, "nodes">) {
    for (const node of workflow?.nodes ?? []) {
      this.types.set(node.id, node.type);
      this.titles.set(node.id, node.data.title);
      if (node.type === "cli" && node.data.streamOutput === false) this.silent.add(node.id);
    }
  }

  /** Ids of the workflow's nodes. */
  get nodeIds(): Iterable<string> {
    return this.titles.keys();
  }

  title(path: string): string {
    return this.titles.get(path.replace(/\[.*$/, "")) ?? "";
  }

  apply(event: RunEvent): Change[] {
    const atMs = Date.parse(event.at);
    if (event.type === "run.started") return this.runStarted(event, atMs);
    const path = "path" in event ? this.shown(event.run, event.path) : "";
    switch (event.type) {
      case "attempt.started":
        this.retries.delete(path);
        this.budgets.delete(path);
        this.running.set(path, {
          path,
          startedAtMs: atMs,
          number: event.number,
          tail: NOTHING,
          command: event.detail.command,
        });
        return [{ kind: "node-started", path, number: event.number }];
      case "attempt.succeeded":
        // Warnings about the text of a command were shown before the run.
        for (const { code, message } of event.end.warnings ?? [])
          if (code !== "curl-unseen") this.warnings.push({ path, message });
        return this.attemptEnded(event, path, "succeeded");
      case "attempt.failed":
      case "attempt.timed-out":
      case "attempt.lost":
        return this.attemptFailed(event, path, atMs);
      case "attempt.cancelled":
        return this.attemptEnded(event, path, "cancelled");
      case "node.succeeded":
        return this.nodeEnded(
          path,
          event.node,
          "succeeded",
          event.branch === undefined ? undefined : String(event.branch),
        );
      case "node.failed":
        this.firstFailure ??= { path, failure: event.failure };
        this.approvals.delete(path);
        return this.nodeEnded(path, event.node, "failed", event.failure.message);
      case "node.kept":
        this.kept += 1;
        return [{ kind: "node-kept", path, status: event.status, type: this.types.get(event.node) }];
      case "node.skipped":
        return this.nodeEnded(path, event.node, "skipped", SKIPPED[event.reason]);
      case "budget.awaited":
        return this.budgetAwaited(event, path, atMs);
      case "budget.freed":
        return [];
      case "cache.answered":
        return this.nodeEnded(path, event.node, "succeeded", "from the cache");
      case "loop.started":
        this.loops.set(path, { path, startedAtMs: atMs, passes: event.passes, begun: 0, ended: 0 });
        return [{ kind: "loop-started", path, ...(event.passes === undefined ? {} : { passes: event.passes }) }];
      case "line.received":
      case "lines.ended":
        return lineWentOn(this.loops, event, path, atMs);
      case "pass.failed":
      case "pass.started":
      case "pass.succeeded":
      case "loop.exhausted":
        return loopWentOn(this.loops, event, path, atMs);
      case "approval.requested":
        this.approvals.add(path);
        return [{ kind: "approval-requested", path }];
      case "approval.granted":
      case "approval.rejected":
        this.approvals.delete(path);
        // A rejected node has failed. No other event reports it.
        if (event.type === "approval.rejected") this.ended.failed += 1;
        return [{ kind: "approval-answered", path, granted: event.type === "approval.granted", by: event.by }];
      case "approval.expired":
        this.approvals.delete(path);
        if (event.as !== "approve") this.ended.failed += 1;
        return [{ kind: "approval-expired", path, as: event.as }];
      // The subflow's own events report this wait.
      case "attempt.paused":
      case "attempt.resumed":
        return [];
      case "attempt.adopted":
        this.running.set(path, {
          path,
          startedAtMs: atMs,
          number: event.number,
          tail: NOTHING,
          command: undefined,
        });
        return [{ kind: "node-adopted", path }];
      case "attempt.not-started":
        this.running.delete(path);
        return [];
      case "run.cancel-requested":
      case "run.timed-out-requested":
        if (this.prefixes.has(event.run)) return [];
        this.cancelling = true;
        return [{ kind: "cancelling" }];
      case "run.succeeded":
      case "run.failed":
      case "run.cancelled":
      case "run.timed-out":
        return this.runEnded(event, atMs);
      default:
        return event satisfies never;
    }
  }

  /** Ids of unfinished subflow runs in these events. Their paths are recorded, and their start is not shown again. */
  begun(run: string, events: readonly RunEvent[]): string[] {
    const open = new Map<string, string>();
    for (const event of events) {
      if (event.type === "attempt.started" && event.detail.childRun !== undefined)
        open.set(event.path, event.detail.childRun);
      else if (event.type.startsWith("attempt.") && "end" in event) open.delete(event.path);
    }
    for (const [path, child] of open) this.prefixes.set(child, `${this.shown(run, path)}/`);
    return [...open.values()];
  }

  output(run: string, path: string, bytes: Uint8Array): void {
    const running = this.running.get(this.shown(run, path));
    if (running === undefined || this.silent.has(path.replace(/\[.*$/, ""))) return;
    if (bytes.length >= TAIL_BYTES) running.tail = bytes.slice(-TAIL_BYTES);
    else
      running.tail = Buffer.concat([
        running.tail.subarray(Math.max(0, running.tail.length + bytes.length - TAIL_BYTES)),
        bytes,
      ]);
  }

  private runStarted(event: Extract<RunEvent, { type: "run.started" }>, atMs: number): Change[] {
    const subflow = this.run !== undefined && event.parent !== undefined;
    if (subflow && event.parent !== undefined)
      this.prefixes.set(event.run, `${this.shown(event.parent.run, event.parent.path)}/`);
    else {
      this.run = event.run;
      this.startedAtMs = atMs;
    }
    const told: Change[] = [{ kind: "run-started", run: event.run, name: event.workflow.name, subflow }];
    const { again } = event;
    if (again !== undefined && !subflow)
      told.push({ kind: "run-goes-by", run: again.run, ...(again.from === undefined ? {} : { from: again.from }) });
    return told;
  }

  private attemptEnded(
    event: { node: string; end: AttemptEnd },
    path: string,
    status: EndStatus,
    failure?: Failure,
  ): Change[] {
    this.running.delete(path);
    return this.nodeEnded(path, event.node, status, failure?.message, event.end.durationMs);
  }

  /** Reported once. A later time for the same wait only updates the display. */
  private budgetAwaited(event: Extract<RunEvent, { type: "budget.awaited" }>, path: string, atMs: number): Change[] {
    const before = this.budgets.get(path);
    const untilMs = event.until === undefined ? undefined : Date.parse(event.until);
    this.retries.delete(path);
    this.budgets.set(path, { path, for: event.for, key: event.key, ...(untilMs === undefined ? {} : { untilMs }) });
    if (before?.for === event.for && before.key === event.key) return [];
    const waitMs = untilMs === undefined ? {} : { waitMs: untilMs - atMs };
    return [{ kind: "budget-awaited", path, for: event.for, key: event.key, ...waitMs }];
  }

  private attemptFailed(
    event: Extract<RunEvent, { type: "attempt.failed" | "attempt.timed-out" | "attempt.lost" }>,
    path: string,
    atMs: number,
  ): Change[] {
    if (event.retryAt !== undefined) {
      this.running.delete(path);
      const retryAtMs = Date.parse(event.retryAt);
      this.retries.set(path, { path, number: event.number + 1, atMs: retryAtMs });
      return [
        { kind: "retry-waited", path, number: event.number, waitMs: retryAtMs - atMs, note: event.failure.message },
      ];
    }
    this.firstFailure ??= { path, failure: event.failure, command: this.running.get(path)?.command };
    const status =
      event.type === "attempt.failed" ? "failed" : event.type === "attempt.timed-out" ? "timed-out" : "lost";
    const startedAtMs = this.running.get(path)?.startedAtMs ?? atMs;
    const end = event.type === "attempt.lost" ? { durationMs: atMs - startedAtMs } : event.end;
    return this.attemptEnded({ node: event.node, end }, path, status, event.failure);
  }

  private nodeEnded(path: string, node: string, status: EndStatus, note?: string, durationMs?: number): Change[] {
    this.ended[status] += 1;
    this.budgets.delete(path);
    this.running.delete(path);
    return [
      {
        kind: "node-ended",
        path,
        node,
        status,
        type: this.types.get(path.replace(/\[.*$/, "")),
        ...(note === undefined ? {} : { note }),
        ...(durationMs === undefined ? {} : { durationMs }),
      },
    ];
  }

  private runEnded(
    event: Extract<RunEvent, { type: "run.succeeded" | "run.failed" | "run.cancelled" | "run.timed-out" }>,
    atMs: number,
  ): Change[] {
    const subflow = this.prefixes.has(event.run);
    const status = event.type.slice("run.".length) as "succeeded" | "failed" | "cancelled" | "timed-out";
    return [{ kind: "run-ended", run: event.run, status, durationMs: atMs - this.startedAtMs, subflow }];
  }

  /** A node of a subflow is shown with the path of the subflow's node first. */
  private shown(run: string, path: string): string {
    return (this.prefixes.get(run) ?? "") + path;
  }
}

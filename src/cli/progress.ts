// progress: what to display while a run is active, as a fold of its events. Pure: times come with the events.
//   P1. `apply` returns the changes in words that both views share: plain lines (plain.ts) and the live area (live.ts).
//   P2. Memory grows with active work, not with finished work. Only a count is kept of finished iterations.

import type { AttemptEnd, Warning } from "../base/attempt.ts";
import type { Failure } from "../base/failure.ts";
import type { Budget, RunEnd, RunEvent } from "../scheduler/event.ts";
import type { NodeType, Workflow } from "../workflow/model.ts";

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
      /** Loop variables of a failure: `i = 3`. */
      loop?: string;
      type?: NodeType | undefined;
    }
  | { kind: "run-reused"; run: string; from?: string }
  | { kind: "node-kept"; path: string; status: "succeeded" | "failed"; type?: NodeType | undefined }
  | { kind: "retry-waited"; path: string; number: number; waitMs: number; note: string; loop?: string }
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

export interface FailedNode {
  path: string;
  failure: Failure;
  command?: string | undefined;
  /** The command is the prompt of a language model. */
  isPrompt?: boolean | undefined;
}

export interface Running {
  path: string;
  startedAtMs: number;
  number: number;
  /** The newest bytes of the output, at most TAIL_BYTES. */
  tail: Uint8Array;
  command: string | undefined;
  isPrompt: boolean;
}

export interface Loop {
  path: string;
  startedAtMs: number;
  passes: number | undefined;
  begun: number;
  ended: number;
  /** Lines received by a listener. */
  received?: number;
}

/** Enough for the longest line that a terminal shows. */
const TAIL_BYTES = 1_024;
const SKIPPED = {
  "branch-not-taken": "branch not taken",
  "run-ended": "run ended",
  "pass-failed": "its line failed",
  "not-wanted": "left out",
  "no-failure": "no failure",
};
const NO_OUTPUT = new Uint8Array(0);

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
  firstFailure: FailedNode | undefined;
  /** Warnings of attempts that succeeded, and misspelt members, which decide whether a failed one is retried. */
  readonly warnings: { path: string; message: string }[] = [];
  private readonly warned = new Set<string>();
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
      if ("streamOutput" in node.data && node.data.streamOutput === false) this.silent.add(node.id);
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
      case "attempt.adopted":
        return this.attemptBegan(event, path, atMs);
      case "attempt.succeeded":
        this.warn(path, event.end.warnings);
        return this.attemptEnded(event, path, "succeeded");
      case "attempt.failed":
      case "attempt.timed-out":
      case "attempt.lost":
        return this.attemptFailed(event, path, atMs);
      case "attempt.cancelled":
        return this.attemptEnded(event, path, "cancelled");
      case "node.succeeded":
        this.warn(path, event.warnings);
        return this.nodeEnded(path, event.node, "succeeded", event.branch?.toString());
      case "node.failed":
        this.firstFailure ??= { path, failure: event.failure };
        this.approvals.delete(path);
        return this.nodeEnded(path, event.node, "failed", event.failure);
      case "node.kept":
        this.kept += 1;
        return [{ kind: "node-kept", path, status: event.status, type: this.types.get(event.node) }];
      case "node.skipped":
        return this.nodeEnded(path, event.node, "skipped", SKIPPED[event.reason]);
      case "budget.awaited":
        return this.budgetAwaited(event, path, atMs);
      case "cache.answered":
        return this.nodeEnded(path, event.node, "succeeded", "from the cache");
      case "loop.started":
        this.warn(path, event.warnings);
        this.loops.set(path, { path, startedAtMs: atMs, passes: event.passes, begun: 0, ended: 0 });
        return [{ kind: "loop-started", path, passes: event.passes }];
      case "line.received":
      case "lines.ended":
        return linesChanged(this.loops, event, path, atMs);
      case "pass.failed":
      case "pass.started":
      case "pass.succeeded":
      case "loop.exhausted":
        return loopChanged(this.loops, event, path, atMs);
      case "approval.requested":
      case "approval.granted":
      case "approval.rejected":
      case "approval.expired":
        return this.approvalChanged(event, path);
      // The subflow's own events report this wait.
      case "attempt.paused":
      case "attempt.resumed":
      case "budget.freed":
        return [];
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

  /** Warnings about the text of a command were shown before the run. */
  private warn(path: string, warnings: readonly Warning[] = []): void {
    for (const { code, message } of warnings) {
      const key = `${path} ${message}`;
      if (code === "curl-unseen" || this.warned.has(key)) continue;
      this.warned.add(key);
      this.warnings.push({ path, message });
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
    const changes: Change[] = [{ kind: "run-started", run: event.run, name: event.workflow.name, subflow }];
    const { again } = event;
    if (again !== undefined && !subflow) changes.push({ kind: "run-reused", run: again.run, from: again.from });
    return changes;
  }

  private attemptBegan(
    event: Extract<RunEvent, { type: "attempt.started" | "attempt.adopted" }>,
    path: string,
    startedAtMs: number,
  ): Change[] {
    const { number } = event;
    const isNew = event.type === "attempt.started";
    if (isNew) {
      this.retries.delete(path);
      this.budgets.delete(path);
    }
    const command = isNew ? event.detail.command : undefined;
    // The attempts of commands have a shell. Those of subflows name the file as their command.
    const isCommand = this.types.get(event.node) === "subflow" || (isNew && event.detail.shell !== undefined);
    const isPrompt = command !== undefined && !isCommand;
    this.running.set(path, { path, startedAtMs, number, tail: NO_OUTPUT, command, isPrompt });
    return [isNew ? { kind: "node-started", path, number } : { kind: "node-adopted", path }];
  }

  /** No other event reports the failure of a node that was rejected or not answered in time. */
  private approvalChanged(event: Extract<RunEvent, { type: `approval.${string}` }>, path: string): Change[] {
    if (event.type === "approval.requested") {
      this.approvals.add(path);
      return [{ kind: "approval-requested", path }];
    }
    this.approvals.delete(path);
    if (event.type === "approval.expired") {
      if (event.as !== "approve") this.ended.failed += 1;
      return [{ kind: "approval-expired", path, as: event.as }];
    }
    const granted = event.type === "approval.granted";
    if (!granted) this.ended.failed += 1;
    return [{ kind: "approval-answered", path, granted, by: event.by }];
  }

  private attemptEnded(
    event: { node: string; end: AttemptEnd },
    path: string,
    status: EndStatus,
    failure?: Failure,
  ): Change[] {
    this.running.delete(path);
    return this.nodeEnded(path, event.node, status, failure, event.end.durationMs);
  }

  /** Reported once. A later time for the same wait only updates the display. */
  private budgetAwaited(event: Extract<RunEvent, { type: "budget.awaited" }>, path: string, atMs: number): Change[] {
    const before = this.budgets.get(path);
    const untilMs = event.until === undefined ? undefined : Date.parse(event.until);
    this.retries.delete(path);
    this.budgets.set(path, { path, for: event.for, key: event.key, untilMs });
    if (before?.for === event.for && before.key === event.key) return [];
    const waitMs = untilMs === undefined ? undefined : untilMs - atMs;
    return [{ kind: "budget-awaited", path, for: event.for, key: event.key, waitMs }];
  }

  private attemptFailed(
    event: Extract<RunEvent, { type: "attempt.failed" | "attempt.timed-out" | "attempt.lost" }>,
    path: string,
    atMs: number,
  ): Change[] {
    this.warn(path, "end" in event ? event.end?.warnings?.filter(isMisspelt) : undefined);
    if (event.retryAt !== undefined) {
      this.running.delete(path);
      const retryAtMs = Date.parse(event.retryAt);
      this.retries.set(path, { path, number: event.number + 1, atMs: retryAtMs });
      const { message: note, loop } = event.failure;
      return [{ kind: "retry-waited", path, number: event.number, waitMs: retryAtMs - atMs, note, loop }];
    }
    const { command, isPrompt } = this.running.get(path) ?? {};
    this.firstFailure ??= { path, failure: event.failure, command, isPrompt };
    const status =
      event.type === "attempt.failed" ? "failed" : event.type === "attempt.timed-out" ? "timed-out" : "lost";
    const startedAtMs = this.running.get(path)?.startedAtMs ?? atMs;
    const end = event.type === "attempt.lost" ? { durationMs: atMs - startedAtMs } : event.end;
    return this.attemptEnded({ node: event.node, end }, path, status, event.failure);
  }

  private nodeEnded(
    path: string,
    node: string,
    status: EndStatus,
    why?: string | Failure,
    durationMs?: number,
  ): Change[] {
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
        note: typeof why === "string" ? why : why?.message,
        loop: typeof why === "string" ? undefined : why?.loop,
        durationMs,
      },
    ];
  }

  private runEnded(event: RunEnd, atMs: number): Change[] {
    const subflow = this.prefixes.has(event.run);
    const status = event.type.slice("run.".length) as "succeeded" | "failed" | "cancelled" | "timed-out";
    return [{ kind: "run-ended", run: event.run, status, durationMs: atMs - this.startedAtMs, subflow }];
  }

  /** The path of the subflow node that this run belongs to. Undefined for the outermost run. */
  inside(run: string): string | undefined {
    return this.prefixes.get(run)?.slice(0, -1);
  }

  /** A node of a subflow is shown with the path of the subflow's node first. */
  shown(run: string, path: string): string {
    return (this.prefixes.get(run) ?? "") + path;
  }
}

type Loops = Map<string, Loop>;

function isMisspelt({ code }: Warning): boolean {
  return code === "expression-member";
}

function loopChanged(
  loops: Loops,
  event: Extract<RunEvent, { type: "pass.started" | "pass.succeeded" | "pass.failed" | "loop.exhausted" }>,
  path: string,
  atMs: number,
): Change[] {
  const loop = loops.get(event.type === "loop.exhausted" ? path : path.replace(/\[\d+\]$/, ""));
  if (loop === undefined) return [];
  if (event.type === "pass.started") loop.begun += 1;
  if (event.type === "loop.exhausted") loop.passes = event.passes;
  if (event.type === "pass.succeeded" || event.type === "pass.failed") loop.ended += 1;
  if (event.type === "pass.succeeded" && event.last) loop.passes = loop.begun;
  return mayEnd(loops, loop, atMs);
}

/** A listener's lines are shown as a loop, starting with the first line. */
function linesChanged(
  loops: Loops,
  event: Extract<RunEvent, { type: "line.received" | "lines.ended" }>,
  path: string,
  atMs: number,
): Change[] {
  const known = loops.get(path);
  if (event.type === "lines.ended") {
    if (known === undefined) return [];
    known.passes = known.received;
    return mayEnd(loops, known, atMs);
  }
  const loop = known ?? { path, startedAtMs: atMs, passes: undefined, begun: 0, ended: 0, received: 0 };
  loop.received = (loop.received ?? 0) + 1;
  loop.passes = undefined;
  loops.set(path, loop);
  return known === undefined ? [{ kind: "loop-started", path, lines: true }] : [];
}

function mayEnd(loops: Loops, loop: Loop, atMs: number): Change[] {
  if (loop.passes === undefined || loop.ended < loop.passes) return [];
  loops.delete(loop.path);
  const lines = loop.received === undefined ? undefined : true;
  const durationMs = atMs - loop.startedAtMs;
  return [{ kind: "loop-ended", path: loop.path, passes: loop.ended, durationMs, lines }];
}

// Schemas for runs, their events and outputs, and approvals.

import * as z from "zod/mini";
import type { ApprovalDetail } from "../../base/approval-detail.ts";
import type * as event from "../../scheduler/event.ts";
import { START_KINDS } from "../../scheduler/start-kind.ts";
import type { RunView } from "../../scheduler/view.ts";
import {
  anything,
  asked,
  count,
  DeliveryStatus,
  describes,
  Failure,
  FailureInShort,
  flag,
  many,
  maybe,
  onlyTrue,
  open,
  page,
  RunStatus,
  table,
  text,
  time,
  word,
} from "./common.ts";

const StartKind = z.enum(START_KINDS);
const Trigger = open({ kind: text, by: maybe(text), at: maybe(text) });

/**
 * Newest first. `kind`: what started it. `path` is relative to the served folder. `failure`: where and why it failed.
 * `stuck`: why the server cannot resume it. `machine`: which one of a cluster drives it.
 */
export const RunItem = z.object({
  id: text,
  workflow: text,
  path: maybe(text),
  file: text,
  status: RunStatus,
  trigger: Trigger,
  kind: StartKind,
  startedAt: time,
  endedAt: maybe(time),
  durationMs: maybe(z.number()),
  waiting: count,
  failure: maybe(FailureInShort),
  stuck: maybe(Failure),
  machine: maybe(text),
});
export const RunPage = page(RunItem);

/** Slices are `stepMs` long and begin at `since`. `runs`: their number by status. Slices without runs are left out. */
export const RunCounts = z.object({
  since: time,
  until: time,
  stepMs: count,
  items: many(z.object({ at: time, runs: table(count) })),
});

const AttemptView = z.looseObject({
  number: count,
  status: z.enum(["running", "succeeded", "failed", "cancelled", "timed-out", "lost"]),
  cause: maybe(text),
  exitCode: maybe(z.int()),
  signal: maybe(text),
  startedAt: time,
  endedAt: maybe(time),
  durationMs: maybe(z.number()),
  command: maybe(text),
  env: maybe(many(text)),
  stdin: maybe(z.object({ bytes: count, sha256: text })),
  stdout: maybe(z.looseObject({ bytes: count })),
  stderr: maybe(z.looseObject({ bytes: count })),
  http: many(z.looseObject({ method: text, url: text })),
});

const NodeView = z.looseObject({
  id: text,
  path: text,
  title: text,
  type: text,
  status: z.enum(["pending", "waiting", "running", "succeeded", "failed", "skipped", "cancelled"]),
  waitingFor: maybe(text),
  runsOn: maybe(many(text)),
  value: maybe(text),
  failure: maybe(Failure),
  attempts: many(AttemptView),
});

export const Run = describes<RunView>(
  z.looseObject({
    id: text,
    workflow: text,
    file: text,
    status: RunStatus,
    trigger: Trigger,
    again: maybe(z.looseObject({ run: text, from: maybe(text) })),
    only: maybe(
      z.object({ node: maybe(text), to: maybe(text), run: maybe(text), pinned: maybe(many(text)), result: text }),
    ),
    runsOn: maybe(many(text)),
    inputs: table(anything),
    startedAt: time,
    endedAt: maybe(time),
    durationMs: maybe(z.number()),
    result: maybe(text),
    resultSkipped: maybe(many(text)),
    failure: maybe(z.object({ node: text, path: text, failure: Failure })),
    nodes: many(NodeView),
  }),
);

/**
 * `from`: this node and all nodes after it run again. `rerun`: these nodes too. `all`: everything. `current`: use the
 * current file.
 */
export const RetryRun = asked({
  from: maybe(text),
  rerun: maybe(many(text)),
  all: maybe(z.boolean()),
  current: maybe(z.boolean()),
  approve: maybe(many(text)),
}).check(
  z.refine(
    ({ all, from, rerun }) => all !== true || (from === undefined && rerun === undefined),
    "`all` keeps nothing; `from` and `rerun` say what is not kept",
  ),
);

/**
 * `again`: the results of that run before `from` are reused. `only`: run one node (`node`), or everything up to it
 * (`to`). The values of its parents come from `run` or from `pinned`. `secrets`: values for this run only.
 */
export const StartRun = asked({
  inputs: maybe(table(anything)),
  again: maybe(asked({ run: word, from: maybe(word) })),
  only: maybe(
    asked({ node: maybe(word), to: maybe(word), run: maybe(word), pinned: maybe(table(text)) }).check(
      z.refine(({ node, to }) => (node === undefined) !== (to === undefined), "name either `node` or `to`"),
    ),
  ),
  secrets: maybe(table(text)),
  approve: maybe(many(text)),
});
export const StartedRun = z.object({ id: text, status: RunStatus, result: maybe(text) });

/** docs/reference/events.md lists the types and their members. */
export const RunEvent = describes<event.RunEvent>(z.looseObject({ seq: count, at: time, run: text, type: text }));
export const RunEventPage = page(RunEvent);

const stream = z.enum(["stdout", "stderr"]);
/**
 * `bytes` and `lines` count the whole output written so far. `estimated`: the lines are still being counted.
 * `firstLine` starts at 1. `before` and `after` are cursors. `complete`: the output will not grow.
 */
export const OutputLines = z.object({
  bytes: count,
  lines: count,
  estimated: maybe(onlyTrue),
  firstLine: count,
  items: many(z.object({ stream, text, at: maybe(time) })),
  before: maybe(text),
  after: maybe(text),
  complete: flag,
});
/** A browser can download from this URL once, within a minute, without a token. */
export const DownloadLink = z.object({ url: text });

/** `next`: the line to continue from, absent at the end. `cut`: only the first 1 MB of a long line was searched. */
export const OutputMatches = z.object({
  items: many(z.object({ line: count, start: count, end: count, text })),
  next: maybe(count),
  cut: maybe(onlyTrue),
});

/**
 * A message of `GET /events`. `output`: new output of a running attempt, never repeated. A
 * `document` without `etag` was removed.
 * `stuck`: the server cannot resume the run, or has resumed it after all. `live`: all missed events have been sent.
 */
export const StreamMessage = z.union([
  z.object({ kind: z.literal("run"), event: RunEvent, position: count }),
  z.object({ kind: z.literal("output"), run: text, path: text, number: count, stream, text }),
  z.object({ kind: z.literal("document"), path: text, etag: maybe(text) }),
  z.object({ kind: z.literal("delivery"), id: text, hook: text, status: DeliveryStatus }),
  z.object({ kind: z.literal("stuck"), run: text }),
  z.object({ kind: z.literal("removed"), run: text }),
  z.object({ kind: z.literal("live"), position: count }),
]);

/**
 * `id` names only this request. `path` is the node's path in the run, `sub/gate` inside a subflow.
 * `lastApproved`: the last approval of this node.
 */
export const ApprovalItem = z.object({
  id: text,
  run: text,
  workflow: text,
  workflowPath: maybe(text),
  path: text,
  title: text,
  requestedAt: time,
  expiresAt: maybe(time),
  onTimeout: maybe(z.enum(["reject", "approve", "fail"])),
  hash: text,
  reasons: many(z.object({ code: text, message: text })),
  prompt: maybe(text),
  again: maybe(text),
  detail: describes<ApprovalDetail>(
    z.object({
      command: text,
      rendered: text,
      wholeProgram: maybe(onlyTrue),
      shell: maybe(text),
      cwd: maybe(text),
      sandbox: maybe(text),
      egress: maybe(text),
      timeout: maybe(text),
      model: maybe(text),
      values: many(z.object({ name: text, text, bytes: count, secret: maybe(onlyTrue) })),
      env: maybe(many(text)),
      stdin: maybe(z.object({ bytes: count, sha256: text, preview: text })),
    }),
  ),
  lastApproved: maybe(
    z.object({
      ...{ by: text, at: time, identical: flag, diff: maybe(text) },
      edited: maybe(z.object({ from: text, to: text })),
    }),
  ),
});
export const ApprovalPage = page(ApprovalItem);
export const ApprovalAnswer = z.object({ run: text, path: text, answer: z.enum(["granted", "rejected"]) });
/** `edited`: the complete program text to run instead. */
export const GrantRequest = asked({ edited: maybe(text) });
export const RejectRequest = asked({ reason: maybe(text) });

// runs: schemas of runs, their events and outputs, and of approvals (spec 2.4, 2.7). Checked against shapes.ts by checked.ts.

import * as z from "zod/mini";
import {
  anything,
  count,
  DeliveryStatus,
  Failure,
  FailureInShort,
  flag,
  many,
  maybe,
  onlyTrue,
  RunStatus,
  table,
  text,
  time,
} from "./common.ts";

const Trigger = z.looseObject({ kind: text, by: maybe(text) });

export const RunItem = z.object({
  id: text,
  workflow: text,
  path: maybe(text),
  file: text,
  status: RunStatus,
  trigger: Trigger,
  startedAt: time,
  endedAt: maybe(time),
  durationMs: maybe(z.number()),
  waiting: count,
  failure: maybe(FailureInShort),
  stuck: maybe(Failure),
});
export const RunPage = z.object({ items: many(RunItem), next: maybe(text) });

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
  value: maybe(text),
  failure: maybe(Failure),
  attempts: many(AttemptView),
});

export const Run = z.looseObject({
  id: text,
  workflow: text,
  file: text,
  status: RunStatus,
  trigger: Trigger,
  again: maybe(z.looseObject({ run: text, from: maybe(text) })),
  only: maybe(
    z.object({ node: maybe(text), to: maybe(text), run: maybe(text), pinned: maybe(many(text)), result: text }),
  ),
  inputs: table(anything),
  startedAt: time,
  endedAt: maybe(time),
  durationMs: maybe(z.number()),
  result: maybe(text),
  failure: maybe(z.object({ node: text, path: text, failure: Failure })),
  nodes: many(NodeView),
});

export const RetryRun = z.object({
  from: maybe(text),
  anew: maybe(many(text)),
  all: maybe(z.boolean()),
  current: maybe(z.boolean()),
  approve: maybe(many(text)),
});

export const StartRun = z.object({
  inputs: maybe(table(anything)),
  again: maybe(z.object({ run: text, from: maybe(text) })),
  only: maybe(z.object({ node: maybe(text), to: maybe(text), run: maybe(text), pinned: maybe(table(text)) })),
  secrets: maybe(table(text)),
  approve: maybe(many(text)),
});
export const StartedRun = z.object({ id: text, status: RunStatus, result: maybe(text) });

/** docs/reference/events.md lists the types and what each says. */
export const RunEvent = z.looseObject({ seq: count, at: time, run: text, type: text });
export const RunEventPage = z.object({ items: many(RunEvent), next: maybe(text) });

const stream = z.enum(["stdout", "stderr"]);
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
export const DownloadLink = z.object({ url: text });

export const OutputMatches = z.object({
  items: many(z.object({ line: count, start: count, end: count, text })),
  next: maybe(count),
  cut: maybe(onlyTrue),
});

export const StreamMessage = z.union([
  z.object({ kind: z.literal("run"), event: RunEvent, position: count }),
  z.object({ kind: z.literal("output"), run: text, path: text, number: count, stream, text }),
  z.object({ kind: z.literal("document"), path: text, etag: maybe(text) }),
  z.object({ kind: z.literal("delivery"), id: text, hook: text, status: DeliveryStatus }),
  z.object({ kind: z.literal("stuck"), run: text }),
  z.object({ kind: z.literal("removed"), run: text }),
  z.object({ kind: z.literal("live"), position: count }),
]);

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
  detail: z.object({
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
  lastApproved: maybe(
    z.object({
      ...{ by: text, at: time, identical: flag, diff: maybe(text) },
      edited: maybe(z.object({ from: text, to: text })),
    }),
  ),
});
export const ApprovalPage = z.object({ items: many(ApprovalItem), next: maybe(text) });
export const ApprovalAnswer = z.object({ run: text, path: text, answer: z.enum(["granted", "rejected"]) });
export const GrantRequest = z.object({ edited: maybe(text) });
export const RejectRequest = z.object({ reason: text });

// Schemas for the workflow files of the served folder, previews, and imports.

import * as z from "zod/mini";
import type * as model from "../../workflow/model.ts";
import {
  anything,
  asked,
  count,
  Diagnostic,
  describes,
  FailureInShort,
  many,
  maybe,
  onlyTrue,
  problemWith,
  RunStatus,
  TriggerKind,
  table,
  text,
  time,
} from "./common.ts";

const InputSpec = describes<model.InputSpec>(
  z.looseObject({
    type: z.enum(["string", "integer", "number", "boolean", "object", "array"]),
    description: maybe(text),
    required: maybe(z.boolean()),
    default: maybe(anything),
  }),
);
/** Only the newest run has a `failure`. */
export const RunBar = z.object({
  id: text,
  status: RunStatus,
  startedAt: time,
  durationMs: maybe(z.number()),
  failure: maybe(FailureInShort),
});
/**
 * `path` is relative to the served folder, with `/`. `etag` is the strong entity tag of the text, with its quotes.
 * `inert`: it was imported, and one of its commands has not been approved yet.
 * `stuck` counts runs that the server cannot resume. `recent` has the last 20 runs, newest last.
 */
export const WorkflowItem = z.object({
  path: text,
  name: text,
  description: maybe(text),
  etag: text,
  modifiedAt: time,
  bytes: count,
  errors: count,
  warnings: count,
  nodes: count,
  inputs: table(InputSpec),
  triggers: many(TriggerKind),
  inert: maybe(z.boolean()),
  nextAt: maybe(time),
  running: count,
  waiting: count,
  stuck: count,
  recent: many(RunBar),
});
/** `cut`: the folder has more files, or deeper folders, than are listed. */
export const WorkflowList = z.object({ items: many(WorkflowItem), next: maybe(text), cut: maybe(onlyTrue) });
export const WorkflowDocument = z.object({
  path: text,
  text,
  etag: text,
  modifiedAt: time,
  diagnostics: many(Diagnostic),
});
/** `commit`: the id of the commit at git's HEAD. `absent`: instead of the text, why git has none. */
export const CommittedDocument = z.object({
  path: text,
  text: maybe(text),
  commit: maybe(text),
  committedAt: maybe(time),
  absent: maybe(text),
});
export const DocumentChange = asked({ text });
/** `to`: the new path in the served folder. */
export const RenameRequest = asked({ to: text });
/** `current` is absent if the document was removed. */
export const DocumentConflict = problemWith({ current: maybe(WorkflowDocument) });
/**
 * `path`: where the text would be saved, which matters for the files it refers to.
 * Absent: directly in the served folder.
 */
export const ValidateRequest = asked({ text, path: maybe(text) });
export const ValidateResult = z.object({ diagnostics: many(Diagnostic) });

export const PreviewRequest = asked({ path: text, text, inputs: maybe(table(anything)), node: maybe(text) });
/** Why the command needs approval. */
const asks = maybe(many(z.object({ code: text, message: text })));
/**
 * In reading order. Secrets, and values known only during the run, are shown as `‹name›`.
 * `command` is the program, text, condition, or prompt. `loops`: the loops around it, outermost first.
 * `after`: the nodes that must be finished or skipped first. `inside`: the approvals in a subflow.
 */
export const PreviewStep = z.object({
  id: text,
  title: text,
  type: text,
  command: text,
  loops: many(text),
  after: many(text),
  onFailure: maybe(z.boolean()),
  finally: maybe(z.boolean()),
  shell: maybe(text),
  cwd: maybe(text),
  env: maybe(many(text)),
  stdin: maybe(text),
  model: maybe(text),
  system: maybe(text),
  inputs: maybe(table(text)),
  inside: maybe(many(z.object({ path: text, title: text, command: text, approval: maybe(text), asks }))),
  asks,
  approval: maybe(text),
  sandbox: maybe(text),
  egress: maybe(text),
  auth: maybe(text),
  timeout: maybe(text),
});
export const PreviewPage = z.object({ items: many(PreviewStep) });
export const ImportRequest = asked({ source: text });
/** `secrets`: the names of secrets that replace credentials found in the text. */
export const ImportResult = z.object({ text, secrets: many(text), diagnostics: many(Diagnostic) });

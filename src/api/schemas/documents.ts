// documents: schemas of the workflow files of the served folder, and of previews and imports.

import * as z from "zod/mini";
import type * as model from "../../workflow/model.ts";
import {
  anything,
  count,
  Diagnostic,
  describes,
  FailureInShort,
  many,
  maybe,
  onlyTrue,
  problemWith,
  RunStatus,
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
/** `failure` of the newest run alone. */
export const RunBar = z.object({
  id: text,
  status: RunStatus,
  startedAt: time,
  durationMs: maybe(z.number()),
  failure: maybe(FailureInShort),
});
/**
 * `path` is relative to the served folder, with `/`. `etag` is the strong entity tag of the text, with its quotes. `inert`: it was imported, and
 * one of its commands was not seen yet. `stuck` counts runs that the server cannot continue. `recent` has the last twenty, newest last.
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
  triggers: many(z.enum(["schedule", "webhook", "file"])),
  inert: maybe(z.boolean()),
  nextAt: maybe(time),
  running: count,
  waiting: count,
  stuck: count,
  recent: many(RunBar),
});
/** `cut`: the folder holds more, or deeper, than is listed. */
export const WorkflowList = z.object({ items: many(WorkflowItem), next: maybe(text), cut: maybe(onlyTrue) });
export const WorkflowDocument = z.object({
  path: text,
  text,
  etag: text,
  modifiedAt: time,
  diagnostics: many(Diagnostic),
});
export const DocumentChange = z.object({ text });
/** `current` is absent when the document was removed. */
export const DocumentConflict = problemWith({ current: maybe(WorkflowDocument) });
/** `path`: where the text would be, for files that it names. Absent: in the served folder itself. */
export const ValidateRequest = z.object({ text, path: maybe(text) });
export const ValidateResult = z.object({ diagnostics: many(Diagnostic) });

export const PreviewRequest = z.object({ path: text, text, inputs: maybe(table(anything)), node: maybe(text) });
/** Why a person would be asked. */
const asks = maybe(many(z.object({ code: text, message: text })));
/**
 * In reading order. A secret, and a value that only the run will know, is shown as `‹name›`. `command` is the program, text, condition or
 * prompt. `loops`: the loops around it, outermost first. `after`: the nodes that must be settled before. `inside`: the approvals in a subflow.
 */
export const PreviewStep = z.object({
  id: text,
  title: text,
  type: text,
  command: text,
  loops: many(text),
  after: many(text),
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
export const ImportRequest = z.object({ source: text });
/** `secrets`: credentials that were lifted out, by the name they have now. */
export const ImportResult = z.object({ text, secrets: many(text), diagnostics: many(Diagnostic) });

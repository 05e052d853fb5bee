// folder: schemas of the workflow files of the served folder, and of what is asked about a document (spec 2.4, 2.7).

import * as z from "zod/mini";
import {
  anything,
  count,
  Diagnostic,
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

const InputSpec = z.looseObject({
  type: z.enum(["string", "integer", "number", "boolean", "object", "array"]),
  description: maybe(text),
  required: maybe(z.boolean()),
  default: maybe(anything),
});
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
  recent: many(
    z.object({
      ...{ id: text, status: RunStatus, startedAt: time, durationMs: maybe(z.number()) },
      failure: maybe(FailureInShort),
    }),
  ),
});
export const WorkflowList = z.object({ items: many(WorkflowItem), next: maybe(text), cut: maybe(onlyTrue) });
export const WorkflowDocument = z.object({
  path: text,
  text,
  etag: text,
  modifiedAt: time,
  diagnostics: many(Diagnostic),
});
export const DocumentChange = z.object({ text });
export const DocumentConflict = problemWith({ current: maybe(WorkflowDocument) });
export const ValidateRequest = z.object({ text, path: maybe(text) });
export const ValidateResult = z.object({ diagnostics: many(Diagnostic) });

export const PreviewRequest = z.object({ path: text, text, inputs: maybe(table(anything)), node: maybe(text) });
const asks = maybe(many(z.object({ code: text, message: text })));
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
export const ImportResult = z.object({ text, secrets: many(text), diagnostics: many(Diagnostic) });

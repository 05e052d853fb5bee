// documents: what goes over HTTP about the workflow files of the served folder (spec 2.4, 2.7). Part of shapes.ts.

import type { RunStatus } from "../scheduler/state.ts";
import type { Diagnostic } from "../workflow/diagnostic.ts";
import type { InputSpec } from "../workflow/model.ts";
import type { Page, Problem, RunItem } from "./shapes.ts";

export interface RunBar {
  id: string;
  status: RunStatus;
  startedAt: string;
  durationMs?: number;
  /** Of the newest one alone: where and why it failed, in short. */
  failure?: NonNullable<RunItem["failure"]>;
}

export interface WorkflowItem {
  /** Relative to the served folder, with `/`: what `{path}` takes, URL-encoded as one segment. */
  path: string;
  name: string;
  description?: string;
  /** Strong entity tag of the text, with its quotes. */
  etag: string;
  modifiedAt: string;
  bytes: number;
  errors: number;
  warnings: number;
  nodes: number;
  inputs: Record<string, InputSpec>;
  triggers: ("schedule" | "webhook" | "file")[];
  /** It was imported, and a command of it was not seen yet. */
  inert?: boolean;
  /** Of the next scheduled start. */
  nextAt?: string;
  running: number;
  /** For a person. */
  waiting: number;
  /** Runs that the server cannot go on with; counted with none of the others. */
  stuck: number;
  /** The last twenty, newest last. */
  recent: RunBar[];
}

/** `GET /workflows/{path}`; `Accept: application/yaml` or `text/plain` gives the text alone. */
export interface WorkflowDocument {
  path: string;
  text: string;
  etag: string;
  modifiedAt: string;
  diagnostics: Diagnostic[];
}

/** `PUT /workflows/{path}` with `If-Match: "…"`, or `If-None-Match: *` for a new one, and this or the text alone as application/yaml; 412 `document-changed` carries the text on disk. */
export interface DocumentChange {
  text: string;
}

export interface DocumentConflict extends Problem {
  /** Absent: it was removed. */
  current?: WorkflowDocument;
}

/** `GET /workflows`. `cut`: the folder holds more, or deeper, than is listed. */
export interface WorkflowList extends Page<WorkflowItem> {
  cut?: true;
}

/** `POST /validate`. `path`: where it would stand, for what it names beside it; absent: in the served folder itself. */
export interface ValidateRequest {
  text: string;
  path?: string;
}

export interface ValidateResult {
  diagnostics: Diagnostic[];
}

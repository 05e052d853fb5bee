// shapes: what goes over HTTP between the server, the web and other clients (spec 2.4, 2.7). Types only; routes.ts says where they go.
//   A1. A run, its nodes and attempts have the shape of `runs show --json` (scheduler/view.ts): one shape, every door.
//   A2. Events go over the wire as they stand in the journal; who folds them uses the same evolve.
//   A3. Lists answer `{ items, next? }`; `next` is an opaque cursor for `?cursor=`.
// Deliberately absent: secrets' values (write-only), anything that says where the home folder's files lie.

import type { ApprovalDetail } from "../base/approval-detail.ts";
import type { Reason } from "../scheduler/event.ts";
import type { RunStatus } from "../scheduler/state.ts";
import type { Diagnostic } from "../workflow/diagnostic.ts";

export type * from "./documents.ts";
export type { PreviewStep } from "./preview-shapes.ts";

export type { Demo, Session, SessionRequest } from "./server-shapes.ts";

/** RFC 9457, `application/problem+json`. `code` is one of docs/reference/failures.md; `hint` says what helps. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  code: string;
  detail?: string;
  hint?: string;
  /** Of a document or input that was refused. */
  diagnostics?: Diagnostic[];
}

export interface Page<Item> {
  items: Item[];
  next?: string;
}

/** What a caller may do. `run` starts stored workflows, `submit` brings commands of its own (documents, edits), `approve` answers approvals. */
export type Right = "read" | "run" | "submit" | "approve" | "admin";

export interface ServerInfo {
  version: string;
  /** The served folder, as a person would write it. */
  folder: string;
  /** Home folder of the user that the server runs as: paths in it are shown from there. */
  userHome: string;
  hooksUrl: string;
  startedAt: string;
  /** Of the bundled sample API, where `--demo` started one. */
  demoUrl?: string;
  /** IANA name. */
  timezone: string;
}

/** `POST /workflows/{path}/runs`. */
export interface StartRun {
  inputs?: Record<string, unknown>;
  /** Goes by this run: everything before `from` is kept (3.3). */
  again?: { run: string; from?: string };
  /** This node alone (`node`) or everything up to it (`to`); parents' values come from `run`, or from `pinned`. */
  only?: { node?: string; to?: string; run?: string; pinned?: Record<string, string> };
  /** Values of secrets for this start alone. */
  secrets?: Record<string, string>;
  approve?: string[];
}

/** `POST /runs/{id}/retry`, as the options of `curlew runs retry`: what had not succeeded runs again. */
export interface RetryRun {
  /** Everything from here on. */
  from?: string;
  /** These too, for their values alone. */
  anew?: string[];
  /** Nothing is kept. */
  all?: boolean;
  /** By the file as it is now. */
  current?: boolean;
  approve?: string[];
}

/** 201 with `Location`; with `?wait=SECONDS` the run as far as it came, its result among it. */
export interface StartedRun {
  id: string;
  status: RunStatus;
  result?: string;
}

/** `GET /runs`, newest first. */
export interface RunItem {
  id: string;
  workflow: string;
  /** Relative to the served folder, where it lies in it. */
  path?: string;
  file: string;
  status: RunStatus;
  trigger: { kind: string; by?: string };
  startedAt: string;
  endedAt?: string;
  durationMs?: number;
  waiting: number;
  /** Where and why it failed, in short; `GET /runs/{id}` says all. */
  failure?: { node: string; path: string; failure: { code: string; message: string } };
  /** Why the server cannot go on with it. */
  stuck?: { code: string; message: string; hint?: string };
}

/** Of `GET /runs`: all optional, together. Times are ISO 8601. */
export interface RunFilter {
  workflow?: string;
  /** Repeatable. */
  status?: RunStatus[];
  trigger?: string;
  since?: string;
  until?: string;
  /** In the name, the file or the id. */
  text?: string;
  /** Id of a node that failed. */
  failed?: string;
  limit?: number;
  cursor?: string;
}

/**
 * `GET …/attempts/{n}/output?stream=stdout|stderr|both&from=&limit=`, or `&tail=BYTES`. Raw bytes (`application/octet-stream`) with
 * `Content-Range`; `Accept: application/json` gives lines, of `stream=both` in the order of their arrival: from the beginning, or of
 * `tail=BYTES`, `cursor=` or `line=NUMBER`, at most `limit=LINES`.
 */
export interface OutputLines {
  /** Of the whole output, as far as it is written. */
  bytes: number;
  lines: number;
  /** Line number of the first one here, from 1. */
  firstLine: number;
  /** The lines of a large output are still being counted: both numbers are reckoned. A little later they are true. */
  estimated?: true;
  items: { stream: "stdout" | "stderr"; text: string /** ISO time, where it is known. */; at?: string }[];
  /** For `?cursor=`: the parts before and behind. */
  before?: string;
  after?: string;
  /** Nothing more will be written. */
  complete: boolean;
}

/** `POST …/output/download?stream=`: where a browser saves it from, once, within a minute; without a token. */
export interface DownloadLink {
  url: string;
}

/** `GET …/output/search?q=&stream=&regex=1&after=LINE&limit=`. `next` may come without items: the look took its time. */
export interface OutputMatches {
  items: { line: number; start: number; end: number; text: string }[];
  /** Line to go on from; absent: the end was reached. */
  next?: number;
  /** A line was looked at in its first megabyte only, and did not match there. */
  cut?: true;
}

/** `GET /approvals`. `id` is for grant and reject: it names this request and no later one. */
export interface ApprovalItem {
  id: string;
  run: string;
  workflow: string;
  workflowPath?: string;
  /** As the run names it, `sub/gate` inside of a subflow. */
  path: string;
  title: string;
  requestedAt: string;
  expiresAt?: string;
  onTimeout?: "reject" | "approve" | "fail";
  hash: string;
  reasons: Reason[];
  prompt?: string;
  again?: string;
  detail: ApprovalDetail;
  /** The last time a person approved this node: by whom, what was asked otherwise, and how it was edited then. Absent: never. */
  lastApproved?: { by: string; at: string; identical: boolean; diff?: string; edited?: { from: string; to: string } };
}

/** `POST /approvals/{id}/grant`. `edited`: the whole program text that runs instead. */
export interface GrantRequest {
  edited?: string;
}

/** `POST /approvals/{id}/reject`. */
export interface RejectRequest {
  reason: string;
}

/** A message of `GET /events` (SSE). `id:` is the position in the journal of this home, `event:` its type, `data:` this. */
export type StreamMessage =
  | { kind: "run"; event: import("../scheduler/event.ts").RunEvent; position: number }
  /** The newest output of a running attempt, masked; not in the journal, never replayed. */
  | { kind: "output"; run: string; path: string; number: number; stream: "stdout" | "stderr"; text: string }
  /** A file of the served folder was written, made or removed; `etag` absent: it is gone. */
  | { kind: "document"; path: string; etag?: string }
  | { kind: "delivery"; id: string; hook: string; status: DeliveryStatus }
  /** The server cannot go on with it, or goes on again: `GET /runs/{id}` says which, and why. */
  | { kind: "stuck"; run: string }
  /** It has left the history. */
  | { kind: "removed"; run: string }
  /** The position that the stream has reached: what was missed has been sent. */
  | { kind: "live"; position: number };

/** `ping`: its sender tried whether somebody is here; no run comes of it. */
export type DeliveryStatus = "received" | "refused" | "started" | "duplicate" | "failed" | "ping";

export interface ScheduleItem {
  id: string;
  workflow: string;
  cron: string;
  timezone: string;
  catchUp: "latest" | "all" | "none";
  overlap: "skip" | "queue" | "cancel" | "allow";
  /** Until it is resumed. */
  paused: boolean;
  /** It stands still, and what helps: its document is wrong, or imported and not seen yet. */
  problem?: string;
  next: string[];
  last?: { at: string; run?: string; skipped?: string };
}

export interface HookItem {
  id: string;
  workflow: string;
  /** Behind `/h/`. */
  path: string;
  url: string;
  verify: string;
  secret?: string;
  paused: boolean;
  /** Deliveries are refused: its secret is not found anywhere, its path is taken, its document is not seen yet. */
  problem?: string;
  lastAt?: string;
}

export interface FileWatchItem {
  id: string;
  workflow: string;
  paths: string[];
  on: ("add" | "change" | "remove")[];
  paused: boolean;
  last?: { at: string; file: string; run?: string; skipped?: string };
  problem?: string;
}

/** `GET /triggers?limit=&cursor=`: a part holds so many of all three together, by document. */
export interface Triggers {
  schedules: ScheduleItem[];
  hooks: HookItem[];
  files: FileWatchItem[];
  /** Of a part: there are more behind it. */
  next?: string;
}

/** `GET /deliveries?hook=`, `GET /deliveries/{id}` (with body), `POST /deliveries/{id}/replay` with `{ workflow? }`. */
export interface DeliveryItem {
  id: string;
  hook: string;
  workflow: string;
  /** What its sender calls it. */
  deliveryId?: string;
  receivedAt: string;
  bytes: number;
  status: DeliveryStatus;
  reason?: string;
  run?: string;
  replayOf?: string;
}

export interface Delivery extends DeliveryItem {
  headers: Record<string, string>;
  query: Record<string, string | string[]>;
  /** As text. Absent: of refused, repeated and old deliveries none is kept. */
  body?: string;
}

/** `GET /secrets`; `PUT /secrets/{name}` with `{ value }`, `DELETE`, `POST /secrets/{name}/test`. Values are write-only. */
export interface SecretItem {
  name: string;
  /** Where its value comes from first: `environment`, `.env`, `store`, `keychain`, `command`; absent: nowhere. */
  source?: string;
  /** In the local store, so that it can be replaced or removed here. */
  stored: boolean;
  usedBy: string[];
  problem?: string;
}

/** `POST /secrets/{name}/test`: whether a value is found for every workflow that uses it. Nothing about the value. */
export interface SecretTest {
  ok: boolean;
  source?: string;
  problem?: string;
  hint?: string;
}

/** `GET /doctor`. */
export interface DoctorReport {
  findings: {
    code: string;
    level: "ok" | "note" | "warning" | "error";
    title: string;
    detail?: string;
    remedy?: string;
  }[];
}

/** `GET /settings`: of config.yaml in the home, and of the environment. */
export interface Settings {
  /** How long runs are kept that have ended; both absent: for ever. */
  retention: { days?: number; runs?: number };
  /** `from: environment`: it is there without config.yaml. `secret`: that holds its key; `key: none`: it takes none. */
  providers: {
    name: string;
    type: string;
    baseURL?: string;
    secret?: string;
    key: "set" | "missing" | "none";
    from: "config" | "environment";
  }[];
}

/** `POST /settings/providers/{name}/test`. `models`: the first that it names. */
export interface ProviderTest {
  ok: boolean;
  models?: string[];
  problem?: string;
  hint?: string;
}

/** `PUT /settings`: what is absent stays, `null` removes. config.yaml keeps its comments and order. */
export interface SettingsChange {
  retention?: { days?: number | null; runs?: number | null };
  providers?: Record<string, { type: string; baseURL?: string; secret?: string } | null>;
}

/** `POST /preview`: what would run, rendered, with secrets hidden; nothing is executed. */
export interface PreviewRequest {
  path: string;
  text: string;
  inputs?: Record<string, unknown>;
  node?: string;
}

/** `POST /import`: a pasted curl command, or a document of another tool, as text. */
export interface ImportRequest {
  source: string;
}

export interface ImportResult {
  text: string;
  /** Credentials that were lifted out, by the name they have now; values go to `PUT /secrets/{name}` only if the person says so. */
  secrets: string[];
  diagnostics: Diagnostic[];
}

// The types of data sent over HTTP between the server, the web UI, and other clients, inferred from schemas/.
//   A1. A run, its nodes, and attempts have the shape of `runs show --json` (scheduler/view.ts).
//   A2. Events are sent as they are in the journal. Clients apply them with the same `evolve`.
//   A3. Lists are `{ items, next? }`. `next` is an opaque cursor for `?cursor=`.
// No shape has the value of a secret (write-only), or a path in the data directory.

import type * as z from "zod/mini";
import type { StartKind } from "../scheduler/start-kind.ts";
import type { RunStatus } from "../scheduler/state.ts";
import type { SCHEMAS } from "./schemas/index.ts";

export type Shape<Name extends keyof typeof SCHEMAS> = z.infer<(typeof SCHEMAS)[Name]>;

export interface Page<Item> {
  items: Item[];
  next?: string;
}

/** The query of `GET /runs`. All members are optional and combined with AND. Times are ISO 8601. */
export interface RunFilter {
  workflow?: string;
  /** Repeatable. */
  status?: RunStatus[];
  trigger?: string;
  /** The kind of start. Repeatable. */
  kind?: StartKind[];
  /** `false` leaves out runs of single nodes. */
  tests?: boolean;
  sort?: "newest" | "oldest" | "longest" | "shortest";
  since?: string;
  until?: string;
  /** Text in the name, file, or id. */
  text?: string;
  /** Id of a node that failed. */
  failed?: string;
  limit?: number;
  cursor?: string;
}

export type Right = Shape<"Right">;
export type DeliveryStatus = Shape<"DeliveryStatus">;
export type Problem = Shape<"Problem">;
export type SessionRequest = Shape<"SessionRequest">;
export type Session = Shape<"Session">;
export type ServerInfo = Shape<"ServerInfo">;
export type Demo = Shape<"Demo">;
export type RunBar = Shape<"RunBar">;
export type WorkflowItem = Shape<"WorkflowItem">;
export type WorkflowList = Shape<"WorkflowList">;
export type WorkflowDocument = Shape<"WorkflowDocument">;
export type CommittedDocument = Shape<"CommittedDocument">;
export type DocumentChange = Shape<"DocumentChange">;
export type DocumentConflict = Shape<"DocumentConflict">;
export type ValidateRequest = Shape<"ValidateRequest">;
export type ValidateResult = Shape<"ValidateResult">;
export type RunItem = Shape<"RunItem">;
export type RunCounts = Shape<"RunCounts">;
export type StartRun = Shape<"StartRun">;
export type RetryRun = Shape<"RetryRun">;
export type StartedRun = Shape<"StartedRun">;
export type OutputLines = Shape<"OutputLines">;
export type OutputMatches = Shape<"OutputMatches">;
export type DownloadLink = Shape<"DownloadLink">;
export type ApprovalItem = Shape<"ApprovalItem">;
export type GrantRequest = Shape<"GrantRequest">;
export type RejectRequest = Shape<"RejectRequest">;
export type StreamMessage = Shape<"StreamMessage">;
export type TriggerItem = Shape<"TriggerItem">;
export type DeliveryItem = Shape<"DeliveryItem">;
export type Delivery = Shape<"Delivery">;
export type SecretItem = Shape<"SecretItem">;
export type SecretNames = Shape<"SecretNames">;
export type SecretTest = Shape<"SecretTest">;
export type MachineItem = Shape<"MachineItem">;
export type DoctorReport = Shape<"DoctorReport">;
export type Settings = Shape<"Settings">;
export type SettingsChange = Shape<"SettingsChange">;
export type ProviderTest = Shape<"ProviderTest">;
export type PreviewRequest = Shape<"PreviewRequest">;
export type PreviewStep = Shape<"PreviewStep">;
export type ImportRequest = Shape<"ImportRequest">;
export type ImportResult = Shape<"ImportResult">;

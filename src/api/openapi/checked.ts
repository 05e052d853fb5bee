// checked: the schemas say what the shapes say, or nothing compiles (spec 2.4). Types only.
//   C1. Of each name: every member of the shape is in the schema and the other way round, and what the shape allows the schema takes.
// Deliberately absent: a schema of each type of event; docs/reference/events.md and its test have them.

import type * as z from "zod/mini";
import type * as view from "../../scheduler/view.ts";
import type * as shapes from "../shapes.ts";
import type { SCHEMAS } from "./schemas.ts";

interface Named {
  Problem: shapes.Problem;
  SessionRequest: shapes.SessionRequest;
  Session: shapes.Session;
  ServerInfo: shapes.ServerInfo;
  Demo: shapes.Demo;
  WorkflowItem: shapes.WorkflowItem;
  WorkflowList: shapes.WorkflowList;
  WorkflowDocument: shapes.WorkflowDocument;
  DocumentChange: shapes.DocumentChange;
  DocumentConflict: shapes.DocumentConflict;
  ValidateRequest: shapes.ValidateRequest;
  ValidateResult: shapes.ValidateResult;
  Run: view.RunView;
  RunItem: shapes.RunItem;
  RunPage: shapes.Page<shapes.RunItem>;
  StartRun: shapes.StartRun;
  RetryRun: shapes.RetryRun;
  StartedRun: shapes.StartedRun;
  OutputLines: shapes.OutputLines;
  OutputMatches: shapes.OutputMatches;
  DownloadLink: shapes.DownloadLink;
  ApprovalItem: shapes.ApprovalItem;
  ApprovalPage: shapes.Page<shapes.ApprovalItem>;
  GrantRequest: shapes.GrantRequest;
  RejectRequest: shapes.RejectRequest;
  Triggers: shapes.Triggers;
  ScheduleItem: shapes.ScheduleItem;
  HookItem: shapes.HookItem;
  FileWatchItem: shapes.FileWatchItem;
  DeliveryItem: shapes.DeliveryItem;
  DeliveryPage: shapes.Page<shapes.DeliveryItem>;
  Delivery: shapes.Delivery;
  SecretItem: shapes.SecretItem;
  SecretTest: shapes.SecretTest;
  DoctorReport: shapes.DoctorReport;
  Settings: shapes.Settings;
  SettingsChange: shapes.SettingsChange;
  ProviderTest: shapes.ProviderTest;
  PreviewRequest: shapes.PreviewRequest;
  PreviewStep: shapes.PreviewStep;
  ImportRequest: shapes.ImportRequest;
  ImportResult: shapes.ImportResult;
}

type KnownKeys<T> = keyof { [K in keyof T as string extends K ? never : K]: T[K] };

/** Without what else may be there: an interface says nothing of that. */
type Known<T> = T extends readonly (infer Item)[]
  ? Known<Item>[]
  : T extends object
    ? { [K in keyof T as string extends K ? never : K]: Known<T[K]> }
    : T;

type Fits<Shape, Said> =
  Shape extends Known<Said>
    ? KnownKeys<Shape> extends KnownKeys<Said>
      ? KnownKeys<Said> extends KnownKeys<Shape>
        ? true
        : { onlyInTheSchema: Exclude<KnownKeys<Said>, KnownKeys<Shape>> }
      : { missingInTheSchema: Exclude<KnownKeys<Shape>, KnownKeys<Said>> }
    : { doesNotTake: Shape };

/** C1. Where this does not compile, the name at fault is in the message. */
export type Checked = { [Name in keyof Named]: Fits<Named[Name], z.infer<(typeof SCHEMAS)[Name]>> };
type AllTrue<T extends Record<keyof Named, true>> = T;
export type Held = AllTrue<Checked>;

type True<T extends true> = T;
/** A union has no members of its own: what the shape allows the schema takes. */
export type StreamHeld = True<
  [shapes.StreamMessage] extends [Known<z.infer<(typeof SCHEMAS)["StreamMessage"]>>] ? true : false
>;

// The response type of each route, for the typed client (spec 2.4). Routes that
// return bytes or streams are not included. Written out, because the package has its types without zod.

import type { RunView } from "../scheduler/view.ts";
import type * as shapes from "./shapes.ts";

export interface Answers {
  "GET /server": shapes.ServerInfo;
  "POST /server/login": { url: string };
  "GET /workflows": shapes.WorkflowList;
  "GET /workflows/{path}": shapes.WorkflowDocument;
  "GET /workflows/{path}/head": shapes.CommittedDocument;
  "PUT /workflows/{path}": shapes.WorkflowDocument;
  "DELETE /workflows/{path}": undefined;
  "POST /workflows/{path}/rename": shapes.WorkflowDocument;
  "POST /workflows/{path}/runs": shapes.StartedRun;
  "POST /validate": shapes.ValidateResult;
  "POST /preview": { items: shapes.PreviewStep[] };
  "POST /import": shapes.ImportResult;
  "GET /runs": shapes.Page<shapes.RunItem>;
  "GET /runs/counts": shapes.RunCounts;
  "GET /runs/{id}": RunView;
  "DELETE /runs/{id}": undefined;
  "POST /runs/{id}/cancel": shapes.StartedRun;
  "POST /runs/{id}/resume": shapes.StartedRun;
  "POST /runs/{id}/retry": shapes.StartedRun;
  "GET /approvals": shapes.Page<shapes.ApprovalItem>;
  "POST /approvals/{id}/grant": { run: string; path: string; answer: "granted" };
  "POST /approvals/{id}/reject": { run: string; path: string; answer: "rejected" };
  "GET /triggers": shapes.Page<shapes.TriggerItem>;
  "GET /deliveries": shapes.Page<shapes.DeliveryItem>;
  "GET /deliveries/{id}": shapes.Delivery;
  "GET /secrets": shapes.Page<shapes.SecretItem>;
  "GET /doctor": shapes.DoctorReport;
  "GET /settings": shapes.Settings;
}

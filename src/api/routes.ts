// All routes of the API and the rights they need (spec 2.4, 4.3 S17). The server serves exactly these.
// The OpenAPI document and the security tests are generated from this table.
//   R1. GET changes nothing, except that it can use up a one-time code. All changes use POST, PUT, or
//       DELETE with an application/json body.
//   R2. `none` means that a one-time code replaces the token: a login code for a
//       session, or a download code for one output.

import type { Right } from "./shapes.ts";

export interface Route {
  key: RouteKey;
  method: "GET" | "PUT" | "POST" | "DELETE";
  /** Relative to /api/v1. `{name}` is one URL-encoded segment. */
  path: string;
  right: Right | "none";
  summary: string;
}

export const API_PREFIX = "/api/v1";

const TABLE = {
  "POST /session": ["none", "Exchange the one-time code of the login link for a session token."],
  "DELETE /session": ["read", "End the session."],
  "GET /openapi.json": ["read", "This API as an OpenAPI 3.1 document."],
  "GET /server": ["read", "The server: version, folder, and URLs."],
  "POST /server/login": ["admin", "A new one-time login link."],
  "POST /demo": ["submit", "Start the sample API and write the demo that calls it."],
  "GET /metrics": ["read", "Metrics in the text format of Prometheus."],
  "GET /workflows": ["read", "The workflow files of the served folder."],
  "GET /workflows/{path}": ["read", "One document."],
  "GET /workflows/{path}/head": ["read", "The document as committed at git's HEAD."],
  "PUT /workflows/{path}": ["submit", "Write a document. Needs If-Match or If-None-Match."],
  "DELETE /workflows/{path}": ["submit", "Remove a document. Needs If-Match."],
  "POST /workflows/{path}/rename": ["submit", "Rename a document. Its runs and triggers follow. Needs If-Match."],
  "POST /workflows/{path}/runs": ["run", "Start a run of a stored workflow."],
  "POST /validate": ["read", "Diagnostics of a document."],
  "POST /preview": ["read", "Show the commands that a document would run. Nothing is executed."],
  "POST /import": ["read", "Convert a curl command or another tool's workflow."],
  "GET /runs": ["read", "Runs, newest first."],
  "GET /runs/counts": ["read", "Counts of runs by status, in slices of time."],
  "GET /runs/{id}": ["read", "One run, with nodes and attempts."],
  "DELETE /runs/{id}": ["admin", "Remove an ended run from the history."],
  "GET /runs/{id}/events": ["read", "The events of one run: SSE, or with Accept: application/json a list."],
  "POST /runs/{id}/cancel": ["run", "Cancel a run."],
  "POST /runs/{id}/resume": ["run", "Resume a run that no process is working on."],
  "POST /runs/{id}/retry": ["run", "Run it again, from the failure or from a node."],
  "GET /runs/{id}/nodes/{path}/value": ["read", "A node's value, byte for byte."],
  "GET /runs/{id}/nodes/{path}/attempts/{n}/output": ["read", "Output of an attempt, by range, tail or lines."],
  "POST /runs/{id}/nodes/{path}/attempts/{n}/output/download": [
    "read",
    "A one-time URL for downloading all of an output.",
  ],
  "GET /downloads/{code}": ["none", "The output of a one-time URL."],
  "GET /runs/{id}/nodes/{path}/attempts/{n}/output/search": ["read", "Lines of an output that match."],
  "GET /events": ["read", "All events, as SSE. Last-Event-ID resumes."],
  "GET /approvals": ["read", "The requests that are waiting for approval."],
  "POST /approvals/{id}/grant": ["approve", "Approve exactly this, or an edit of it."],
  "POST /approvals/{id}/reject": ["approve", "Reject it, with a reason."],
  "GET /triggers": ["read", "Schedules, webhooks, file watches."],
  "POST /triggers/{id}/pause": ["run", "Pause a trigger."],
  "POST /triggers/{id}/resume": ["run", "Resume a trigger."],
  "GET /deliveries": ["read", "The inbox of webhook deliveries."],
  "GET /deliveries/{id}": ["read", "One delivery, with headers and body."],
  "POST /deliveries/{id}/replay": ["run", "Start a run from a stored delivery."],
  "GET /secrets": ["read", "Names of secrets, with their sources and uses."],
  "PUT /secrets/{name}": ["admin", "Save a secret in the local store."],
  "POST /secrets/same": ["admin", "Name the secrets that have a value."],
  "DELETE /secrets/{name}": ["admin", "Remove a secret from the local store."],
  "POST /secrets/{name}/test": ["admin", "Check whether the secret's source works."],
  "GET /machines": ["read", "The machines of the cluster. 404 where runs are kept on one machine."],
  "POST /machines/{name}/drain": ["admin", "Let a machine take no new runs."],
  "POST /machines/{name}/resume": ["admin", "Let a machine take runs again."],
  "POST /machines/{name}/forget": [
    "admin",
    "Say that a silent machine does not come back: its runs continue elsewhere.",
  ],
  "GET /doctor": ["admin", "The findings of `curlew doctor`, with files of the data directory."],
  "GET /settings": ["read", "Retention, model providers."],
  "PUT /settings": ["admin", "Change settings."],
  "POST /settings/providers/{name}/test": ["admin", "Check a model provider and its key, by requesting its models."],
} as const satisfies Record<`${Route["method"]} /${string}`, readonly [Route["right"], string]>;

/** `GET /runs/{id}`. */
export type RouteKey = keyof typeof TABLE;

export const ROUTES = Object.entries(TABLE).map(([key, [right, summary]]): Route => {
  const [method, path] = key.split(" ") as [Route["method"], string];
  return { key: key as RouteKey, method, path, right, summary };
});

/** The names of a route's parameters. */
export type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamsOf<Rest>
  : never;

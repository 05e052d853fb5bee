// All routes of the API and the rights they need (spec 2.4, 4.3 S17). The server serves exactly these.
// The OpenAPI document and the security tests are generated from this table.
//   R1. GET changes nothing, except that it can use up a one-time code. All changes use POST, PUT, or
//       DELETE with an application/json body.
//   R2. `none` means that a one-time code replaces the token: a login code for a
//       session, or a download code for one output.

import type { Right } from "./shapes.ts";

export interface Route {
  method: "GET" | "PUT" | "POST" | "DELETE";
  /** Relative to /api/v1. `{name}` is one URL-encoded segment. */
  path: string;
  right: Right | "none";
  summary: string;
}

export const API_PREFIX = "/api/v1";

export const ROUTES = [
  {
    method: "POST",
    path: "/session",
    right: "none",
    summary: "Exchange the one-time code of the login link for a session token.",
  },
  { method: "DELETE", path: "/session", right: "read", summary: "Give the session token back." },
  { method: "GET", path: "/openapi.json", right: "read", summary: "This API as an OpenAPI 3.1 document." },
  { method: "GET", path: "/server", right: "read", summary: "The server: version, folder, addresses." },
  { method: "POST", path: "/server/login", right: "admin", summary: "A new one-time login link." },
  { method: "POST", path: "/demo", right: "submit", summary: "Start the sample API and write the demo that calls it." },
  { method: "GET", path: "/metrics", right: "read", summary: "Figures in the text format of Prometheus." },
  { method: "GET", path: "/workflows", right: "read", summary: "The workflow files of the served folder." },
  { method: "GET", path: "/workflows/{path}", right: "read", summary: "One document." },
  {
    method: "PUT",
    path: "/workflows/{path}",
    right: "submit",
    summary: "Write a document; If-Match or If-None-Match is required.",
  },
  { method: "DELETE", path: "/workflows/{path}", right: "submit", summary: "Remove a document; If-Match is required." },
  { method: "POST", path: "/workflows/{path}/runs", right: "run", summary: "Start a run of a stored workflow." },
  { method: "POST", path: "/validate", right: "read", summary: "Diagnostics of a document." },
  {
    method: "POST",
    path: "/preview",
    right: "read",
    summary: "Show the commands that a document would run. Nothing is executed.",
  },
  {
    method: "POST",
    path: "/import",
    right: "read",
    summary: "A pasted curl command or another tool's document as a workflow.",
  },
  { method: "GET", path: "/runs", right: "read", summary: "Runs, newest first." },
  { method: "GET", path: "/runs/{id}", right: "read", summary: "One run, with nodes and attempts." },
  { method: "DELETE", path: "/runs/{id}", right: "admin", summary: "Remove an ended run from the history." },
  {
    method: "GET",
    path: "/runs/{id}/events",
    right: "read",
    summary: "The events of one run: SSE, or with Accept: application/json a list.",
  },
  { method: "POST", path: "/runs/{id}/cancel", right: "run", summary: "Cancel a run." },
  { method: "POST", path: "/runs/{id}/resume", right: "run", summary: "Resume a run that no process is driving." },
  { method: "POST", path: "/runs/{id}/retry", right: "run", summary: "Run it again, from the failure or from a node." },
  {
    method: "GET",
    path: "/runs/{id}/nodes/{path}/value",
    right: "read",
    summary: "A node's value, byte for byte.",
  },
  {
    method: "GET",
    path: "/runs/{id}/nodes/{path}/attempts/{n}/output",
    right: "read",
    summary: "Output of an attempt, by range, tail or lines.",
  },
  {
    method: "POST",
    path: "/runs/{id}/nodes/{path}/attempts/{n}/output/download",
    right: "read",
    summary: "A one-time address from which a browser saves all of an output.",
  },
  { method: "GET", path: "/downloads/{code}", right: "none", summary: "All of the output that the code was made for." },
  {
    method: "GET",
    path: "/runs/{id}/nodes/{path}/attempts/{n}/output/search",
    right: "read",
    summary: "Lines of an output that match.",
  },
  { method: "GET", path: "/events", right: "read", summary: "Everything that happens, as SSE; Last-Event-ID resumes." },
  { method: "GET", path: "/approvals", right: "read", summary: "The requests that wait for approval." },
  {
    method: "POST",
    path: "/approvals/{id}/grant",
    right: "approve",
    summary: "Approve exactly this, or an edit of it.",
  },
  { method: "POST", path: "/approvals/{id}/reject", right: "approve", summary: "Reject it, with a reason." },
  { method: "GET", path: "/triggers", right: "read", summary: "Schedules, webhooks, file watches." },
  { method: "POST", path: "/triggers/{id}/pause", right: "run", summary: "Pause a trigger." },
  { method: "POST", path: "/triggers/{id}/resume", right: "run", summary: "Resume a trigger." },
  { method: "GET", path: "/deliveries", right: "read", summary: "The inbox of webhook deliveries." },
  { method: "GET", path: "/deliveries/{id}", right: "read", summary: "One delivery, with headers and body." },
  { method: "POST", path: "/deliveries/{id}/replay", right: "run", summary: "Start a run from a stored delivery." },
  { method: "GET", path: "/secrets", right: "read", summary: "Names of secrets, where each comes from, who uses it." },
  { method: "PUT", path: "/secrets/{name}", right: "admin", summary: "Save a secret in the local store." },
  { method: "DELETE", path: "/secrets/{name}", right: "admin", summary: "Remove a secret from the local store." },
  { method: "POST", path: "/secrets/{name}/test", right: "admin", summary: "Whether its source answers." },
  {
    method: "GET",
    path: "/doctor",
    right: "admin",
    summary: "What `curlew doctor` finds; it names files of the home.",
  },
  { method: "GET", path: "/settings", right: "read", summary: "Retention, model providers." },
  { method: "PUT", path: "/settings", right: "admin", summary: "Change settings." },
  {
    method: "POST",
    path: "/settings/providers/{name}/test",
    right: "admin",
    summary: "Whether a model provider answers and takes the key; it is asked for its models.",
  },
] as const satisfies readonly Route[];

/** `GET /runs/{id}`: the key of a route in tables. */
export type RouteKey = { [R in (typeof ROUTES)[number] as `${R["method"]} ${R["path"]}`]: R } extends infer All
  ? keyof All & string
  : never;

export function keyOf(route: Pick<Route, "method" | "path">): RouteKey {
  return `${route.method} ${route.path}` as RouteKey;
}

/** The names of a route's parameters. */
export type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamsOf<Rest>
  : never;

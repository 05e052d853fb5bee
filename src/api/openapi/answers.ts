// The schemas of each route's request and response, by name (spec 2.4).
//   W1. The table has exactly the routes of routes.ts, which its type ensures.

import type { RouteKey } from "../routes.ts";
import type { SchemaName } from "../schemas/index.ts";
import type { Shape } from "../shapes.ts";

export const HEADERS = {
  etag: "The document's current tag.",
  location: "The URL of the new resource.",
  "content-range": "The range of these bytes, and the total.",
  "content-disposition": "The name to save it under.",
  "retry-after": "Seconds.",
  "www-authenticate": "`Bearer`.",
} as const;

export type HeaderName = keyof typeof HEADERS;

export interface RouteWords {
  takes?: SchemaName;
  /** The body is optional. */
  takesMaybe?: true;
  /** By status. A media type stands for content without a schema. */
  answers: Record<
    number,
    SchemaName | "text/event-stream" | "text/plain" | "application/octet-stream" | "application/json" | "nothing"
  >;
  /** Media types accepted besides JSON. */
  takesAs?: readonly string[];
  /** The schema of a 200 response if the client accepts only JSON. */
  asJson?: SchemaName;
  /** Media types of a 200 response that a client can ask for. They have no schema. */
  plainAs?: readonly string[];
  /** Headers of the response by status, besides those of every response. */
  brings?: Readonly<Record<number, readonly HeaderName[]>>;
  /** Error statuses besides those of every route: 400, 401, 403. */
  refuses?: readonly number[];
  query?: Record<string, string>;
  headers?: Record<string, string>;
}

const PAGE = { limit: "The largest number.", cursor: "`next` of the page before." };
const WHOLE_OR_PAGE = { limit: "The largest number. Without it, all.", cursor: PAGE.cursor };
const WAIT = "Seconds to wait for the end. Then the response has the result.";
const STREAM = { stream: "`stdout`, `stderr` or `both`." };

const RUN_FILTER = {
  workflow: "Name, file, or path in the served folder.",
  path: "The workflow's path in the served folder.",
  status: "Repeatable.",
  trigger: "The kind of its trigger.",
  kind: "The kind of start, such as `manual`, `test`, `retry`, or `schedule`. Repeatable.",
  tests: "`false` leaves out runs of single nodes.",
  since: "ISO time.",
  until: "ISO time.",
  text: "Text in the name, the file, or the id.",
  failed: "Id of a node that failed.",
};

const TABLE = {
  "POST /session": {
    takes: "SessionRequest",
    answers: { 201: "Session" },
    brings: { 429: ["retry-after"] },
    refuses: [422, 429],
  },
  "DELETE /session": { answers: { 204: "nothing" } },
  "GET /openapi.json": { answers: { 200: "application/json" } },
  "GET /server": { answers: { 200: "ServerInfo" } },
  "POST /server/login": { takes: "LoginRequest", takesMaybe: true, answers: { 201: "LoginLink" }, refuses: [422] },
  "POST /demo": { answers: { 200: "Demo" }, refuses: [422] },
  "GET /metrics": { answers: { 200: "text/plain" } },
  "GET /workflows": { answers: { 200: "WorkflowList" }, query: WHOLE_OR_PAGE },
  "GET /workflows/{path}": {
    answers: { 200: "WorkflowDocument", 304: "nothing" },
    plainAs: ["application/yaml", "text/yaml", "text/plain"],
    brings: { 200: ["etag"], 304: ["etag"] },
    refuses: [404],
    headers: { accept: "`application/yaml` or `text/plain` gives the text alone." },
  },
  "GET /workflows/{path}/head": { answers: { 200: "CommittedDocument" }, refuses: [404, 409, 422] },
  "PUT /workflows/{path}": {
    takes: "DocumentChange",
    takesAs: ["application/yaml"],
    brings: { 200: ["etag"], 201: ["etag", "location"], 412: ["etag"] },
    answers: { 200: "WorkflowDocument", 201: "WorkflowDocument", 412: "DocumentConflict" },
    refuses: [404, 422, 428],
    headers: {
      "if-match": "ETag of what is replaced.",
      "if-none-match": "`*`: only if the document does not exist yet.",
    },
  },
  "DELETE /workflows/{path}": {
    answers: { 204: "nothing", 412: "DocumentConflict" },
    brings: { 412: ["etag"] },
    refuses: [404, 428],
    headers: { "if-match": "ETag of what is removed." },
  },
  "POST /workflows/{path}/rename": {
    takes: "RenameRequest",
    answers: { 200: "WorkflowDocument", 412: "DocumentConflict" },
    brings: { 200: ["etag", "location"], 412: ["etag"] },
    refuses: [404, 409, 422, 428],
    headers: { "if-match": "ETag of the document." },
  },
  "POST /workflows/{path}/runs": {
    takes: "StartRun",
    takesMaybe: true,
    answers: { 200: "StartedRun", 201: "StartedRun" },
    brings: { 200: ["location"], 201: ["location"] },
    refuses: [404, 409, 422],
    query: { wait: WAIT },
    headers: { "idempotency-key": "A request with the same key starts nothing, and returns the first run." },
  },
  "POST /validate": { takes: "ValidateRequest", answers: { 200: "ValidateResult" }, refuses: [422] },
  "POST /preview": { takes: "PreviewRequest", answers: { 200: "PreviewPage" }, refuses: [404, 422] },
  "POST /import": { takes: "ImportRequest", answers: { 200: "ImportResult" }, refuses: [422] },
  "GET /runs": {
    answers: { 200: "RunPage" },
    query: {
      ...PAGE,
      ...RUN_FILTER,
      sort: "`newest`, `oldest`, `longest`, or `shortest`. The last two leave out active runs.",
    },
  },
  "GET /runs/counts": {
    answers: { 200: "RunCounts" },
    query: { ...RUN_FILTER, slices: "How many slices of equal length, 24 by default." },
  },
  "GET /runs/{id}": { answers: { 200: "Run" }, refuses: [404] },
  "DELETE /runs/{id}": { answers: { 204: "nothing" }, refuses: [404, 409] },
  "GET /runs/{id}/events": {
    answers: { 200: "text/event-stream" },
    asJson: "RunEventPage",
    refuses: [404],
    query: { from: "The first event of a list.", limit: PAGE.limit },
    headers: { "last-event-id": "Continue after this event.", accept: "`application/json` gives a list." },
  },
  "POST /runs/{id}/cancel": { answers: { 202: "StartedRun" }, brings: { 202: ["location"] }, refuses: [404, 409] },
  "POST /runs/{id}/resume": { answers: { 202: "StartedRun" }, brings: { 202: ["location"] }, refuses: [404, 409] },
  "POST /runs/{id}/retry": {
    takes: "RetryRun",
    takesMaybe: true,
    answers: { 201: "StartedRun" },
    brings: { 201: ["location"] },
    refuses: [404, 409, 422],
    query: { wait: WAIT },
  },
  "GET /runs/{id}/nodes/{path}/value": { answers: { 200: "application/octet-stream" }, refuses: [404] },
  "GET /runs/{id}/nodes/{path}/attempts/{n}/output": {
    answers: { 200: "OutputLines", 206: "application/octet-stream" },
    plainAs: ["application/octet-stream"],
    brings: { 200: ["content-range", "content-disposition"], 206: ["content-range"] },
    refuses: [404, 416],
    query: {
      ...STREAM,
      from: "The first byte.",
      limit: "The largest number of bytes or lines.",
      tail: "The last bytes.",
      cursor: "For lines: `before` or `after` of another response.",
      line: "For lines: the number of the first line.",
      download: "`1`: everything, as a file.",
    },
  },
  "POST /runs/{id}/nodes/{path}/attempts/{n}/output/download": {
    answers: { 201: "DownloadLink" },
    refuses: [404],
    query: STREAM,
  },
  "GET /downloads/{code}": {
    answers: { 200: "application/octet-stream" },
    brings: { 200: ["content-disposition"] },
    refuses: [404, 410],
  },
  "GET /runs/{id}/nodes/{path}/attempts/{n}/output/search": {
    answers: { 200: "OutputMatches" },
    refuses: [404],
    query: {
      ...STREAM,
      q: "The text to search for.",
      regex: "`1`: the text is a regular expression.",
      after: "The line to continue after.",
      limit: "Matches at most.",
    },
  },
  "GET /events": {
    answers: { 200: "text/event-stream" },
    headers: { "last-event-id": "Continue after this position." },
  },
  "GET /approvals": {
    answers: { 200: "ApprovalPage" },
    query: { ...WHOLE_OR_PAGE, run: "Only of this run and its subflows." },
  },
  "POST /approvals/{id}/grant": {
    takes: "GrantRequest",
    takesMaybe: true,
    answers: { 200: "ApprovalAnswer" },
    refuses: [404, 409, 422],
  },
  "POST /approvals/{id}/reject": {
    takes: "RejectRequest",
    takesMaybe: true,
    answers: { 200: "ApprovalAnswer" },
    refuses: [404, 409, 422],
  },
  "GET /triggers": { answers: { 200: "TriggerPage" } },
  "POST /triggers/{id}/pause": { answers: { 204: "nothing" }, refuses: [404] },
  "POST /triggers/{id}/resume": { answers: { 204: "nothing" }, refuses: [404] },
  "GET /deliveries": { answers: { 200: "DeliveryPage" }, query: { ...PAGE, hook: "Only of this webhook." } },
  "GET /deliveries/{id}": { answers: { 200: "Delivery" }, refuses: [404] },
  "POST /deliveries/{id}/replay": {
    takes: "ReplayRequest",
    takesMaybe: true,
    answers: { 201: "DeliveryItem" },
    refuses: [404, 409, 422],
  },
  "GET /secrets": { answers: { 200: "SecretPage" } },
  "PUT /secrets/{name}": { takes: "SecretValue", answers: { 204: "nothing" }, refuses: [422] },
  "POST /secrets/same": { takes: "SecretSearch", answers: { 200: "SecretNames" }, refuses: [422] },
  "DELETE /secrets/{name}": { answers: { 204: "nothing" }, refuses: [404] },
  "POST /secrets/{name}/test": { answers: { 200: "SecretTest" }, refuses: [422] },
  "GET /machines": { answers: { 200: "MachinePage" }, refuses: [404] },
  "POST /machines/{name}/drain": { answers: { 204: "nothing" }, refuses: [404] },
  "POST /machines/{name}/resume": { answers: { 204: "nothing" }, refuses: [404] },
  "POST /machines/{name}/forget": { answers: { 204: "nothing" }, refuses: [404, 409] },
  "GET /doctor": { answers: { 200: "DoctorReport" } },
  "GET /settings": { answers: { 200: "Settings" }, refuses: [409] },
  "PUT /settings": { takes: "SettingsChange", answers: { 200: "Settings" }, refuses: [409, 422] },
  "POST /settings/providers/{name}/test": { answers: { 200: "ProviderTest" }, refuses: [404, 409] },
} as const satisfies Record<RouteKey, RouteWords>;

export const WORDS: Record<RouteKey, RouteWords> = TABLE;

type Table = typeof TABLE;
type ShapeOf<Name> = Name extends SchemaName ? Shape<Name> : Name extends "nothing" ? undefined : unknown;

/** The body that a route accepts. A body that may be left out counts as empty. */
export type BodyOf<Key extends RouteKey> = Table[Key] extends { takes: infer Name } ? ShapeOf<Name> : unknown;

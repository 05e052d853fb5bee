// The API's own error codes, with status and title (spec 2.4, RFC 9457). docs/reference/server.md has the same table.
//   P1. A code never changes its meaning. Errors of the engine, the store, or a document keep their own
//       codes (docs/reference/failures.md).
//   P2. A title names the kind of error and is always the same. `detail` describes the specific case.

export interface ProblemKind {
  status: number;
  title: string;
  hint?: string;
}

export const PROBLEMS = {
  "wrong-host": { status: 421, title: "This server does not answer to that name." },
  "foreign-origin": { status: 403, title: "Another site's page may not call this server." },
  "no-token": { status: 401, title: "A token is needed: Authorization: Bearer …" },
  "wrong-token": {
    status: 401,
    title: "This token is not known.",
    hint: "A token is good until the server stops. Open the login link that `curlew serve` prints.",
  },
  "wrong-code": {
    status: 401,
    title: "This login code is not known, was used, or is too old.",
    hint: "`curlew serve` prints a new link when it is called again.",
  },
  "download-over": {
    status: 410,
    title: "This download address was used, or is too old.",
    hint: "It is good once, for a minute. Press download again.",
  },
  "right-missing": { status: 403, title: "This token may not do that." },
  "too-many-tries": { status: 429, title: "Too many failed tries to log in." },
  "no-such-route": { status: 404, title: "There is nothing at this address." },
  "method-not-allowed": { status: 405, title: "This address does not know that method." },
  "bad-request": { status: 400, title: "The request cannot be understood." },
  "headers-too-large": { status: 431, title: "The headers of the request are too large." },
  "request-too-slow": { status: 408, title: "The request took too long to arrive." },
  "not-json": { status: 415, title: "The body must be application/json." },
  "bad-json": { status: 400, title: "The body is not JSON in UTF-8." },
  "json-too-deep": { status: 400, title: "The body is nested too deeply." },
  "json-forbidden-key": { status: 400, title: "The body has a key that is not taken." },
  "body-too-large": { status: 413, title: "The body is too large." },
  "bad-body": { status: 422, title: "The body does not have the shape that this address takes." },
  "bad-query": { status: 400, title: "The query is not one that this address takes." },
  "bad-path": {
    status: 400,
    title: "This is not the path of a workflow file below the served folder.",
    hint: "Name it relative to the folder, with an ending of .flow.yaml, .flow.yml or .flow.json, and encode it as one segment.",
  },
  "condition-missing": {
    status: 428,
    title: "A document is changed only by whoever says what it replaces.",
    hint: "Send If-Match with the tag that GET gave, or If-None-Match: * for a new one.",
  },
  "document-changed": {
    status: 412,
    title: "The document is not what this change goes by any more.",
    hint: "`current` holds what is there now, and its tag.",
  },
  "document-too-large": { status: 413, title: "A workflow document cannot be so large." },
  "document-not-text": { status: 422, title: "A workflow document is text in UTF-8." },
  "document-not-a-file": {
    status: 409,
    title: "This name is not that of a regular file, or its path contains a link.",
  },
  "document-denied": { status: 403, title: "The system does not let Curlew at this file." },
  "disk-full": { status: 507, title: "The disk is full; nothing was changed." },
  "import-invalid": { status: 422, title: "The import did not give a valid workflow." },
  "delivery-without-body": {
    status: 409,
    title: "This delivery has no body that could be replayed.",
    hint: "Of refused, repeated and old deliveries no body is kept.",
  },
  "key-taken": { status: 422, title: "This Idempotency-Key belongs to another request." },
  "not-found": { status: 404, title: "It is not there." },
  internal: { status: 500, title: "Curlew failed, and it is not your doing." },
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof PROBLEMS;

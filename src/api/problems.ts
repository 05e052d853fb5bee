// The API's own error codes, with status and title (spec 2.4, RFC 9457). docs/reference/http-api.md has the same table.
//   P1. A code never changes its meaning. Errors of the engine, the store, or a document keep their own
//       codes (docs/reference/failures.md).
//   P2. A title names the kind of error and is always the same. `detail` describes the specific case.

export interface ProblemKind {
  status: number;
  title: string;
  hint?: string;
}

export const PROBLEMS = {
  "wrong-host": { status: 421, title: "This server does not respond to that host name." },
  "foreign-origin": { status: 403, title: "Another site's page may not call this server." },
  "no-token": { status: 401, title: "A token is needed: Authorization: Bearer …" },
  "wrong-token": {
    status: 401,
    title: "Unknown token.",
    hint: "A token is valid until the server stops. Open the login link that `curlew serve` prints.",
  },
  "login-code-invalid": {
    status: 401,
    title: "This login code is unknown, used, or expired.",
    hint: "To get a new link, run `curlew serve` again.",
  },
  "download-expired": {
    status: 410,
    title: "This download URL was used or has expired.",
    hint: "It is valid once, for a minute. Press download again.",
  },
  "right-missing": { status: 403, title: "This token may not do that." },
  "too-many-tries": { status: 429, title: "Too many failed logins." },
  "unknown-route": { status: 404, title: "There is nothing at this URL." },
  "method-not-allowed": { status: 405, title: "This URL does not support that method." },
  "bad-request": { status: 400, title: "The request is not valid." },
  "headers-too-large": { status: 431, title: "The headers of the request are too large." },
  "request-too-slow": { status: 408, title: "The request took too long to arrive." },
  "not-json": { status: 415, title: "The body must be application/json." },
  "bad-json": { status: 400, title: "The body is not JSON in UTF-8." },
  "json-too-deep": { status: 400, title: "The body is nested too deeply." },
  "json-forbidden-key": { status: 400, title: "The body has a key that is not allowed." },
  "body-too-large": { status: 413, title: "The body is too large." },
  "bad-body": { status: 422, title: "The body is not valid for this URL." },
  "bad-query": { status: 400, title: "The query is not valid for this URL." },
  "bad-path": {
    status: 400,
    title: "This is not the path of a workflow file in the served folder.",
    hint: "Write it relative to the folder, with the ending .flow.yaml, .flow.yml, or .flow.json, encoded as one segment.",
  },
  "condition-missing": {
    status: 428,
    title: "A change must name the version that it replaces.",
    hint: "Send If-Match with the tag from GET, or If-None-Match: * for a new document.",
  },
  "document-changed": {
    status: 412,
    title: "The document has changed since it was read.",
    hint: "`current` contains the current document and its tag.",
  },
  "document-exists": {
    status: 409,
    title: "The folder already has a file with that name.",
    hint: "Choose another name. No file is overwritten.",
  },
  "document-too-large": { status: 413, title: "The workflow file is too large." },
  "document-not-text": { status: 422, title: "A workflow file must be UTF-8 text." },
  "document-not-a-file": {
    status: 409,
    title: "This is not a regular file, or its path contains a link.",
  },
  "document-denied": { status: 403, title: "The system does not allow access to this file." },
  "disk-full": { status: 507, title: "The disk is full. Nothing was changed." },
  "import-invalid": { status: 422, title: "The import did not give a valid workflow." },
  "delivery-without-body": {
    status: 409,
    title: "This delivery has no body to replay.",
    hint: "Curlew does not keep the body of rejected, repeated, and old deliveries.",
  },
  "key-taken": { status: 422, title: "This Idempotency-Key belongs to another request." },
  "not-found": { status: 404, title: "Not found." },
  internal: { status: 500, title: "Curlew failed because of a bug in it." },
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof PROBLEMS;

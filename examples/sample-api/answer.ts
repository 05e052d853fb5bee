// answer: how the sample API reports errors, and how it reads numbers and bodies. Every error is JSON of one form, `{
// "error": { "code", "message" } }`, and its message says what would have been right.

import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";

declare module "hono" {
  interface ContextVariableMap {
    /** The request's body, read once by `readBody`. */
    body: string;
  }
}

const BODY_BYTES_MAX = 10 * 1024 * 1024;

/** Promise.withResolvers, which Node.js 20 does not have. */
export function withResolvers<T>(): { promise: Promise<T>; resolve(value: T): void; reject(reason: unknown): void } {
  let settle!: { resolve(value: T): void; reject(reason: unknown): void };
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, ...settle };
}

/** Thrown by handlers. The app's error handler turns it into a response. */
export class Refusal extends Error {
  readonly status: ContentfulStatusCode;
  readonly code: string;
  readonly headers: Record<string, string>;
  constructor(status: ContentfulStatusCode, code: string, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

export function refusalToResponse(c: Context, refusal: Refusal): Response {
  return c.json({ error: { code: refusal.code, message: refusal.message } }, refusal.status, refusal.headers);
}

/** An integer from the query, within bounds. Anything else is a 400 that names the bounds. */
export function wholeNumber(c: Context, name: string, fallback: number, min: number, max: number): number {
  const text = c.req.query(name);
  if (text === undefined) return fallback;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new Refusal(400, "bad-parameter", `"${name}" must be an integer from ${min} to ${max}, but is "${text}".`);
}

/** The body as text, stored in the context for later readers. Ends early if it is too large. */
export async function readBody(c: Context): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of c.req.raw.body ?? []) {
    bytes += part.length;
    if (bytes > BODY_BYTES_MAX) throw tooLarge();
    parts.push(part);
  }
  c.set("body", Buffer.concat(parts).toString("utf8"));
  return c.get("body");
}

/** The rest of the body is never read, so the connection cannot be used again; say so. */
function tooLarge(): Refusal {
  return new Refusal(413, "too-large", `A body may have ${BODY_BYTES_MAX} bytes.`, { Connection: "close" });
}

/** The body as a JSON object. */
export function jsonObject(c: Context): Record<string, unknown> {
  const type = c.req.header("content-type") ?? "";
  if (!/^application\/([\w.+-]+\+)?json\b/i.test(type)) {
    const seen = type === "" ? "the request has no such header" : `it was "${type}"`;
    throw new Refusal(415, "not-json", `Send the header "Content-Type: application/json"; ${seen}.`);
  }
  const text = c.get("body");
  if (text.trim() === "") throw new Refusal(400, "empty-body", "The body is empty; a JSON object was expected.");
  const value = parseJson(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new Refusal(400, "not-an-object", 'The body must be a JSON object, as in {"title": "…"}.');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Refusal(400, "bad-json", `The body is not JSON: ${(error as Error).message}`);
  }
}

// trouble: what real APIs do on bad days, on request.
//   ANY  /status/N            answers with status N.
//   GET  /limited?key=&limit=&window=&status=   at most `limit` answers in `window` ms per key (2 in 1,000), then 429 with
//                             Retry-After. With status=403 only the reset, like GitHub.
//   ANY  /flaky?key=&fail=&status=       fails `fail` times per key (2, with 503), succeeds once, and starts again.
//   GET  /slow?ms=            answers after that time. `GET /slow/lines?lines=&every=` sends a line every so many ms.
//   GET  /huge?bytes=         text of that size, streamed. `GET /binary?bytes=` sends every byte value, over and over.
//   ANY  /echo                the request itself. `ANY /redirect?to=/path` answers 302.
// If a caller hangs up, timers and streams end with the connection.

import { type Context, Hono } from "hono";
import { stream } from "hono/streaming";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { Refusal, wholeNumber, withResolvers } from "./answer.ts";

const KEYS_MAX = 10_000;
const BYTES_MAX = 100_000_000_000;
const MS_MAX = 600_000;

/** The sample API's memory per key: responses in the window, and failures so far. */
export class Memory {
  readonly times = new Map<string, number[]>();
  readonly failures = new Map<string, number>();
  reset(): void {
    this.times.clear();
    this.failures.clear();
  }
}

export function trouble(memory: Memory): Hono {
  const app = new Hono();
  app.all("/status/:code", (c) => status(c));
  app.get("/limited", (c) => limited(c, memory.times, Date.now()));
  app.all("/flaky", (c) => flaky(c, memory.failures));
  app.get("/slow", async (c) => {
    const ms = wholeNumber(c, "ms", 1_000, 0, MS_MAX);
    await pause(ms, c.req.raw.signal);
    return c.json({ waitedMs: ms });
  });
  app.get("/slow/lines", (c) => slowLines(c));
  app.get("/huge", (c) =>
    bytes(c, "text/plain; charset=utf-8", wholeNumber(c, "bytes", 1_000_000, 0, BYTES_MAX), TEXT),
  );
  app.get("/binary", (c) => bytes(c, "application/octet-stream", wholeNumber(c, "bytes", 256, 0, BYTES_MAX), BINARY));
  app.all("/echo", (c) => {
    const headers = Object.fromEntries(c.req.raw.headers);
    return c.json({ method: c.req.method, path: c.req.path, query: c.req.query(), headers, body: c.get("body") });
  });
  app.all("/redirect", (c) => {
    const to = c.req.query("to") ?? "/";
    if (!/^\/(?![/\\])/.test(to))
      throw new Refusal(400, "bad-parameter", '"to" must be a path on this server, as in "/api/items".');
    return c.redirect(to, 302);
  });
  return app;
}

const BODILESS = new Set([204, 205, 304]);

function status(c: Context): Response {
  const code = Number(c.req.param("code"));
  if (!(Number.isInteger(code) && code >= 200 && code <= 599)) {
    throw new Refusal(400, "bad-parameter", "The status must be an integer from 200 to 599.");
  }
  if (BODILESS.has(code)) return c.body(null, code as 204);
  const body = { status: code, message: `You asked for status ${code}.` };
  return c.json(
    code >= 400 ? { error: { code: `status-${code}`, message: body.message } } : body,
    code as ContentfulStatusCode,
  );
}

/** A sliding window: a request counts until `window` ms after its response. Rejected ones do not count. */
function limited(c: Context, times: Map<string, number[]>, now: number): Response {
  const key = c.req.query("key") ?? "";
  const limit = wholeNumber(c, "limit", 2, 1, 1_000);
  const window = wholeNumber(c, "window", 1_000, 1, MS_MAX);
  const code = wholeNumber(c, "status", 429, 400, 599) as ContentfulStatusCode;
  const recent = (times.get(key) ?? []).filter((time) => time > now - window);
  const free = recent.length < limit;
  if (free) recent.push(now);
  remember(times, key, recent);
  const waitMs = recent.length < limit ? 0 : recent[0]! + window - now;
  const headers = {
    "X-RateLimit-Limit": String(limit),
    "X-RateLimit-Remaining": String(limit - recent.length),
    "X-RateLimit-Reset": String(Math.ceil((now + waitMs) / 1000)),
  };
  if (free) return c.json({ key, remaining: limit - recent.length }, 200, headers);
  const message = `At most ${limit} requests in ${window} ms. Wait ${waitMs} ms, or slow down.`;
  const after: Record<string, string> =
    code === 403 ? {} : { "Retry-After": String(Math.max(1, Math.ceil(waitMs / 1000))) };
  throw new Refusal(code, "rate-limited", message, { ...headers, ...after });
}

function flaky(c: Context, failures: Map<string, number>): Response {
  const key = c.req.query("key") ?? "";
  const wanted = wholeNumber(c, "fail", 2, 0, 1_000_000);
  const code = wholeNumber(c, "status", 503, 400, 599) as ContentfulStatusCode;
  const failed = failures.get(key) ?? 0;
  if (failed >= wanted) {
    failures.delete(key);
    return c.json({ message: `Here you are, after ${failed} failures.`, attempt: failed + 1 });
  }
  remember(failures, key, failed + 1);
  const after = c.req.query("retryAfter");
  const headers: Record<string, string> = after === undefined ? {} : { "Retry-After": after };
  throw new Refusal(code, "flaky", `Failure ${failed + 1} of ${wanted}. Try again.`, headers);
}

function remember<V>(memory: Map<string, V>, key: string, value: V): void {
  memory.set(key, value);
  const oldest = memory.keys().next();
  if (memory.size > KEYS_MAX && oldest.value !== undefined) memory.delete(oldest.value);
}

function slowLines(c: Context): Response {
  const lines = wholeNumber(c, "lines", 5, 1, 100_000);
  const every = wholeNumber(c, "every", 200, 0, MS_MAX);
  c.header("Content-Type", "text/plain; charset=utf-8");
  return stream(c, async (out) => {
    for (let line = 1; line <= lines && !out.aborted; line++) {
      await out.write(`line ${line} of ${lines}\n`);
      if (line < lines) await pause(every, c.req.raw.signal);
    }
  });
}

const LINE = "The quick brown fox jumps over the lazy dog 0123456789 times.\n\n"; // 64 bytes
const TEXT = Buffer.from(LINE.repeat(1024));
const BINARY = Buffer.from(Array.from({ length: 65_536 }, (_, index) => index % 256));

function bytes(c: Context, type: string, total: number, pattern: Buffer): Response {
  let left = total;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (left === 0) return controller.close();
      const part = pattern.subarray(0, Math.min(left, pattern.length));
      left -= part.length;
      controller.enqueue(new Uint8Array(part));
    },
  });
  return c.body(body, 200, { "Content-Type": type, "Content-Length": String(total) });
}

/** Resolves after the time, or at once when the caller hangs up. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  signal.addEventListener("abort", () => {
    clearTimeout(timer);
    resolve();
  });
  return promise;
}

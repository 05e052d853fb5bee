import { expect, test } from "vitest";
import type { RetryPolicy } from "../../workflow/model.ts";
import { type Exchange, type FailedAttempt, type Repeated, retryAtMs } from "./retry.ts";

const NOW = Date.UTC(2026, 10, 21, 12, 0, 0);
const FIRST = NOW - 10_000;

/** The wait before the next attempt in milliseconds, or "no" if none follows. */
function wait(retry: RetryPolicy, failed: Partial<FailedAttempt> = {}, more: Partial<Repeated> = {}): number | "no" {
  const failure = { code: "exit-non-zero", message: "", exitCode: 1 };
  const at = retryAtMs(
    { retry: { jitter: "none", ...retry }, content: "curl x", ...more },
    { failure, number: 1, firstStartedMs: FIRST, nowMs: NOW, random: 0.5, ...failed },
  );
  return at === undefined ? "no" : at - NOW;
}

const call = (status: number, headers: Record<string, string> = {}, method = "GET"): { exchanges: Exchange[] } => ({
  exchanges: [{ method, status, headers }],
});
const exit = (exitCode: number, stderr = "") => ({ failure: { code: "exit-non-zero", message: "", exitCode, stderr } });

test("intervals grow to their maximum; the default is three attempts", () => {
  const waits = (retry: RetryPolicy, most: number) =>
    Array.from({ length: most }, (_, n) => wait(retry, { number: n + 1 }, { content: "x" }));
  expect(waits({}, 3)).toEqual([1_000, 2_000, "no"]);
  expect(waits({ maxAttempts: 9 }, 9)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, "no"]);
  expect(waits({ maxAttempts: 4, initialInterval: "10ms", multiplier: 3, maxInterval: "50ms" }, 4)).toEqual([
    10,
    30,
    50,
    "no",
  ]);
  expect(wait({ maxAttempts: 1_000, maxInterval: "30d" }, { number: 999 }, { content: "x" })).toBe(30 * 86_400_000);
});

test("full jitter draws each wait between 0 and the interval", () => {
  expect(wait({ jitter: "full" }, { random: 0 }, { content: "x" })).toBe(0);
  expect(wait({ jitter: "full" }, { random: 0.5, number: 2 }, { content: "x" })).toBe(1_000);
});

test("no attempt starts later than maxDuration after the first", () => {
  expect(wait({ maxDuration: "11s" }, {}, { content: "x" })).toBe(1_000);
  expect(wait({ maxDuration: "10999ms" }, {}, { content: "x" })).toBe("no");
});

test("temporary HTTP errors are retried, other 4xx are not", () => {
  const repeated = [400, 401, 403, 404, 408, 409, 410, 422, 425, 429, 451, 500, 501, 502, 503, 504, 505].filter(
    (status) => wait({}, call(status)) !== "no",
  );
  expect(repeated).toEqual([408, 425, 429, 500, 502, 503, 504]);
  // The status counts even if the command is not curl or changed curl's exit code.
  expect(wait({}, { ...call(404), ...exit(7) }, { content: "./fetch" })).toBe("no");
  expect(wait({}, { ...call(503), ...exit(1) }, { content: "./fetch" })).toBe(1_000);
});

test("the last exchange decides", () => {
  const exchanges = [...call(503).exchanges, ...call(404).exchanges];
  expect(wait({}, { exchanges })).toBe("no");
  expect(wait({}, { exchanges: exchanges.toReversed() })).toBe(1_000);
});

test("without recorded calls, curl's exit code and the status in it decide", () => {
  const codes = [1, 3, 5, 6, 7, 16, 18, 22, 23, 26, 28, 35, 52, 55, 56, 60, 92, 95, 126, 127];
  expect(codes.filter((code) => wait({}, exit(code)) !== "no")).toEqual([5, 6, 7, 16, 18, 28, 35, 52, 55, 56, 92, 95]);
  expect(wait({}, exit(22, "curl: (22) The requested URL returned error: 503"))).toBe(1_000);
  expect(wait({}, exit(22, "curl: (22) The requested URL returned error: 404"))).toBe("no");
  // The call was answered and something after it failed, so nothing suggests a temporary cause.
  expect(wait({}, { ...call(200), ...exit(23) })).toBe("no");
});

test("other commands are repeated, unless they could not be started", () => {
  const own = (failed: Partial<FailedAttempt>) => wait({}, failed, { content: "./own" });
  expect([own(exit(1)), own(exit(126)), own(exit(127))]).toEqual([1_000, "no", "no"]);
  expect(own({ failure: { code: "command-not-found", message: "" } })).toBe("no");
  expect(own({ failure: { code: "timed-out", message: "" } })).toBe(1_000);
});

test("a value that was rejected before the command started is rejected again, so nothing is repeated", () => {
  for (const code of ["value-url", "value-nul", "template-unknown-name", "env-value-nul", "http-not-allowed"])
    expect(wait({}, { failure: { code, message: "" } })).toBe("no");
});

test("`on` replaces these rules", () => {
  expect(wait({ on: { statuses: [404] } }, call(404))).toBe(1_000);
  expect(wait({ on: { statuses: [404] } }, call(503))).toBe("no");
  expect(wait({ on: { exitCodes: [9] } }, exit(9))).toBe(1_000);
  expect(wait({ on: { exitCodes: [9], statuses: [404] } }, exit(7))).toBe("no");
  expect(wait({ on: "x" }, { repeats: true })).toBe(1_000);
  expect([wait({ on: "x" }, { repeats: false }), wait({ on: "x" })]).toEqual(["no", "no"]);
});

test("a request that is not idempotent is repeated only if the node itself has retry", () => {
  for (const method of ["POST", "PATCH", "post"]) {
    expect(wait({}, call(503, {}, method))).toBe(1_000);
    expect(wait({}, call(503, {}, method), { inherited: true })).toBe("no");
  }
  for (const method of ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"])
    expect(wait({}, call(503, {}, method), { inherited: true })).toBe(1_000);
  const both = [...call(200, {}, "POST").exchanges, ...call(503).exchanges];
  expect(wait({}, { exchanges: both }, { inherited: true })).toBe("no");
});

test("Retry-After sets the wait, in both forms, without a cap", () => {
  const after = (value: string, retry: RetryPolicy = {}, more = {}) =>
    wait({ maxInterval: "5s", ...retry }, call(429, { "retry-after": value, ...more }));
  expect(after("120")).toBe(120_000);
  expect(after(" 1.5 ")).toBe(1_500);
  expect(after("86400")).toBe(86_400_000);
  expect(after(new Date(NOW + 90_000).toUTCString())).toBe(90_000);
  // The server's clock is one hour ahead, so it means 90 s.
  const ahead = { date: new Date(NOW + 3_600_000).toUTCString() };
  expect(after(new Date(NOW + 3_690_000).toUTCString(), {}, ahead)).toBe(90_000);
  expect(after("120", { maxDuration: "2m" })).toBe("no");
  expect(after("120", { maxDuration: "3m" })).toBe(120_000);
  expect(after("120", { respectRetryAfter: false })).toBe(1_000);
  // Some services round up in Retry-After and give the exact time in another header.
  expect(after("3", {}, { "retry-after-ms": "2150.5" })).toBe(2_151);
  expect(after("3", {}, { "retry-after-ms": "soon" })).toBe(3_000);
  expect(after("3", {}, { "x-ms-retry-after-ms": "2150" })).toBe(2_150);
  // Some services append a unit.
  expect([after("90s"), after("1m30s"), after("250ms")]).toEqual([90_000, 90_000, 250]);
});

test("an invalid Retry-After leaves the node's interval", () => {
  for (const value of ["", "soon", "-5", "0", new Date(NOW - 60_000).toUTCString(), "Fri", "12 moments"])
    expect([value, wait({}, call(503, { "retry-after": value }))]).toEqual([value, 1_000]);
});

test("of two waits that servers asked for, the longer one counts", () => {
  expect(wait({}, call(429, { "retry-after": "3, 7" }))).toBe(7_000);
});

test("a wait beyond the last date is ignored", () => {
  expect(wait({}, call(503, { "retry-after": "99999999999999999999" }))).toBe("no");
});

test("the reset of a rate limit sets the wait if no request is left", () => {
  const seconds = String(NOW / 1_000 + 30);
  const reset = (headers: Record<string, string>, status = 429) => wait({}, call(status, headers));
  expect(reset({ "x-ratelimit-reset": seconds })).toBe(30_000);
  expect(reset({ "x-ratelimit-reset": `${seconds}000` })).toBe(30_000);
  expect(reset({ "x-ratelimit-reset": `${seconds}000000` })).toBe(30_000);
  expect(reset({ "x-ratelimit-reset": `${seconds}000000000` })).toBe(30_000);
  expect(reset({ "x-ratelimit-reset": `${seconds}.5` })).toBe(30_500);
  expect(reset({ "x-ratelimit-reset": "30" })).toBe(30_000);
  expect(reset({ "x-ratelimit-reset-after": "1.5", "x-ratelimit-reset": seconds })).toBe(1_500);
  expect(reset({ "ratelimit-reset": "30", "ratelimit-remaining": "0" }, 503)).toBe(30_000);
  expect(reset({ "ratelimit-reset": "30", "ratelimit-remaining": "4" }, 503)).toBe(1_000);
  expect(reset({ ratelimit: '"default";r=0;t=30' }, 503)).toBe(30_000);
  expect(reset({ ratelimit: "limit=10, remaining=0, reset=30" })).toBe(30_000);
  expect(reset({ ratelimit: '"default";r=7;t=30' }, 503)).toBe(1_000);
  expect(reset({ "retry-after": "7", "x-ratelimit-reset": seconds })).toBe(7_000);
  // A service with two limits: the one with nothing remaining counts.
  const kinds = (requests: string, tokens: string) => ({
    "x-ratelimit-remaining-requests": requests,
    "x-ratelimit-reset-requests": "1h2m3.5s",
    "x-ratelimit-remaining-tokens": tokens,
    "x-ratelimit-reset-tokens": "120ms",
  });
  expect(reset(kinds("0", "90"))).toBe(3_723_500);
  expect(reset(kinds("5", "0"))).toBe(120);
  expect(reset(kinds("0", "0"))).toBe(3_723_500);
  expect(reset(kinds("5", "90"))).toBe(reset({}));
  expect(reset({ ratelimit: '"burst";r=10;t=1, "daily";r=0;t=3600' })).toBe(3_600_000);
  expect(reset({ ratelimit: '"burst"; r=0; t=9,"daily";r=70;t=3600' })).toBe(9_000);
  expect(reset({ ratelimit: '"burst";t=1;r=10, "daily";t=3600;r=0' })).toBe(3_600_000);
  // After a successful response it has no meaning.
  expect(wait({ on: { exitCodes: [1] } }, call(200, { "x-ratelimit-reset": "30", "x-ratelimit-remaining": "0" }))).toBe(
    1_000,
  );
});

test("a 403 with a time to retry is a rate limit, as GitHub sends it; other 403s are final", () => {
  const seconds = String(NOW / 1_000 + 30);
  const denied = (headers: Record<string, string>, retry: RetryPolicy = {}) => wait(retry, call(403, headers));
  expect(denied({ "x-ratelimit-remaining": "0", "x-ratelimit-reset": seconds })).toBe(30_000);
  expect(denied({ "retry-after": "60" })).toBe(60_000);
  expect(denied({ ratelimit: '"default";r=0;t=30' })).toBe(30_000);
  expect(denied({ "x-ratelimit-remaining": "0", "x-ratelimit-reset": seconds }, { maxDuration: "30s" })).toBe("no");
  expect(denied({ "retry-after": "60" }, { respectRetryAfter: false })).toBe(1_000);
  const others: Record<string, string>[] = [
    {},
    { "x-ratelimit-remaining": "4999", "x-ratelimit-reset": seconds },
    { "x-ratelimit-reset": seconds },
    { "x-ratelimit-remaining": "0" },
    { "retry-after": "never" },
  ];
  for (const headers of others) expect([headers, denied(headers)]).toEqual([headers, "no"]);
  expect(wait({}, call(401, { "retry-after": "60" }))).toBe("no");
});

test("a node without retry is not repeated", () => {
  const failure = { code: "exit-non-zero", message: "", exitCode: 7 };
  expect(retryAtMs({}, { failure, number: 1, firstStartedMs: FIRST, nowMs: NOW, random: 0 })).toBeUndefined();
});

// call: makes one request, retries it after temporary failures, and once with a new token (spec 3.6, 3.3).
//   C1. The engine's policy (engine/actions/retry.ts) decides what is retried and when. POST and PATCH are retried only with
//       --retry-unsafe, or if they cannot have reached the server.
//   C2. After a 401 the call is made once more if there is a different token by then.
//   C3. Nothing is retried after bytes of a response have been written.
//   C4. Every exchange is reported to the node that makes the call.

import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { HttpCall } from "../../base/http-call.ts";
import { limits } from "../../base/limits.ts";
import { retryAtMs } from "../../engine/actions/retry.ts";
import type { SignedIn } from "./auth.ts";
import type { Body } from "./body.ts";
import type { GraphqlRequest } from "./graphql.ts";
import type { Network, Request, Response } from "./network.ts";
import type { HttpOptions } from "./options.ts";
import type { Sink } from "./output.ts";
import { HttpExit, HttpProblem } from "./problem.ts";

/** A call before its first byte is sent. */
export interface Prepared {
  options: HttpOptions;
  env: Readonly<Record<string, string | undefined>>;
  network: Network;
  request: Request;
  signedIn: SignedIn | undefined;
  graphql: GraphqlRequest | undefined;
  sink: Sink;
}

export function say(text: string): void {
  process.stderr.write(`curlew: ${text}\n`);
}

/**
 * `use` consumes the response. An error it throws fails the attempt. `written` tells that bytes can no longer be taken
 * back.
 */
export async function callOf<T>(
  prepared: Prepared,
  request: Request,
  use: (response: Response) => Promise<T>,
  written: () => boolean,
): Promise<T> {
  const { options, env } = prepared;
  const firstStartedMs = Date.now();
  for (let number = 1; ; number += 1) {
    let response: Response | undefined;
    let problem: HttpProblem | undefined;
    const startedMs = Date.now();
    const nextMs = () => nextAt(options, request.method, { number, firstStartedMs, response, problem });
    let atMs: number | undefined;
    try {
      response = await signedInSend(prepared, request);
      atMs = response.status < 400 ? undefined : nextMs();
      const used = atMs === undefined ? await use(response) : undefined;
      report(env, request, startedMs, response);
      if (atMs === undefined) return used as T;
    } catch (reason) {
      if (!(reason instanceof HttpProblem)) throw reason;
      problem = reason;
      report(env, request, startedMs, response, problem);
      atMs = problem.exit === HttpExit.STATUS || written() ? undefined : nextMs();
      if (atMs === undefined) throw problem;
    }
    const why = problem === undefined ? `status ${response!.status}` : problem.message.replace(/\.$/, "");
    const waitS = (Math.max(0, atMs - Date.now()) / 1_000).toFixed(1);
    say(`try ${number} of ${(options.retry ?? 0) + 1}: ${why}; again in ${waitS} s`);
    await discard(response);
    for (let left = atMs - Date.now(); left > 0; left = atMs - Date.now())
      await sleep(Math.min(left, limits.timerMsMax));
  }
}

const NEVER_SENT: ReadonlySet<number | undefined> = new Set([HttpExit.RESOLVE, HttpExit.CONNECT, HttpExit.PROXY]);

interface Tried {
  number: number;
  firstStartedMs: number;
  response?: Response;
  problem?: HttpProblem;
}

function nextAt(options: HttpOptions, method: string, tried: Tried): number | undefined {
  const { retry: retries = 0, retryDelay: delayMs = 1_000, retryMaxTime: maxMs } = options;
  const { number, firstStartedMs, response, problem } = tried;
  const unsafe = (method === "POST" || method === "PATCH") && options.retryUnsafe !== true;
  if (retries === 0 || (unsafe && !NEVER_SENT.has(problem?.exit))) return undefined;
  const maxDuration = maxMs === undefined ? undefined : `${maxMs}ms`;
  const answered = response !== undefined && problem === undefined;
  return retryAtMs(
    { retry: { maxAttempts: retries + 1, initialInterval: `${delayMs}ms`, maxDuration }, content: "curl" },
    {
      failure: { code: "http-failed", message: "", exitCode: problem?.exit },
      exchanges: answered
        ? [{ method, status: response.status, headers: Object.fromEntries(response.headers) }]
        : undefined,
      number,
      firstStartedMs,
      nowMs: Date.now(),
      random: Math.random(),
    },
  );
}

/** Tries again after a 401 from the original host, with a token renewed since. */
async function signedInSend({ network, signedIn, env }: Prepared, request: Request): Promise<Response> {
  const startedMs = Date.now();
  const at = signedIn === undefined ? -1 : request.headers.indexOf(signedIn.first);
  const withToken = (): Request =>
    at < 0 ? request : { ...request, headers: request.headers.with(at, signedIn!.header) };
  const response = await network.send(withToken());
  const isElsewhere = response.finalUrl.origin !== request.url.origin;
  if (response.status !== 401 || isElsewhere || at < 0) return response;
  const renewed = await signedIn!.renewed();
  if (renewed === undefined) return response;
  report(env, request, startedMs, response);
  await discard(response);
  say("status 401; again with a new token");
  signedIn!.header = renewed;
  return network.send(withToken());
}

async function discard(response: Response | undefined): Promise<void> {
  await response?.body.dump({ limit: 65_536 }).catch(() => {});
}

/**
 * Appends one record to the file that the node reads (process/http-observer/records.ts). A failure to report does not
 * stop the call.
 */
function report(
  env: Prepared["env"],
  { method, url, body }: Request,
  startedMs: number,
  response: Response | undefined,
  problem?: HttpProblem,
): void {
  if (!env.CURLEW_HTTP) return;
  const headers: Record<string, string> = {};
  for (const [name, value] of response?.headers ?? []) {
    const all = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
    headers[name] = all.slice(0, limits.httpHeaderCharsMax);
  }
  const call: HttpCall = {
    method,
    url: url.href,
    status: response?.status ?? 0,
    durationMs: Date.now() - startedMs,
    headers,
    sentBytes: sizeOf(body.content),
    receivedBytes: response?.received,
    redirects: response?.redirects || undefined,
    finalUrl: response?.redirects ? response.finalUrl.href : undefined,
    exitCode: problem?.exit,
    error: problem?.message,
    client: "curlew http",
  };
  try {
    const file = `${env.CURLEW_HTTP}.${process.pid}`;
    appendFileSync(file, `\u001eH\u001f${JSON.stringify(call)}\u001e`, { mode: 0o600 });
  } catch {
    // The call does not depend on the report.
  }
}

function sizeOf(content: Body["content"]): number | undefined {
  if (content === undefined) return 0;
  if (content instanceof Blob) return content.size;
  return Buffer.isBuffer(content) ? content.length : undefined;
}

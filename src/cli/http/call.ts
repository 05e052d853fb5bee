// call: one request until its answer stands: redirects, and tries again (spec 3.6, 3.3).
//   C1. Another host, another port or a step down to http gets no secret header (H2), and no step leads where the URL itself could not.
//   C2. What is repeated, and when, is the engine's own policy (engine/retry.ts): of HTTP 408, 425, 429, 500, 502, 503, 504; of failures the
//       transient ones of curl. POST and PATCH only with --retry-unsafe, or when they cannot have reached the server.
//   C3. A 401 of the host that was called is asked again, one time, when there is another token by now: what was refused has done nothing.
//   C4. Nothing is repeated once bytes of an answer were handed on.

import { setTimeout as sleep } from "node:timers/promises";
import { limits } from "../../base/limits.ts";
import { retryAtMs } from "../../engine/retry.ts";
import { allowed } from "./address.ts";
import { type Body, bytesBody } from "./body.ts";
import { asSent, type Header } from "./headers.ts";
import type { Network, Response } from "./network.ts";
import { HttpExit, HttpProblem } from "./problem.ts";

export interface Call {
  method: string;
  url: URL;
  headers: readonly Header[];
  body: Body;
  /** Headers that belong to one try, such as a signature over its time. */
  perTry?: (() => readonly Header[]) | undefined;
  /** Who signs in; shared by all pages. */
  signedIn?: SignedIn | undefined;
}

export interface SignedIn {
  /** As it stands in `headers`, unless the author's own stands there. */
  first: Header;
  /** Sent in its place. */
  header: Header;
  /** C3. Another than `header`, when there is one. */
  again(): Promise<Header | undefined>;
}

export interface CallSettings {
  plain: boolean;
  redirectsMax: number;
  /** Tries after the first. */
  retries: number;
  retryDelayMs: number;
  retryMaxMs: number | undefined;
  retryUnsafe: boolean;
  say(text: string): void;
  /** Every exchange with a server, once its headers or its failure is known. */
  seen(exchange: SeenExchange): void;
}

export interface SeenExchange {
  method: string;
  /** As it was called; `finalUrl` is where redirects ended. */
  url: URL;
  finalUrl: URL;
  redirects: number;
  startedMs: number;
  /** When the answer's headers were there. */
  answeredMs: number | undefined;
  endedMs: number;
  requestBytes: number | undefined;
  response: Response | undefined;
  problem: HttpProblem | undefined;
}

/** Failures that came before anything was sent. */
const NEVER_SENT: ReadonlySet<number> = new Set([HttpExit.RESOLVE, HttpExit.CONNECT, HttpExit.PROXY]);
const SECOND_MS = 1_000;
/** Nobody sees it: the exit code decides. */
const FAILED = "http-failed";

/**
 * `use` takes the answer; what it throws counts as a failure of the try. `handedOn`: something of it can no longer be taken back (C4).
 */
export async function callOf<T>(
  network: Network,
  call: Call,
  settings: CallSettings,
  use: (response: Response) => Promise<T>,
  handedOn: () => boolean,
): Promise<T> {
  const firstStartedMs = Date.now();
  for (let number = 1; ; number += 1) {
    let response: Response | undefined;
    let problem: HttpProblem | undefined;
    try {
      response = await taken(network, call, settings);
    } catch (reason) {
      problem = asProblem(reason);
    }
    let at =
      problem === undefined && response!.status < 400
        ? undefined
        : nextAt(call, settings, number, firstStartedMs, response, problem);
    if (at === undefined && response !== undefined) {
      try {
        return await use(response);
      } catch (reason) {
        problem = asProblem(reason);
        response.failed = problem;
        const lost = !handedOn() && problem.exit !== HttpExit.STATUS;
        at = lost ? nextAt(call, settings, number, firstStartedMs, undefined, problem) : undefined;
      } finally {
        response.done();
      }
    }
    if (at === undefined) throw problem;
    await discard(response);
    const why = problem === undefined ? `status ${response!.status}` : problem.message.replace(/\.$/, "");
    const waitMs = Math.max(0, at - Date.now());
    settings.say(
      `curlew: try ${number} of ${settings.retries + 1}: ${why}; again in ${(waitMs / SECOND_MS).toFixed(1)} s\n`,
    );
    for (let left = waitMs; left > 0; left = at - Date.now()) await sleep(Math.min(left, limits.timerMsMax));
  }
}

function asProblem(reason: unknown): HttpProblem {
  if (reason instanceof HttpProblem) return reason;
  throw reason;
}

/** C2. */
function nextAt(
  call: Call,
  settings: CallSettings,
  number: number,
  firstStartedMs: number,
  response: Response | undefined,
  problem: HttpProblem | undefined,
): number | undefined {
  if (settings.retries === 0) return undefined;
  const notIdempotent = call.method === "POST" || call.method === "PATCH";
  if (notIdempotent && !settings.retryUnsafe && !(problem !== undefined && NEVER_SENT.has(problem.exit)))
    return undefined;
  const { retryMaxMs } = settings;
  return retryAtMs(
    {
      retry: {
        maxAttempts: settings.retries + 1,
        initialInterval: `${settings.retryDelayMs}ms`,
        ...(retryMaxMs === undefined ? {} : { maxDuration: `${retryMaxMs}ms` }),
      },
      content: "curl",
    },
    {
      failure: { code: FAILED, message: "", ...(problem === undefined ? {} : { exitCode: problem.exit }) },
      ...(response === undefined
        ? {}
        : {
            exchanges: [
              { method: call.method, status: response.status, headers: Object.fromEntries(response.headers) },
            ],
          }),
      number,
      firstStartedMs,
      nowMs: Date.now(),
      random: Math.random(),
    },
  );
}

/** C3. */
async function taken(network: Network, call: Call, settings: CallSettings): Promise<Response> {
  const signedIn =
    call.signedIn !== undefined && call.headers.includes(call.signedIn.first) ? call.signedIn : undefined;
  const response = await follow(network, call, settings);
  if (response.status !== 401 || response.elsewhere === true || signedIn === undefined) return response;
  const header = call.body.length === undefined ? undefined : await signedIn.again();
  if (header === undefined) return response;
  await discard(response);
  signedIn.header = header;
  settings.say("curlew: status 401; again with a new token\n");
  return follow(network, call, settings);
}

/** One try, with its redirects. It is told of when its answer has been taken, or has failed. */
async function follow(network: Network, call: Call, settings: CallSettings): Promise<Response> {
  const { method, url, body } = call;
  const told = { method, url, finalUrl: url, redirects: 0, startedMs: Date.now(), requestBytes: body.length };
  try {
    const response = await steps(network, call, settings, told);
    const { done } = response;
    const answeredMs = Date.now();
    let over = false;
    response.done = () => {
      done();
      if (!over) settings.seen({ ...told, answeredMs, endedMs: Date.now(), response, problem: response.failed });
      over = true;
    };
    return response;
  } catch (reason) {
    const problem = asProblem(reason);
    settings.seen({ ...told, answeredMs: undefined, endedMs: Date.now(), response: undefined, problem });
    throw problem;
  }
}

async function steps(
  network: Network,
  call: Call,
  settings: CallSettings,
  told: { finalUrl: URL; redirects: number },
): Promise<Response> {
  let { method, url, body } = call;
  const { signedIn } = call;
  const own = call.headers.map((header) => (header === signedIn?.first ? signedIn.header : header));
  let headers = [...own, ...(call.perTry?.() ?? [])];
  for (;;) {
    const response = await send(network, { method, url, headers, body });
    if (url.origin !== call.url.origin) response.elsewhere = true;
    const to = settings.redirectsMax === 0 ? undefined : target(response, url);
    if (to === undefined) return response;
    await discard(response);
    if (told.redirects >= settings.redirectsMax)
      throw new HttpProblem(
        HttpExit.REDIRECTS,
        "redirects",
        `There were more than ${settings.redirectsMax} redirects.`,
        "Check the URL for a redirect loop, or raise --max-redirs.",
      );
    const next = allowed(to, settings.plain);
    if (next.origin !== url.origin)
      headers = headers.filter(({ secret, name }) => !secret && name.toLowerCase() !== "host");
    if (becomesGet(response.status, method)) {
      method = "GET";
      body = bytesBody(undefined, undefined);
      headers = headers.filter(({ name }) => !/^content-/i.test(name));
    }
    url = next;
    told.finalUrl = next;
    told.redirects += 1;
  }
}

function becomesGet(status: number, method: string): boolean {
  return (status === 303 && method !== "HEAD") || ((status === 301 || status === 302) && method === "POST");
}

function send(network: Network, { method, url, headers, body }: Call): Promise<Response> {
  const opened = body.open();
  const isStream = opened !== undefined && !Buffer.isBuffer(opened);
  const length: [string, string][] =
    isStream && body.length !== undefined ? [["content-length", String(body.length)]] : [];
  return network.send({ method, url, headers: [...asSent(headers), ...length], body: opened });
}

const REDIRECT: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

function target(response: Response, from: URL): URL | undefined {
  const location = response.header("location");
  if (!REDIRECT.has(response.status) || location === undefined || location === "") return undefined;
  const to = URL.parse(location, from.href);
  if (to !== null) return to;
  throw new HttpProblem(
    HttpExit.URL,
    "url",
    "The server redirects to a malformed URL.",
    "--max-redirs 0 shows its answer.",
  );
}

async function discard(response: Response | undefined): Promise<void> {
  if (response === undefined) return;
  try {
    const body = response.body as Response["body"] & { dump?: (options: { limit: number }) => Promise<void> };
    await body.dump?.({ limit: 65_536 });
  } catch {
    // Nobody wanted it.
  }
  response.done();
}

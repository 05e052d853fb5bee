// Sends a request to an authorization server and interprets its response (spec 3.6).
//   E1. Redirects are not followed, so that a client's secrets go only where the document says.
//   E2. A response is read completely, up to a limit, before it is parsed. An ID token in it is
//       dropped, because none was requested.
//   E3. Proxies and certificates come from the environment, as for curl.
//   E4. A failure contains nothing of the request, and only the error name and text of the response, masked and cut.
//   E5. The failure of an HTTP error includes the call, so that the record shows it and its
//       Retry-After sets the delay of a retry.
//   E6. A form-encoded response is read like JSON, and an error counts whatever the
//       status, because GitHub responds like this.

import { readFileSync } from "node:fs";
import { errorWords } from "../../base/error-words.ts";
import { type Failure, failureOf } from "../../base/failure.ts";
import { type HttpCall, SERVICE_HEADERS } from "../../base/http-call.ts";
import { limits } from "../../base/limits.ts";
import { NETWORK_WORDS, networkReason } from "../../base/network-errors.ts";
import { parseJsonObject } from "../../base/tolerant.ts";
import type { Grant } from "./grant.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Asking {
  grant: Grant;
  environment: Environment;
  /** Masks the secrets in a text. */
  mask(text: string): string;
  signal?: AbortSignal | undefined;
}

/** E5. */
export interface NoToken extends Failure {
  call?: HttpCall;
}

/** Thrown only inside this folder. */
export class Trouble extends Error {
  readonly failure: NoToken;
  /** The server's error code, such as `invalid_grant`. */
  readonly error: string | undefined;
  constructor(failure: NoToken, error?: string) {
    super(failure.message);
    this.failure = failure;
    this.error = error;
  }
}

interface Sent {
  method?: string;
  headers?: unknown;
  body?: unknown;
}

/** A fetch for oauth4webapi that returns only valid JSON. Throws `Trouble`. */
export function fetchFor(asking: Asking): (url: string, init: Sent) => Promise<Response> {
  return async (address, init) => {
    const { grant, signal } = asking;
    const url = new URL(address);
    const { fetch } = await import("undici");
    const dispatcher = await dispatcherFor(asking.environment);
    const time = AbortSignal.timeout(limits.tokenRequestMs);
    const method = init.method ?? "GET";
    const startedMs = performance.now();
    let call: HttpCall | undefined;
    try {
      const answer = await fetch(url, {
        method,
        ...sentAs(grant, init),
        redirect: "manual",
        dispatcher,
        signal: signal === undefined ? time : AbortSignal.any([time, signal]),
      });
      const durationMs = Math.round(performance.now() - startedMs);
      if (answer.status >= 400) call = callOf(method, url, answer as unknown as Response, durationMs);
      return await readAnswer(answer as unknown as Response, url, asking);
    } catch (reason) {
      if (reason instanceof Trouble)
        throw call === undefined ? reason : new Trouble({ ...reason.failure, call }, reason.error);
      if (signal?.aborted === true) throw new Trouble(runEnded(grant));
      throw new Trouble(unreachable(url, grant, reason, time.aborted));
    } finally {
      // An open connection would keep the process from exiting.
      void dispatcher.destroy();
    }
  };
}

function callOf(
  method: string,
  { origin, pathname }: URL,
  { status, headers }: Response,
  durationMs: number,
): HttpCall {
  const kept = Object.fromEntries([...headers].filter(([name]) => SERVICE_HEADERS.test(name)));
  return { method, url: `${origin}${pathname}`, status, durationMs, headers: kept, client: "curlew" };
}

/** `body: json`: sends the token request as JSON, which some servers expect. */
function sentAs(grant: Grant, { headers, body }: Sent): { headers: Record<string, string>; body?: string } {
  const all = Object.fromEntries(new Headers(headers as Headers));
  if (!(body instanceof URLSearchParams)) return { headers: all };
  if (grant.body === "form") return { headers: all, body: body.toString() };
  return { headers: { ...all, "content-type": "application/json" }, body: JSON.stringify(Object.fromEntries(body)) };
}

/** E3. */
async function dispatcherFor(environment: Environment) {
  const { EnvHttpProxyAgent } = await import("undici");
  const file = environment.CURL_CA_BUNDLE || environment.SSL_CERT_FILE || environment.NODE_EXTRA_CA_CERTS;
  const own = file ? await certificatesOf(file) : {};
  const pick = (...names: string[]): string => names.map((name) => environment[name]).find(Boolean) ?? "";
  return new EnvHttpProxyAgent({
    httpProxy: pick("http_proxy"),
    httpsProxy: pick("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"),
    noProxy: [pick("no_proxy", "NO_PROXY"), "localhost", "127.0.0.1", "[::1]"].filter(Boolean).join(","),
    connect: own,
    requestTls: own,
  });
}

/** A file that cannot be read is ignored: the TLS handshake reports what is missing. */
async function certificatesOf(file: string): Promise<{ ca?: string[] }> {
  const { getCACertificates } = await import("node:tls");
  try {
    return { ca: [...getCACertificates("default"), readFileSync(file, "utf8")] };
  } catch {
    return {};
  }
}

async function readAnswer(answer: Response, url: URL, asking: Asking): Promise<Response> {
  const { status } = answer;
  const text = await bodyText(answer, url, asking);
  const members = parseJsonObject(text) ?? formOf(text);
  if (members === undefined)
    throw new Trouble(status < 500 ? notJson(url, asking.grant, status, text) : badStatus(url, asking, status));
  if (typeof members.error === "string")
    throw new Trouble(refusal(members, status, asking), standardName(members.error));
  if (status < 200 || status > 299) throw new Trouble(badStatus(url, asking, status, errorWords(text)));
  const { id_token: _, ...kept } = members;
  // Some servers omit what RFC 6749 and 8628 require, although the meaning is clear.
  if (typeof kept.access_token === "string" && kept.token_type === undefined) kept.token_type = "bearer";
  kept.verification_uri ??= kept.verification_url;
  withTimes(kept);
  return new Response(JSON.stringify(kept), { status: 200, headers: { "content-type": "application/json" } });
}

/**
 * Accepts seconds written as a string. Values that are not positive numbers are removed, and the time is then unknown.
 */
function withTimes(members: Record<string, unknown>): void {
  for (const name of ["expires_in", "interval"]) {
    const seconds = typeof members[name] === "string" ? Number.parseFloat(members[name]) : members[name];
    if (typeof seconds === "number" && seconds > 0) members[name] = Math.min(seconds, limits.tokenSecondsMax);
    else delete members[name];
  }
  if (typeof members.device_code === "string") members.expires_in ??= limits.loginMs / 1_000;
}

async function bodyText(answer: Response, url: URL, { grant }: Asking): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of answer.body ?? []) {
    bytes += part.length;
    if (bytes > limits.tokenAnswerBytesMax) throw new Trouble(notJson(url, grant, answer.status, "…"));
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

/** E6. Undefined unless the text has a member of such a response. */
function formOf(text: string): Record<string, unknown> | undefined {
  if (!/(?:^|&)(?:access_token|device_code|error)=/.test(text) || /[\s<]/.test(text.trim())) return undefined;
  return Object.fromEntries(new URLSearchParams(text.trim()));
}

/** GitHub's names for the errors of RFC 6749. */
const STANDARD_NAMES: Readonly<Record<string, string>> = {
  incorrect_client_credentials: "invalid_client",
  bad_refresh_token: "invalid_grant",
  bad_verification_code: "invalid_grant",
  incorrect_device_code: "invalid_grant",
  device_flow_disabled: "unauthorized_client",
};

function standardName(error: string): string {
  return Object.hasOwn(STANDARD_NAMES, error) ? STANDARD_NAMES[error]! : error;
}

const row = (code: string, meaning: string, hint: string) => ({ code, meaning, hint });

/** The meaning of each error of RFC 6749 and 8628, and what to do. */
const MEANINGS: Readonly<Record<string, ReturnType<typeof row>>> = {
  invalid_client: row(
    "auth-invalid-client",
    "the client's id or secret is wrong",
    "Check clientId and clientSecret; some servers want clientAuth: basic.",
  ),
  invalid_grant: row(
    "auth-invalid-grant",
    "the refresh token or code is not valid, or no longer valid",
    "Sign in again, or replace the refresh token.",
  ),
  unauthorized_client: row(
    "auth-unauthorized-client",
    "the client may not use this grant",
    "Allow the grant for the client where it is registered, or use another type of auth.",
  ),
  unsupported_grant_type: row(
    "auth-unauthorized-client",
    "the server does not support this grant",
    "Use a type of auth that the server supports.",
  ),
  invalid_scope: row("auth-invalid-scope", "the scope is unknown or not allowed", "Check the scope of the auth entry."),
  invalid_target: row(
    "auth-invalid-scope",
    "the resource or audience is unknown",
    "Check the resource and audience of the auth entry.",
  ),
  access_denied: row("auth-access-denied", "the sign-in was refused", "Sign in again, and allow it."),
  expired_token: row("auth-expired-token", "no one signed in within the time limit", "Sign in again."),
  slow_down: row("auth-slow-down", "Curlew called it too often", "Try again later."),
  authorization_pending: row("auth-pending", "no one has signed in yet", "Sign in with the code that was shown."),
  temporarily_unavailable: row("auth-unavailable", "the server is not available now", "Try again later."),
  server_error: row("auth-unavailable", "the server failed", "Try again later."),
};

const REFUSED = { code: "auth-refused" };
/** E4. */
export function refusal(
  members: Record<string, unknown>,
  status: number | undefined,
  { grant, mask }: Asking,
): Failure {
  const name = String(members.error);
  const error = standardName(name);
  const entry = Object.hasOwn(MEANINGS, error) ? MEANINGS[error] : undefined;
  const { error_description } = members;
  const words = typeof error_description === "string" ? shown(mask(error_description)) : "";
  const shownName = `${/^[\w.-]{1,60}$/.test(name) ? name : "an error"}${status === undefined ? "" : `, status ${status}`}`;
  return {
    code: entry?.code ?? REFUSED.code,
    message: `Curlew got no token for the auth "${grant.name}": ${entry?.meaning ?? "the server refused"} (${shownName}).${words === "" ? "" : ` It said: «${words}»`}`,
    hint: entry?.hint ?? "Look up the error in the server's documentation.",
  };
}

/** On one line, cut, and without invisible characters. */
function shown(text: string): string {
  const line = text.replace(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim();
  return line.length > limits.tokenErrorChars ? `${line.slice(0, limits.tokenErrorChars)}…` : line;
}

function unreachable(url: URL, grant: Grant, reason: unknown, late: boolean): Failure {
  const code = codeOf(reason);
  const network = networkReason(code);
  const why = late
    ? `there was no response within ${limits.tokenRequestMs / 1000} s`
    : ((network && NETWORK_WORDS[network]) ?? `the call failed (${code})`);
  const isCertificate = !late && /^(?:certificate|tls)/.test(network ?? "");
  return isCertificate
    ? {
        code: "auth-certificate",
        message: `Curlew got no token for the auth "${grant.name}": the certificate of ${url.host} is not trusted (${code}).`,
        hint: "If the server uses your own certificate, name its CA: SSL_CERT_FILE=ca.pem.",
      }
    : {
        code: "auth-unreachable",
        message: `Curlew got no token for the auth "${grant.name}": it can't reach ${url.host}, because ${why}.`,
        hint: "Check the URL of the auth entry, the network, and the proxy (https_proxy).",
      };
}

function codeOf(reason: unknown): string {
  for (let at = reason; at instanceof Error; at = at.cause) {
    const { code } = at as NodeJS.ErrnoException;
    if (typeof code === "string") return code;
    if (at instanceof AggregateError && at.errors[0] instanceof Error) return codeOf(at.errors[0]);
  }
  return "no reason given";
}

function notJson(url: URL, grant: Grant, status: number, text: string): Failure {
  const what = text === "" ? "nothing" : `${/^\s*</.test(text) ? "a page" : "something"} that is not JSON`;
  const moved = status >= 300 && status <= 399;
  return {
    code: "auth-not-json",
    message: `Curlew got no token for the auth "${grant.name}": ${url.host} responded with status ${status}${moved ? ", a redirect, which Curlew does not follow" : ` and ${what}`}.`,
    hint: moved
      ? "If you trust the new URL, write it in the auth entry."
      : "This is not a token endpoint, or a proxy responded. Check the URL of the auth entry.",
  };
}

/** `words`: the server's own description of the error. */
function badStatus(url: URL, { grant, mask }: Asking, status: number, words = ""): Failure {
  return {
    code: status >= 500 || status === 429 ? "auth-unavailable" : "auth-refused",
    message: `Curlew got no token for the auth "${grant.name}": ${url.host} responded with status ${status}${words === "" ? ", without a reason" : ` and said «${shown(mask(words))}»`}.`,
    hint: status >= 500 || status === 429 ? "Try again later." : "Check the URL of the auth entry.",
  };
}

export const runEnded = failureOf("auth-cancelled", ({ name }: Grant) => [
  `The run ended before Curlew got a token for the auth "${name}".`,
]);

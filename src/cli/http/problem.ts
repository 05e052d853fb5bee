// problem: the ways one call of `curlew http` can fail, with curl's exit code where the meaning is the same (spec 3.6).

import { type NetworkReason, networkReason } from "../../base/network-errors.ts";
import { wordsOf } from "../../process/reason-words.ts";
import { CURL_EXITS, type ReasonCode } from "../../process/stderr-patterns.ts";

/** Exit codes of curl, and our own from 110. */
export const HttpExit = {
  OK: 0,
  PROTOCOL: 1,
  USAGE: 2,
  URL: 3,
  PROXY: 5,
  RESOLVE: 6,
  CONNECT: 7,
  WEIRD: 8,
  PARTIAL: 18,
  STATUS: 22,
  WRITE: 23,
  READ: 26,
  TIMEOUT: 28,
  TLS: 35,
  FAULT: 43,
  REDIRECTS: 47,
  EMPTY: 52,
  SEND: 55,
  RECEIVE: 56,
  CERTIFICATE: 60,
  ENCODING: 61,
  TOO_LARGE: 63,
  REWIND: 65,
  CA_FILE: 77,
  /** More pages than the default maximum. */
  PAGES_MAX: 110,
  /** The same page came twice. */
  SAME_PAGE: 111,
  /** A page lacks the data needed to find the next one. */
  PAGE_BROKEN: 112,
  /** A GraphQL response with errors. */
  GRAPHQL: 113,
} as const;

export class HttpProblem extends Error {
  override name = "HttpProblem";
  readonly exit: number;
  readonly code: string;
  readonly hint: string | undefined;
  constructor(exit: number, code: string, message: string, hint?: string) {
    super(message);
    this.exit = exit;
    this.code = code;
    this.hint = hint;
  }
}

export function usage(code: string, message: string, hint?: string): HttpProblem {
  return new HttpProblem(HttpExit.USAGE, code, message, hint);
}

type Outcome = readonly [exit: number, code: string, reason?: ReasonCode];

const WEIRD: Outcome = [HttpExit.WEIRD, "weird-answer"];
const TIMEOUT: Outcome = [HttpExit.TIMEOUT, "timeout", "timeout"];
const REDIRECTS: Outcome = [HttpExit.REDIRECTS, "redirects", "too-many-redirects"];
const TLS: Outcome = [HttpExit.TLS, "tls", "tls"];

/** Failed connections. One that was closed has several codes, see `outcomeOf`. */
const NETWORK: Readonly<Partial<Record<NetworkReason, Outcome>>> = {
  "name-not-resolved": [HttpExit.RESOLVE, "resolve", "name-not-resolved"],
  "connection-refused": [HttpExit.CONNECT, "connect", "connection-refused"],
  "host-unreachable": [HttpExit.CONNECT, "connect", "host-unreachable"],
  timeout: TIMEOUT,
  tls: TLS,
};

/** Other errors, found in an error's code, name and message. */
const OTHERS: readonly (readonly [RegExp, Outcome])[] = [
  [/TimeoutError/, TIMEOUT],
  [/before secure TLS connection/, TLS],
  [/^UND_ERR_REDIRECT_MAX |Redirect loop detected/, REDIRECTS],
  [/Invalid URL/, [HttpExit.PROTOCOL, "protocol"]],
  [/^(?:Z_|ERR_BROTLI|ZSTD_|ERR_ZSTD|ERR__ERROR_FORMAT)/, [HttpExit.ENCODING, "encoding"]],
  [/^EPIPE /, [HttpExit.SEND, "send"]],
];

interface SystemError extends Error {
  code?: string;
  hostname?: string;
  address?: string;
  port?: number;
}

/** `answered`: the response headers had arrived. */
export function explain(reason: unknown, url: URL, answered: boolean): HttpProblem {
  const error = innermost(reason);
  if (error instanceof HttpProblem) return error;
  const proxy = /Proxy response \((\d+)\)|(Proxy Authentication Required)/.exec(error.message);
  if (proxy !== null)
    return new HttpProblem(
      HttpExit.RECEIVE,
      "proxy-refused",
      `The proxy refused the connection with status ${proxy[1] ?? 407}.`,
      "Check HTTPS_PROXY and HTTP_PROXY, and the login in them: http://USER:PASSWORD@HOST:PORT.",
    );
  const code = codeOf(error);
  const [exit, name, reasonCode] = outcomeOf(error, answered);
  const row = CURL_EXITS[exit];
  const host = error.hostname ?? (error.address === undefined ? url.host : `${error.address}:${error.port}`);
  const words = reasonCode && wordsOf(reasonCode, "curlew http", { name: host });
  const what = words?.what ?? row?.message ?? "the response is not valid HTTP";
  const shown = code === "" || code.startsWith("UND_") ? "" : ` (${code})`;
  const sentence = `${what.slice(0, 1).toUpperCase()}${what.slice(1)}${shown}.`;
  return new HttpProblem(exit, name, sentence, words?.hints.join(" ") ?? row?.hint);
}

function outcomeOf(error: SystemError, answered: boolean): Outcome {
  const code = codeOf(error);
  const network = networkReason(code);
  if (network?.startsWith("certificate")) return [HttpExit.CERTIFICATE, "certificate", network];
  const outcome =
    (network && NETWORK[network]) ??
    OTHERS.find(([pattern]) => pattern.test(`${code} ${error.name} ${error.message}`))?.[1];
  if (outcome !== undefined) return outcome;
  const isParser = error.name === "HTTPParserError";
  if (answered) return isParser ? [HttpExit.RECEIVE, "reset"] : [HttpExit.PARTIAL, "partial"];
  if (code === "UND_ERR_SOCKET") return [HttpExit.EMPTY, "empty", "connection-closed"];
  return code === "ECONNRESET" ? [HttpExit.RECEIVE, "reset"] : WEIRD;
}

/** A DOMException has a number here. */
export function codeOf({ code }: SystemError): string {
  return typeof code === "string" ? code : "";
}

/** The error of the first of several addresses, or the cause of a wrapped error. */
export function innermost(reason: unknown): SystemError {
  const error = reason as SystemError & { errors?: unknown[] };
  if (Array.isArray(error?.errors) && error.errors.length > 0) return innermost(error.errors[0]);
  if (error?.cause instanceof Error && /^(?:UND_ERR_PRX.*)?$/.test(codeOf(error))) return innermost(error.cause);
  return error instanceof Error ? error : new Error(String(reason));
}

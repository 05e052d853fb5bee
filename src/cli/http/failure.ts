// failure: explains errors below HTTP (DNS, TCP, TLS) with curl's exit codes and terms (spec 3.6).

import { wordsOf } from "../../process/reason-words.ts";
import { CURL_EXITS, type ReasonCode } from "../../process/stderr-patterns.ts";
import { HttpExit, HttpProblem } from "./problem.ts";

interface Known {
  exit: number;
  code: string;
  reason?: ReasonCode;
}

const RESOLVE: Known = { exit: HttpExit.RESOLVE, code: "resolve", reason: "name-not-resolved" };
const UNREACHABLE: Known = { exit: HttpExit.CONNECT, code: "connect", reason: "host-unreachable" };
const TIMEOUT: Known = { exit: HttpExit.TIMEOUT, code: "timeout", reason: "timeout" };
const RESET: Known = { exit: HttpExit.RECEIVE, code: "reset" };
const WEIRD: Known = { exit: HttpExit.WEIRD, code: "weird-answer" };

/** Explanations by error code. */
const KNOWN: readonly (readonly [RegExp, Known])[] = [
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, RESOLVE],
  [/^ECONNREFUSED$/, { exit: HttpExit.CONNECT, code: "connect", reason: "connection-refused" }],
  [/^(?:EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/, UNREACHABLE],
  [/^(?:ETIMEDOUT|UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT)$/, TIMEOUT],
  [/^CERT_HAS_EXPIRED$/, certificate("certificate-expired")],
  [/^CERT_NOT_YET_VALID$/, certificate("certificate-not-yet-valid")],
  [/^(?:ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/, certificate("certificate-wrong-host")],
  [/^(?:SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_(?:GET|VERIFY)_)/, certificate("certificate-untrusted")],
  [/^(?:CERT_|CRL_|ERROR_IN_CERT_|INVALID_(?:CA|PURPOSE)|PATH_LENGTH_|EE_KEY_|CA_MD_)/, certificate("certificate")],
  [/^(?:EPROTO$|ERR_SSL_|ERR_TLS_)/, { exit: HttpExit.TLS, code: "tls", reason: "tls" }],
  [/^UND_ERR_REDIRECT_MAX$/, { exit: HttpExit.REDIRECTS, code: "redirects", reason: "too-many-redirects" }],
  [/^(?:Z_|ERR_BROTLI|ZSTD_|ERR_ZSTD|ERR__ERROR_FORMAT)/, { exit: HttpExit.ENCODING, code: "encoding" }],
  [/^EPIPE$/, { exit: HttpExit.SEND, code: "send" }],
  [/^ERR_HTTP2_/, { exit: HttpExit.STREAM, code: "stream" }],
  [/^(?:HPE_|UND_ERR_HEADERS_OVERFLOW$|ERR_ASSERTION$)/, WEIRD],
];

function certificate(reason: ReasonCode): Known {
  return { exit: HttpExit.CERTIFICATE, code: "certificate", reason };
}

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
  const { message } = error;
  const code = codeOf(error);
  const proxy = /Proxy response \((\d+)\)|(Proxy Authentication Required)/.exec(message);
  if (proxy !== null)
    return new HttpProblem(
      HttpExit.RECEIVE,
      "proxy-refused",
      `The proxy refused the connection with status ${proxy[1] ?? 407}.`,
      "Check HTTPS_PROXY and HTTP_PROXY, and the login in them: http://USER:PASSWORD@HOST:PORT.",
    );
  const known = knownOf(error, answered);
  const row = CURL_EXITS[known.exit];
  const host = error.hostname ?? (error.address === undefined ? url.host : `${error.address}:${error.port}`);
  const words = known.reason && wordsOf(known.reason, "curlew http", { name: host });
  const what = words?.what ?? row?.message ?? "the answer is not valid HTTP";
  const shown = code === "" || code.startsWith("UND_") ? "" : ` (${code})`;
  const sentence = `${what.slice(0, 1).toUpperCase()}${what.slice(1)}${shown}.`;
  return new HttpProblem(known.exit, known.code, sentence, words?.hints.join(" ") ?? row?.hint);
}

/** A DOMException has a number here. */
function codeOf({ code }: SystemError): string {
  return typeof code === "string" ? code : "";
}

function knownOf(error: SystemError, answered: boolean): Known {
  const { name, message } = error;
  const code = codeOf(error);
  if (name === "TimeoutError") return TIMEOUT;
  if (/Redirect loop detected/.test(message)) return { exit: HttpExit.REDIRECTS, code: "redirects" };
  if (/Invalid URL/.test(message)) return { exit: HttpExit.PROTOCOL, code: "protocol" };
  if (/before secure TLS connection/.test(message)) return { exit: HttpExit.TLS, code: "tls", reason: "tls" };
  if (answered && name === "HTTPParserError") return RESET;
  if (code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH" && !answered) return WEIRD;
  const known = KNOWN.find(([pattern]) => pattern.test(code))?.[1];
  if (known !== undefined) return known;
  if (answered) return { exit: HttpExit.PARTIAL, code: "partial" };
  if (code === "UND_ERR_SOCKET") return { exit: HttpExit.EMPTY, code: "empty", reason: "connection-closed" };
  return name === "HTTPParserError" || name === "SyntaxError" ? WEIRD : RESET;
}

/** The error of the first of several addresses, or the cause of a wrapped error. */
export function innermost(reason: unknown): SystemError {
  const error = reason as SystemError & { errors?: unknown[] };
  if (Array.isArray(error?.errors) && error.errors.length > 0) return innermost(error.errors[0]);
  if (error?.cause instanceof Error && /^(?:UND_ERR_PRX.*)?$/.test(codeOf(error))) return innermost(error.cause);
  return error instanceof Error ? error : new Error(String(reason));
}

// explain: what went wrong below HTTP, in curl's numbers (spec 3.6, mission section 7).

import { HttpExit, HttpProblem } from "./problem.ts";

/** How far a call had come. `partial`: bytes of the answer had arrived. */
export type Stage = "connecting" | "waiting" | "partial";

interface Known {
  exit: number;
  code: string;
  message: string;
  help: string;
}

const CERTIFICATE_HELP =
  "Give the CA that signed it: --cacert FILE, or CURL_CA_BUNDLE. There is no way to turn the check off.";
const CONNECT_HELP = "Check the URL, the port, that the service is running, and firewall rules.";

/** Certificates that OpenSSL did not take: their codes have no common beginning. */
const CERTIFICATE =
  /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(?:GET|VERIFY|DECRYPT)_|CRL_|ERROR_IN_CERT_|INVALID_(?:CA|PURPOSE)|PATH_LENGTH_|HOSTNAME_MISMATCH|EE_KEY_TOO_SMALL|CA_MD_TOO_WEAK)/;

/** Those that a CA of the system may heal. */
export const UNKNOWN_ISSUER: ReadonlySet<string> = new Set([
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
]);

const BY_CODE: Readonly<Record<string, Known>> = {
  CERT_HAS_EXPIRED: known(
    HttpExit.CERTIFICATE,
    "certificate",
    "The server's certificate has expired",
    "Renew it on the server; check the clock of this machine.",
  ),
  CERT_NOT_YET_VALID: known(
    HttpExit.CERTIFICATE,
    "certificate",
    "The server's certificate is not valid yet",
    "Check the clock of this machine, and the server's certificate.",
  ),
  ERR_TLS_CERT_ALTNAME_INVALID: known(
    HttpExit.CERTIFICATE,
    "certificate",
    "The server's certificate is for another host",
    "Call the server by a name that stands in its certificate, or have it issued for this one.",
  ),
  ENOTFOUND: known(
    HttpExit.RESOLVE,
    "resolve",
    "The host name could not be resolved",
    "Check the spelling of the host, the network connection and DNS.",
  ),
  EAI_AGAIN: known(
    HttpExit.RESOLVE,
    "resolve",
    "The host name could not be resolved",
    "Check the spelling of the host, the network connection and DNS.",
  ),
  ECONNREFUSED: known(HttpExit.CONNECT, "connect", "The connection was refused", CONNECT_HELP),
  EHOSTUNREACH: known(HttpExit.CONNECT, "connect", "The host cannot be reached", CONNECT_HELP),
  ENETUNREACH: known(HttpExit.CONNECT, "connect", "The network cannot be reached", CONNECT_HELP),
  EADDRNOTAVAIL: known(HttpExit.CONNECT, "connect", "The host cannot be reached", CONNECT_HELP),
  ETIMEDOUT: known(HttpExit.TIMEOUT, "timeout", "The host did not answer in time", CONNECT_HELP),
  UND_ERR_CONNECT_TIMEOUT: known(
    HttpExit.TIMEOUT,
    "timeout",
    "Connecting took longer than --connect-timeout",
    CONNECT_HELP,
  ),
  UND_ERR_HEADERS_TIMEOUT: known(
    HttpExit.TIMEOUT,
    "timeout",
    "The server did not answer in time",
    "Check whether the service is slow.",
  ),
  UND_ERR_BODY_TIMEOUT: known(
    HttpExit.TIMEOUT,
    "timeout",
    "The server sent nothing more for a long time",
    "Check whether the service is slow.",
  ),
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: known(
    HttpExit.PARTIAL,
    "partial",
    "The answer ended before it was complete",
    "Try again; --retry 3 repeats by itself when nothing was printed yet.",
  ),
  UND_ERR_HEADERS_OVERFLOW: known(
    HttpExit.WEIRD,
    "weird-answer",
    "The headers of the answer are too large",
    "Check that the URL leads to an API.",
  ),
  EPIPE: known(
    HttpExit.SEND,
    "send",
    "Sending failed: the server closed the connection",
    "Check whether the server refuses a body of this size.",
  ),
  ERR_HTTP2_STREAM_ERROR: known(HttpExit.STREAM, "stream", "An HTTP/2 stream failed", "Try again, or use --http1.1."),
};

function known(exit: number, code: string, message: string, help: string): Known {
  return { exit, code, message, help };
}

/** `host` is what a sentence may name; the URL itself may hold what nobody is to see. */
export function explain(reason: unknown, host: string, stage: Stage): HttpProblem {
  if (reason instanceof HttpProblem) return reason;
  const error = first(reason);
  const { exit, code, message, help } = knownOf(error, stage);
  const more = error.code === undefined || /^(?:UND_|ERR_ASSERTION$)/.test(error.code) ? "" : ` (${error.code})`;
  return new HttpProblem(exit, code, `${message}: ${host}${more}.`, help);
}

/** N3 of network: the alert with which a server ended a connection that stood already, as TLS 1.3 does about a client's certificate. */
export function explainAlert({ code = "" }: NodeJS.ErrnoException, host: string): HttpProblem {
  const wants = code.endsWith("_CERTIFICATE_REQUIRED");
  const about = wants || /_(?:BAD_CERTIFICATE|UNKNOWN_CA|CERTIFICATE_[A-Z]+)$/.test(code);
  const what = wants
    ? "The server wants a client certificate"
    : about
      ? "The server refused the client's certificate"
      : "The server ended the connection with an alert of TLS";
  const help = about
    ? "Give one that its CA signed: --cert FILE, and --key FILE when the key is not in it."
    : "Check the TLS versions of both sides, and the server's log.";
  return new HttpProblem(HttpExit.RECEIVE, about ? "client-certificate" : "tls", `${what}: ${host} (${code}).`, help);
}

/** The same of a call through a proxy: who could not be reached is the proxy. */
export function explainByProxy(reason: unknown, host: string, proxy: string): HttpProblem {
  const { syscall, code } = first(reason);
  const isOfProxy = syscall === "connect" || syscall === "getaddrinfo" || code === "UND_ERR_CONNECT_TIMEOUT";
  if (!isOfProxy) return explain(reason, host, "waiting");
  const problem = explain(reason, `the proxy ${proxy}`, "waiting");
  const exit = problem.exit === HttpExit.RESOLVE ? HttpExit.PROXY : problem.exit;
  return new HttpProblem(exit, problem.code, problem.message, "Check HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY.");
}

/** Of several addresses that failed, what the first said; of a wrapped one, what is inside. */
export function first(reason: unknown): Error & { code?: string; syscall?: string } {
  let error = reason as Error & { errors?: unknown[]; code?: string };
  if (Array.isArray(error?.errors) && error.errors.length > 0) error = error.errors[0] as Error;
  if (error?.cause instanceof Error && (error.code === undefined || error.code.startsWith("UND_ERR_PRX")))
    error = error.cause;
  return error instanceof Error ? error : new Error(String(reason));
}

/** The first line already is none of HTTP/1: curl's number for that is another one than for a header that is none. */
const NO_STATUS_LINE =
  /Expected (?:HTTP\/|dot|space after version)|Invalid (?:major version|minor version|HTTP version|response status|status code)/;

function knownOf(error: Error & { code?: string }, stage: Stage): Known {
  const { code = "", message } = error;
  // Its headers were never taken: what they say of the length was no good, whatever came after them.
  if (code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH" && stage === "waiting")
    return known(
      HttpExit.WEIRD,
      "weird-answer",
      "The answer says its length more than once, or in a way that cannot be (Content-Length, Transfer-Encoding)",
      "Nobody can know where it ends: mend the server, or the proxy before it.",
    );
  if (Object.hasOwn(BY_CODE, code)) return BY_CODE[code]!;
  if (CERTIFICATE.test(code))
    return known(
      HttpExit.CERTIFICATE,
      "certificate",
      "The server's certificate could not be verified",
      CERTIFICATE_HELP,
    );
  if (/Proxy Authentication Required|Proxy response \(407\)/.test(message))
    return known(
      HttpExit.RECEIVE,
      "proxy-refused",
      "The proxy wants a login (status 407)",
      "Write it into the proxy's address in the environment: http://USER:PASSWORD@HOST:PORT.",
    );
  if (/Proxy response \((\d+)\)/.test(message))
    return known(
      HttpExit.RECEIVE,
      "proxy-refused",
      `The proxy refused the connection with status ${/\((\d+)\)/.exec(message)?.[1]}`,
      "Check the proxy in the environment, and its log.",
    );
  if (/^(?:EPROTO$|ERR_SSL_|ERR_TLS_)/.test(code) || /before secure TLS connection/.test(message))
    return known(
      HttpExit.TLS,
      "tls",
      "The TLS handshake failed",
      "Check that the port speaks HTTPS, the TLS versions of both sides, and any proxy between.",
    );
  if (error.name === "HTTPParserError" && /chunk/i.test(message))
    return known(
      HttpExit.RECEIVE,
      "transfer",
      "The answer is damaged",
      "Try again; check proxies and the server's log.",
    );
  if (error.name === "HTTPParserError" && NO_STATUS_LINE.test(message))
    return known(
      HttpExit.PROTOCOL,
      "weird-answer",
      "What the server sent is no HTTP",
      "Check the port and whether it wants https.",
    );
  if (/^HPE_|^ERR_ASSERTION$/.test(code) || error.name === "HTTPParserError" || isUnwordedAssertion(error))
    return known(
      HttpExit.WEIRD,
      "weird-answer",
      "The headers of the answer are none",
      "Mend the server, or the proxy before it.",
    );
  if (/^ERR_HTTP2_/.test(code)) return known(HttpExit.HTTP2, "http2", "HTTP/2 failed", "Try again, or use --http1.1.");
  if (code === "UND_ERR_SOCKET" || code === "ECONNRESET") return closed(code, stage);
  if (code === "UND_ERR_INVALID_ARG")
    return known(HttpExit.USAGE, "bad-request", `The request cannot be sent: ${message}`, "Check the headers.");
  return known(HttpExit.RECEIVE, "transfer", `The call failed: ${message.split("\n", 1)[0]}`, "Try again.");
}

/** Node.js words an assertion by the source where it stands, and what was built, on one line, it cannot read. */
function isUnwordedAssertion(error: Error): boolean {
  return error instanceof SyntaxError && "raisedAt" in error;
}

function closed(code: string, stage: Stage): Known {
  if (stage === "partial")
    return known(
      HttpExit.PARTIAL,
      "partial",
      "The answer ended before it was complete",
      "Try again; --retry 3 repeats by itself when nothing was printed yet.",
    );
  if (code === "ECONNRESET")
    return known(
      HttpExit.RECEIVE,
      "reset",
      "The connection was reset",
      "Try again; check proxies, whether it wants a client certificate (--cert), and the server's log.",
    );
  return known(
    HttpExit.EMPTY,
    "empty",
    "The server closed the connection without an answer",
    "Check that scheme and port fit together (https on an http port does this), whether it wants a client certificate (--cert), and the server's log.",
  );
}

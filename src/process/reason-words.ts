// reason-words: the wording of each reason, and its remedy (spec 3.2; mission, section 7). Data.
//   W1. `what` is a clause without a capital letter and a full stop, for use after "after".
//   W2. Advice about certificates and time limits names the option of the program that made the call.

import { isRateLimited } from "../base/retry-after.ts";
import type { ReasonCode } from "./stderr-patterns.ts";

/** The program whose options a hint may name. */
export type Caller = "curl" | "curlew http" | "node" | "other";

export interface Detail {
  /** The host, host and port, program, or file, as it was printed. */
  name?: string;
  status?: number;
  attempts?: number;
}

export interface Words {
  what: string;
  hints: string[];
}

const CONNECT = "Check the URL, the port, that the service is running, and firewall rules.";
const CLOCK = "Renew it on the server, and check the clock of this machine.";
const NOT_OFF = "Do not turn the check off in production.";
const AGAIN = "If the failure may be temporary, add retry: { maxAttempts: 3 }.";

const CA: Record<Caller, string> = {
  curl: "Give curl the CA that signed it: --cacert FILE, or CURL_CA_BUNDLE.",
  "curlew http": "Give it the CA that signed it: --cacert FILE, or CURL_CA_BUNDLE.",
  node: "Give Node.js the CA that signed it: NODE_EXTRA_CA_CERTS=FILE.",
  other: "Give the program the CA that signed it; many read SSL_CERT_FILE.",
};

const refused = (why: string, ...hints: string[]): Words => ({
  what: `the server's certificate was rejected: ${why}`,
  hints,
});
const plain = (what: string, ...hints: string[]): Words => ({ what, hints });

export function wordsOf(reason: ReasonCode, caller: Caller, { name, status, attempts }: Detail): Words {
  const to = name === undefined ? "" : ` to ${name}`;
  const called = name === undefined ? "" : ` ${name}`;
  switch (reason) {
    case "not-installed":
      return missing(name);
    case "certificate-untrusted":
      return refused("it is self-signed, or signed by a CA that this machine does not know", CA[caller], NOT_OFF);
    case "certificate-expired":
      return refused("it has expired", CLOCK, NOT_OFF);
    case "certificate-not-yet-valid":
      return refused("it is not valid yet", CLOCK);
    case "certificate-wrong-host":
      return refused(
        `it is not for ${name ?? "this host"}`,
        "Call the server by a name in its certificate, or have it issued for this one.",
        NOT_OFF,
      );
    case "certificate":
      return refused("it could not be verified", CA[caller], NOT_OFF);
    case "ca-bundle-missing":
      return plain(
        `the CA bundle${name === undefined ? "" : ` ("${name}")`} could not be read`,
        "Check the path given by --cacert, CURL_CA_BUNDLE or SSL_CERT_FILE, and install ca-certificates.",
      );
    case "connection-refused":
      return plain(`the connection${to} was refused: no program listens there`, CONNECT);
    case "connection-failed":
      return plain(`the connection${to} failed: it was refused, or the host could not be reached`, CONNECT);
    case "connection-closed":
      return plain(
        `the connection${to} was closed before a response came`,
        "Check that the scheme matches the port, and read the server's log.",
        AGAIN,
      );
    case "host-unreachable":
      return plain(`the host${called} could not be reached`, "Check the network connection, VPN and firewall rules.");
    case "name-not-resolved":
      return plain(
        `the host name${called} could not be resolved`,
        "Check the spelling of the host, the network connection, and DNS.",
      );
    case "proxy":
      return plain(`the proxy${called} could not be used`, "Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY.");
    case "tls":
      return plain(
        "the TLS handshake failed",
        "Check that the port speaks HTTPS, the TLS versions of both sides, and any proxy in between.",
      );
    case "timeout":
      return plain(
        `the call${to} took longer than its time limit`,
        caller === "other"
          ? "Raise the program's time limit, or check whether the service is slow."
          : "Raise --max-time or --connect-timeout, or check whether the service is slow.",
        AGAIN,
      );
    case "too-many-redirects":
      return plain("there were too many redirects", "Check the URL for a redirect loop.");
    case "retries-exhausted":
      return plain(
        `a retry wrapper in it gave up${attempts === undefined ? "" : ` after ${attempts} attempt${attempts === 1 ? "" : "s"}`}`,
        "If waiting helps, give it more attempts and longer waits.",
      );
    default:
      return statusWords(reason, status);
  }
}

function missing(name: string | undefined): Words {
  if (name === undefined) return plain("a program in it was not found", "Install the program, or give its full path.");
  if (name.includes("/"))
    return plain(`there was no program at "${name}"`, "Check the path; relative paths start at cwd.");
  return plain(
    `there is no program "${name}" on PATH`,
    name === "curl"
      ? 'Install curl, or use "curlew http", which works without it.'
      : `Install ${name}, or give its full path.`,
  );
}

/** The reason for an HTTP status. `headers` have lowercase names. */
export function statusReason(status: number, headers: Readonly<Record<string, string>> = {}): ReasonCode {
  if (isRateLimited({ status, headers })) return "rate-limited";
  if (status === 401) return "authentication";
  if (status === 403) return "access-denied";
  if (status === 407) return "proxy-authentication";
  if (status >= 500) return "http-server-error";
  return status >= 400 ? "http-client-error" : "http-error";
}

function statusWords(reason: ReasonCode, status: number | undefined): Words {
  const answered = `the server responded with ${status === undefined ? "an HTTP error" : `HTTP status ${status}`}`;
  switch (reason) {
    case "authentication":
      return plain(
        `${answered}: authentication failed`,
        "Authentication failed: check the key or token in the environment, whether it has expired, and the authentication header. To store a new one: curlew secrets set NAME",
      );
    case "access-denied":
      return plain(
        `${answered}: access was denied`,
        "Access was denied: check the permissions of the key or token, and the authentication header.",
      );
    case "proxy-authentication":
      return plain(`${answered}: the proxy needs a login`, "The proxy needs a login: check HTTPS_PROXY.");
    case "rate-limited":
      return plain(
        `${answered}: ${status === 403 ? "the rate limit is used up" : "too many requests"}`,
        "The rate limit is exceeded: add a delay or a retry with growing waits, and check the API's rate limit headers.",
      );
    case "http-server-error":
      return plain(answered, `The server failed: try again later. ${AGAIN}`);
    default:
      return plain(answered, CLIENT_ERRORS[status ?? 0] ?? "--fail-with-body shows what the server says about it.");
  }
}

const CLIENT_ERRORS: Record<number, string> = {
  400: "The server did not understand the request. Check the body and the parameters; --fail-with-body shows the server's message.",
  404: "Check the path and the ids in the URL.",
  405: "Check the method (-X) against the API's documentation.",
  408: AGAIN,
  409: "The resource has changed or already exists: fetch it again before changing it.",
  410: "The resource is gone for good: check the API's documentation for its replacement.",
  412: "The resource has changed or already exists: fetch it again before changing it.",
  413: "The body is too large for the server: send it in parts.",
  415: "Add the header Content-Type: application/json, or the one that the API needs.",
  422: "The server did not accept the content of the body: --fail-with-body shows the server's message.",
  425: AGAIN,
};

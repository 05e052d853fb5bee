// reasons: what lies behind a command that failed, whichever program it was: the rows of the mission's section 7 (spec 3.2). Data.
//   Q1. One clause says what happened, fit for "… after the server's certificate was refused: it has expired"; hints say what helps.
//   Q2. The way to give a CA bundle is that of the program that asked for it.
// Deliberately absent: how a reason is recognised (said.ts, reason.ts).

import { isRateLimited } from "../base/retry-after.ts";

/** Stable; docs/failures.md lists them. */
export type ReasonCode =
  | "not-installed"
  | "module-missing"
  | "certificate-untrusted"
  | "certificate-expired"
  | "certificate-not-yet-valid"
  | "certificate-wrong-host"
  | "certificate"
  | "ca-bundle-missing"
  | "client-certificate"
  | "connection-refused"
  | "connection-failed"
  | "connection-closed"
  | "host-unreachable"
  | "name-not-resolved"
  | "proxy"
  | "tls"
  | "timeout"
  | "authentication"
  | "proxy-authentication"
  | "access-denied"
  | "rate-limited"
  | "http-client-error"
  | "http-server-error"
  | "http-error"
  | "too-many-redirects"
  | "host-key"
  | "retries-exhausted"
  | "not-json";

/** Whose words they are: their options differ. */
export type Speaker = "curl" | "curlew" | "wget" | "httpie" | "node" | "python" | "git" | "ssh" | "jq" | "other";

export interface Detail {
  /** A host, `host:port`, a program or a module; as it stood on stderr. */
  name?: string | undefined;
  status?: number | undefined;
  attempts?: number | undefined;
}

export interface Words {
  what: string;
  hints: string[];
}

/** The last words of Q1, and what helps. */
export function wordsOf(code: ReasonCode, by: Speaker, { name, status, attempts }: Detail): Words {
  const to = name === undefined ? "" : ` to ${name}`;
  switch (code) {
    case "not-installed":
      return missing(name);
    case "module-missing":
      return { what: `a module that the script needs is not installed${quoted(name)}`, hints: [installHint(by, name)] };
    case "certificate-untrusted":
      return refused("it is self-signed, or signed by a CA that this machine does not know", [CA[by], NOT_OFF]);
    case "certificate-expired":
      return refused("it has expired", ["Renew it on the server; check the clock of this machine.", NOT_OFF]);
    case "certificate-not-yet-valid":
      return refused("it is not valid yet", ["Check the clock of this machine, and the server's certificate."]);
    case "certificate-wrong-host":
      return refused(`it is not for ${name ?? "this host"}`, [
        "Call the server by a name that stands in its certificate, or have it issued for this one.",
        NOT_OFF,
      ]);
    case "certificate":
      return refused("it could not be verified", [CA[by], NOT_OFF]);
    case "ca-bundle-missing":
      return { what: `the CA bundle${quoted(name)} could not be read`, hints: [BUNDLE[by]] };
    case "client-certificate":
      return {
        what: "the server wants a client certificate, and got none or none that it accepts",
        hints: [CLIENT_CERTIFICATE[by] ?? `Give the call one ${OWN}, with its key.`],
      };
    case "connection-refused":
      return { what: `the connection${to} was refused: nobody listens there`, hints: [CONNECT] };
    case "connection-failed":
      return { what: `the connection${to} failed: it was refused, or the host could not be reached`, hints: [CONNECT] };
    case "connection-closed":
      return {
        what: `the connection${to} was closed before an answer came`,
        hints: ["Check that scheme and port fit together, and the server's log.", AGAIN],
      };
    case "host-unreachable":
      return {
        what: `the host${name === undefined ? "" : ` ${name}`} could not be reached`,
        hints: ["Check the network connection, VPN and firewall rules."],
      };
    case "name-not-resolved":
      return {
        what: `the host name${name === undefined ? "" : ` ${name}`} could not be resolved`,
        hints: ["Check the spelling of the host, the network connection and DNS."],
      };
    case "proxy":
      return {
        what: `the proxy${name === undefined ? "" : ` ${name}`} could not be used`,
        hints: ["Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY; curlew doctor looks at them."],
      };
    case "tls":
      return {
        what: "the TLS handshake failed",
        hints: ["Check that the port speaks HTTPS, the TLS versions of both sides, and any proxy between."],
      };
    case "timeout":
      return { what: `the call${to} took longer than its time limit`, hints: [TIMEOUT[by] ?? TIMEOUT.other, AGAIN] };
    case "too-many-redirects":
      return { what: "there were too many redirects", hints: ["Check the URL for a redirect loop."] };
    case "host-key":
      return {
        what: "the key of the SSH host is not known, or not the known one",
        hints: [
          "Connect once by hand and check its fingerprint, or add it with ssh-keyscan; a changed key may be an attack.",
        ],
      };
    case "retries-exhausted":
      return {
        what: `a retry wrapper in it gave up${attempts === undefined ? "" : ` after ${attempts === 1 ? "1 attempt" : `${attempts} attempts`}`}`,
        hints: ["If waiting helps, give it more attempts and longer waits."],
      };
    case "not-json":
      return {
        what: "something that was to be JSON was not",
        hints: [
          "Look at what the call before it printed: an error page or an empty answer, often; --fail-with-body ends there.",
        ],
      };
    default:
      return statusWords(code, status);
  }
}

function missing(name: string | undefined): Words {
  if (name === undefined)
    return { what: "a program in it was not found", hints: ["Install the program, or give its full path."] };
  return name.includes("/")
    ? { what: `there was no program at "${name}"`, hints: ["Check the path; relative paths start at cwd."] }
    : {
        what: `no program called "${name}" was found on PATH`,
        hints: [
          name === "curl"
            ? 'Install curl, or call by "curlew http", which does without it.'
            : `Install ${name}, or give its full path.`,
        ],
      };
}

function quoted(name: string | undefined): string {
  return name === undefined ? "" : ` ("${name}")`;
}

function installHint(by: Speaker, name = "it"): string {
  if (by === "python") return `Install it for this python: python3 -m pip install ${name}.`;
  return by === "node" ? `Install it beside the script: npm install ${name}.` : `Install ${name}.`;
}

function refused(why: string, hints: string[]): Words {
  return { what: `the server's certificate was refused: ${why}`, hints };
}

const NOT_OFF = "Turning the check off is not for production.";
const CONNECT = "Check the URL, the port, that the service is running, and firewall rules.";
const AGAIN = "If it may pass, a retry with maxAttempts repeats by itself.";

const CA: Record<Speaker, string> = {
  curl: "Give curl the CA that signed it: --cacert FILE, or CURL_CA_BUNDLE.",
  curlew: "Give it the CA that signed it: --cacert FILE, or CURL_CA_BUNDLE.",
  wget: "Give wget the CA that signed it: --ca-certificate=FILE.",
  httpie: "Give HTTPie the CA that signed it: --verify FILE.",
  node: "Give Node.js the CA that signed it: NODE_EXTRA_CA_CERTS=FILE.",
  python: "Give Python the CA that signed it: REQUESTS_CA_BUNDLE=FILE for requests, SSL_CERT_FILE=FILE otherwise.",
  git: "Give git the CA that signed it: GIT_SSL_CAINFO=FILE.",
  ssh: "Give it the CA that signed it.",
  jq: "Give it the CA that signed it.",
  other: "Give the program the CA that signed it; many read SSL_CERT_FILE.",
};

const OWN = "that the server's CA signed";
const CLIENT_CERTIFICATE: Partial<Record<Speaker, string>> = {
  curl: `Give curl one ${OWN}: --cert FILE, with its key in --key FILE.`,
  curlew: `Give it one ${OWN}: --cert FILE, with its key in --key FILE.`,
  python: `Give it one ${OWN}: cert=("CERT", "KEY") for requests, load_cert_chain of an SSL context otherwise.`,
};

const BUNDLE_BY = (names: string) => `Check the path given by ${names}, and install ca-certificates.`;
const BUNDLE: Record<Speaker, string> = {
  curl: BUNDLE_BY("--cacert, CURL_CA_BUNDLE or SSL_CERT_FILE"),
  curlew: BUNDLE_BY("--cacert, CURL_CA_BUNDLE or SSL_CERT_FILE"),
  wget: BUNDLE_BY("--ca-certificate"),
  httpie: BUNDLE_BY("--verify"),
  node: BUNDLE_BY("NODE_EXTRA_CA_CERTS"),
  python: BUNDLE_BY("REQUESTS_CA_BUNDLE, CURL_CA_BUNDLE or SSL_CERT_FILE"),
  git: BUNDLE_BY("GIT_SSL_CAINFO or http.sslCAInfo"),
  ssh: BUNDLE_BY("its settings"),
  jq: BUNDLE_BY("its settings"),
  other: BUNDLE_BY("SSL_CERT_FILE"),
};

const TIMEOUT: Partial<Record<Speaker, string>> & { other: string } = {
  curl: "Raise --max-time or --connect-timeout, or check whether the service is slow.",
  wget: "Raise --timeout, or check whether the service is slow.",
  httpie: "Raise --timeout, or check whether the service is slow.",
  ssh: "Check the host, the port and firewall rules; -o ConnectTimeout says how long is waited.",
  other: "Raise the program's time limit, or check whether the service is slow.",
};

/** An answer's status, in the same words whether curl was told to fail for it or not. Headers: where they are known, in lower case. */
export function statusReason(status: number, headers: Readonly<Record<string, string>> = {}): ReasonCode {
  if (isRateLimited({ status, headers })) return "rate-limited";
  if (status === 401) return "authentication";
  if (status === 403) return "access-denied";
  if (status === 407) return "proxy-authentication";
  if (status >= 500) return "http-server-error";
  return status >= 400 ? "http-client-error" : "http-error";
}

function statusWords(code: ReasonCode, status: number | undefined): Words {
  const answered = `the server answered with ${status === undefined ? "an HTTP error" : `HTTP status ${status}`}`;
  switch (code) {
    case "authentication":
      return {
        what: `${status === undefined ? "the server did not accept the credentials" : `${answered}: authentication failed`}`,
        hints: [
          "Authentication failed: check the key or token in the environment, whether it has expired, and the authentication header.",
        ],
      };
    case "access-denied":
      return {
        what: `${status === undefined ? "access was denied" : `${answered}: access was denied`}`,
        hints: ["Access was denied: check the rights of the key or token, and the authentication header."],
      };
    case "proxy-authentication":
      return { what: `${answered}: the proxy wants a login`, hints: ["The proxy wants a login: check HTTPS_PROXY."] };
    case "rate-limited":
      return {
        what: `${answered}: ${status === 403 ? "the rate limit is used up" : "too many requests"}`,
        hints: [
          "The rate limit is exceeded: add a delay or a retry with growing waits, and look at the API's rate limit headers.",
        ],
      };
    case "http-server-error":
      return {
        what: answered,
        hints: ["The server failed: try again later; a retry with maxAttempts does that by itself."],
      };
    default:
      return {
        what: answered,
        hints: [CLIENT_ERRORS[status ?? 0] ?? "--fail-with-body shows what the server says about it."],
      };
  }
}

const CLIENT_ERRORS: Record<number, string> = {
  400: "The server did not understand the request: check the body and the parameters; --fail-with-body shows what it says.",
  404: "Check the path and the ids in the URL.",
  405: "Check the method (-X) against the API's documentation.",
  408: "Try again; a retry with maxAttempts does that by itself.",
  409: "The resource has changed or exists already: fetch it again before changing it.",
  410: "The resource is gone for good: check the API's documentation for what took its place.",
  412: "The resource has changed or exists already: fetch it again before changing it.",
  413: "The body is too large for the server: send it in parts.",
  415: "Add the header Content-Type: application/json, or what the API wants.",
  422: "The server refused the content of the body: --fail-with-body shows what it says.",
  425: "Try again; a retry with maxAttempts does that by itself.",
};

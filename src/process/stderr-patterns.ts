// stderr-patterns: one table of failed calls: exit codes of curl and wget, "not found", retry wrappers that give up,
// each with its remedy.
//   P1. A pattern is here only if it can mean one thing. Text of other programs is not recognised.
//   P2. `curlew http` uses curl's numbers and wording, so curl's rows apply to it.
//   P3. Data only. docs/reference/failures.md lists the codes and reasons.

import type { NetworkReason } from "../base/network-errors.ts";

/** Stable names of failure reasons, whichever program reported them. */
export type ReasonCode =
  | NetworkReason
  | "not-installed"
  | "ca-bundle-missing"
  | "connection-failed"
  | "proxy"
  | "authentication"
  | "proxy-authentication"
  | "access-denied"
  | "rate-limited"
  | "http-client-error"
  | "http-server-error"
  | "http-error"
  | "too-many-redirects"
  | "retries-exhausted";

export interface ExitRow {
  /** The failure code of the node. */
  code: string;
  /** Absent where the words of the reason say it. */
  message?: string;
  hint?: string;
  /** The reason that the exit code alone gives. */
  reason?: ReasonCode;
  /** More exact reasons from the program's message. The first match counts. */
  exact?: readonly (readonly [RegExp, ReasonCode])[];
  /** Captures the host, host and port, or file in the message. */
  name?: RegExp;
}

const TRY_AGAIN = "Try again, or use --http1.1.";

const row = (code: string, message: string, hint: string, more: Partial<ExitRow> = {}): ExitRow => ({
  code,
  message,
  hint,
  ...more,
});
const because = (code: string, reason: ReasonCode, more: Partial<ExitRow> = {}): ExitRow => ({ code, reason, ...more });

const CERTIFICATE_WORDS: ExitRow["exact"] = [
  [/has expired|CERT_HAS_EXPIRED|SEC_E_CERT_EXPIRED/, "certificate-expired"],
  [/not (?:yet valid|valid yet)|CERT_NOT_YET_VALID/, "certificate-not-yet-valid"],
  [/(?:target|for) host|ALTNAME_INVALID|SEC_E_WRONG_PRINCIPAL/, "certificate-wrong-host"],
  [/self.signed|issuer|verify the first|UNTRUSTED_ROOT|SELF_SIGNED_|UNABLE_TO_/i, "certificate-untrusted"],
];

export const CURL_EXITS: Readonly<Record<number, ExitRow>> = {
  1: row("curl-protocol", "curl does not support the protocol of the URL", "Write the URL with https://."),
  2: row("curl-usage", "curl could not be set up", "Check the options against curl --help all."),
  3: row(
    "curl-url",
    "The URL is malformed",
    "Check it for spaces and unescaped characters. ${name|uri} percent-encodes a value.",
  ),
  5: because("curl-proxy", "proxy", { name: /resolve proxy:? ([^\s;]+)/ }),
  6: because("curl-resolve", "name-not-resolved", { name: /(?:resolve host:? '?|host name )([^\s';]+)/ }),
  7: because("curl-connect", "connection-failed", {
    exact: [
      [/refused/, "connection-refused"],
      [/No route to host|unreachable|host \S+ could not be reached/, "host-unreachable"],
    ],
    name: /connect(?:ion)? to (\S+(?: port \d+)?)|host (\S+) could not/,
  }),
  16: row("curl-http2", "HTTP/2 failed", TRY_AGAIN),
  18: row("curl-partial", "The response ended early", "Try again, for example with --retry 3."),
  22: row(
    "http-error",
    "The server responded with an HTTP error",
    "To see the status, add --show-error. To see the server's message, add --fail-with-body.",
    { reason: "http-error" },
  ),
  23: row(
    "curl-write",
    "curl could not write the response",
    "Check the disk and the -o path, or whether a program later in the pipe ended early.",
  ),
  26: row(
    "curl-read",
    "curl could not read a local file to send",
    "Check the file names after @ and -T. They are relative to cwd.",
  ),
  28: because("curl-timeout", "timeout", { name: /connect to (\S+ port \d+)|call to (\S+) took/ }),
  35: because("curl-tls", "tls"),
  47: because("curl-redirects", "too-many-redirects"),
  51: because("curl-certificate", "certificate-wrong-host"),
  52: because("curl-empty", "connection-closed"),
  55: row(
    "curl-send",
    "Sending failed",
    "The connection broke. Try again, or check whether the server accepts a body of this size.",
  ),
  56: row(
    "curl-receive",
    "Receiving failed: the connection broke",
    "Try again, or check proxies and the server's log.",
    {
      exact: [
        [/\b407\b/, "proxy-authentication"],
        [/CONNECT|[Tt]he proxy refused/, "proxy"],
        [/reset by peer|ECONNRESET|unexpected eof/, "connection-closed"],
      ],
    },
  ),
  58: row(
    "curl-client-certificate",
    "The client certificate cannot be used",
    "Check --cert and --key: path, format, and password.",
  ),
  60: because("curl-certificate", "certificate", {
    exact: CERTIFICATE_WORDS,
    name: /(?:target host(?: ?name)?|for host) '([^']+)'|it is not for (\S+)/,
  }),
  61: row(
    "curl-encoding",
    "The response has an encoding that curl does not support",
    "Use --compressed, or remove the header Accept-Encoding.",
  ),
  63: row("curl-too-large", "The response is larger than --max-filesize", "Raise --max-filesize."),
  65: row(
    "curl-rewind",
    "The body had to be sent again, but can't be read twice",
    "Use --data-binary @- instead of -T -.",
  ),
  77: because("curl-ca-file", "ca-bundle-missing", { name: /(?:file|locations): (\S+)/ }),
  92: row("curl-stream", "An HTTP/2 stream failed", TRY_AGAIN),
  97: because("curl-proxy", "proxy"),
};

/** Exit codes 1 and 2 of wget are about its options, and explain themselves on stderr. */
export const WGET_EXITS: Readonly<Record<number, Omit<ExitRow, "code">>> = {
  3: { message: "wget could not write a file", hint: "Check the disk and the -O path." },
  4: { reason: "connection-failed" },
  5: { reason: "certificate", hint: "Give wget the CA that signed it: --ca-certificate=FILE." },
  6: {
    reason: "authentication",
    hint: "Check the user name and password, the key or token, and whether it has expired.",
  },
  7: { message: "The server broke the protocol", hint: "Check that the port speaks HTTP or HTTPS." },
  8: {
    message: "The server responded with an HTTP error",
    reason: "http-error",
    hint: "To see the status, add --server-response. To see the server's message, add --content-on-error.",
  },
};

/** Captures the program in "command not found", in the wording of shells and program launchers. */
export const NOT_FOUND: readonly RegExp[] = [
  /(?:^|: )line \d+: (?:exec: )?(.+): (?:command )?not found$/,
  /(?:^|: )\d+: (?:exec: )?([^\s:]+): not found$/,
  /(?:^|:)\d+: command not found: (.+)$/,
  /^(?:sudo|bash|sh|ash): (?:exec: )?([^\s:]+): (?:command )?not found$/,
  /^(?:\S*\/)?(?:env|nice|ionice|setsid|stdbuf|xargs|exec|nohup|timeout): (?:failed to (?:run|execute) (?:command )?|cannot run )?[‘'"]([^’'"]+)[’'"]: No such file or directory$/,
  /^(?:[\w.-]+: )?The term '([^']+)' is not recognized as (?:a|the) name of a cmdlet/,
  /^'([^']+)' is not recognized as an internal or external command/,
];

/** The same for a file. It was meant as a program only if the exit code is 126 or 127. */
export const FILE_NOT_FOUND: readonly RegExp[] = [
  /(?:^|: )line \d+: (.+): No such file or directory$/,
  /(?:^|:)\d+: no such file or directory: (.+)$/,
  /^xargs: (.+): No such file or directory$/,
];

const TRIES = "(?:attempts?|tries|retries)";
const FAILED =
  "(?:giv(?:ing|en|e)s? up|gave up|fail(?:ed|ure|ing)|abort(?:ed|ing)|exhausted|used up|unsuccessful|no success)";

/** How retry wrappers report that they gave up, with the number of attempts if they name it. */
export const GAVE_UP: readonly RegExp[] = [
  new RegExp(String.raw`\b${FAILED}\b.{0,80}?\bafter (?:all )?(\d+) (?:\w+ )?${TRIES}\b`, "i"),
  new RegExp(String.raw`\bafter (?:all )?(\d+) (?:\w+ )?${TRIES}\b.{0,40}\b${FAILED}\b`, "i"),
  new RegExp(String.raw`\ball (?:of )?(?:the )?(\d+)? ?(?:\w+ )?${TRIES} (?:have |were |are )?${FAILED}\b`, "i"),
  new RegExp(String.raw`\b(\d+) (?:\w+ )?${TRIES} (?:have |were )?(?:failed|exhausted)\b`, "i"),
  new RegExp(String.raw`\b${TRIES} (?:were |are |have been )?exhausted\b`, "i"),
  new RegExp(
    String.raw`\bmax(?:imum)?(?: number of)? ${TRIES} (?:\(?(\d+)\)? )?(?:were |was |has been |have been )?(?:reached|exceeded|exhausted)\b(?! with url)`,
    "i",
  ),
];

/**
 * An uncaught error of a script or a shell's complaint about it: failures that were reported before it are not the
 * cause.
 */
export const OTHER_ERROR =
  /^(?:[\w.]*\.)?(?:[A-Z]\w*)?(?:Error|Exception|KeyboardInterrupt)(?: \[\w+\])?(?::|$)|^jq: error|: line \d+: |^\S+: \d+: /;

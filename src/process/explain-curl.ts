// explain-curl: the exit codes of curl that people meet, each with its remedy (mission section 7). Data.

import type { ReasonCode } from "./reasons.ts";

interface CurlExit {
  code: string;
  message: string;
  hint: string;
  /** What lies behind it, where the code alone says so. */
  reason?: ReasonCode;
}

const CONNECT = "Check the URL, the port, that the service is running, and firewall rules.";
const CERTIFICATE =
  "Give curl the CA that signed it: --cacert FILE, or CURL_CA_BUNDLE. Turning the check off (-k) is not for production.";

export const CURL_EXITS: Readonly<Record<number, CurlExit>> = {
  1: {
    code: "curl-protocol",
    message: "curl does not support the protocol of the URL",
    hint: "Write the URL with https://.",
  },
  2: { code: "curl-usage", message: "curl could not be set up", hint: "Check the options against curl --help all." },
  3: {
    code: "curl-url",
    message: "The URL is malformed",
    hint: "Check it for blanks and unescaped characters; ${name|uri} percent-encodes a value.",
  },
  5: {
    code: "curl-proxy",
    message: "The name of the proxy could not be resolved",
    hint: "Check HTTPS_PROXY and HTTP_PROXY.",
    reason: "proxy",
  },
  6: {
    code: "curl-resolve",
    message: "The host name could not be resolved",
    hint: "Check the spelling of the host, the network connection and DNS.",
    reason: "name-not-resolved",
  },
  7: {
    code: "curl-connect",
    message: "The connection was refused or the host could not be reached",
    hint: CONNECT,
    reason: "connection-failed",
  },
  16: { code: "curl-http2", message: "HTTP/2 failed", hint: "Try again, or use --http1.1." },
  18: {
    code: "curl-partial",
    message: "The answer ended before it was complete",
    hint: "Try again; --retry 3 --retry-all-errors repeats by itself.",
  },
  22: {
    code: "http-error",
    message: "The server answered with an HTTP error",
    hint: "Add --show-error to see the status, and --fail-with-body to see what the server says.",
    reason: "http-error",
  },
  23: {
    code: "curl-write",
    message: "curl could not write the answer",
    hint: "Check the disk and the -o path, or whether a program later in the pipe ended early.",
  },
  26: {
    code: "curl-read",
    message: "curl could not read a local file to send",
    hint: "Check the file names after @ and -T; they start at cwd.",
  },
  27: {
    code: "curl-memory",
    message: "curl ran out of memory",
    hint: "Send large bodies with -T or --data-binary @FILE.",
  },
  28: {
    code: "curl-timeout",
    message: "The call took longer than curl's time limit",
    hint: "Raise --max-time or --connect-timeout, or check whether the service is slow.",
    reason: "timeout",
  },
  33: {
    code: "curl-range",
    message: "The server cannot continue a download in the middle",
    hint: "Leave out --continue-at.",
  },
  35: {
    code: "curl-tls",
    message: "The TLS handshake failed",
    hint: "Check that the port speaks HTTPS, the TLS versions of both sides, and any proxy between.",
    reason: "tls",
  },
  37: { code: "curl-file", message: "A file:// URL could not be read", hint: "Check the path and its permissions." },
  43: { code: "curl-internal", message: "curl called itself wrongly", hint: "Update curl." },
  47: {
    code: "curl-redirects",
    message: "There were too many redirects",
    hint: "Check the URL for a redirect loop, or raise --max-redirs.",
    reason: "too-many-redirects",
  },
  51: {
    code: "curl-certificate",
    message: "The server's certificate is not for this host",
    hint: CERTIFICATE,
    reason: "certificate-wrong-host",
  },
  52: {
    code: "curl-empty",
    message: "The server closed the connection without an answer",
    hint: "Check that scheme and port fit together (https on an http port does this), and the server's log.",
    reason: "connection-closed",
  },
  53: { code: "curl-engine", message: "The TLS engine was not found", hint: "Check --engine." },
  55: {
    code: "curl-send",
    message: "Sending failed",
    hint: "The connection broke; try again, or check whether the server refuses a body of this size.",
  },
  56: {
    code: "curl-receive",
    message: "Receiving failed: the connection broke",
    hint: "Try again; check proxies and the server's log.",
  },
  58: {
    code: "curl-client-certificate",
    message: "The client certificate cannot be used",
    hint: "Check --cert and --key: path, format and password.",
  },
  59: { code: "curl-cipher", message: "The TLS cipher cannot be used", hint: "Check --ciphers." },
  60: {
    code: "curl-certificate",
    message: "The server's certificate could not be verified",
    hint: CERTIFICATE,
    reason: "certificate",
  },
  61: {
    code: "curl-encoding",
    message: "The answer has an encoding that curl does not know",
    hint: "Use --compressed, or leave out Accept-Encoding.",
  },
  63: { code: "curl-too-large", message: "The answer is larger than --max-filesize", hint: "Raise --max-filesize." },
  65: {
    code: "curl-rewind",
    message: "The body had to be sent again but cannot be read twice",
    hint: "Use --data-binary @- instead of -T -.",
  },
  66: { code: "curl-engine", message: "The TLS engine could not be started", hint: "Check --engine." },
  67: { code: "curl-login", message: "The login was refused", hint: "Check user name and password." },
  77: {
    code: "curl-ca-file",
    message: "The CA bundle could not be read",
    hint: "Check the path given to --cacert, CURL_CA_BUNDLE or SSL_CERT_FILE, and install ca-certificates.",
    reason: "ca-bundle-missing",
  },
  78: { code: "curl-no-file", message: "The resource does not exist", hint: "Check the URL." },
  80: { code: "curl-tls-close", message: "The TLS connection could not be closed properly", hint: "Try again." },
  82: { code: "curl-crl", message: "The certificate revocation list could not be read", hint: "Check --crlfile." },
  83: {
    code: "curl-certificate",
    message: "The issuer of the server's certificate is not the expected one",
    hint: CERTIFICATE,
  },
  90: {
    code: "curl-pinned-key",
    message: "The server's key is not the pinned one",
    hint: "Check --pinnedpubkey; a changed key may also be an attack.",
  },
  91: {
    code: "curl-certificate-status",
    message: "The status of the server's certificate could not be verified",
    hint: "Leave out --cert-status, or check the server.",
  },
  92: { code: "curl-stream", message: "An HTTP/2 stream failed", hint: "Try again, or use --http1.1." },
  95: { code: "curl-http3", message: "HTTP/3 failed", hint: "Try again, or leave out --http3." },
  96: { code: "curl-quic", message: "The QUIC connection failed", hint: "Leave out --http3." },
  97: {
    code: "curl-proxy",
    message: "The handshake with the proxy failed",
    hint: "Check HTTPS_PROXY and the proxy's log.",
    reason: "proxy",
  },
};

/** The protocol that curl was not allowed, as curl 7.88, 8 and 8.2x say it. */
export function refusedProtocol(stderrTail: string): string | undefined {
  return /^curl: \(1\) Protocol "?([a-z0-9]+)"? (?:not supported or |is )?disabled/m.exec(stderrTail)?.[1];
}

export function notHttps(protocol: string): { code: string; message: string; hint: string } {
  return {
    code: "http-not-allowed",
    message: `curl was to call ${protocol}://, or was led there, and a safe node calls https only (curl exit code 1).`,
    hint: "Write https://. An address of this machine may be http:// where it stands in the command or in one of its values; egress: any in the document allows all.",
  };
}

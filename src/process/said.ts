// said: the lines that programs are known to say on stderr when a call fails, each with the reason that is sure behind it. Data.
//   S1. A line is here only when it can mean nothing else; what may mean several things is not, or stands under the reason they share.
//   S2. Groups: `name` a host, program or module, `status` an HTTP status, `attempts` a number.
//   S3. The texts were taken down from real programs; test/process/said.test.ts runs those that are installed, and replays the others.

import type { ReasonCode, Speaker } from "./reasons.ts";

export interface Said {
  by: Speaker;
  line: RegExp;
  /** "status": whatever the status in the line says. */
  reason: ReasonCode | "status";
  /** Often the consequence of something earlier: that goes first, where it is known. */
  weak?: true;
}

const said = (by: Speaker, reason: Said["reason"], line: RegExp): Said => ({ by, reason, line });
const weak = (by: Speaker, reason: Said["reason"], line: RegExp): Said => ({ by, reason, line, weak: true });

/** What OpenSSL calls the alerts that can only be about a client's certificate (RFC 8446, 6.2). */
const CLIENT_CERTIFICATE = "alert (?:bad certificate|unknown ca|certificate (?:required|expired|revoked|unknown))";

/** curl, and `curlew http`, which says what curl says. */
function likeCurl(by: Speaker, start: string): Said[] {
  const line = (rest: string) => new RegExp(`^${start}${rest}`);
  return [
    said(by, "name-not-resolved", line(String.raw`\(6\)(?:.*resolve host:? '?(?<name>[^\s';]+))?`)),
    said(by, "proxy", line(String.raw`\((?:5|97)\)(?:.*resolve proxy:? (?<name>[^\s;]+))?`)),
    said(by, "proxy-authentication", line(String.raw`\(56\).*(?:HTTP code|response) (?<status>407)\b`)),
    said(by, "proxy", line(String.raw`\(56\).*(?:HTTP code \d+ from proxy after CONNECT|CONNECT tunnel failed)`)),
    said(by, "connection-refused", line(String.raw`\(7\).*?connect to (?<name>\S+ port \d+).*Connection refused`)),
    said(
      by,
      "host-unreachable",
      line(String.raw`\(7\).*?connect to (?<name>\S+) port \d+.*(?:No route to host|unreachable)`),
    ),
    said(by, "connection-failed", line(String.raw`\(7\)(?:.*?connect to (?<name>\S+ port \d+))?`)),
    said(by, "timeout", line(String.raw`\(28\)(?:.*?connect to (?<name>\S+ port \d+))?`)),
    said(by, "client-certificate", line(String.raw`\((?:35|56)\).*${CLIENT_CERTIFICATE}`)),
    said(by, "tls", line(String.raw`\(35\)`)),
    said(by, "too-many-redirects", line(String.raw`\(47\)`)),
    said(by, "connection-closed", line(String.raw`\(52\)`)),
    said(by, "connection-closed", line(String.raw`\(56\).*(?:reset by peer|ECONNRESET|unexpected eof)`)),
    said(
      by,
      "certificate-expired",
      line(String.raw`\((?:51|60)\).*(?:has expired|CERT_HAS_EXPIRED|SEC_E_CERT_EXPIRED)`),
    ),
    said(by, "certificate-not-yet-valid", line(String.raw`\((?:51|60)\).*(?:not yet valid|CERT_NOT_YET_VALID)`)),
    said(
      by,
      "certificate-wrong-host",
      line(String.raw`\((?:51|60)\).*(?:target host(?: ?name)?|for host) '(?<name>[^']+)'`),
    ),
    said(
      by,
      "certificate-wrong-host",
      line(String.raw`\((?:51|60)\).*(?:SEC_E_WRONG_PRINCIPAL|ALTNAME_INVALID|does not match target host)`),
    ),
    said(
      by,
      "certificate-untrusted",
      line(
        String.raw`\((?:51|60)\).*(?:self.signed|issuer|verify the first|UNTRUSTED_ROOT|Invalid certificate chain|SELF_SIGNED|UNABLE_TO_)`,
      ),
    ),
    said(by, "certificate", line(String.raw`\((?:51|60)\)`)),
    said(by, "ca-bundle-missing", line(String.raw`\(77\)(?:.*(?:file|locations): (?<name>\S+))?`)),
    said(
      by,
      "status",
      line(String.raw`\(22\).*?(?:error:?|status:?|answered(?: with)?(?: HTTP)?(?: status)?) (?<status>[1-5]\d\d)\b`),
    ),
    said(by, "http-error", line(String.raw`\(22\)`)),
  ];
}

/** `curlew http`: curl's numbers, words of its own. */
const OURS = String.raw`curlew: error\[[a-z0-9-]+\]: `;
const ours = (reason: ReasonCode, rest: string): Said => said("curlew", reason, new RegExp(`^${OURS}${rest}`));
const CURLEW: Said[] = [
  ours("name-not-resolved", String.raw`\(6\) .*: (?<name>\S+) \(E`),
  ours("connection-refused", String.raw`\(7\) The connection was refused: (?<name>\S+)`),
  ours("host-unreachable", String.raw`\(7\) The (?:host|network) cannot be reached: (?<name>\S+)`),
  ours("certificate-wrong-host", String.raw`\(60\) The server's certificate is for another host: (?<name>[^\s:]+)`),
  ours("proxy-authentication", String.raw`\(56\) The proxy wants a login`),
  ours("proxy", String.raw`\(56\) The proxy refused`),
  ours("client-certificate", String.raw`\(56\) The server (?:wants a client|refused the client's) certificate`),
  ...likeCurl("curlew", OURS),
];

const OPENSSL: readonly (readonly [ReasonCode, string])[] = [
  ["certificate-expired", "certificate has expired"],
  ["certificate-not-yet-valid", "certificate is not yet valid"],
  [
    "certificate-wrong-host",
    "(?:Hostname mismatch|IP address mismatch)(?:, certificate is not valid for '(?<name>[^']+)')?",
  ],
  [
    "certificate-untrusted",
    "(?:self.signed certificate|unable to get (?:local )?issuer certificate|unable to verify the first certificate)",
  ],
  ["certificate", ""],
];

/** What Python raises stands at the beginning of a line: `urllib.error.URLError: …`. */
const raised = (rest: string) => new RegExp(`^[\\w.]*(?:[Ee]rror|Exception): ${rest}`);
const CONNECTION = String.raw`(?:.*Connection(?:Pool)?\(host='(?<name>[^']+)', port=\d+\))?`;

const PYTHON: Said[] = [
  ...OPENSSL.map(([reason, text]) =>
    said("python", reason, raised(String.raw`.*\[SSL: CERTIFICATE_VERIFY_FAILED\] certificate verify failed.*${text}`)),
  ),
  said("python", "certificate-wrong-host", raised(".*CertificateError\\(.*hostname '(?<name>[^']+)' doesn't match")),
  said(
    "python",
    "client-certificate",
    raised(String.raw`.*\[SSL: \w+_ALERT_(?:BAD_CERTIFICATE|UNKNOWN_CA|CERTIFICATE_[A-Z]+)\]`),
  ),
  said("python", "tls", raised(String.raw`.*\[SSL: [A-Z0-9_]+\]`)),
  said(
    "python",
    "ca-bundle-missing",
    raised("Could not find a suitable TLS CA certificate bundle, invalid path: (?<name>\\S+)"),
  ),
  said("python", "name-not-resolved", raised(".*Failed to resolve '(?<name>[^']+)'")),
  said("python", "name-not-resolved", raised(String.raw`.*\[Errno (?:-2|-3|-5|11001)\]`)),
  said("python", "proxy", /^(?:[\w.]+\.)?ProxyError: /),
  said("python", "connection-refused", raised(String.raw`${CONNECTION}.*\[(?:Errno (?:111|61)|WinError 10061)\]`)),
  said("python", "host-unreachable", raised(String.raw`${CONNECTION}.*\[Errno (?:101|113|51|65)\]`)),
  said("python", "connection-closed", /^[\w.]*RemoteDisconnected: /),
  said(
    "python",
    "connection-closed",
    raised(".*(?:Remote end closed connection without response|\\[Errno (?:104|54)\\])"),
  ),
  said("python", "timeout", /^(?:[\w.]+\.)?(?:ReadTimeout|ConnectTimeout|PoolTimeout|TimeoutError|timeout)(?:: |$)/),
  said("python", "timeout", raised(String.raw`${CONNECTION}.*(?:timed out\b|\[Errno (?:110|60)\])`)),
  said("python", "too-many-redirects", /^(?:[\w.]+\.)?TooManyRedirects: /),
  said("python", "status", /^urllib\.error\.HTTPError: HTTP Error (?<status>\d{3})\b/),
  said("python", "status", /^requests\.exceptions\.HTTPError: (?<status>\d{3}) (?:Client|Server) Error\b/),
  said("python", "status", /^httpx\.HTTPStatusError: .*'(?<status>[45]\d\d) /),
  said("python", "status", /^aiohttp\.[\w.]*ClientResponseError: (?<status>[45]\d\d)\b/),
  said("python", "module-missing", /^ModuleNotFoundError: No module named '(?<name>[^']+)'/),
  weak("python", "not-json", /^(?:[\w.]+\.)?JSONDecodeError: /),
];

const HTTPIE: Said[] = [
  said("httpie", "timeout", /^Request timed out/),
  said("httpie", "too-many-redirects", /^Too many redirects/),
  said("httpie", "status", /^HTTP (?<status>[345]\d\d)\b/),
  ...PYTHON.map((one): Said => ({ ...one, by: "httpie" })),
];

/** Node.js prints an error's properties below it, each on a line of its own; `code` is the sure one. */
const NODE: Said[] = [
  said("node", "name-not-resolved", /\bgetaddrinfo (?:ENOTFOUND|EAI_AGAIN|ENODATA) (?<name>\S+?)(?:[,:)]|$)/),
  said("node", "connection-refused", /\bconnect ECONNREFUSED (?<name>[^\s,)]+)/),
  said("node", "host-unreachable", /\bconnect (?:EHOSTUNREACH|ENETUNREACH) (?<name>[^\s,)]+)/),
  said("node", "timeout", /\bconnect ETIMEDOUT (?<name>[^\s,)]+)/),
  said("node", "status", /^AxiosError: Request failed with status code (?<status>[345]\d\d)\b/),
  said("node", "timeout", /^\[DOMException \[TimeoutError\]: |^\s*code: 'UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT'/),
  said("node", "certificate-expired", /^\s*code: 'CERT_HAS_EXPIRED'/),
  said("node", "certificate-not-yet-valid", /^\s*code: 'CERT_NOT_YET_VALID'/),
  said(
    "node",
    "certificate-wrong-host",
    /^\s*code: 'ERR_TLS_CERT_ALTNAME_INVALID'|Error \[ERR_TLS_CERT_ALTNAME_INVALID\]/,
  ),
  said("node", "certificate-wrong-host", /^\s*reason: "Host: (?<name>\S+)\. is not in the cert's altnames/),
  said(
    "node",
    "certificate-untrusted",
    /^\s*code: '(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT(?:_LOCALLY)?)'/,
  ),
  said("node", "tls", /^\s*code: '(?:ERR_SSL_\w+|EPROTO)'/),
  said("node", "connection-closed", /\bSocketError: other side closed|Error: (?:socket hang up|read ECONNRESET)/),
  said("node", "ca-bundle-missing", /^Warning: Ignoring extra certs from `(?<name>[^`]+)`, load failed/),
  said("node", "not-installed", /\bspawn(?:Sync)? (?<name>\S+) ENOENT\b/),
  said(
    "node",
    "module-missing",
    /^(?:Error|Error \[ERR_MODULE_NOT_FOUND\]): Cannot find (?:module|package) '(?<name>[^'./][^']*)'/,
  ),
  weak("node", "not-json", /^SyntaxError: .*(?:is not valid JSON|Unexpected end of JSON input)/),
  weak("node", "not-json", /^SyntaxError: Unexpected token .* in JSON at position/),
];

const WGET: Said[] = [
  said("wget", "name-not-resolved", /^wget: unable to resolve host address [‘'"`](?<name>[^’'"`]+)/),
  said("wget", "name-not-resolved", /^wget: bad address '(?<name>[^']+)'/),
  said("wget", "connection-refused", /^wget: can't connect to remote host \((?<name>[^)]+)\): Connection refused/),
  said(
    "wget",
    "connection-refused",
    /^(?:Connecting to (?:\S+ \()?(?<name>[^\s()|]+?)\)?(?:\|.*)?\.\.\. )?failed: Connection refused\.$/,
  ),
  said("wget", "timeout", /^(?:Connecting to .*)?failed: (?:Connection|Operation) timed out\.$/),
  said("wget", "host-unreachable", /^(?:Connecting to .*)?failed: (?:No route to host|Network is unreachable)\.$/),
  said("wget", "timeout", /Read error \(Connection timed out\) in headers\.$|^wget: download timed out/),
  said("wget", "connection-closed", /(?:^|\.\.\. )No data received\.$|Read error \(Connection reset by peer\)/),
  said(
    "wget",
    "certificate-wrong-host",
    /no certificate subject alternative name matches|^\s*requested host name [‘'"`](?<name>[^’'"`]+)/,
  ),
  said("wget", "certificate-wrong-host", /^The certificate's owner does not match hostname [‘'"`](?<name>[^’'"`]+)/),
  said(
    "wget",
    "certificate-expired",
    /^ERROR: The certificate of .* has expired\.$|^The certificate has expired$|^\s*Issued certificate has expired\.$/,
  ),
  said(
    "wget",
    "certificate-not-yet-valid",
    /^ERROR: The certificate of .* is not yet activated\.$|^\s*Issued certificate not yet valid\.$/,
  ),
  said(
    "wget",
    "certificate-untrusted",
    /^ERROR: The certificate of .* (?:doesn't have a known issuer|hasn't got a known issuer)\.$/,
  ),
  said(
    "wget",
    "certificate-untrusted",
    /^\s*(?:Self-signed certificate encountered|Unable to locally verify the issuer's authority)\.$/,
  ),
  said("wget", "certificate", /^ERROR: (?:The certificate of .* is not trusted\.|cannot verify .*'s certificate)/),
  said("wget", "tls", /^Unable to establish SSL connection\.$/),
  said("wget", "authentication", /^Username\/Password Authentication Failed\.$/),
  said("wget", "status", /^wget: server returned error: HTTP\/\S+ (?<status>\d{3})\b/),
  said("wget", "status", /^(?:\d{4}-\d\d-\d\d \d\d:\d\d:\d\d )?ERROR (?<status>[345]\d\d): /),
];

const GIT = "^fatal: unable to access '[^']*': ";
const GITS: Said[] = [
  said("git", "authentication", /^fatal: Authentication failed for '/),
  said(
    "git",
    "authentication",
    /^fatal: could not read (?:Username|Password) for '.*': (?:terminal prompts disabled|No such device)/,
  ),
  said("git", "name-not-resolved", new RegExp(`${GIT}Could not resolve host: (?<name>\\S+)`)),
  said(
    "git",
    "connection-refused",
    new RegExp(`${GIT}Failed to connect to (?<name>\\S+ port \\d+).*Connection refused`),
  ),
  said("git", "connection-failed", new RegExp(`${GIT}Failed to connect to (?<name>\\S+ port \\d+)`)),
  said("git", "certificate-expired", new RegExp(`${GIT}SSL certificate problem: certificate has expired`)),
  said("git", "certificate-wrong-host", new RegExp(`${GIT}SSL: .*does not match target host ?name '(?<name>[^']+)'`)),
  said(
    "git",
    "certificate-wrong-host",
    new RegExp(`${GIT}SSL: no alternative certificate subject name matches target host ?name '(?<name>[^']+)'`),
  ),
  said("git", "certificate-untrusted", new RegExp(`${GIT}SSL certificate problem: (?:self.signed|unable to get)`)),
  said("git", "certificate", new RegExp(`${GIT}(?:server certificate verification failed|SSL certificate problem)`)),
  said("git", "tls", new RegExp(`${GIT}(?:gnutls_handshake\\(\\) failed|OpenSSL.*error|.*SSL_connect)`)),
  said("git", "status", new RegExp(`${GIT}The requested URL returned error: (?<status>[345]\\d\\d)`)),
];

const SSH: Said[] = [
  said("ssh", "name-not-resolved", /^ssh: Could not resolve hostname (?<name>[^\s:]+)/),
  said("ssh", "connection-refused", /^ssh: connect to host (?<name>\S+ port \d+): Connection refused/),
  said("ssh", "timeout", /^ssh: connect to host (?<name>\S+ port \d+): (?:Connection|Operation) timed out/),
  said(
    "ssh",
    "host-unreachable",
    /^ssh: connect to host (?<name>\S+) port \d+: (?:No route to host|Network is unreachable)/,
  ),
  said("ssh", "host-key", /^Host key verification failed\.$/),
  said("ssh", "authentication", /^\S+: Permission denied \([a-z-]+(?:,[a-z-]+)*\)\.$/),
];

const JQ: Said[] = [
  weak(
    "jq",
    "not-json",
    /^(?:jq: )?parse error: .* at line \d+, column \d+$|^jq: error \(at .*\): .*[Cc]annot be parsed as JSON/,
  ),
];

const HTTPIE_LINE = /^https?: (?:error|warning|LogLevel\.(?:ERROR|WARNING)): (?<rest>.*)$/;
const OTHERS: readonly Said[] = [
  ...likeCurl("curl", "curl: "),
  said(
    "curl",
    "ca-bundle-missing",
    /^curl: The (?:file|directory) '(?<name>[^']+)' provided to --(?:proxy-)?ca(?:cert|path) does not exist/,
  ),
  ...CURLEW,
  ...WGET,
  ...NODE,
  ...PYTHON,
  ...GITS,
  ...SSH,
  ...JQ,
];

/** What one line says, when it says something sure. */
export function saidBy(text: string): { said: Said; groups: Record<string, string | undefined> } | undefined {
  const httpie = HTTPIE_LINE.exec(text);
  const line = httpie?.groups?.rest ?? text;
  for (const one of httpie === null ? OTHERS : HTTPIE) {
    const match = one.line.exec(line);
    if (match !== null) return { said: one, groups: match.groups ?? {} };
  }
  return undefined;
}

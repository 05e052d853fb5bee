// What programs are known to say, row by row: texts taken down from real programs, also of versions that this machine does not have.

import { check } from "../../test/process/reason-check.ts";

// curl 7.64 to 8.16, of Debian, Alpine, macOS and Windows.
check("curl: (6) Could not resolve host: name.invalid\n", "name-not-resolved", "name.invalid");
check("curl: (6) Couldn't resolve host 'name.invalid'\n", "name-not-resolved", "name.invalid");
check("curl: (6) Could not resolve host: name.invalid; Unknown error\n", "name-not-resolved", / name.invalid could/);
check("curl: (5) Could not resolve proxy: proxy.invalid\n", "proxy", "proxy.invalid");
check(
  "curl: (7) Failed to connect to 127.0.0.1 port 1: Connection refused\n",
  "connection-refused",
  "127.0.0.1 port 1",
);
check(
  "curl: (7) Failed to connect to 127.0.0.1 port 1 after 0 ms: Couldn't connect to server\n",
  "connection-failed",
  "127.0.0.1 port 1",
);
check("curl: (7) Failed to connect to 127.0.0.1 port 1 after 0 ms: Could not connect to server\n", "connection-failed");
check("curl: (7) Failed to connect to 10.1.2.3 port 80: No route to host\n", "host-unreachable", "10.1.2.3");
check("curl: (7) Couldn't connect to server\n", "connection-failed");
check("curl: (28) Operation timed out after 1000 milliseconds with 0 bytes received\n", "timeout", "--max-time");
check(
  "curl: (28) Failed to connect to 10.1.2.3 port 80 after 1001 ms: Timeout was reached\n",
  "timeout",
  "10.1.2.3 port 80",
);
check("curl: (28) Connection timed out after 1001 milliseconds\n", "timeout");
check("curl: (35) OpenSSL/3.0.19: error:0A00010B:SSL routines::wrong version number\n", "tls", "speaks HTTPS");
check("curl: (35) error:1408F10B:SSL routines:ssl3_get_record:wrong version number\n", "tls");
check("curl: (47) Maximum (50) redirects followed\n", "too-many-redirects");
check("curl: (52) Empty reply from server\n", "connection-closed");
check("curl: (56) Recv failure: Connection reset by peer\n", "connection-closed");
check("curl: (56) Received HTTP code 407 from proxy after CONNECT\n", "proxy-authentication");
check("curl: (56) CONNECT tunnel failed, response 407\n", "proxy-authentication");
check("curl: (56) CONNECT tunnel failed, response 502\n", "proxy");
check(
  "curl: (60) SSL certificate problem: self signed certificate\nMore details here: https://curl.haxx.se/docs/sslcerts.html\n",
  "certificate-untrusted",
  "--cacert",
  "CURL_CA_BUNDLE",
);
check("curl: (60) SSL certificate problem: self-signed certificate in certificate chain\n", "certificate-untrusted");
check(
  "curl: (60) SSL certificate problem: unable to get local issuer certificate\n\ncurl failed to verify the legitimacy of the server and therefore could not\n",
  "certificate-untrusted",
);
check("curl: (60) SSL certificate problem: certificate has expired\n", "certificate-expired", "Renew");
check("curl: (60) SSL certificate problem: certificate is not yet valid\n", "certificate-not-yet-valid", "clock");
check(
  "curl: (60) SSL: no alternative certificate subject name matches target host name 'localhost'\n",
  "certificate-wrong-host",
  "localhost",
);
check(
  "curl: (60) SSL: no alternative certificate subject name matches target hostname 'localhost'\n",
  "certificate-wrong-host",
  "localhost",
);
check(
  "curl: (51) SSL: certificate subject name 'a.example' does not match target host name 'b.example'\n",
  "certificate-wrong-host",
  "b.example",
);
check(
  "curl: (60) schannel: SEC_E_UNTRUSTED_ROOT (0x80090325) - The certificate chain was issued by an authority that is not trusted.\n",
  "certificate-untrusted",
);
check(
  "curl: (60) schannel: SNI or certificate check failed: SEC_E_WRONG_PRINCIPAL (0x80090322) - The target principal name is incorrect.\n",
  "certificate-wrong-host",
);
check("curl: (60) SSL certificate problem: Invalid certificate chain\n", "certificate-untrusted");
check("curl: (60) server certificate verification failed. CAfile: none CRLfile: none\n", "certificate");
for (const [exit, alert] of [
  [56, "tlsv13 alert certificate required"],
  [56, "tlsv1 alert unknown ca"],
  [35, "sslv3 alert bad certificate"],
] as const)
  check(
    `curl: (${exit}) OpenSSL SSL_read: OpenSSL/3.0.19: error:0A00045C:SSL routines::${alert}, errno 0\n`,
    "client-certificate",
    "--cert FILE",
  );
check(
  "curlew: error[client-certificate]: (56) The server wants a client certificate: shop:443 (ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED).\n",
  "client-certificate",
  "--cert FILE",
);
check(
  "ssl.SSLError: [SSL: TLSV13_ALERT_CERTIFICATE_REQUIRED] tlsv13 alert certificate required (_ssl.c:2580)\n",
  "client-certificate",
  "load_cert_chain",
);
check("curl: (77) error setting certificate file: /nope\n", "ca-bundle-missing", '"/nope"');
// curl 8.23 look before they begin.
check(
  "curl: The file '/nope' provided to --cacert does not exist\ncurl: option --cacert: is badly used here\ncurl: try 'curl --help' or 'curl --manual' for more information\n",
  "ca-bundle-missing",
  '"/nope"',
);
check("curl: (22) The requested URL returned error: 401\n", "authentication", "status 401", "expired");
check("curl: (22) The requested URL returned error: 401 Unauthorized\n", "authentication");
check("curl: (22) The requested URL returned error: 403 Forbidden\n", "access-denied");
check("curl: (22) The requested URL returned error: 404 Not Found\n", "http-client-error", "404");
check("curl: (22) The requested URL returned error: 422\n", "http-client-error", "422");
check("curl: (22) The requested URL returned error: 429\n", "rate-limited", "delay", "headers");
check("curl: (22) The requested URL returned error: 503\n", "http-server-error", "503");

// wget, with GnuTLS (Debian), with OpenSSL, and that of busybox.
check("wget: unable to resolve host address ‘name.invalid’\n", "name-not-resolved", "name.invalid");
check("wget: unable to resolve host address 'name.invalid'\n", "name-not-resolved");
check("wget: bad address 'name.invalid'\n", "name-not-resolved", "name.invalid");
check("failed: Connection refused.\n", "connection-refused");
check(
  "--2026-11-21 14:38:35--  http://127.0.0.1:1/\nConnecting to 127.0.0.1:1... failed: Connection refused.\n",
  "connection-refused",
  " 127.0.0.1:1 was",
);
check("Connecting to localhost (localhost)|127.0.0.1|:1... failed: Connection refused.\n", "connection-refused");
check("wget: can't connect to remote host (127.0.0.1): Connection refused\n", "connection-refused", "127.0.0.1");
check(
  "HTTP request sent, awaiting response... Read error (Connection timed out) in headers.\nGiving up.\n\n",
  "timeout",
  "--timeout",
);
check("Connecting to 10.1.2.3:80... failed: Connection timed out.\n", "timeout");
check("wget: download timed out\n", "timeout");
check("HTTP request sent, awaiting response... No data received.\nNo data received.\n", "connection-closed");
check(
  "ERROR: The certificate of ‘localhost’ is not trusted.\nERROR: The certificate of ‘localhost’ doesn't have a known issuer.\n",
  "certificate-untrusted",
  "--ca-certificate",
);
check(
  "ERROR: The certificate of ‘localhost’ is not trusted.\nERROR: The certificate of ‘localhost’ has expired.\nThe certificate has expired\n",
  "certificate-expired",
);
check("The certificate's owner does not match hostname ‘localhost’\n", "certificate-wrong-host", "localhost");
check(
  "ERROR: cannot verify localhost's certificate, issued by ‘CN=localhost’:\n  Self-signed certificate encountered.\nTo connect to localhost insecurely, use `--no-check-certificate'.\n",
  "certificate-untrusted",
);
check(
  "ERROR: cannot verify localhost's certificate, issued by ‘CN=Test CA’:\n  Unable to locally verify the issuer's authority.\nTo connect to localhost insecurely, use `--no-check-certificate'.\n",
  "certificate-untrusted",
);
check(
  "ERROR: cannot verify localhost's certificate, issued by ‘CN=Test CA’:\n  Issued certificate has expired.\nTo connect to localhost insecurely, use `--no-check-certificate'.\n",
  "certificate-expired",
);
check(
  "ERROR: no certificate subject alternative name matches\n\trequested host name ‘localhost’.\nTo connect to localhost insecurely, use `--no-check-certificate'.\n",
  "certificate-wrong-host",
  "localhost",
);
check("Unable to establish SSL connection.\n", "tls");
check(
  "HTTP request sent, awaiting response... 401 Unauthorized\n\nUsername/Password Authentication Failed.\n",
  "authentication",
  "credentials",
);
check("2026-11-21 14:36:12 ERROR 429: Too Many Requests.\n", "rate-limited");
check("2026-11-21 14:36:13 ERROR 404: Not Found.\n\n", "http-client-error");
check("wget: server returned error: HTTP/1.1 503 Service Unavailable\n", "http-server-error");

// Node.js 18 to 24.
const FETCH = (cause: string) =>
  `node:internal/modules/run_main:107\n    triggerUncaughtException(\n    ^\n\n[TypeError: fetch failed] {\n  [cause]: ${cause}\n}\n\nNode.js v24.21.0\n`;
check(
  FETCH(
    "Error: getaddrinfo ENOTFOUND name.invalid\n      at GetAddrInfoReqWrap.onlookupall [as oncomplete] (node:dns:123:26) {\n    errno: -3008,\n    code: 'ENOTFOUND',\n    syscall: 'getaddrinfo',\n    hostname: 'name.invalid'\n  }",
  ),
  "name-not-resolved",
  "name name.invalid could",
);
check(
  FETCH(
    "Error: connect ECONNREFUSED 127.0.0.1:8899\n      at TCPConnectWrap.afterConnect [as oncomplete] (node:net:2021:16) {\n    errno: -111,\n    code: 'ECONNREFUSED'\n  }",
  ),
  "connection-refused",
  "127.0.0.1:8899",
);
check(
  FETCH(
    "Error: self-signed certificate; if the root CA is installed locally, try running Node.js with --use-system-ca\n      at TLSSocket.onConnectSecure (node:internal/tls/wrap:1775:34) {\n    code: 'DEPTH_ZERO_SELF_SIGNED_CERT'\n  }",
  ),
  "certificate-untrusted",
  "NODE_EXTRA_CA_CERTS",
);
check(
  FETCH("Error: unable to verify the first certificate\n {\n    code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'\n  }"),
  "certificate-untrusted",
);
check(FETCH("Error: certificate has expired\n {\n    code: 'CERT_HAS_EXPIRED'\n  }"), "certificate-expired");
check(
  FETCH(
    "Error [ERR_TLS_CERT_ALTNAME_INVALID]: Hostname/IP does not match certificate's altnames: Host: localhost. is not in the cert's altnames: DNS:other.example\n {\n    code: 'ERR_TLS_CERT_ALTNAME_INVALID',\n    reason: \"Host: localhost. is not in the cert's altnames: DNS:other.example\",\n    host: 'localhost'\n  }",
  ),
  "certificate-wrong-host",
  "localhost",
);
check(
  FETCH(
    "[Error: 406DE734E77F0000:error:0A00010B:SSL routines] {\n    library: 'SSL routines',\n    reason: 'wrong version number',\n    code: 'ERR_SSL_WRONG_VERSION_NUMBER'\n  }",
  ),
  "tls",
);
check(
  FETCH(
    "SocketError: other side closed\n      at Socket.onHttpSocketEnd (node:internal/deps/undici/undici:7833:26) {\n    code: 'UND_ERR_SOCKET'\n  }",
  ),
  "connection-closed",
);
check(
  "node:internal/modules/run_main:107\n\n[DOMException [TimeoutError]: The operation was aborted due to timeout]\n\nNode.js v24.21.0\n",
  "timeout",
);
check(FETCH("ConnectTimeoutError: Connect Timeout Error {\n    code: 'UND_ERR_CONNECT_TIMEOUT'\n  }"), "timeout");
check(
  "Error: spawn nope-x ENOENT\n    at ChildProcess._handle.onexit (node:internal/child_process:286:19)\n  code: 'ENOENT',\n  syscall: 'spawn nope-x',\n  path: 'nope-x'\n}\n",
  "not-installed",
  "Install nope-x",
);
check(
  "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'axios' imported from /x/y.mjs\n    at a (b:1:2) {\n  code: 'ERR_MODULE_NOT_FOUND'\n}\n",
  "module-missing",
  "npm install axios",
);
check(
  "SyntaxError: Unexpected token '<', \"<html>oops</html>\" is not valid JSON\n    at JSON.parse (<anonymous>)\n",
  "not-json",
  "error page",
);
check("SyntaxError: Unexpected token < in JSON at position 0\n    at JSON.parse (<anonymous>)\n", "not-json");
check("AxiosError: Request failed with status code 401\n    at settle (file:///x.js:1:1) {\n", "authentication");

// Python: urllib, requests, httpx; and HTTPie 2 and 3.
const TRACE = (last: string) =>
  `Traceback (most recent call last):\n  File "x.py", line 3, in <module>\n    raise x\n${last}\n`;
check(TRACE("urllib.error.URLError: <urlopen error [Errno 111] Connection refused>"), "connection-refused");
check(TRACE("urllib.error.URLError: <urlopen error [Errno -2] Name or service not known>"), "name-not-resolved");
check(TRACE("urllib.error.HTTPError: HTTP Error 403: Forbidden"), "access-denied");
check(TRACE("urllib.error.HTTPError: HTTP Error 429: Too Many Requests"), "rate-limited");
check(
  TRACE(
    "urllib.error.URLError: <urlopen error [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: self-signed certificate (_ssl.c:1006)>",
  ),
  "certificate-untrusted",
  "SSL_CERT_FILE",
  "REQUESTS_CA_BUNDLE",
);
check(
  TRACE(
    "urllib.error.URLError: <urlopen error [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: certificate has expired (_ssl.c:1006)>",
  ),
  "certificate-expired",
);
check(
  TRACE(
    "urllib.error.URLError: <urlopen error [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: Hostname mismatch, certificate is not valid for 'localhost'. (_ssl.c:1006)>",
  ),
  "certificate-wrong-host",
  "localhost",
);
check(
  TRACE("urllib.error.URLError: <urlopen error [SSL: WRONG_VERSION_NUMBER] wrong version number (_ssl.c:1006)>"),
  "tls",
);
check(TRACE("http.client.RemoteDisconnected: Remote end closed connection without response"), "connection-closed");
check(TRACE("TimeoutError: timed out"), "timeout");
check(
  TRACE(
    "requests.exceptions.ConnectionError: HTTPConnectionPool(host='127.0.0.1', port=1): Max retries exceeded with url: / (Caused by NewConnectionError(\"HTTPConnection(host='127.0.0.1', port=1): Failed to establish a new connection: [Errno 111] Connection refused\"))",
  ),
  "connection-refused",
  "127.0.0.1",
);
check(
  TRACE(
    "requests.exceptions.ConnectionError: HTTPConnectionPool(host='name.invalid', port=80): Max retries exceeded with url: / (Caused by NameResolutionError(\"HTTPConnection(host='name.invalid', port=80): Failed to resolve 'name.invalid' ([Errno -2] Name or service not known)\"))",
  ),
  "name-not-resolved",
  "name.invalid",
);
check(
  TRACE(
    "requests.exceptions.SSLError: HTTPSConnectionPool(host='localhost', port=8872): Max retries exceeded with url: / (Caused by SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: unable to get local issuer certificate (_ssl.c:1006)')))",
  ),
  "certificate-untrusted",
);
check(
  TRACE("requests.exceptions.HTTPError: 401 Client Error: Unauthorized for url: http://127.0.0.1:8871/401"),
  "authentication",
);
check(
  TRACE("requests.exceptions.HTTPError: 503 Server Error: Service Unavailable for url: http://127.0.0.1:8871/503"),
  "http-server-error",
);
check(
  TRACE(
    "requests.exceptions.ReadTimeout: HTTPConnectionPool(host='127.0.0.1', port=8871): Read timed out. (read timeout=1)",
  ),
  "timeout",
);
check(
  TRACE("OSError: Could not find a suitable TLS CA certificate bundle, invalid path: /nope.pem"),
  "ca-bundle-missing",
  "/nope.pem",
);
check(TRACE("httpx.HTTPStatusError: Client error '401 Unauthorized' for url 'http://127.0.0.1:1/'"), "authentication");
check(TRACE("requests.exceptions.JSONDecodeError: Expecting value: line 1 column 1 (char 0)"), "not-json");
check(TRACE("ModuleNotFoundError: No module named 'requests'"), "module-missing", "pip install requests");
check(
  "  File \"/usr/lib/python3.11/subprocess.py\", line 1950, in _execute_child\n    raise child_exception_type(errno_num, err_msg, err_filename)\nFileNotFoundError: [Errno 2] No such file or directory: 'nope-x'\n",
  "not-installed",
  "nope-x",
);
check(
  "\nhttp: LogLevel.ERROR: ConnectionError: HTTPConnectionPool(host='127.0.0.1', port=1): Max retries exceeded with url: / (Caused by NewConnectionError('<urllib3.connection.HTTPConnection object at 0x7f97>: Failed to establish a new connection: [Errno 111] Connection refused')) while doing a GET request to URL: http://127.0.0.1:1/\n\n\n",
  "connection-refused",
);
check(
  "http: error: ConnectionError: HTTPConnectionPool(host='127.0.0.1', port=1): Max retries exceeded with url: / (Caused by NewConnectionError('x: [Errno 111] Connection refused')) while doing a GET request to URL: http://127.0.0.1:1/\n",
  "connection-refused",
);
check(
  "http: LogLevel.ERROR: gaierror: [Errno -2] Name or service not known\nCouldn’t resolve the given hostname. Please check the URL and try again.\n",
  "name-not-resolved",
);
check(
  "http: LogLevel.ERROR: SSLError: HTTPSConnectionPool(host='localhost', port=8872): Max retries exceeded with url: / (Caused by SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: self-signed certificate (_ssl.c:992)'))) while doing a GET request to URL: https://localhost:8872/\n",
  "certificate-untrusted",
  "--verify",
);
check(
  "https: error: SSLError: HTTPSConnectionPool(host='localhost', port=8874): Max retries exceeded with url: / (Caused by SSLError(CertificateError(\"hostname 'localhost' doesn't match 'other.example'\"))) while doing a GET request to URL: https://localhost:8874/\n",
  "certificate-wrong-host",
  "localhost",
);
check("\nhttp: LogLevel.WARNING: HTTP 429 Too Many Requests\n\n", "rate-limited");
check("\nhttp: warning: HTTP 401 Unauthorized\n\n", "authentication");
check("http: LogLevel.ERROR: Request timed out (1.0s).\n", "timeout");
check("http: LogLevel.ERROR: Too many redirects (--max-redirects=30).\n", "too-many-redirects");

// git, ssh, jq.
check(
  "fatal: unable to access 'http://127.0.0.1:1/': Failed to connect to 127.0.0.1 port 1 after 0 ms: Couldn't connect to server\n",
  "connection-failed",
  "127.0.0.1 port 1",
);
check("fatal: unable to access 'http://name.invalid/': Could not resolve host: name.invalid\n", "name-not-resolved");
check(
  "fatal: unable to access 'https://localhost:8872/': server certificate verification failed. CAfile: none CRLfile: none\n",
  "certificate",
  "GIT_SSL_CAINFO",
);
check(
  "fatal: unable to access 'https://localhost:8872/': SSL certificate problem: self-signed certificate\n",
  "certificate-untrusted",
);
check("fatal: unable to access 'http://127.0.0.1:8876/403/': The requested URL returned error: 403\n", "access-denied");
check("fatal: could not read Username for 'http://127.0.0.1:8876': terminal prompts disabled\n", "authentication");
check(
  "remote: Invalid username or password.\nfatal: Authentication failed for 'https://example.com/x.git/'\n",
  "authentication",
);
check("ssh: connect to host 127.0.0.1 port 1: Connection refused\n", "connection-refused");
check("ssh: Could not resolve hostname name.invalid: Name or service not known\n", "name-not-resolved", "name.invalid");
check(
  "git@example.com: Permission denied (publickey,password).\nfatal: Could not read from remote repository.\n",
  "authentication",
);
check("Host key verification failed.\nfatal: Could not read from remote repository.\n", "host-key", "fingerprint");
check("jq: parse error: Invalid numeric literal at line 1, column 6\n", "not-json");
check("parse error: Invalid numeric literal at line 1, column 6\n", "not-json");

// `curlew http`.
const OURS = (code: string, text: string) => `curlew: error[${code}]: ${text}\n  help: Something.\n`;
check(
  OURS("connect", "(7) The connection was refused: 127.0.0.1:1 (ECONNREFUSED)."),
  "connection-refused",
  "127.0.0.1:1 was",
);
check(
  OURS("resolve", "(6) The host name could not be resolved: a.invalid (ENOTFOUND)."),
  "name-not-resolved",
  "a.invalid",
);
check(
  OURS(
    "certificate",
    "(60) The server's certificate could not be verified: localhost:8872 (DEPTH_ZERO_SELF_SIGNED_CERT).",
  ),
  "certificate-untrusted",
  "--cacert",
);
check(
  OURS("certificate", "(60) The server's certificate could not be verified: x:1 (CERT_HAS_EXPIRED)."),
  "certificate-expired",
);
check(
  OURS("certificate", "(60) The server's certificate is for another host: localhost:8874."),
  "certificate-wrong-host",
  "localhost",
);
check(OURS("http-error", "(22) The requested URL returned error: 429"), "rate-limited");
check(OURS("timeout", "(28) The server did not answer in time: x."), "timeout");
check(OURS("proxy-refused", "(56) The proxy wants a login (status 407): x."), "proxy-authentication");

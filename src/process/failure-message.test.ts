import { expect, test } from "vitest";
import type { Cause } from "./cause.ts";
import { rankCause } from "./cause.ts";
import { explainEnd, refusedProtocol } from "./failure-message.ts";
import { CURL_EXITS } from "./stderr-patterns.ts";

const exited = (code: number): Cause => ({ type: "exited", code });

function check(
  cause: Cause,
  given: { stderr?: string; content?: string; program?: string },
  ...expected: string[]
): void {
  const name = `${JSON.stringify(cause)} ${JSON.stringify(given)}`;
  test(name, () => {
    const { code, message, hint } = explainEnd({
      cause,
      program: given.program ?? "bash",
      stderrTail: given.stderr ?? "",
      ...(given.content === undefined ? {} : { content: given.content }),
    });
    expect([code, message, hint].filter((part) => part !== undefined)).toEqual(expected);
  });
}

check(exited(3), {}, "exit-non-zero", "The command exited with code 3.");
check(exited(7), { content: "make" }, "exit-non-zero", "The command exited with code 7.");
check(
  exited(7),
  { content: "curl -s http://127.0.0.1:1/" },
  "curl-connect",
  "The connection was refused or the host could not be reached (curl exit code 7).",
  "Check the URL, the port, that the service is running, and firewall rules.",
);
check(exited(7), { content: "curl -s https://x | jq ." }, "exit-non-zero", "The command exited with code 7.");
check(
  exited(28),
  { content: "curl 'https://x/?a=1;b=2&c=3' \\\n  -s" },
  "curl-timeout",
  "The call took longer than curl's time limit (curl exit code 28).",
  "Raise --max-time or --connect-timeout, or check whether the service is slow.",
);
check(
  exited(6),
  { stderr: "curl: (6) Could not resolve host: api.invalid\n", content: "a; curl b | c" },
  "curl-resolve",
  "The host name api.invalid could not be resolved (curl exit code 6).",
  "Check the spelling of the host, the network connection and DNS.",
);
for (const [code, said, what] of [
  [
    7,
    "The connection to 127.0.0.1:1 was refused: no program listens there (ECONNREFUSED).",
    "connection to 127.0.0.1:1 was refused",
  ],
  [6, "The host name a.invalid could not be resolved (ENOTFOUND).", "host name a.invalid could not be resolved"],
  [28, "The call to a.example took longer than its time limit.", "call to a.example took longer"],
] as const)
  test(`curlew http says why: ${said}`, () => {
    const stderrTail = `curlew: error[x]: (${code}) ${said}\n`;
    expect(explainEnd({ cause: exited(4), program: "bash", stderrTail }).message).toContain(what);
  });
check(
  exited(60),
  { stderr: "curl: (60) SSL certificate problem: self-signed certificate\nMore details here: …\n" },
  "curl-certificate",
  "The server's certificate was refused: it is self-signed, or signed by a CA that this machine does not know (curl exit code 60).",
  "Give curl the CA that signed it: --cacert FILE, or CURL_CA_BUNDLE. Do not turn the check off in production.",
);
check(
  exited(22),
  { stderr: "curl: (22) The requested URL returned error: 401\n" },
  "http-error",
  "The server answered with HTTP status 401: authentication failed (curl exit code 22).",
  "Authentication failed: check the key or token in the environment, whether it has expired, and the authentication header.",
);
check(
  exited(22),
  { stderr: "curl: (22) The requested URL returned error: 429\n" },
  "http-error",
  "The server answered with HTTP status 429: too many requests (curl exit code 22).",
  "The rate limit is exceeded: add a delay or a retry with growing waits, and look at the API's rate limit headers.",
);
check(
  exited(22),
  { content: "curl -sf https://x" },
  "http-error",
  "The server answered with an HTTP error (curl exit code 22).",
  "Add --show-error to see the status, and --fail-with-body to see what the server says.",
);
check(
  exited(1),
  { stderr: "curl: (7) Failed to connect\nAll 3 attempts failed\n" },
  "exit-non-zero",
  "The command exited with code 1 after a retry wrapper in it gave up after 3 attempts; the last time the connection failed: it was refused, or the host could not be reached.",
  "Check the URL, the port, that the service is running, and firewall rules. If waiting helps, give it more attempts and longer waits.",
);
check(
  exited(99),
  { stderr: "curl: (99) new\n" },
  "curl-failed",
  "curl exited with code 99.",
  'Run it with --verbose, and look the code up under "EXIT CODES" in the manual of curl.',
);

const MISSING = [
  "command-not-found",
  'No program called "frobnicate" is on PATH.',
  "Install frobnicate, or give its full path.",
];
check(exited(127), { stderr: "/run/1/script.sh: line 3: frobnicate: command not found\n" }, ...MISSING);
check(exited(127), { stderr: "/run/1/script.sh: 3: frobnicate: not found\n" }, ...MISSING);
check(exited(127), { stderr: "/run/1/script.sh:3: command not found: frobnicate\n" }, ...MISSING);
check(exited(127), { stderr: "/usr/bin/env: ‘frobnicate’: No such file or directory\n" }, ...MISSING);
check({ type: "not-found", program: "frobnicate" }, {}, ...MISSING);
// A plain call on a machine without curl: no exit code of curl is involved.
const NO_CURL = [
  "command-not-found",
  'No program called "curl" is on PATH.',
  'Install curl, or use "curlew http", which works without it.',
];
for (const said of ["bash: line 1: curl: command not found\n", "/bin/sh: 1: curl: not found\n"])
  check(exited(127), { content: "curl -sS http://127.0.0.1:1/", stderr: said }, ...NO_CURL);
check(
  exited(127),
  { stderr: "script.sh: line 1: ./tool: No such file or directory\n" },
  "command-not-found",
  'There is no program at "./tool".',
  "Check the path; relative paths start at cwd.",
);
check(
  exited(127),
  {},
  "command-not-found",
  "The command exited with code 127: a program in it was not found.",
  "Install the program, or give its full path.",
);
check(
  exited(127),
  {
    stderr:
      "curl: error while loading shared libraries: libcurl.so.4: cannot open shared object file: No such file or directory\n",
  },
  "not-executable",
  "The command exited with code 127: curl cannot start, because its library libcurl.so.4 is missing.",
  "Install curl again, or the package that has libcurl.so.4.",
);
check(
  exited(126),
  { stderr: "script.sh: line 1: /bin/echo: Argument list too long\n" },
  "arguments-too-long",
  "The command exited with code 126: the arguments or variables of a program in it are too large for the system.",
  "Pass large values by stdin, or as a file: ${1|file}.",
);
check(
  exited(126),
  { stderr: "script.sh: line 1: ./tool: Permission denied\n" },
  "not-executable",
  "The command exited with code 126: a program was found but may not be executed.",
  "Check its permissions (chmod +x), and that it is a program for this machine.",
);
check(
  exited(5),
  { stderr: "script.sh: line 3: jq: command not found\n" },
  "exit-non-zero",
  'The command exited with code 5 after no program called "jq" was found on PATH.',
  "Install jq, or give its full path.",
);

for (const [code, message, hint] of [
  [4, "The network failed", "Check the URL, the port, that the service is running, and firewall rules."],
  [5, "The server's certificate could not be verified", "Give wget the CA that signed it: --ca-certificate=FILE."],
  [6, "Authentication failed", "Check the user name and password, the key or token, and whether it has expired."],
  [
    8,
    "The server answered with an HTTP error",
    "Add --server-response to see the status, and --content-on-error to see what the server says.",
  ],
] as const)
  check(
    exited(code),
    { content: "wget -qO- https://x" },
    "exit-non-zero",
    `${message} (wget exit code ${code}).`,
    hint,
  );
check(exited(4), { content: "wget -qO- https://x | jq ." }, "exit-non-zero", "The command exited with code 4.");

check(
  exited(139),
  {},
  "exit-non-zero",
  "The command exited with code 139: a program in it was ended by SIGSEGV (it crashed).",
);
check(
  { type: "signalled", signal: "SIGTERM" },
  {},
  "signalled",
  "The command was ended by the signal SIGTERM: asked to end from outside.",
);
check({ type: "signalled", signal: "SIGUSR1" }, {}, "signalled", "The command was ended by the signal SIGUSR1.");
check(
  { type: "signalled", signal: "SIGKILL" },
  {},
  "signalled",
  "The command was ended by the signal SIGKILL: killed from outside, often because memory ran out.",
  "Check the memory of the machine (dmesg shows what the kernel killed).",
);
check(
  { type: "timed-out", limit: "total", afterMs: 30_000 },
  {},
  "timed-out",
  "The command was stopped after 30s, its time limit.",
  "Raise timeout, or limit the call itself (curl --max-time).",
);
check(
  { type: "timed-out", limit: "idle", afterMs: 250 },
  {},
  "timed-out-idle",
  "The command was stopped because it printed nothing for 250ms, its idle limit.",
  "Raise idleTimeout, or let the command print its progress.",
);
check({ type: "cancelled", reason: "x" }, {}, "cancelled", "The command was cancelled.");
check(
  { type: "not-started", reason: "too many files are open" },
  {},
  "not-started",
  "The command could not be started: too many files are open.",
);
check(
  { type: "output-limit", bytes: 10_000_000 },
  {},
  "output-limit",
  "The command was stopped because it printed more than 10,000,000 bytes, the limit; what came before is kept.",
  "Print less, or raise limits.outputBytes in the document.",
);
check(
  { type: "output-failed", reason: "ENOSPC" },
  {},
  "output-failed",
  "The command was stopped because its output could not be stored: ENOSPC.",
  "Check that the disk of the home folder has room and is writable.",
);

test("every curl code of the spec has a remedy, all are sentences' parts without a full stop, hints with one", () => {
  for (const code of [6, 7, 28, 35, 52, 56, 60]) expect(CURL_EXITS[code]).toBeDefined();
  for (const { code, message, hint } of Object.values(CURL_EXITS)) {
    expect(code).toMatch(/^(curl-[a-z0-9-]+|http-error)$/);
    expect(message).toMatch(/^[A-Zc].*[^.]$/);
    expect(hint).toMatch(/\.$/);
  }
});

test("causes are ranked: never ran, asked to end, signal, code", () => {
  const spawnFailure = { type: "not-found", program: "x" } as const;
  const stopped = { type: "cancelled", reason: "r" } as const;
  expect(rankCause({ spawnFailure, stopped, exitCode: 1, signal: "SIGTERM" })).toBe(spawnFailure);
  expect(rankCause({ stopped, exitCode: 0, signal: null })).toBe(stopped);
  expect(rankCause({ exitCode: null, signal: "SIGHUP" })).toEqual({ type: "signalled", signal: "SIGHUP" });
  expect(rankCause({ exitCode: 0, signal: null })).toEqual({ type: "exited", code: 0 });
  expect(rankCause({ exitCode: null, signal: null }).type).toBe("not-started");
});

test.each([
  ['curl: (1) Protocol "http" not supported or disabled in libcurl'],
  ['curl: (1) Protocol "http" disabled'],
  ['curl: (1) Protocol "http" is disabled'],
])("a protocol that curl was not allowed, as its versions say it: %s", (line) => {
  expect(refusedProtocol(`${line}\n`)).toBe("http");
});

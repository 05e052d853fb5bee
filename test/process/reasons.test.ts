// Why calls failed, as real programs say it when they meet real servers: refused, unknown, silent, expired, not trusted, 401, 429, 503 …

import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from "node:net";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { explainEnd } from "../../src/process/explain.ts";
import { curls } from "../setup/curls.ts";
import { has } from "../setup/machine.ts";
import { run } from "./commands.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const TLS = join(import.meta.dirname, "tls");
const CA = join(TLS, "ca.pem");
/** What a script finds under these names, as ports of this machine. */
const ports: Record<string, string> = {};
const servers: (Server | TcpServer)[] = [];

async function listen(name: string, server: Server | TcpServer): Promise<void> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ports[name] = String((server.address() as AddressInfo).port);
}

beforeAll(async () => {
  const answer = createServer((request, response) => {
    const [, what = ""] = request.url!.split("/");
    if (what === "empty") return void request.socket.destroy();
    if (what === "silent") return;
    const status = Number(what) || 200;
    const headers =
      status === 302 ? { location: "/302" } : status === 401 ? { "www-authenticate": 'Basic realm="x"' } : {};
    response.writeHead(status, headers).end(what === "html" ? "<html>no</html>" : "{}");
  });
  await listen("HTTP", answer);
  for (const name of ["expired", "self-signed", "wrong-host"]) {
    const [key, cert] = [readFileSync(join(TLS, "server-test-only.key")), readFileSync(join(TLS, `${name}.pem`))];
    await listen(
      name.toUpperCase().replace("-", "_"),
      createTlsServer({ key, cert }, (_, response) => response.end("{}")),
    );
  }
  // A port that was free a moment ago, and that nobody listens on.
  const closed = createTcpServer();
  await listen("CLOSED", closed);
  await new Promise((resolve) => closed.close(resolve));
});

afterAll(() => {
  for (const server of servers) {
    if ("closeAllConnections" in server) server.closeAllConnections();
    server.close();
  }
});

const OTHER_CURLS = curls().slice(1);

interface Told {
  code?: string;
  reason: string | undefined;
  says?: (string | RegExp)[];
}

/** `$HTTP`, `$CLOSED`, `$EXPIRED`, `$SELF_SIGNED`, `$WRONG_HOST` are ports; `$CA` is the CA that signed the certificates. */
function check(program: string, script: string, told: Told): void {
  const { PATH = "" } = process.env;
  const name = `${script.trim().split("\n").join("; ")}: ${told.reason}`;
  test.runIf(program === "" || has(program))(name, () => explained(script, told, PATH));
  if (program !== "curl") return;
  for (const { folder, version } of OTHER_CURLS)
    test(`curl ${version}: ${name}`, () => explained(script, told, `${folder}${delimiter}${PATH}`));
}

async function explained(script: string, { code, reason, says = [] }: Told, PATH: string): Promise<void> {
  const { HOME = "/" } = process.env;
  const env = { PATH, HOME, NODE: process.execPath, CA, GIT_TERMINAL_PROMPT: "0", LC_ALL: "C.UTF-8", ...ports };
  const ended = await run(`set -o pipefail; ${script}`, { env });
  const told = explainEnd({ cause: ended.cause, program: "bash", content: script, stderrTail: ended.stderrTail });
  expect({ reason: told.reason, stderr: ended.stderrTail }).toEqual({ reason, stderr: ended.stderrTail });
  if (code !== undefined) expect(told.code).toBe(code);
  for (const text of says) expect(`${told.message} ${told.hint}`).toMatch(text);
  expect(told.message).toMatch(/^[A-Z].*[^.]\.$/s);
  if (ended.stderrTail !== "" && reason !== undefined)
    expect(ended.stderrTail).toContain(told.evidence?.[0]?.replace(/…$/, ""));
}

const H = "http://127.0.0.1:$HTTP";
/** A program and the call that it makes of a URL. */
const CLIENTS: [string, (url: string, more?: "ca" | "timeout" | "follow") => string][] = [
  [
    "curl",
    (url, more) =>
      `curl -sS --fail-with-body ${more === "ca" ? "--cacert $CA" : more === "timeout" ? "-m1" : "-L"} "${url}"`,
  ],
  [
    "wget",
    (url, more) => `wget -O- -t1 ${more === "ca" ? "--ca-certificate=$CA" : more === "timeout" ? "-T1" : ""} "${url}"`,
  ],
  [
    "http",
    (url, more) =>
      `http --ignore-stdin --check-status ${more === "ca" ? "--verify $CA" : more === "timeout" ? "--timeout 1" : "--follow"} "${url}"`,
  ],
  [
    "python3",
    (url, more) =>
      `${more === "ca" ? "SSL_CERT_FILE=$CA " : ""}python3 -c 'import sys,urllib.request as r; r.urlopen(sys.argv[1]${more === "timeout" ? ",timeout=1" : ""}).read()' "${url}"`,
  ],
];
for (const [program, call] of CLIENTS) {
  check(program, call("http://127.0.0.1:$CLOSED/"), {
    reason: program === "curl" ? expect.stringMatching(/^connection-(refused|failed)$/) : "connection-refused",
  });
  check(program, call("http://name.invalid/"), { reason: "name-not-resolved" });
  check(program, call(`${H}/empty`), { reason: "connection-closed" });
  check(program, call(`${H}/silent`, "timeout"), { reason: "timeout" });
  check(program, call(`${H}/401`), { reason: "authentication", says: [/[Aa]uthentication failed|credentials/] });
  check(program, call(`${H}/403`), { reason: "access-denied" });
  check(program, call(`${H}/404`), { reason: "http-client-error", says: ["404"] });
  check(program, call(`${H}/429`), { reason: "rate-limited", says: ["delay"] });
  check(program, call(`${H}/503`), { reason: "http-server-error", says: ["503"] });
  check(program, call("https://localhost:$SELF_SIGNED/"), {
    reason: "certificate-untrusted",
    says: ["CA that signed it"],
  });
  check(program, call("https://localhost:$EXPIRED/", "ca"), { reason: "certificate-expired" });
  check(program, call("https://localhost:$WRONG_HOST/", "ca"), { reason: "certificate-wrong-host" });
  check(program, call("https://127.0.0.1:$HTTP/"), { reason: "tls" });
}

const fetching = (url: string, options = "") => `"$NODE" -e 'await fetch(process.argv[1]${options})' "${url}"`;
check("", fetching("http://127.0.0.1:$CLOSED/"), {
  reason: "connection-refused",
  says: [/to 127\.0\.0\.1:\d+ was refused/],
});
check("", fetching("http://name.invalid/"), { reason: "name-not-resolved", says: ["name.invalid"] });
check("", fetching(`${H}/empty`), { reason: "connection-closed" });
check("", fetching(`${H}/silent`, ",{signal:AbortSignal.timeout(300)}"), { reason: "timeout" });
check("", fetching("https://localhost:$SELF_SIGNED/"), {
  reason: "certificate-untrusted",
  says: ["NODE_EXTRA_CA_CERTS"],
});
check("", `NODE_EXTRA_CA_CERTS=$CA ${fetching("https://localhost:$EXPIRED/")}`, { reason: "certificate-expired" });
check("", fetching("https://127.0.0.1:$HTTP/"), { reason: "tls" });
check("", `"$NODE" -e 'await (await fetch(process.argv[1])).json()' "${H}/html"`, { reason: "not-json" });
check("", `"$NODE" -e 'require("child_process").spawn("nosuchprog")'`, {
  reason: "not-installed",
  says: ["nosuchprog"],
});

check("git", `git ls-remote "http://127.0.0.1:$CLOSED/x"`, {
  reason: expect.stringMatching(/^connection-(refused|failed)$/),
});
check("git", `git ls-remote http://name.invalid/x`, { reason: "name-not-resolved" });
check("git", `git ls-remote "${H}/403"`, { reason: "access-denied" });
check("git", `git ls-remote "${H}/401"`, { reason: "authentication" });
check("git", `git ls-remote "https://localhost:$SELF_SIGNED/x"`, {
  reason: expect.stringMatching(/^certificate(-untrusted)?$/),
  says: ["GIT_SSL_CAINFO"],
});
check("ssh", `ssh -o BatchMode=yes -p "$CLOSED" 127.0.0.1`, { reason: "connection-refused" });
check("ssh", "ssh -o BatchMode=yes name.invalid", { reason: "name-not-resolved" });
check("busybox", `busybox wget -O- "http://127.0.0.1:$CLOSED/"`, { reason: "connection-refused" });

for (const starter of ["", "env ", "timeout 5 ", "nice ", "nohup ", "xargs "])
  check("", `${starter}nosuchprog </dev/null`, {
    code: "command-not-found",
    reason: "not-installed",
    says: ['"nosuchprog"'],
  });
check("dash", "dash -c nosuchprog", { code: "command-not-found", reason: "not-installed", says: ['"nosuchprog"'] });
check("zsh", "zsh -c nosuchprog", { code: "command-not-found", reason: "not-installed", says: ['"nosuchprog"'] });
check("busybox", "busybox sh -c nosuchprog", {
  code: "command-not-found",
  reason: "not-installed",
  says: ['"nosuchprog"'],
});
check("python3", `python3 -c 'import subprocess; subprocess.run(["nosuchprog"])'`, { reason: "not-installed" });
check("python3", `python3 -c 'import nosuchmodule'`, { reason: "module-missing", says: ["nosuchmodule"] });

check("curl", "curl -sS --cacert /nosuch.pem https://localhost:$EXPIRED/", {
  reason: "ca-bundle-missing",
  says: ["nosuch.pem"],
});
check("curl", `curl -sSL "${H}/302"`, { reason: "too-many-redirects" });
check("curl", "curl -sS -x http://name.invalid:1 http://x.test/", { reason: "proxy" });
check("curl", "curl -s http://127.0.0.1:$CLOSED/", { code: "curl-connect", reason: "connection-failed" });

// Scripts that change the exit code, and wrappers.
check("curl", `curl -sS --fail-with-body "${H}/401" || exit 3`, {
  code: "exit-non-zero",
  reason: "authentication",
  says: ["exited with code 3 after the server answered with HTTP status 401"],
});
check(
  "curl",
  `for i in 1 2; do curl -sSf "${H}/503" && exit 0; echo "Attempt $i of 2 failed, retrying" >&2; done; echo "Failed after 2 attempts" >&2; exit 1`,
  {
    code: "exit-non-zero",
    reason: "retries-exhausted",
    says: ["gave up after 2 attempts; the last time the server answered with HTTP status 503"],
  },
);
check("jq", `echo '<html>' | jq .`, { reason: "not-json" });
check("curl", `curl -sS http://name.invalid/ || true; echo "\${unset_one?is not set}"`, { reason: undefined });
check("curl", `curl -sS http://name.invalid/ || true; python3 -c '{}["items"]'`, { reason: undefined });
check("", "echo 429 rows >&2; exit 1", { reason: undefined });
check("", "cat </nosuchfile", { reason: undefined });

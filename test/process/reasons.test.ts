// Why calls failed, as real curl and wget report it from real servers: refused, unknown, silent, expired, not trusted,
// 401, 429, 503 …

import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from "node:net";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { explainEnd } from "../../src/process/failure-message.ts";
import { curls } from "../setup/curls.ts";
import { has } from "../setup/machine.ts";
import { run } from "./commands.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const TLS = join(import.meta.dirname, "tls");
const CA = join(TLS, "ca.pem");
/** Variables that a script finds, with ports of this machine. */
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
  // A port that was free a moment ago, on which no program listens.
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
  const env = { PATH, HOME, CA, LC_ALL: "C.UTF-8", ...ports };
  const ended = await run(`set -o pipefail; ${script}`, { env });
  const told = explainEnd({ cause: ended.cause, program: "bash", content: script, stderrTail: ended.stderrTail });
  expect({ reason: told.reason, stderr: ended.stderrTail }).toEqual({ reason, stderr: ended.stderrTail });
  if (code !== undefined) expect(told.code).toBe(code);
  for (const text of says) expect(`${told.message} ${told.hint}`).toMatch(text);
  expect(told.message).toMatch(/^[A-Z].*[^.]\.$/s);
  if (ended.stderrTail !== "" && told.evidence !== undefined)
    expect(ended.stderrTail).toContain(told.evidence[0]?.replace(/…$/, ""));
}

const H = "http://127.0.0.1:$HTTP";
const curl = (url: string, more = "-L") => `curl -sS --fail-with-body ${more} "${url}"`;
check("curl", curl("http://127.0.0.1:$CLOSED/"), { reason: expect.stringMatching(/^connection-(refused|failed)$/) });
check("curl", curl("http://name.invalid/"), { reason: "name-not-resolved" });
check("curl", curl(`${H}/empty`), { reason: "connection-closed" });
check("curl", curl(`${H}/silent`, "-m1"), { reason: "timeout" });
check("curl", curl(`${H}/401`), { reason: "authentication", says: [/[Aa]uthentication failed|credentials/] });
check("curl", curl(`${H}/403`), { reason: "access-denied" });
check("curl", curl(`${H}/404`), { reason: "http-client-error", says: ["404"] });
check("curl", curl(`${H}/429`), { reason: "rate-limited", says: ["delay"] });
check("curl", curl(`${H}/503`), { reason: "http-server-error", says: ["503"] });
check("curl", curl("https://localhost:$SELF_SIGNED/"), {
  reason: "certificate-untrusted",
  says: ["CA that signed it"],
});
check("curl", curl("https://localhost:$EXPIRED/", "--cacert $CA"), { reason: "certificate-expired" });
check("curl", curl("https://localhost:$WRONG_HOST/", "--cacert $CA"), { reason: "certificate-wrong-host" });
check("curl", curl("https://127.0.0.1:$HTTP/"), { reason: "tls" });

const wget = (url: string) => `wget -qO- -t1 "${url}"`;
check("wget", wget("http://127.0.0.1:$CLOSED/"), { reason: "connection-failed", says: ["wget exit code 4"] });
check("wget", wget("https://localhost:$SELF_SIGNED/"), { reason: "certificate", says: ["--ca-certificate"] });
check("wget", wget(`${H}/401`), { reason: "authentication", says: ["wget exit code 6"] });
check("wget", wget(`${H}/503`), { reason: "http-error", says: ["wget exit code 8"] });

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
  says: ["exited with code 3 after the server responded with HTTP status 401"],
});
check(
  "curl",
  `for i in 1 2; do curl -sSf "${H}/503" && exit 0; echo "Attempt $i of 2 failed, retrying" >&2; done; echo "Failed after 2 attempts" >&2; exit 1`,
  {
    code: "exit-non-zero",
    reason: "retries-exhausted",
    says: ["gave up after 2 attempts; the last time the server responded with HTTP status 503"],
  },
);
check("curl", `curl -sS http://name.invalid/ || true; echo "\${unset_one?is not set}"`, { reason: undefined });
check("curl", `curl -sS http://name.invalid/ || true; python3 -c '{}["items"]'`, { reason: undefined });
check("", "echo 429 rows >&2; exit 1", { reason: undefined });
check("", "cat </nosuchfile", { reason: undefined });

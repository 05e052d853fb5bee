// `curlew serve` as seen from a shell: what it prints, where you find it, how it ends (spec 2.2, 2.7, 4.3 S14).

import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { limits } from "../../src/base/limits.ts";
import { folder, inARow, made, type Started } from "../cli/curlew.ts";

const LINK = /http:\/\/127\.0\.0\.1:\d+\/#code=[\w-]{43}/;

async function link(serving: Started): Promise<string> {
  let received = "";
  serving.process.stderr.on("data", (part) => {
    received += part;
  });
  await serving.says("#code=", "stderr");
  await serving.says("Ctrl-C ends the server", "stderr");
  return LINK.exec(received)?.[0] ?? received;
}

test("it prints a link on stderr and nothing on stdout, and Ctrl-C ends it in order", async () => {
  const it = folder({ "a.flow.yaml": inARow({ a: "true" }) });
  const serving = it.start("serve --port 0 --hooks-port 0");
  const code = new URL(await link(serving)).hash.slice("#code=".length);
  const { url, token, pid } = JSON.parse(readFileSync(join(it.home, "server.json"), "utf8"));
  expect(pid).toBe(serving.process.pid);
  const login = await fetch(`${url}/api/v1/session`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url, "sec-fetch-site": "same-origin" },
    body: JSON.stringify({ code }),
  });
  expect(login.status).toBe(201);
  serving.process.kill("SIGINT");
  expect(await serving.done).toMatchObject({ code: 0, stdout: "" });
  expect(existsSync(join(it.home, "server.json"))).toBe(false);
  expect(readFileSync(join(it.home, "server.log"), "utf8")).not.toContain(token);
});

test("a second Ctrl-C ends it at once while a request is under way; commands and runs wait for the next server", async () => {
  const it = folder({
    "a.flow.yaml": inARow({
      a: "echo a >> ran; until test -e free; do sleep 0.02; done",
      b: "echo b >> ran; echo done",
    }),
  });
  const serving = it.start("serve --port 0 --hooks-port 0");
  await link(serving);
  const { url, token } = JSON.parse(readFileSync(join(it.home, "server.json"), "utf8"));
  const { stdout: run } = await it.run("run a.flow.yaml --detach");
  await made(join(it.path, "ran"));
  // A body that never ends: an orderly shutdown waits for it for a while.
  const half = connect(Number(new URL(url).port), "127.0.0.1");
  half.on("error", () => {});
  await new Promise<void>((resolve) => half.once("connect", resolve));
  const head = `POST /api/v1/workflows/a.flow.yaml/runs HTTP/1.1\r\nhost: ${new URL(url).host}\r\nauthorization: Bearer ${token}\r\n`;
  half.write(`${head}content-type: application/json\r\ncontent-length: 1000\r\nexpect: 100-continue\r\n\r\n{`);
  await new Promise((resolve) => half.once("data", resolve));
  serving.process.kill("SIGINT");
  await serving.says("Closing: running commands continue");
  const atMs = performance.now();
  serving.process.kill("SIGINT");
  expect((await serving.done).code).toBe(130);
  expect(performance.now() - atMs).toBeLessThan(limits.serverCloseMs);
  half.destroy();

  const next = it.start("serve --port 0 --hooks-port 0");
  await link(next);
  writeFileSync(join(it.path, "free"), "");
  await expect
    .poll(async () => JSON.parse((await it.run(["runs", "show", run.trim(), "--json"])).stdout).status, {
      timeout: 30_000,
    })
    .toBe("succeeded");
  expect(it.read("ran")).toBe("a\nb\n");
  next.process.kill("SIGTERM");
  expect((await next.done).code).toBe(0);
}, 60_000);

test("problems in config.yaml are reported at the start with their place, in the log, and at the hooks", async () => {
  const hook = "on: [{ webhook: { path: h, verify: none } }]\n";
  const it = folder({ "a.flow.yaml": `${inARow({ a: "true" })}${hook}` });
  mkdirSync(it.home, { recursive: true, mode: 0o700 });
  const text = "publicHooksUrl: hooks.example.com\ncolour: blue\n";
  writeFileSync(join(it.home, "config.yaml"), text, { mode: 0o600 });
  const serving = it.start("serve --port 0 --hooks-port 0");
  await link(serving);
  // A server of a cluster records a trigger a moment after it listens.
  await expect.poll(async () => (await it.run("triggers")).stdout).toContain("config.yaml:2:1: has no setting");
  serving.process.kill("SIGTERM");
  const { stderr } = await serving.done;
  expect(stderr).toMatch(/warning.*config-invalid.*config\.yaml:2:1: has no setting "colour"/s);
  expect(stderr).toMatch(/config\.yaml:1:17: publicHooksUrl must be a URL/);
  expect(readFileSync(join(it.home, "server.log"), "utf8")).toContain("config.yaml:1:17");
  const run = await it.run("run a.flow.yaml");
  expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('has no setting "colour"') });
});

test("a second server prints a new link to the first, or an error for another folder", async () => {
  const it = folder({ "other/a.flow.yaml": inARow({ a: "true" }) });
  const first = it.start("serve --port 0 --hooks-port 0");
  const { origin } = new URL(await link(first));
  const second = await it.run("serve --port 0 --hooks-port 0");
  expect(second).toMatchObject({ code: 0, stdout: "" });
  expect(second.stderr).toContain(`${origin}/#code=`);
  const elsewhere = await it.run("serve other --port 0 --hooks-port 0");
  expect(elsewhere.code).toBe(2);
  expect(elsewhere.stderr).toContain("error[server-running]");
  expect(elsewhere.stderr).toContain(`${origin}/#code=`);
  first.process.kill("SIGTERM");
  expect((await first.done).code).toBe(0);
});

test("the remains of a killed server are in no one's way", async () => {
  const it = folder();
  const first = it.start("serve --port 0 --hooks-port 0");
  await link(first);
  first.process.kill("SIGKILL");
  await first.done;
  const left = readFileSync(join(it.home, "server.json"), "utf8");
  const second = it.start("serve --port 0 --hooks-port 0");
  await link(second);
  expect(readFileSync(join(it.home, "server.json"), "utf8")).not.toBe(left);
  second.process.kill("SIGTERM");
  await second.done;
});

test.each([
  ["serve --port 70000", "invalid-value"],
  ["serve --auth password", "invalid-value"],
  ["serve --host 192.0.2.1", "host-needs-auth"],
  ["serve --host 0.0.0.0 --auth token", "host-needs-tls"],
  ["serve --tls-cert cert.pem", "bad-certificate"],
  ["serve --tls-cert missing.pem --tls-key missing.pem", "bad-certificate"],
  ["serve nowhere", "cannot-serve"],
])("curlew %s: %s", async (line, code) => {
  const ran = await folder().run(line);
  expect(ran).toMatchObject({ code: 2, stdout: "" });
  expect(ran.stderr).toContain(`error[${code}]`);
});

test("every command reports an impossible data directory, and leaves a file in its place unchanged", async () => {
  const it = folder({ "a.flow.yaml": "curlew: 1\nnodes: []\nedges: []\n", taken: "mine" });
  chmodSync(join(it.path, "taken"), 0o644);
  // Below /proc making a folder fails in a special way.
  const homes = ["taken", "taken/home", ...(process.platform === "linux" ? ["/proc/home"] : [])];
  for (const home of homes)
    for (const line of home === "taken" ? ["serve", "runs"] : ["serve"]) {
      const ran = await it.run(`${line} --home ${home}`);
      expect(ran, home).toMatchObject({ code: 2, stdout: "" });
      expect(ran.stderr, home).toContain("error[store-failed]");
    }
  expect(statSync(join(it.path, "taken")).mode & 0o777).toBe(0o644);
});

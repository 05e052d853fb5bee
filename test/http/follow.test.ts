// `curlew http`: redirects, retries, proxies, credentials (spec 3.6, 3.3, 4.2).

import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { takeCalls } from "../../src/process/http-observer/records.ts";
import { tempFolder } from "../setup/folders.ts";
import { CA_FILE, call, listening, serve } from "./server.ts";

const ENV = { TOKEN: "bearer-token-value", USER_NAME: "ann", PASSWORD: "p:ss", KEY: "key-value" };

test("redirects are followed up to a limit; POST becomes GET after 302 and 303, and stays POST after 307 and 308", async () => {
  const { url, seen } = await serve(({ url: path }, response) => {
    const status = Number(/^\/(\d+)/.exec(path)?.[1] ?? 0);
    if (path === "/loop") response.writeHead(302, { location: "/loop" }).end();
    else if (status > 0) response.writeHead(status, { location: "/end" }).end("moved");
    else response.end("end");
  });
  for (const status of [301, 302, 303, 307, 308])
    expect(await call(["POST", `${url}/${status}`, "--json", "{}"])).toMatchObject({ code: 0, stdout: "end" });
  expect(seen.filter(({ url: path }) => path === "/end").map(({ method, body }) => `${method} ${body}`)).toEqual([
    "GET ",
    "GET ",
    "GET ",
    "POST {}",
    "POST {}",
  ]);
  expect(await call(["GET", `${url}/loop`])).toMatchObject({ code: 47, stdout: "" });
  expect(seen.filter(({ url: path }) => path === "/loop").length).toBeLessThanOrEqual(11);
});

test("credentials stay with the host that was called, and no redirect leads to http", async () => {
  const other = await serve((_, response) => void response.end("other"));
  const { url, seen } = await serve(({ url: path }, response) => {
    if (path === "/same") response.writeHead(302, { location: "/end" }).end();
    else if (path === "/other") response.writeHead(302, { location: `${other.url}/end` }).end();
    else if (path === "/plain") response.writeHead(302, { location: "http://example.com/" }).end();
    else response.end("end");
  });
  const words = ["--auth", "header:X-API-Key=KEY", "-H", "X-Other: kept"];
  expect((await call(["GET", `${url}/same`, ...words], { env: ENV })).stdout).toBe("end");
  expect(seen.map(({ headers }) => headers["x-api-key"])).toEqual(["key-value", "key-value"]);
  expect((await call(["GET", `${url}/other`, ...words], { env: ENV })).stdout).toBe("other");
  expect(other.seen[0]!.headers).toMatchObject({ "x-other": "kept" });
  expect(other.seen[0]!.headers["x-api-key"]).toBeUndefined();
  expect(await call(["GET", `${url}/plain`, ...words], { env: ENV })).toMatchObject({ code: 1, stdout: "" });
});

test("--auth takes credentials from the environment, files and the node's own file; a header file works too", async () => {
  const at = tempFolder();
  writeFileSync(join(at, "headers"), "# mine\nAuthorization: Bearer from-file\n");
  writeFileSync(join(at, "auth.json"), JSON.stringify({ name: "api", auth: { type: "bearer", token: "handed" } }));
  writeFileSync(join(at, "n.json"), JSON.stringify({ auth: { type: "netrc" } }));
  writeFileSync(join(at, "config.yaml"), 'auth: { shop: { type: bearer, token: "${TOKEN}" } }\n', { mode: 0o600 });
  const { url, seen } = await serve((_, response) => void response.end());
  const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
  const ways: [string[], Record<string, string>, string][] = [
    [["--auth", "bearer=TOKEN"], ENV, "Bearer bearer-token-value"],
    [["--auth", "basic=USER_NAME,PASSWORD"], ENV, basic("ann:p:ss")],
    [["-H", `@${at}/headers`], {}, "Bearer from-file"],
    [[], { CURLEW_HTTP_AUTH: join(at, "auth.json") }, "Bearer handed"],
    [["--auth", "api"], { CURLEW_HTTP_AUTH: join(at, "auth.json") }, "Bearer handed"],
    [["--auth", "shop"], { ...ENV, CURLEW_HOME: at }, "Bearer bearer-token-value"],
  ];
  for (const [words, env] of ways) expect(await call(["GET", url, ...words], { env })).toMatchObject({ code: 0 });
  expect(seen.map(({ headers }) => headers.authorization)).toEqual(ways.map(([, , sent]) => sent));
  const netrc = await call(["GET", url], { env: { CURLEW_HTTP_AUTH: join(at, "n.json") } });
  expect(netrc).toMatchObject({ code: 2, stderr: expect.stringContaining("error[auth-netrc]") });
  const env = { CURLEW_HTTP_AUTH: join(at, "auth.json"), CURLEW_RUN_ID: "r" };
  expect((await call(["GET", url, "--auth", "other"], { env })).stderr).toContain('This node signs in by "api"');
  expect((await call(["GET", url, "--auth", "none"], { env: { CURLEW_HOME: at } })).stderr).toContain(
    "error[auth-unknown]",
  );
});

test("temporary failures are retried within the time that the server asks for, and a failed body is not printed", async () => {
  const { url, seen } = await serve(({ url: path }, response, count) => {
    if (path === "/date" && count === 1)
      response.writeHead(503, { "retry-after": new Date(Date.now() + 2_000).toUTCString() }).end("wait");
    else if (path === "/seconds" && count <= 2) response.writeHead(429, { "retry-after": "1" }).end("wait");
    else if (path === "/always") response.writeHead(500).end("broken");
    else if (path === "/never") response.writeHead(404).end("no");
    else response.end("done");
  });
  const started = Date.now();
  const got = await call(["GET", `${url}/seconds`, "--retry", "3"]);
  expect(got).toMatchObject({ code: 0, stdout: "done" });
  expect(got.stderr).toMatch(/^curlew: try 1 of 4: status 429; again in 1\.0 s\ncurlew: try 2 of 4: status 429;/);
  expect(Date.now() - started).toBeGreaterThanOrEqual(2_000);
  expect(seen).toHaveLength(3);
  seen.length = 0;
  expect((await call(["GET", `${url}/date`, "--retry", "1"])).stdout).toBe("done");
  seen.length = 0;
  const words = ["--retry", "2", "--retry-delay", "1ms"];
  expect(await call(["GET", `${url}/always`, ...words])).toMatchObject({ code: 22, stdout: "broken" });
  expect(seen).toHaveLength(3);
  expect((await call(["POST", `${url}/always`, ...words])).code).toBe(22);
  expect(seen).toHaveLength(4);
  expect((await call(["POST", `${url}/always`, "-d", "x", ...words, "--retry-unsafe"])).code).toBe(22);
  expect(seen.slice(4).map(({ body }) => String(body))).toEqual(["x", "x", "x"]);
  expect((await call(["GET", `${url}/never`, ...words])).code).toBe(22);
  expect(seen).toHaveLength(8);
});

test("a broken connection is retried until something was printed, and never after", async () => {
  const { url, seen } = await serve(({ url: path }, response, count) => {
    if (path === "/late") {
      response.writeHead(200, { "content-length": "100" });
      response.write("half", () => response.destroy());
    } else if (count < 3) response.destroy();
    else response.end("done");
  });
  const words = ["--retry", "5", "--retry-delay", "1ms"];
  expect(await call(["GET", `${url}/`, ...words])).toMatchObject({ code: 0, stdout: "done" });
  seen.length = 0;
  expect(await call(["GET", `${url}/late`, ...words])).toMatchObject({ code: 18, stdout: "half" });
  expect(seen).toHaveLength(1);
});

test("a wait that would end after --retry-max-time does not start", async () => {
  const { url, seen } = await serve((_, response) => void response.writeHead(503, { "retry-after": "3600" }).end());
  expect((await call(["GET", url, "--retry", "3", "--retry-max-time", "5s"])).code).toBe(22);
  expect(seen).toHaveLength(1);
});

test("https goes through the environment's proxy by CONNECT, http directly, and NO_PROXY bypasses it", async () => {
  const lines: string[] = [];
  const proxy = createServer((request, response) => {
    lines.push(`${request.method} ${request.url} ${request.headers["proxy-authorization"]}`);
    response.end("by proxy");
  });
  proxy.on("connect", (request, socket) => {
    lines.push(`CONNECT ${request.url} ${request.headers["proxy-authorization"]}`);
    if (request.headers["proxy-authorization"] === undefined) return void socket.end("HTTP/1.1 407 No\r\n\r\n");
    const [, port] = request.url!.split(":");
    const to = connect(Number(port), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      to.pipe(socket).pipe(to);
    });
    socket.on("error", () => to.destroy());
    to.on("error", () => socket.destroy());
  });
  const port = await listening(proxy);
  const { url } = await serve((_, response) => void response.end("direct"), true);
  const login = Buffer.from("me:pw").toString("base64");
  const env = { https_proxy: `http://me:pw@127.0.0.1:${port}`, http_proxy: `http://127.0.0.1:${port}` };
  expect(await call(["GET", url, "--cacert", CA_FILE], { env })).toMatchObject({
    code: 0,
    stdout: "direct",
    stderr: "",
  });
  expect(lines).toEqual([`CONNECT ${url.slice(8)} Basic ${login}`]);
  expect(await call(["GET", "http://localhost:9/x"], { env })).toMatchObject({ code: 0, stdout: "by proxy" });
  expect(lines[1]).toBe("GET http://localhost:9/x undefined");
  const around = { ...env, NO_PROXY: "other.example, 127.0.0.1" };
  expect((await call(["GET", url, "--cacert", CA_FILE], { env: around })).stdout).toBe("direct");
  expect(lines).toHaveLength(2);
  const noLogin = { https_proxy: `http://127.0.0.1:${port}` };
  const refused = await call(["GET", url, "--cacert", CA_FILE], { env: noLogin });
  expect(refused).toMatchObject({ code: 56 });
  expect(refused.stderr).toContain("The proxy refused the connection with status 407");
  // The message blames the proxy, not the server behind it.
  for (const away of ["http://127.0.0.1:1", "socks5://127.0.0.1:1"]) {
    const lost = await call(["GET", url, "--cacert", CA_FILE], { env: { https_proxy: away } });
    expect(lost.code, lost.stderr).toBe(7);
    expect(lost.stderr).toContain("connection to 127.0.0.1:1 was refused");
    expect(lost.stderr).not.toContain("Warning");
  }
  expect((await call(["GET", url], { env: { https_proxy: "http://" } })).code).toBe(5);
});

test("in a node every call and every retry is recorded, with the server's message and without secrets", async () => {
  const at = tempFolder();
  const { url } = await serve(({ url: path }, response, count) => {
    if (path.startsWith("/to")) response.writeHead(302, { location: "/end?token=of-the-server" }).end();
    else response.writeHead(count === 2 ? 503 : 200, { "x-one": "1", "set-cookie": "a=b" }).end("0123456789");
  });
  const env = { ...ENV, CURLEW_HTTP: join(at, "calls") };
  const words = [
    "POST",
    `${url}/to?key=of-mine`,
    "-d",
    "abc",
    "--auth",
    "bearer=TOKEN",
    "--retry",
    "1",
    "--retry-delay",
    "1ms",
  ];
  expect(await call([...words, "--retry-unsafe"], { env })).toMatchObject({ code: 0, stdout: "0123456789" });
  expect((await call(["GET", "http://127.0.0.1:1/"], { env })).code).toBe(7);
  const [first, second, refused, ...more] = takeCalls(env.CURLEW_HTTP, (text) => text).calls;
  expect(more).toEqual([]);
  const told = {
    method: "POST",
    url: `${url}/to?key=***`,
    finalUrl: `${url}/end?token=***`,
    redirects: 1,
    sentBytes: 3,
  };
  expect(first).toMatchObject({ ...told, status: 503, client: "curlew http" });
  expect(second).toMatchObject({ ...told, status: 200, receivedBytes: 10 });
  expect(refused).toMatchObject({ method: "GET", status: 0, exitCode: 7 });
  expect(JSON.stringify([first, second])).not.toMatch(/bearer-token-value|of-mine|of-the-server|a=b/);
});

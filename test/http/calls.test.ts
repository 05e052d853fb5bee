// `curlew http` against real servers: what it sends, what it prints, and how it ends (spec 3.6).

import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer as createTlsServer } from "node:https";
import { createServer } from "node:net";
import { join } from "node:path";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { limits } from "../../src/base/limits.ts";
import { tempFolder } from "../setup/folders.ts";
import { CA_FILE, call, listening, serve } from "./server.ts";

function folder(): string {
  const path = tempFolder();
  return path;
}

test("only the body goes to stdout, unchanged, and the query is percent-encoded", async () => {
  const bytes = randomBytes(3_000_000);
  const { url, seen } = await serve((_, response) => void response.end(bytes));
  const got = await call(["get", `${url}/a?x=1`, "--query", "q=a b&c=d/é", "-H", "X-One: 1", "-H", "User-Agent:"]);
  expect(got.stderr).toBe("");
  expect(got.code).toBe(0);
  expect(got.bytes.equals(bytes)).toBe(true);
  expect(seen[0]).toMatchObject({ method: "GET", url: "/a?x=1&q=a%20b%26c%3Dd%2F%C3%A9" });
  expect(seen[0]!.headers["x-one"]).toBe("1");
  expect(seen[0]!.headers["user-agent"]).toBeUndefined();
});

test("a body comes from the argument, a file, or stdin, byte for byte", async () => {
  const at = folder();
  const bytes = randomBytes(100_000);
  writeFileSync(join(at, "body"), bytes);
  const { url, seen } = await serve((_, response) => void response.end());
  await call(["POST", url, "-d", "a=1", "-d", "b=2"]);
  await call(["PUT", url, "-d", "@body"], { cwd: at });
  await call(["POST", url, "--json", "@-"], { input: '{"a":1}\n' });
  expect(seen.map(({ body }) => body)).toEqual([Buffer.from("a=1&b=2"), bytes, Buffer.from('{"a":1}\n')]);
  expect(seen.map(({ headers }) => headers["content-type"])).toEqual([
    "application/x-www-form-urlencoded",
    "application/x-www-form-urlencoded",
    "application/json",
  ]);
  expect(seen[2]!.headers["content-length"]).toBe("8");
  const missing = await call(["POST", url, "-d", "@nothing-there"], { cwd: at });
  expect(missing).toMatchObject({ code: 26, stdout: "" });
});

test("a standard input that is too large to be held is an error, and nothing is sent", async () => {
  const { url, seen } = await serve((_, response) => void response.end());
  const input = Buffer.alloc(limits.httpHeldBytesMax + 1, "x");
  const got = await call(["POST", url, "-d", "@-"], { input });
  expect([got.code, got.stderr]).toEqual([65, expect.stringContaining("-d @FILE")]);
  expect(seen).toEqual([]);
});

test("a status of 400 and more fails with 22, and its body is printed", async () => {
  const { url } = await serve((_, response) => void response.writeHead(404).end("no such item\n"));
  const got = await call(["GET", url]);
  expect(got).toMatchObject({ code: 22, stdout: "no such item\n" });
  expect(got.stderr).toContain("error[http-error]: (22) The requested URL returned error: 404");
  expect(await call(["GET", url, "--no-fail"])).toMatchObject({ code: 0, stdout: "no such item\n", stderr: "" });
});

test("compressed responses are decompressed, even errors and unrequested encodings", async () => {
  const { url } = await serve(({ url: path }, response) => {
    const status = path === "/error" ? 422 : 200;
    const [encoding, body] =
      path === "/br"
        ? ["br", brotliCompressSync("unpacked")]
        : path === "/deflate"
          ? ["deflate", deflateSync("unpacked")]
          : ["gzip", gzipSync("unpacked")];
    response.writeHead(status, { "content-encoding": encoding, "x-a": "1" }).end(body);
  });
  for (const path of ["/br", "/deflate", "/gzip"])
    expect(await call(["GET", `${url}${path}`])).toMatchObject({ code: 0, stdout: "unpacked", stderr: "" });
  expect(await call(["GET", `${url}/error`])).toMatchObject({ code: 22, stdout: "unpacked" });
  expect(await call(["HEAD", `${url}/gzip`])).toMatchObject({ code: 0, stdout: "" });
});

test("TLS: an unknown CA ends with 60, --cacert and CURL_CA_BUNDLE make it known", async () => {
  const { url, port, seen } = await serve(({ version }, response) => void response.end(version), true);
  const refused = await call(["GET", url]);
  expect(refused).toMatchObject({ code: 60, stdout: "" });
  expect(refused.stderr).toContain("--cacert");
  expect(seen).toEqual([]);
  expect(await call(["GET", url, "--cacert", CA_FILE])).toMatchObject({ code: 0, stdout: "1.1" });
  expect(await call(["GET", url], { env: { CURL_CA_BUNDLE: CA_FILE } })).toMatchObject({ code: 0, stdout: "1.1" });
  expect(await call(["GET", `http://127.0.0.1:${port}`])).toMatchObject({ stdout: "" });
  const at = folder();
  const pem = (name: string) => `-----BEGIN ${name}-----\nAAAA\n-----END ${name}-----\n`;
  writeFileSync(join(at, "key.pem"), pem("PRIVATE KEY"));
  writeFileSync(join(at, "damaged.pem"), pem("CERTIFICATE"));
  for (const [file, said] of [
    ["/nothing/there", "is not valid"],
    ["key.pem", "is not valid"],
    ["damaged.pem", "is not valid"],
  ] as const) {
    const wrong = await call(["GET", url, "--cacert", file], { cwd: at });
    expect({ file, ...wrong }).toMatchObject({ file, code: 77, stderr: expect.stringContaining(said) });
  }
  expect((await call(["GET", url, "-k"])).stderr).toContain("--cacert");
});

const TLS = join(import.meta.dirname, "../process/tls");

test.for([
  ["expired.pem", "The server's certificate was rejected: it has expired", "Renew it on the server"],
  [
    "wrong-host.pem",
    "The server's certificate was rejected: it is not for localhost",
    "Call the server by a name in its certificate",
  ],
])("%s is refused with curl's number, why, and what helps", async ([cert, why, help]) => {
  const files = { key: readFileSync(join(TLS, "server-test-only.key")), cert: readFileSync(join(TLS, cert!)) };
  const port = await listening(createTlsServer(files, (_, response) => void response.end()));
  const got = await call(["GET", `https://localhost:${port}`, "--cacert", join(TLS, "ca.pem")]);
  expect(got).toMatchObject({ code: 60, stdout: "" });
  expect(got.stderr).toContain(why);
  expect(got.stderr).toContain(`help: ${help}`);
});

test("connection failures end with curl's exit codes", async () => {
  const closed = createServer((socket) => void socket.once("data", () => socket.end()));
  const noTls = createServer((socket) => void socket.end("220 ready\r\n"));
  const [closedPort, noTlsPort] = [await listening(closed), await listening(noTls)];
  const { url } = await serve(() => {});
  const codes = await Promise.all(
    [
      ["GET", "https://unknown.invalid/"],
      ["GET", "http://127.0.0.1:1/"],
      ["GET", `http://127.0.0.1:${closedPort}/`],
      ["GET", `https://127.0.0.1:${noTlsPort}/`],
      ["GET", `http://127.0.0.1:${noTlsPort}/`],
      ["GET", url, "--max-time", "300ms"],
      ["GET", "https://exa mple.com/"],
      ["GET", "http://example.com/"],
      ["GET", "ftp://example.com/"],
    ].map(async (words) => (await call(words)).code),
  );
  expect(codes).toEqual([6, 7, 52, 35, 8, 28, 3, 1, 1]);
});

test("invalid command lines send nothing and end with 2", async () => {
  const { url, seen } = await serve((_, response) => void response.end());
  const wrong = [
    [],
    ["GET"],
    ["GET", url, "more"],
    ["G3T", url],
    ["GET", url, "--nothing"],
    ["GET", url, "-H", "no header"],
    ["GET", url, "-H", "Authorization: Bearer abcdefgh"],
    ["GET", url.replace("://", "://user:password@")],
    ["POST", url, "-d", "a", "--json", "b"],
    ["GET", url, "--retry", "many"],
    ["GET", url, "--max-time", "soon"],
    ["GET", url, "--paginate", "pages"],
    ["GET", url, "--auth", "bearer=NOT_SET"],
    ["GET", url, "--auth", "bearer"],
    ["GET", url, "-H", "A: b\r\nC: d"],
  ];
  for (const words of wrong) {
    const { code, stderr } = await call(words);
    expect({ words, code }).toEqual({ words, code: 2 });
    expect(stderr).toMatch(/^curlew: error\[[a-z-]+\]: .*\.\n(?: {2}help: .*\n)?$/);
    expect(stderr).not.toMatch(/abcdefgh|password@/);
  }
  expect(seen).toEqual([]);
}, 120_000);

test("when the reader goes away it ends with 23, and does not read the rest", async () => {
  const { url } = await serve((_, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    };
    response.on("drain", more);
    more();
  });
  const { code, stdout } = await shell(
    `"$NODE" -- "$MAIN" http GET ${url} | head -c 5 | wc -c; echo "\${PIPESTATUS[0]}"`,
  );
  expect(code).toBe(0);
  expect(stdout.trim().split(/\s+/)).toEqual(["5", "23"]);
});

async function shell(text: string): Promise<{ code: number | null; stdout: string }> {
  const { spawn } = await import("node:child_process");
  const { MAIN } = await import("../cli/curlew.ts");
  const child = spawn("bash", ["-c", text], {
    env: { PATH: process.env.PATH, NODE: process.execPath, MAIN },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let stdout = "";
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  return new Promise((resolve) => void child.on("close", (code) => resolve({ code, stdout })));
}

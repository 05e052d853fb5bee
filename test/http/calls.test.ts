// `curlew http` against real servers: what is sent, what is printed, and how it ends (spec 3.6).

import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createTlsServer } from "node:https";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { CA_FILE, call, listening, serve } from "./server.ts";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "curlew-http-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test("the body goes to stdout as it is, and nothing else; the query is percent-encoded", async () => {
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

test("a body comes from the word, a file, or stdin, byte for byte", async () => {
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

test("a large standard input is streamed, and cannot be sent twice", async () => {
  const large = Buffer.alloc(20_000_000, "x");
  const { url, seen } = await serve(({ url: path }, response) => {
    if (path === "/moved") response.writeHead(307, { location: "/there" }).end();
    else response.end("ok");
  });
  expect(await call(["POST", `${url}/there`, "-d", "@-"], { input: large })).toMatchObject({ code: 0, stdout: "ok" });
  expect(seen[0]!.body.equals(large)).toBe(true);
  expect(await call(["POST", `${url}/moved`, "-d", "@-"], { input: large })).toMatchObject({ code: 65, stdout: "" });
});

test("a form carries fields and files", async () => {
  const at = folder();
  writeFileSync(join(at, "a.bin"), Buffer.from([0, 255, 13, 10]));
  const { url, seen } = await serve((_, response) => void response.end());
  const fields = ["-F", "name=Ann", "-F", "file=@a.bin"];
  expect((await call(["POST", url, ...fields], { cwd: at })).code).toBe(0);
  const form = await new Response(new Uint8Array(seen[0]!.body), {
    headers: { "content-type": seen[0]!.headers["content-type"]! },
  }).formData();
  const file = form.get("file") as File;
  expect([form.get("name"), file.name, file.type]).toEqual(["Ann", "a.bin", "application/octet-stream"]);
  expect(Buffer.from(await file.arrayBuffer())).toEqual(Buffer.from([0, 255, 13, 10]));
});

test("a status of 400 and more fails with 22, and its body is printed", async () => {
  const { url } = await serve((_, response) => void response.writeHead(404).end("no such item\n"));
  const got = await call(["GET", url]);
  expect(got).toMatchObject({ code: 22, stdout: "no such item\n" });
  expect(got.stderr).toContain("error[http-error]: (22) The requested URL returned error: 404");
  expect(await call(["GET", url, "--no-fail"])).toMatchObject({ code: 0, stdout: "no such item\n", stderr: "" });
});

test("-o is there when it is complete, and not before; a broken answer leaves the old file", async () => {
  const at = folder();
  writeFileSync(join(at, "kept"), "old");
  const { url } = await serve(({ url: path }, response) => {
    if (path === "/whole") return void response.end("whole");
    response.writeHead(200, { "content-length": "100" });
    response.write("half", () => response.destroy());
  });
  expect(await call(["GET", `${url}/whole`, "-o", "new"], { cwd: at })).toMatchObject({ code: 0, stdout: "" });
  expect(readFileSync(join(at, "new"), "utf8")).toBe("whole");
  expect((await call(["GET", `${url}/broken`, "-o", "kept"], { cwd: at })).code).toBe(18);
  expect(readFileSync(join(at, "kept"), "utf8")).toBe("old");
  expect((await call(["GET", `${url}/broken`, "-o", "never"], { cwd: at })).code).toBe(18);
  expect(existsSync(join(at, "never"))).toBe(false);
});

test("--include prints the head; compressed answers are decompressed, also those of errors and those that nobody asked for", async () => {
  const { url, seen } = await serve(({ url: path }, response) => {
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
  seen.length = 0;
  const got = await call(["GET", url, "-i", "--compressed"]);
  expect(got.stdout).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:.*\r\n)*x-a: 1\r\n(?:.*\r\n)*\r\nunpacked$/);
  expect(seen[0]!.headers["accept-encoding"]).toContain("gzip");
});

test("TLS: an unknown CA is refused with 60, --cacert and CURL_CA_BUNDLE make it known", async () => {
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
    ["/nothing/there", "cannot be used"],
    ["key.pem", "cannot be used"],
    ["damaged.pem", "cannot be used"],
  ] as const) {
    const wrong = await call(["GET", url, "--cacert", file], { cwd: at });
    expect({ file, ...wrong }).toMatchObject({ file, code: 77, stderr: expect.stringContaining(said) });
  }
  expect((await call(["GET", url, "-k"])).stderr).toContain("--cacert");
});

const TLS = join(import.meta.dirname, "../process/tls");

test.for([
  ["expired.pem", "The server's certificate was refused: it has expired", "Renew it on the server"],
  [
    "wrong-host.pem",
    "The server's certificate was refused: it is not for localhost",
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

test("what cannot be reached ends with curl's numbers", async () => {
  const closed = createServer((socket) => void socket.once("data", () => socket.end()));
  const noTls = createServer((socket) => void socket.end("220 ready\r\n"));
  const [closedPort, noTlsPort] = [await listening(closed), await listening(noTls)];
  const { url } = await serve(() => {});
  const codes = await Promise.all(
    [
      ["GET", "https://nobody.invalid/"],
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

test("wrong command lines send nothing and end with 2", async () => {
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

test("a reader that goes away ends it with 23, and the server is not read to the end", async () => {
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

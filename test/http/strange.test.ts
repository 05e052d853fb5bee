// `curlew http` and servers that break the rules of HTTP: curl's exit code for it, what was printed, never an internal
// error (spec 3.6).

import { createServer } from "node:net";
import { brotliCompressSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { call, listening } from "./server.ts";

const OK = "HTTP/1.1 200 OK\r\n";
const brotli = brotliCompressSync("brotli");
const compressed = (name: string, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${OK}Content-Encoding: ${name}\r\nContent-Length: ${body.length}\r\n\r\n`), body]);

test.each<[name: string, answer: string | Buffer, code: number, stdout: string, said?: string]>([
  ["a length that is not reached", `${OK}Content-Length: 100\r\n\r\nabc`, 18, "abc"],
  ["a chunk without a size", `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nZZ\r\n`, 56, "hello"],
  ["headers of 400 kB", `${OK}X: ${"a".repeat(400_000)}\r\nContent-Length: 2\r\n\r\nok`, 8, ""],
  // The numbers are those of curl for the same response.
  ["another protocol", "SSH-2.0-OpenSSH_9\r\n", 8, ""],
  ["a header without a colon", `${OK}Bad Header\r\n\r\nx`, 8, ""],
  ["nothing", "", 52, ""],
  ["no length", `${OK}\r\nuntil it closes`, 0, "until it closes"],
  ["a body that is not what it says", compressed("gzip", Buffer.from("hello")), 61, ""],
  ["brotli", compressed("br", brotli), 0, "brotli"],
  [
    "a hint before the answer",
    `HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n${OK}Content-Length: 2\r\n\r\nok`,
    0,
    "ok",
  ],
  ["a redirect to nowhere", "HTTP/1.1 302 Found\r\nLocation:\r\nContent-Length: 2\r\n\r\nok", 0, "ok"],
  ["a redirect to a file", "HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n", 1, ""],
  ["two lengths", `${OK}Content-Length: 5\r\nContent-Length: 7\r\n\r\nhello`, 8, ""],
  ["a length and chunks", `${OK}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`, 8, ""],
  ["HTTP/1.0", "HTTP/1.0 200 OK\r\n\r\nold", 0, "old"],
])("%s", async (_, answer, code, stdout, said = "") => {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(answer));
  });
  onTestFinished(() => void server.close());
  const port = await listening(server);
  const ran = await call(["GET", `http://127.0.0.1:${port}/`, "--max-time", "20s"]);
  expect(ran, ran.stderr).toMatchObject({ code, stdout });
  expect(ran.stderr).toContain(said);
  expect(ran.stderr).not.toMatch(/assert|\n {4}at |internal/i);
  expect(ran.stderr.trim().split("\n").length).toBeLessThanOrEqual(2);
});

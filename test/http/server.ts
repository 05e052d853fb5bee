// server: a real server, plain or with TLS and HTTP/2, that answers as a test says, even wrongly. Also runs `curlew
// http` as a program.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import type { AddressInfo, Server } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { MAIN } from "../cli/curlew.ts";
import { endsWithTest } from "../setup/ends.ts";

const TLS = join(import.meta.dirname, "../../examples/sample-api/tls");
/** Signs the certificate for localhost and 127.0.0.1. */
export const CA_FILE = join(TLS, "ca.pem");

export interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: Buffer;
  version: string;
}

export type Answer = (seen: Seen, response: ServerResponse, count: number) => void;

/** The URL without a slash at the end, and everything that came. Closed after the test. */
export async function serve(answer: Answer, secure = false): Promise<{ url: string; port: number; seen: Seen[] }> {
  const seen: Seen[] = [];
  const listener = (request: IncomingMessage | Http2ServerRequest, response: ServerResponse | Http2ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers, httpVersion } = request;
      const one = { method, url, headers, body: Buffer.concat(chunks), version: httpVersion };
      seen.push(one);
      answer(one, response as ServerResponse, seen.length);
    });
  };
  const files = { key: readFileSync(join(TLS, "server-test-only.key")), cert: readFileSync(join(TLS, "server.pem")) };
  const server: Server = secure ? createSecureServer({ ...files, allowHTTP1: true }, listener) : createServer(listener);
  const port = await listening(server);
  return { url: `${secure ? "https" : "http"}://127.0.0.1:${port}`, port, seen };
}

export async function listening(server: Server): Promise<number> {
  const sockets = new Set<{ destroy(): void }>();
  server.on("connection", (socket: { destroy(): void }) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

export interface Called {
  code: number | null;
  stdout: string;
  bytes: Buffer;
  stderr: string;
}

/** `curlew http WORDS` without this machine's settings. `input` is its standard input; without it stdin is empty. */
export function call(
  words: readonly string[],
  given: { env?: Record<string, string>; input?: string | Buffer; cwd?: string } = {},
): Promise<Called> {
  const child = endsWithTest(
    spawn(process.execPath, ["--", MAIN, "http", ...words], {
      env: { PATH: process.env.PATH, HOME: "/nonexistent", ...given.env },
      cwd: given.cwd,
      stdio: [given.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    }),
  );
  child.stdin?.on("error", () => {});
  child.stdin?.end(given.input);
  const out: Buffer[] = [];
  let stderr = "";
  child.stdout!.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr!.on("data", (chunk) => {
    stderr += chunk;
  });
  return new Promise((resolve) => {
    child.on("close", (code) => {
      const bytes = Buffer.concat(out);
      resolve({ code, bytes, stdout: bytes.toString("utf8"), stderr });
    });
  });
}

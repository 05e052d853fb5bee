// The sample API over real sockets: it serves this machine only, and its start. The examples try its collections and protected paths.

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { get as httpsGet } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type SampleApi, startSampleApi } from "../examples/sample-api/main.ts";
import { endsWithTest } from "./setup/ends.ts";

let api: SampleApi;
beforeAll(async () => {
  api = await startSampleApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

interface Ask {
  headers?: Record<string, string>;
  json?: unknown;
  text?: string;
}

/** `ask("POST /api/items", { json })` → the response, with its body parsed if it is JSON. */
async function ask(request: string, { headers = {}, json, text }: Ask = {}) {
  const [method, path] = request.split(" ") as [string, string];
  const type: Record<string, string> = json === undefined ? {} : { "Content-Type": "application/json" };
  const body = json === undefined ? text : JSON.stringify(json);
  const init = { method, headers: { ...type, ...headers }, redirect: "manual" as const };
  const answer = await fetch(api.url + path, body === undefined ? init : { ...init, body });
  const raw = await answer.text();
  const isJson = answer.headers.get("content-type")?.includes("json");
  return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(raw) : raw };
}

/** The response has this status, this error code, and a message that contains this. */
async function checkRefused(request: string, given: Ask, status: number, code: string, message: RegExp) {
  const answer = await ask(request, given);
  expect([answer.status, answer.body.error.code]).toEqual([status, code]);
  expect(answer.body.error.message).toMatch(message);
  return answer;
}

describe("webhook sender", () => {
  test("calls only this machine", async () => {
    for (const url of [
      "https://example.com/",
      "http://127.0.0.1.example.com/",
      "http://10.0.0.1/",
      "file:///etc/passwd",
      7,
    ]) {
      await checkRefused("POST /webhooks/send", { json: { url, event: 1 } }, 422, "not-loopback", /loopback/);
    }
    const nobody = { url: `http://127.0.0.1:${await closedPort()}/webhook`, event: 1 };
    await checkRefused("POST /webhooks/send", { json: nobody }, 502, "not-delivered", /ECONNREFUSED/);
    await checkRefused("POST /webhooks/send", { json: { url: nobody.url } }, 422, "missing-member", /"event"/);
  });
});

/** A port that was free a moment ago, on which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  await once(server.close(), "close");
  return port;
}

describe("the server", () => {
  test("answers to this machine's name only", async () => {
    const { hostname, port } = new URL(api.url);
    const socket = connect(Number(port), hostname);
    socket.end("GET / HTTP/1.1\r\nHost: rebound.example\r\nConnection: close\r\n\r\n");
    const answer = (await socket.setEncoding("utf8").toArray()).join("");
    expect(answer).toMatch(/^HTTP\/1.1 400 [\s\S]*foreign-host/);
  });

  test.each(["127.0.0.1", "localhost"])("speaks TLS as %s, and only its CA file proves it", async (host) => {
    const url = `${api.httpsUrl.replace("127.0.0.1", host)}/api/users`;
    const get = async (options: object) => {
      const request = httpsGet(url, { agent: false, family: 4, ...options });
      const [answer] = (await once(request, "response")) as [IncomingMessage];
      answer.resume();
      return answer.statusCode;
    };
    expect(await get({ ca: readFileSync(api.caFile) })).toBe(200);
    await expect(get({})).rejects.toThrow(/unable to verify|local issuer/);
  });

  test("runs from a terminal, prints its URL, and ends on Ctrl-C", async () => {
    const args = "examples/sample-api/main.ts --port 0 --https-port 0 --json".split(" ");
    const child = endsWithTest(spawn(process.execPath, args));
    const [line] = (await once(createInterface(child.stdout), "line")) as [string];
    const told = JSON.parse(line);
    expect((await fetch(`${told.url}/api/users`)).status).toBe(200);
    expect(told.caFile).toMatch(/examples\/sample-api\/tls\/ca\.pem$/);
    child.kill("SIGINT");
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  test("reports a port that is taken, and an invalid option", () => {
    const { port } = new URL(api.url);
    const taken = spawnSync(process.execPath, ["examples/sample-api/main.ts", "--port", port, "--https-port", "0"], {
      encoding: "utf8",
    });
    expect([taken.status, taken.stdout]).toEqual([1, ""]);
    expect(taken.stderr).toMatch(`Port ${port} is taken.`);
    const wrong = spawnSync(process.execPath, ["examples/sample-api/main.ts", "--port", "x"], { encoding: "utf8" });
    expect([wrong.status, wrong.stderr]).toEqual([
      2,
      "A port must be an integer from 0 to 65535. With 0, the system chooses one.\n",
    ]);
  });
});

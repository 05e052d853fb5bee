// `curlew serve --demo` right after the installation: workflows to play with, and the API that they call.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { afterEach, beforeAll, expect, test } from "vitest";
import { MAIN } from "../cli/curlew.ts";
import { tempFolder } from "../setup/folders.ts";

let home: string;
let server: ChildProcess | undefined;
beforeAll(() => {
  home = tempFolder();
});
afterEach(async () => {
  if (server?.exitCode !== null || server.signalCode !== null) return;
  server.kill("SIGTERM");
  await once(server, "exit");
});

/** Waits for the server's link, and returns the URL in the demo workflow. */
async function start(): Promise<string> {
  server = spawn(process.execPath, [MAIN, "serve", "--demo", "--home", home], { stdio: ["ignore", "ignore", "pipe"] });
  for await (const line of createInterface({ input: server.stderr! })) if (line.includes("/#code=")) break;
  return /http:\/\/127\.0\.0\.1:\d+/.exec(readFileSync(join(home, "demo/demo.flow.yaml"), "utf8"))?.[0] ?? "";
}

async function answers(url: string): Promise<boolean> {
  return fetch(`${url}/api/items/1`).then(
    (response) => response.ok,
    () => false,
  );
}

test("the demo's workflows call a sample API, which ends when the server is killed", async () => {
  const url = await start();
  expect(await answers(url)).toBe(true);
  // A second call must not point the workflows to another sample API, which ends with it.
  const again = spawn(process.execPath, [MAIN, "serve", "--demo", "--home", home], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [said, [code]] = await Promise.all([text(again.stderr), once(again, "exit")]);
  expect(said).toMatch(/http:\/\/127\.0\.0\.1:\d+\/#code=\S+/);
  expect(code).toBe(0);
  expect(await answers(url)).toBe(true);
  expect(readFileSync(join(home, "demo/demo.flow.yaml"), "utf8")).toContain(url);
  server?.kill("SIGKILL");
  await expect.poll(() => answers(url), { timeout: 20_000 }).toBe(false);
}, 60_000);

test("npm start shows a run, then stays with the editor until Ctrl-C", async () => {
  const { CI: _, ...env } = process.env;
  const started = spawn("sh", [join(import.meta.dirname, "../../scripts/start.sh")], {
    env: { ...env, CURLEW_HOME: home },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  server = started;
  const printed = text(started.stdout);
  const seen: string[] = [];
  let link = "";
  for await (const line of createInterface({ input: started.stderr })) {
    seen.push(line);
    link ||= /http\S+#code=\S+/.exec(line)?.[0] ?? "";
    if (line.startsWith("Ctrl-C stops")) break;
  }
  expect(seen.filter((line) => /^succeeded in .* nodes succeeded/.test(line))).toHaveLength(1);
  const [url = "", code = ""] = link.split("/#code=");
  const session = await fetch(`${url}/api/v1/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code }),
  });
  expect(session.status).toBe(201);
  process.kill(-started.pid!, "SIGINT");
  expect(await once(started, "exit")).toEqual([0, null]);
  expect(await printed).toContain("A language model says that HTTP 429 means: Too Many Requests.");
  await expect(fetch(url)).rejects.toThrow();
}, 120_000);

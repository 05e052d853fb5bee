// place: a real server with its folder, and a signed-in page of a real browser on it, for the questions of bench/web.ts.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { type Browser, type CDPSession, chromium, type Page } from "playwright-core";

const root = dirname(dirname(import.meta.dirname));
const ARGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--js-flags=--expose-gc"];

export interface Place {
  page: Page;
  write(name: string, text: string): void;
  api(method: string, path: string, body?: object): Promise<unknown>;
  /** Within the app, without loading it again. */
  go(path: string): Promise<void>;
  /** Bytes of the page's heap that are in use when all rubbish is gone. */
  heap(): Promise<number>;
  /** How long the page's thread has worked so far, painting included: what a busy machine changes least. */
  taskMs(): Promise<number>;
  close(): Promise<void>;
}

export async function openPlace(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), "curlew-bench-web-"));
  const [home, flows] = [join(folder, "home"), join(folder, "flows")];
  mkdirSync(flows);
  const server = await started(home, flows);
  const { url, token } = JSON.parse(readFileSync(join(home, "server.json"), "utf8"));
  const api: Place["api"] = async (method, path, body) => {
    const json = body === undefined ? {} : { "content-type": "application/json" };
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...json },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ARGS });
  const { page, devtools } = await signedIn(browser, ((await api("POST", "/server/login", {})) as { url: string }).url);
  return {
    ...{ page, api },
    write: (name, text) => writeFileSync(join(flows, name), text),
    go: (path) =>
      page.evaluate(
        `history.pushState(null, "", ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent("popstate"))`,
      ),
    heap: async () => {
      await devtools.send("HeapProfiler.collectGarbage");
      return (await devtools.send("Runtime.getHeapUsage")).usedSize;
    },
    taskMs: async () => {
      const { metrics } = await devtools.send("Performance.getMetrics");
      return 1_000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN);
    },
    close: async () => {
      await browser.close();
      server.kill("SIGTERM");
      await once(server, "exit");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function started(home: string, flows: string): Promise<ChildProcess> {
  const args = [join(root, "dist/cli.cjs"), "serve", flows, "--home", home, "--port", "0", "--hooks-port", "0"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
  for await (const line of createInterface({ input: child.stderr })) if (line.includes("#code=")) break;
  child.stderr.resume();
  return child;
}

async function signedIn(browser: Browser, link: string): Promise<{ page: Page; devtools: CDPSession }> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: "reduce",
    bypassCSP: true,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(link);
  await page.getByRole("navigation", { name: "Places" }).waitFor();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Performance.enable");
  return { page, devtools };
}

// screenshots: every screen of the web UI in both themes, from a separate server over the demo's workflows and a few
// runs. `node scripts/screenshots.ts [FOLDER] [SCREEN…]` needs Chromium; default folder: docs/screens. They are for
// people; the good ones are in README and docs. Nothing is compared: test/web has the tests.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { chromium, type Page } from "playwright-core";
import { type Client, connect } from "../src/api/client.ts";

const root = dirname(import.meta.dirname);
const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

interface Screen {
  path: string;
  size?: { width: number; height: number };
  /** Waits until the content is there. */
  ready(page: Page): Promise<unknown>;
}

const heading = (name: RegExp) => (page: Page) => page.getByRole("heading", { name }).first().waitFor();
const node = (title: string) => (page: Page) => page.getByText(title).first().waitFor();

function screens(runs: { demo: string; approval: string; failed: string }): Record<string, Screen> {
  return {
    home: { path: "/", ready: node("Demo") },
    editor: { path: "/w/demo.flow.yaml", ready: node("Fetch a page") },
    source: { path: "/w/demo.flow.yaml?view=split", ready: node("Fetch a page") },
    run: { path: `/runs/${runs.demo}`, ready: node("Fetch a page") },
    failure: { path: `/runs/${runs.failed}`, ready: node("Fetch") },
    approval: { path: `/runs/${runs.approval}`, ready: node("Remove") },
    runs: { path: "/runs", ready: (page) => page.getByRole("row", { name: /Demo/ }).first().waitFor() },
    compare: { path: `/runs/compare?a=${runs.demo}&b=${runs.failed}`, ready: node("only in one") },
    inbox: { path: "/inbox", ready: node("Remove") },
    triggers: { path: "/triggers", ready: heading(/triggers/i) },
    secrets: { path: "/secrets", ready: heading(/secrets/i) },
    doctor: { path: "/doctor", ready: heading(/doctor/i) },
    settings: { path: "/settings", ready: heading(/settings/i) },
    "phone-run": { path: `/runs/${runs.demo}`, size: PHONE, ready: node("Fetch a page") },
    "phone-inbox": { path: "/inbox", size: PHONE, ready: node("Remove") },
  };
}

await main();

async function main(): Promise<void> {
  const [given, ...wanted] = process.argv.slice(2);
  const folder = resolve(given ?? join(root, "docs/screens"));
  const place = mkdtempSync(join(tmpdir(), "curlew-screens-"));
  mkdirSync(folder, { recursive: true });
  const server = await start(place);
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });
  try {
    const curlew = connect(JSON.parse(readFileSync(join(place, "server.json"), "utf8")));
    const runs = await someHistory(curlew);
    for (const [name, screen] of Object.entries(screens(runs))) {
      if (wanted.length > 0 && !wanted.includes(name)) continue;
      for (const theme of ["light", "dark"] as const) {
        const context = await browser.newContext({
          viewport: screen.size ?? WIDE,
          colorScheme: theme,
          reducedMotion: "reduce",
          timezoneId: "UTC",
        });
        const page = await context.newPage();
        page.setDefaultTimeout(10_000);
        const { url } = await curlew.call("POST /server/login", { body: {} });
        await page.goto(url);
        await page.getByRole("navigation", { name: "Places" }).waitFor();
        await page.goto(new URL(screen.path, url).href);
        await screen.ready(page).catch((reason) => console.error(`${name}: ${String(reason).split("\n")[0]}`));
        await page.evaluate("document.fonts.ready");
        await page.waitForLoadState("networkidle", { timeout: 1_000 }).catch(() => {});
        await page.screenshot({ path: join(folder, `${name}-${theme}.png`) });
        await context.close();
      }
      console.log(`${name}: ${join(folder, `${name}-*.png`)}`);
    }
  } finally {
    await browser.close();
    server.kill("SIGTERM");
    await once(server, "exit");
    rmSync(place, { recursive: true, force: true });
  }
}

async function start(home: string): Promise<ChildProcess> {
  const args = [join(root, "dist/cli.cjs"), "serve", "--demo", "--home", home, "--port", "0", "--hooks-port", "0"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "inherit", "pipe"] });
  for await (const line of createInterface({ input: child.stderr })) if (line.includes("#code=")) break;
  child.stderr.resume();
  return child;
}

/** A few runs of each kind, the last of each for its screen. */
async function someHistory(curlew: Client): Promise<{ demo: string; approval: string; failed: string }> {
  const run = async (name: string, inputs: Record<string, unknown> = {}) =>
    (await curlew.start(`${name}.flow.yaml`, { inputs }, { waitSeconds: 20 })).id;
  for (const name of ["hello", "fetch", "pagination", "conditional", "parallel"]) await run(name);
  const failed = await run("fetch", { api: "http://127.0.0.1:9" });
  const { id: approval } = await curlew.start("approvals-one.flow.yaml", { inputs: { id: 3 } });
  const demo = await run("demo");
  return { demo, approval, failed };
}

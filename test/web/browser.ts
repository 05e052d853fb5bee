// browser: the web UI in a real Chromium over a real server (server.ts). One browser and one context per file; every
// test gets its own page.
//   W1. A test fails at its end if its page logged an error, threw an exception, or sent a request to another host. The
//       console also shows what the content policy refused.
//   W2. `accessible()` runs axe over what is drawn: nothing serious or critical. The first call of a file looks at both
//       themes, the others at the light one, because src/web/ui/tokens.test.ts computes the contrast of every colour.
//   W3. Nothing here waits for a fixed time: Playwright's locators wait for what becomes visible.
//   W4. With `CHECK_SLOWED=4,300` the page has a quarter of the processor and each answer comes 300 ms later, while the
//       test itself is as fast as ever. So anything that a test does before the page is ready fails.

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as later } from "node:timers/promises";
import { AxeBuilder } from "@axe-core/playwright";
import { type Browser, type BrowserContext, chromium, type Page, type Route } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { type Server, serve } from "./server.ts";

const ARGS = [
  ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
  ...["--disable-component-update", "--disable-sync"],
  // Without a graphics card a process for it only costs time.
  ...["--in-process-gpu", "--disable-gpu-rasterization", "--disable-gpu-compositing"],
];
export const PROGRAMS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const [slower = 1, laterMs = 0] = (process.env.CHECK_SLOWED ?? "").split(",").filter(Boolean).map(Number);
const seenWithinMs = 30_000 * slower;

export interface View {
  page: Page;
  context: BrowserContext;
  server: Server;
  /** The page's faults so far (W1). */
  wrong: string[];
  /** Removes the console's reports of answers with this status, which the test provoked. */
  provoked(status: number): void;
  /** Opens a page of the web UI while signed in: `/runs`. */
  go(path: string): Promise<void>;
  /** Opens the login link and waits until it is exchanged: leaving earlier means that the page is not signed in. */
  signIn(): Promise<void>;
  /** Another page of the same server, signed in. */
  another(): Promise<Page>;
}

export interface ViewOptions {
  size?: { width: number; height: number };
  /** The page is not signed in: the test does that. */
  signedOut?: boolean;
  theme?: "light" | "dark";
  /** A server that the test itself ends after the page (`onTestFinished` before `open`). */
  server?: Server;
}

/**
 * At the top of a file, where `has("chromium")`: one browser and one server for all its tests.
 * @example const web = inBrowser({ "a.flow.yaml": TEXT }); test("…", async () => { const { page } = await web.open(); … });
 */
export function inBrowser(files: Record<string, string> = {}, args: string[] = [], browserArgs: string[] = []) {
  let browser: Browser;
  let server: Server;
  let shared: Promise<BrowserContext> | undefined;
  beforeAll(async () => {
    [browser, server] = await Promise.all([launch(browserArgs), serve(files, args)]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });
  return {
    server: () => server,
    open: async (options: ViewOptions = {}) => {
      const isAlone = options.signedOut || options.server !== undefined;
      if (!isAlone) shared ??= contextOf(browser);
      const context = (isAlone ? undefined : shared) ?? contextOf(browser);
      return open(await context, options.server ?? server, options, isAlone === true);
    },
  };
}

export function launch(more: string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: program(), args: [...ARGS, ...more] });
}

function contextOf(browser: Browser): Promise<BrowserContext> {
  return browser.newContext({
    viewport: { width: 1280, height: 800 },
    colorScheme: "light",
    reducedMotion: "reduce",
    locale: "en-GB",
    timezoneId: "UTC",
  });
}

/** `isAlone`: the context belongs to this test. */
async function open(context: BrowserContext, server: Server, options: ViewOptions, isAlone: boolean): Promise<View> {
  const wrong: string[] = [];
  const pages: Page[] = [];
  const watched = async (): Promise<Page> => {
    const page = await slowed(watch(await context.newPage(), server.url, wrong));
    pages.push(page);
    return page;
  };
  const page = await watched();
  if (options.size !== undefined) await page.setViewportSize(options.size);
  if (options.theme !== undefined) await page.emulateMedia({ colorScheme: options.theme });
  onTestFinished(async () => {
    if (isAlone) await context.close();
    else {
      await context.clearPermissions();
      await page.evaluate(() => localStorage.clear()).catch(() => {});
      for (const one of pages) await one.close();
    }
    expect(wrong, "what the page should not do").toEqual([]);
  });
  const signIn = async (on: Page): Promise<Page> => {
    await on.goto(await server.link());
    await on.getByRole("navigation", { name: "Places" }).waitFor();
    return on;
  };
  /** Sets the token directly. A later sign-in keeps its own. One test signs in with the link (sign-in.test.ts). */
  const signedIn = async (on: Page): Promise<Page> => {
    await on.addInitScript(
      (token) => {
        if (window === window.top && sessionStorage.getItem("curlew.token") === null)
          sessionStorage.setItem("curlew.token", token);
      },
      await server.session(),
    );
    await on.goto(server.url);
    await on.getByRole("navigation", { name: "Places" }).waitFor();
    return on;
  };
  if (!options.signedOut) await signedIn(page);
  return {
    ...{ page, context, server, wrong },
    provoked: (status) => {
      const left = wrong.filter((one) => !one.includes(`with a status of ${status} `));
      expect(left.length, `an answer with the status ${status}`).toBeLessThan(wrong.length);
      wrong.splice(0, wrong.length, ...left);
    },
    // Through the page's history: a reload would also work, but takes a second.
    go: (path) =>
      page.evaluate((to) => {
        history.pushState(null, "", to);
        dispatchEvent(new PopStateEvent("popstate"));
      }, path),
    signIn: async () => void (await signIn(page)),
    another: async () => signIn(await watched()),
  };
}

/** W1. */
function watch(page: Page, origin: string, wrong: string[]): Page {
  page.setDefaultTimeout(seenWithinMs);
  page.on("console", (message) => {
    if (message.type() === "error") wrong.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => wrong.push(`exception: ${error.stack ?? error.message}`));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !/^(?:data|blob|about):/.test(url)) wrong.push(`request to ${url}`);
  });
  return page;
}

/** W4. */
async function slowed(page: Page): Promise<Page> {
  if (slower > 1) {
    const session = await page.context().newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: slower });
  }
  // A held request may outlive its page.
  const heldBack = (route: Route) => later(laterMs).then(() => route.continue().catch(() => {}));
  if (laterMs > 0) await page.route("**", heldBack);
  return page;
}

let hasSeenDark = false;

/** W2. `within`: only that part, which is faster when there are many. */
export async function accessible(page: Page, what = "this page", within?: string): Promise<void> {
  const themes = hasSeenDark ? (["light"] as const) : (["dark", "light"] as const);
  hasSeenDark = true;
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme });
    // Only what is looked at below: collecting the rest takes as long again.
    const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"], preload: false });
    if (within !== undefined) axe.include(within);
    const { violations } = await axe.analyze();
    const serious = violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html, any }) => `${html} ${any[0]?.message ?? ""}`).join("\n   ")}`,
      );
    expect(serious, `${what}, ${colorScheme}`).toEqual([]);
  }
}

/** Nothing is wider than the window: no scrolling to the side (WCAG 1.4.10). */
export async function fits(page: Page): Promise<void> {
  const { content, view } = await page.evaluate(() => ({
    content: document.documentElement.scrollWidth,
    view: innerWidth,
  }));
  expect(content, "as wide as the window").toBeLessThanOrEqual(view);
}

function program(): string {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const found = PROGRAMS.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) =>
    existsSync(path),
  );
  if (found === undefined) throw new Error(`No ${PROGRAMS.join(", ")} on PATH: ask has("chromium") first.`);
  return found;
}

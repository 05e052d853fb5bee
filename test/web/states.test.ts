// Every screen without an answer, and when the server is back: each says the problem and what helps, and recovers
// automatically. A missing thing leads to where you can continue.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { accessible, fits, inBrowser, type View } from "./browser.ts";
import { ASKS, FAILS, HELLO } from "./flows.ts";

const FILES = {
  "hello.flow.yaml": HELLO,
  "asks.flow.yaml": ASKS,
  "fails.flow.yaml": FAILS,
  "unreadable.flow.yaml": "curlew: 1\nnodes: [",
};

if (has("chromium")) {
  const web = inBrowser(FILES);

  test("without a server every screen says so, and recovers automatically when it is back", async () => {
    const view = await web.open();
    const { page, go, wrong } = view;
    const run = await ranAlready(view);
    await go("/nowhere");
    await page.getByRole("heading", { name: "Nothing is here" }).waitFor();
    for (const [path, text] of [
      ["/", "hello.flow.yaml"],
      ["/w/hello.flow.yaml?view=source", "echo hello"],
      [`/runs/${run}`, "echo hello"],
      ["/runs", "hello.flow.yaml"],
      [`/runs/compare?a=${run}&b=${run}`, "No differences"],
      ["/triggers", "No triggers yet"],
      ["/secrets", /secret/],
      ["/doctor", "Nothing is wrong."],
      ["/settings", "Days to keep"],
    ] as const) {
      const back = await away(page);
      await page.reload();
      await page.getByRole("navigation", { name: "Places" }).waitFor();
      await go(path);
      await page.getByRole("alert").getByText("The server is not responding", { exact: true }).first().waitFor();
      await back();
      await page.locator("main").getByText(text).first().waitFor();
      await expect.poll(() => page.locator("main").getByRole("alert").count(), { message: path }).toBe(0);
      await go("/nowhere");
    }
    wrong.length = 0; // Refused connections.
  });

  test("a missing thing says so and leads to a useful place, and a file that appears opens", async () => {
    const { page, go, server, wrong } = await web.open();
    const leadsOn = async (path: string, link: string, place: string) => {
      await go(path);
      await page.getByText("Not found.").waitFor();
      await accessible(page, path);
      await page.getByRole("link", { name: link }).click();
      await page.waitForURL((url) => url.pathname === place);
    };
    await leadsOn("/runs/0000000000000000", "Go to the runs", "/runs");
    await leadsOn("/runs/compare?a=none&b=none", "Choose two in the history", "/runs");
    await leadsOn("/w/late.flow.yaml", "Go to the workflows", "/");
    await go("/w/late.flow.yaml");
    await page.getByText("Not found.").waitFor();
    server.write("late.flow.yaml", HELLO);
    await page.locator(".react-flow__node[data-id=greet]").waitFor();
    wrong.length = 0; // The console also reports 404.
  });

  test("a file that can't be drawn says so, and leads to its text", async () => {
    const { page, go } = await web.open({ size: { width: 390, height: 800 } });
    await go("/w/unreadable.flow.yaml");
    await page.getByRole("heading", { name: "This file can't be shown on the canvas" }).waitFor();
    await accessible(page, "a file that cannot be drawn");
    await page.getByRole("button", { name: "Show the source" }).click();
    await page.getByRole("textbox", { name: "Source of the workflow" }).getByText("nodes").waitFor();
    await fits(page);
  });
}

async function ranAlready({ server }: View): Promise<string> {
  const begun = await server.api("POST", "/workflows/hello.flow.yaml/runs?wait=20");
  return ((await begun.json()) as { id: string }).id;
}

/** Blocks all requests until the returned function is called. */
async function away(page: Page): Promise<() => Promise<void>> {
  const api = "**/api/v1/**";
  await page.route(api, (route) => route.abort());
  return async () => {
    await page.unroute(api);
    await page.evaluate(() => dispatchEvent(new Event("online")));
  };
}

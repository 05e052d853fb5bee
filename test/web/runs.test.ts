// The history of runs: live rows, filters in the address, keys, comparing, deleting.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { accessible, fits, inBrowser } from "./browser.ts";
import { FAILS, GREETING, HELD, HELLO } from "./flows.ts";

const LATER = `curlew: 1
name: Later
nodes:
  - { id: try, type: cli, data: { title: Try, content: "exit 7", retry: { maxAttempts: 2, initialInterval: 10m, maxInterval: 10m, jitter: none, on: [7] } } }
`;

if (has("chromium")) {
  const web = inBrowser({
    "hello.flow.yaml": HELLO,
    "greeting.flow.yaml": GREETING,
    "fails.flow.yaml": FAILS,
    "held.flow.yaml": HELD,
    "later.flow.yaml": LATER,
  });
  const start = async (path: string, inputs: Record<string, unknown> = {}, wait = 20) => {
    const answer = await web.server().api("POST", `/workflows/${path}/runs?wait=${wait}`, { inputs });
    return ((await answer.json()) as { id: string }).id;
  };

  test("a run appears when it starts, and its row says at once when it ends", async () => {
    await start("fails.flow.yaml");
    const { page, server, go } = await web.open();
    await go("/runs");
    const rows = page.getByRole("grid", { name: "Runs" }).getByRole("row");
    await rows.filter({ hasText: "fails.flow.yaml" }).getByText("failed").first().waitFor();
    await rows.getByText("Broken: “no”").waitFor();
    await start("held.flow.yaml", {}, 0);
    const held = rows.filter({ hasText: "held.flow.yaml" });
    await held.getByText("running").first().waitFor();
    await accessible(page, "runs");
    await fits(page);
    writeFileSync(join(server.folder, "go"), "");
    await held.getByText("succeeded").first().waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await fits(page);
  });

  test("a run that waits for the time of a retry says so, and nowhere that it waits for you", async () => {
    const id = await start("later.flow.yaml", {}, 0);
    const { page, go } = await web.open();
    await go(`/runs/${id}`);
    const top = page.locator("header").filter({ hasText: "Later" });
    await top.getByText("waiting to retry").waitFor();
    await page
      .locator(".react-flow__node")
      .getByText(/^retrying in \d+ min \d+ s$/)
      .waitFor();
    await go("/runs?workflow=later.flow.yaml");
    const row = page.getByRole("grid", { name: "Runs" }).getByRole("row").filter({ hasText: "later.flow.yaml" });
    await row.getByText("waiting", { exact: true }).first().waitFor();
    await go("/");
    await page
      .getByRole("listitem")
      .filter({ hasText: "later.flow.yaml" })
      .getByRole("link", { name: "waiting", exact: true })
      .click();
    await page.waitForURL(/\/runs\?/);
    expect(await page.getByText("waiting for you").count()).toBe(0);
    await web.server().api("POST", `/runs/${id}/cancel`);
  });

  test("new runs don't move the list: after scrolling down you stay at the row you look at", async () => {
    for (let count = 0; count < 25; count += 1) await start("hello.flow.yaml");
    const { page, go } = await web.open({ size: { width: 1280, height: 500 } });
    await go("/runs");
    const grid = page.getByRole("grid", { name: "Runs" });
    await grid.getByRole("row").nth(5).waitFor();
    const seen = () =>
      grid.evaluate((element) => {
        const { top } = element.getBoundingClientRect();
        const rows = [...element.querySelectorAll("[role=row][id]")];
        const first = rows.find((row) => row.getBoundingClientRect().top >= top + 32);
        return { id: first?.id, at: Math.round(first?.getBoundingClientRect().top ?? 0) };
      });
    await grid.evaluate((element) => element.scrollTo(0, 480));
    const before = await seen();
    const rows = Number(await grid.getAttribute("aria-rowcount"));
    await start("hello.flow.yaml");
    await start("hello.flow.yaml");
    await expect.poll(async () => Number(await grid.getAttribute("aria-rowcount"))).toBe(rows + 2);
    expect(await seen()).toEqual(before);
    await grid.evaluate((element) => element.scrollTo(0, 0));
    await expect.poll(async () => (await seen()).id).not.toBe(before.id);
  });

  test("filters are in the URL, survive a reload, and can be cleared", async () => {
    await start("hello.flow.yaml");
    await start("fails.flow.yaml");
    const { page, go } = await web.open();
    await go("/runs");
    const rows = page.getByRole("grid", { name: "Runs" }).getByRole("row");
    await rows.filter({ hasText: "hello.flow.yaml" }).first().waitFor();
    await page.getByRole("button", { name: "Failed" }).click();
    await expect.poll(() => rows.filter({ hasText: "hello.flow.yaml" }).count()).toBe(0);
    await rows.filter({ hasText: "fails.flow.yaml" }).first().waitFor();
    expect(page.url()).toMatch(/\/runs\?status=failed$/);
    await page.reload();
    await rows.filter({ hasText: "fails.flow.yaml" }).first().waitFor();
    await page.getByLabel("Node that failed").fill("nobody");
    await page.getByText("No matching runs").waitFor();
    await accessible(page, "no runs");
    await page.getByRole("button", { name: "Clear filters" }).click();
    await rows.filter({ hasText: "hello.flow.yaml" }).first().waitFor();
    expect(page.url()).toMatch(/\/runs$/);
    await page.getByRole("button", { name: "Yesterday" }).click();
    await page.getByText("No matching runs").waitFor();
    await page.getByRole("button", { name: "Today" }).click();
    // A bar leads to its runs, and the total of a state to these.
    const chart = page.getByRole("figure", { name: "Runs over time" });
    await chart
      .getByRole("link", { name: /failed/ })
      .last()
      .click();
    await page.waitForURL(/since=.+&until=/);
    await page.getByRole("link", { name: /^\d+ failed$/ }).click();
    await page.waitForURL(/status=failed/);
    await expect.poll(() => rows.filter({ hasText: "hello.flow.yaml" }).count()).toBe(0);
    await rows.filter({ hasText: "fails.flow.yaml" }).first().waitFor();
    // The test of one node is hidden until tests are shown.
    await web
      .server()
      .api("POST", "/workflows/greeting.flow.yaml/runs?wait=20", { inputs: { word: "x" }, only: { node: "greet" } });
    await go("/runs?workflow=greeting.flow.yaml");
    await page.getByText("No matching runs").waitFor();
    await page.getByRole("checkbox", { name: "Show tests" }).check();
    await rows.filter({ hasText: "greeting.flow.yaml" }).getByText("test", { exact: true }).waitFor();
  });

  test("by keys alone: two runs are chosen and compared, and the differences are shown", async () => {
    const older = await start("greeting.flow.yaml", { word: "one" });
    const newer = await start("greeting.flow.yaml", { word: "two" });
    const { page, go } = await web.open();
    await go("/runs?text=greeting");
    await page
      .getByRole("row")
      .filter({ hasText: newer.slice(0, 10) })
      .waitFor();
    for (const key of ["j", "x", "j", "x", "c"]) await page.keyboard.press(key);
    await page.waitForURL(`**/runs/compare?a=${older}&b=${newer}`);
    const changes = page.getByRole("navigation", { name: "Changes" });
    await changes.getByRole("button", { name: "word changed" }).waitFor();
    await changes.getByText("+two", { exact: true }).waitFor();
    await page.keyboard.press("j");
    await changes.getByText("-one 2").waitFor();
    await changes.getByText("+two 2").waitFor();
    await accessible(page, "compare");
    await page.setViewportSize({ width: 390, height: 844 });
    await fits(page);
  });

  test("a run is started again and deleted from its row", async () => {
    const id = await start("fails.flow.yaml");
    const { page, server, go } = await web.open();
    await go("/runs?status=failed");
    const row = page.getByRole("row").filter({ hasText: id.slice(0, 10) });
    await row.getByRole("button", { name: /^More/ }).click();
    await page.getByRole("menuitem", { name: "Run again", exact: true }).click();
    await page.waitForURL((url) => /\/runs\/\w+$/.test(url.pathname) && !url.pathname.endsWith(id));
    await go("/runs?status=failed");
    await row.getByRole("button", { name: /^More/ }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    await accessible(page, "delete");
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await row.waitFor({ state: "detached" });
    expect((await server.api("GET", `/runs/${id}`)).status).toBe(404);
  });
}

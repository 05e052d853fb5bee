// The output of an attempt: 100,000 lines at once, followed while it is written, searched on the server, with a link
// for every line.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { accessible, fits, inBrowser } from "./browser.ts";
import { FLOWS } from "./run-flows.ts";
import type { Server } from "./server.ts";

/** The target is 500 ms. A machine that also runs other tests takes several times as long. */
const MOUNT_MS_MAX = 5_000;

/** Ten megabytes at once, each time that a file asks for it. */
const FLOOD = `curlew: 1
name: Flood
nodes:
  - id: flood
    type: cli
    data:
      title: Flood
      content: |
        echo ready
        until test -e flood.1; do sleep 0.05; done; cat flood.txt
        until test -e flood.2; do sleep 0.05; done; cat flood.txt
        until test -e flood.3; do sleep 0.05; done; echo over
`;

if (has("chromium")) {
  const web = inBrowser(FLOWS);

  test("with 100,000 lines the end is there at once, few lines are drawn, search finds the first and the next, and a link leads back", async () => {
    const { page, server, go, another, context } = await web.open();
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: server.url });
    const id = await start(server, "lines");
    await go(`/runs/${id}?node=many&tab=events`);
    await page.getByText("attempt.succeeded").waitFor();
    const log = page.getByRole("log");
    const began = performance.now();
    await page.getByRole("tab", { name: "Output · Many lines" }).click();
    await log.getByText("line 100000 of many").waitFor();
    const took = performance.now() - began;
    console.log(`100,000 lines: ${took.toFixed(0)} ms from the press to the last line`);
    expect(took).toBeLessThan(MOUNT_MS_MAX);
    await page.getByText("100,000 lines · 1.9 MB").waitFor();
    expect(await log.locator("[data-index]").count()).toBeLessThan(150);
    await log.focus();
    await page.keyboard.press("/");
    await page.keyboard.type("line 4321 of");
    await log.locator("mark").getByText("line 4321 of").waitFor();
    await page.getByRole("searchbox", { name: "Search the output" }).fill("5000");
    await page.getByText(/^1 of \d+/).waitFor();
    await log.getByText("line 5000 of many").waitFor();
    await page.getByRole("searchbox", { name: "Search the output" }).press("Enter");
    await log.getByText("line 15000 of many").waitFor();
    await page.getByRole("button", { name: "Link to line 15000" }).click();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link).toContain("line=15000");
    const other = await another();
    await other.goto(link);
    await other.getByRole("log").getByText("line 15000 of many").waitFor();
    expect(await other.getByText("line 100000 of many").count()).toBe(0);
  });

  test("on a phone every action of an output is in view, and a line without its end counts", async () => {
    const { page, server, go } = await web.open();
    const id = await start(server, "json");
    await go(`/runs/${id}?node=open`);
    await page.getByText("2 lines · 12 B").waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    const bar = page.getByRole("searchbox", { name: "Search the output" }).locator("xpath=ancestor::div[1]");
    await page.getByRole("button", { name: "Download the output" }).scrollIntoViewIfNeeded();
    const rights = await bar
      .locator("button, input, select")
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
    expect(rights).toHaveLength(8);
    expect(Math.max(...rights)).toBeLessThanOrEqual(390);
    await fits(page);
  });

  test("fast output is followed at its end, and what was searched for stays in view", async () => {
    const { page, server, go } = await web.open();
    const row = (n: number) => `row ${n} of a flood `.padEnd(99, "-");
    const flood = Array.from({ length: 100_000 }, (_, n) => row(n + 1)).join("\n");
    server.write("flood.txt", `${flood}\n`);
    server.write("flood.flow.yaml", FLOOD);
    const answer = await server.api("POST", "/workflows/flood.flow.yaml/runs", {});
    const { id } = (await answer.json()) as { id: string };
    const read: string[] = [];
    page.on("request", (request) => read.push(new URL(request.url()).search));
    await go(`/runs/${id}?node=flood`);
    const log = page.getByRole("log");
    await log.getByText("ready", { exact: true }).waitFor();
    server.write("flood.1", "");
    await log.getByText("row 100000 of a flood").waitFor();
    // 100,000 lines have come, and only the last are drawn.
    await page.getByText("100,001 lines").waitFor();
    expect(read.filter((query) => query.includes("tail=")).length).toBeGreaterThan(1);
    await log.focus();
    await page.keyboard.press("ArrowUp");
    await page.getByRole("searchbox", { name: "Search the output" }).fill("row 50000 of");
    await log.locator("mark").getByText("row 50000 of").waitFor();
    // The same amount again: the lines in view stay.
    server.write("flood.2", "");
    await page.getByText("200,001 lines").waitFor();
    await page.getByRole("button", { name: "100,000 new lines" }).waitFor();
    expect(await log.locator("mark").getByText("row 50000 of").count()).toBe(1);
    await page.getByRole("button", { name: "100,000 new lines" }).click();
    await log.getByText("row 100000 of a flood").waitFor();
    server.write("flood.3", "");
    await log.getByText("over", { exact: true }).waitFor();
  });

  test("a value is a table, a tree, an image or hex, a press copies its reference, and Request shows what a call sent", async () => {
    const { page, server, go, context } = await web.open();
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: server.url });
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    const id = await start(server, "values", { api: server.url });
    await go(`/runs/${id}?node=list&tab=value`);
    const table = page.getByRole("grid", { name: "Value of List" });
    await table.getByRole("gridcell", { name: "101" }).waitFor();
    await page.getByText("57 rows").waitFor();
    await accessible(page, "a value as a table");
    await table.focus();
    for (const key of ["ArrowDown", "ArrowRight", "Enter"]) await page.keyboard.press(key);
    await expect.poll(copied).toBe("${list[1].title}");
    await table.press("Control+End");
    await page.getByRole("button", { name: "${list[56].tags}" }).waitFor();
    await page.getByRole("searchbox", { name: "Filter the value" }).fill("onerror");
    await page.getByText("1 row", { exact: true }).waitFor();
    await table.getByText('<img src=x onerror="window.canary=1">').waitFor();
    await page.getByRole("button", { name: "Tree", exact: true }).click();
    const tree = page.getByRole("tree", { name: "Value of List" });
    await tree.getByRole("treeitem", { name: /^56: 3 members/ }).waitFor();
    expect(await tree.getByRole("treeitem").count()).toBe(3);
    await accessible(page, "a value as a tree");
    await tree.getByRole("treeitem", { name: /^title/ }).click();
    await expect.poll(copied).toBe("${list[56].title}");
    await page.getByRole("button", { name: "Table", exact: true }).click();

    await go(`/runs/${id}?node=drawing&tab=value`);
    await page.getByRole("img", { name: "Value of Drawing" }).waitFor();
    expect(await page.evaluate(() => "canary" in window)).toBe(false);
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download the value" }).click();
    expect(readFileSync(await (await saved).path(), "utf8")).toMatch(/^<svg/);
    await go(`/runs/${id}?node=cut&tab=value`);
    await page
      .getByText("It begins like image/png, but the browser can't draw it. Look at Hex, or download it")
      .waitFor();
    await go(`/runs/${id}?node=noise&tab=output`);
    await page.getByText("00 01 ff fe 47 49 46").waitFor();

    await go(`/runs/${id}?node=call&tab=request`);
    const request = page.getByRole("region", { name: "HTTP calls of the node" });
    await request.getByText("Bearer •••").waitFor();
    expect(await request.getByText("literal-credential").count()).toBe(0);
    await request.getByLabel("Body of the request").getByText('"title": "Post"').first().waitFor();
    await request.getByLabel("Timings").getByText("Wait").waitFor();
    await request
      .getByRole("tree", { name: "Body of the response" })
      .getByText(/"no-token"|401/)
      .first()
      .waitFor();
    await accessible(page, "a request");
  });

  test("stdout and stderr are shown in the order of their arrival, and look different", async () => {
    const { page, server, go } = await web.open();
    const id = await start(server, "tour");
    await go(`/runs/${id}?node=get`);
    const log = page.getByRole("log");
    await log.getByText("warning", { exact: true }).waitFor();
    expect(await log.locator("[data-index]").allTextContents()).toEqual([
      expect.stringContaining("$ printf"),
      "stdin: nothing",
      expect.stringMatching(/^1.*one$/),
      expect.stringMatching(/^2.*two$/),
      expect.stringMatching(/^3.*three$/),
      expect.stringMatching(/^4.*errwarning$/),
    ]);
    await page.getByRole("combobox", { name: "Stream" }).selectOption("stderr");
    await log.getByText("three", { exact: true }).waitFor({ state: "detached" });
    await log.getByText("warning", { exact: true }).waitFor();
    await accessible(page, "a log");
  });
}

async function start(server: Server, name: string, inputs = {}): Promise<string> {
  const answer = await server.api("POST", `/workflows/${name}.flow.yaml/runs?wait=30`, { inputs });
  return ((await answer.json()) as { id: string }).id;
}

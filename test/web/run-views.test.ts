// From a run to its workflow and back, its steps as a tree, its bars: the ways through the run view (spec ui 6.1, 6.4, 6.5, 6.7).

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { accessible, inBrowser, type View } from "./browser.ts";

const FED = `curlew: 1
name: Fed
nodes:
  - { id: say, type: cli, data: { title: Say, content: "echo first line; echo second" } }
  - { id: read, type: cli, data: { title: Read, content: "sleep 0.3; cat", stdin: { source: parent-index, parentIndex: 0 } } }
edges: [say -> read]
`;

const LATER = `curlew: 1
name: Later
nodes:
  - { id: try, type: cli, data: { title: Try, content: "echo no; exit 7", retry: { maxAttempts: 2, initialInterval: 10m, maxInterval: 10m, jitter: none, on: [7] } } }
  - { id: then, type: cli, data: { title: Then, content: "true" } }
edges: [try -> then]
`;

if (has("chromium")) {
  const web = inBrowser({ "fed.flow.yaml": FED, "later.flow.yaml": LATER });

  async function opened(): Promise<View & { id: string }> {
    const view = await web.open();
    const { id } = (await (await view.server.api("POST", "/workflows/fed.flow.yaml/runs?wait=30", {})).json()) as {
      id: string;
    };
    await view.go(`/runs/${id}`);
    await details(view.page, "Read");
    return { ...view, id };
  }
  const details = (page: Page, title: string) =>
    page
      .getByRole("complementary", { name: "What happened to this node" })
      .getByRole("heading", { name: title, exact: true })
      .waitFor();
  const canvas = (page: Page) => page.getByRole("region", { name: "Canvas of fed.flow.yaml" });

  test("from a run to its drawing, back, and to its source, by the switch and by 1, 2 and 3", async () => {
    const { page, id } = await opened();
    const views = page.getByRole("group", { name: "View" });
    await views.getByRole("button", { name: "Run view", pressed: true }).waitFor();
    await views.getByRole("button", { name: "Design" }).click();
    await canvas(page).waitFor();
    await page.getByLabel("Title").and(page.locator('[value="Read"]')).waitFor();
    await page.keyboard.press("2");
    await details(page, "Read");
    expect(new URL(page.url()).pathname).toBe(`/runs/${id}`);
    await page.keyboard.press("3");
    await page.getByText("name: Fed").waitFor();
    await page.keyboard.press("Escape");
    await views.getByRole("button", { name: "Source", pressed: true }).waitFor();
    await views.getByRole("button", { name: "Run view" }).click();
    await details(page, "Read");
    await page.keyboard.press("1");
    await canvas(page).waitFor();
  });

  test("of a long history no old state is shown as the present while it is read", async () => {
    const { page, server, go } = await web.open();
    const { id } = (await (await server.api("POST", "/workflows/fed.flow.yaml/runs?wait=30", {})).json()) as {
      id: string;
    };
    let readOn = () => {};
    const held = new Promise<void>((resolve) => {
      readOn = resolve;
    });
    // As if three events were all that is answered at once: they say that the run goes on.
    await page.route(`**/runs/${id}/events`, async (route) => {
      if (route.request().headers()["last-event-id"] !== "0") await held;
      await route.continue({ url: `${route.request().url()}?limit=3` });
    });
    await go(`/runs/${id}`);
    await page.getByText("Reading events: 3 events so far").waitFor();
    expect(await page.getByText("running").count()).toBe(0);
    expect(await page.getByRole("button", { name: /^Cancel/ }).count()).toBe(0);
    readOn();
    await details(page, "Read");
    await page.getByRole("banner").getByText("succeeded").waitFor();
  });

  test("the steps of a run stand as a tree beside the canvas, also after a reload", async () => {
    const { page } = await opened();
    await page.keyboard.press("o");
    const tree = page.getByRole("region", { name: "Outline" }).getByRole("tree", { name: "Nodes of the run" });
    await tree.getByRole("treeitem", { name: /^Say.*succeeded/ }).focus();
    await page.keyboard.press("Enter");
    await details(page, "Say");
    await accessible(page, "a run with its outline");
    await page.reload();
    await tree.getByRole("treeitem", { name: /^Say/, selected: true }).waitFor();
    await page.getByRole("button", { name: "Outline", pressed: true }).click();
    await tree.waitFor({ state: "detached" });
  });

  test("the command and what it read are the first two lines of an output", async () => {
    const { page } = await opened();
    const log = page.getByRole("log");
    await log.getByText("second", { exact: true }).waitFor();
    expect((await log.locator("[data-index]").allTextContents()).slice(0, 2)).toEqual([
      "$ sleep 0.3; cat",
      expect.stringMatching(/^stdin: first line ⏎ second · 1\d B, sha256 [0-9a-f]{16}…$/),
    ]);
  });
}

// From a run to its workflow and back, its nodes as a tree, its bars: the ways through the run view (ui 6.1, 6.4, 6.5,
// 6.7).

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { accessible, inBrowser, type View, type ViewOptions } from "./browser.ts";

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

/** Each iteration waits for a file: `1`, `2`, … */
const ROUNDS = `curlew: 1
name: Rounds
nodes:
  - { id: rounds, type: loop-start, iterations: 3 }
  - { id: wait, title: Wait, after: rounds, run: 'echo round ready; until [ -e "\${i}" ]; do sleep 0.05; done' }
  - { id: end, type: loop-end, after: wait }
`;

if (has("chromium")) {
  const web = inBrowser({ "fed.flow.yaml": FED, "later.flow.yaml": LATER, "rounds.flow.yaml": ROUNDS });

  async function opened(options?: ViewOptions): Promise<View & { id: string }> {
    const view = await web.open(options);
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

  test("the switch and the keys 1, 2 and 3 lead from a run to its drawing, back, and to its source", async () => {
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

  test("while a long history is read, no old state is shown as the present", async () => {
    const { page, server, go } = await web.open();
    const { id } = (await (await server.api("POST", "/workflows/fed.flow.yaml/runs?wait=30", {})).json()) as {
      id: string;
    };
    let readOn = () => {};
    const held = new Promise<void>((resolve) => {
      readOn = resolve;
    });
    // As if the server answered three events at a time: they say that the run continues.
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

  test("the nodes of a run are a tree beside the canvas, even after a reload", async () => {
    const { page } = await opened();
    await page.keyboard.press("o");
    const tree = page.getByRole("region", { name: "Outline" }).getByRole("tree", { name: "Nodes" });
    // Screen readers get its state once.
    await tree.getByRole("treeitem", { name: /^(?!.*succeeded.*succeeded)Say.*succeeded/ }).focus();
    await page.keyboard.press("Enter");
    await details(page, "Say");
    await accessible(page, "a run with its outline");
    await page.reload();
    await tree.getByRole("treeitem", { name: /^Say/, selected: true }).waitFor();
    await page.getByRole("button", { name: "Outline", pressed: true }).click();
    await tree.waitFor({ state: "detached" });
  });

  test("an iteration stays while someone reads it, until the newest is followed again", async () => {
    const { page, server, go } = await web.open();
    const started = await server.api("POST", "/workflows/rounds.flow.yaml/runs", {});
    await go(`/runs/${((await started.json()) as { id: string }).id}?node=wait`);
    const field = page.getByRole("searchbox", { name: "Search the output" });
    await field.pressSequentially("rea");
    server.write("1", "");
    const next = page.getByRole("button", { name: "Next iteration" });
    await expect.poll(() => next.isEnabled()).toBe(true);
    await page.keyboard.type("dy");
    expect(await field.inputValue()).toBe("ready");
    await next.click();
    await page.getByText("iteration 2 of 3").waitFor();
    await go(page.url().replace("node=wait", "node=rounds"));
    await page.getByRole("button", { name: "Previous iteration" }).click();
    await page.getByText("iteration 1 of 3").waitFor();
    await page.getByRole("button", { name: "Follow the newest iteration" }).click();
    server.write("2", "");
    await page.getByText("iteration 3 of 3").waitFor();
    server.write("3", "");
  });

  test("a run's version is compared with the current file: by keys, on the canvas, and on a phone", async () => {
    const { page, server, id } = await opened();
    server.write(
      "fed.flow.yaml",
      FED.replace("sleep 0.3; cat", "cat")
        .replace("]\n", ", read -> more]\n")
        .replace("edges:", '  - { id: more, type: cli, data: { title: More, content: "true" } }\nedges:'),
    );
    await page.getByRole("button", { name: "More that can be done with this run" }).click();
    await page.getByRole("menuitem", { name: "Compare with the current file" }).click();
    const changes = page.getByRole("navigation", { name: "Changes" });
    await changes.getByText("Different: 2 nodes, 1 edge").waitFor();
    expect(new URL(page.url()).searchParams.get("with")).toBe(`run:${id}`);
    await changes.getByRole("region", { name: "Lines that differ" }).getByText('content: "cat"').waitFor();
    const both = page.getByRole("region", { name: "Both versions of fed.flow.yaml" });
    await both.getByRole("group", { name: /^Say, .*unchanged/ }).waitFor();
    await page.keyboard.press("j");
    await changes.getByRole("button", { name: "More added" }).and(page.locator(":focus")).waitFor();
    await both.locator('.selected[aria-label^="More, "][aria-label*="added"]').waitFor();
    await accessible(page, "two versions");
    await page.reload();
    await changes.getByRole("button", { name: "More added" }).and(page.locator("[aria-current=true]")).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await both.waitFor({ state: "detached" });
    await changes.getByText("+{ id: more").waitFor();
    await page.getByRole("button", { name: "Compare with another version" }).click();
    await page.getByRole("menuitem", { name: "Compare with git HEAD" }).click();
    await page.getByText("The folder is not in a git repository.", { exact: false }).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    await page.getByRole("button", { name: "Compare with another version" }).click();
    await page.getByRole("menuitem", { name: "Compare with the last run" }).click();
    await changes.getByText("Different: 2 nodes, 1 edge").waitFor();
  });
}

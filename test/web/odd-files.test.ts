// Unusual files: empty, in another format, longer than the window, read-only (spec 2.3, ui 6.8).

import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { accessible, inBrowser, type View } from "./browser.ts";

const ROW = `curlew: 1
nodes:
${Array.from({ length: 40 }, (_, at) => `  - { id: n${at}, type: text, data: { title: Step ${at}, content: x } }\n`).join("")}edges:
  - ${Array.from({ length: 40 }, (_, at) => `n${at}`).join(" -> ")}
`;
const ONE = "curlew: 1\nnodes:\n  - { id: a, type: text, data: { title: A, content: x } }\n";
const TEN = "curlew: 10\nfuture: yes\nnodes:\n  - { id: a, type: text, data: { title: A, content: x } }\n";
const CLASH = "curlew: 1\nnodes:\n  - { id: a, run: curl https://a.test }\n  - { id: odd, run: ls, mode: script }\n";

if (has("chromium")) {
  const web = inBrowser({
    ...{ "empty.flow.yaml": "# to be written\n", "later.flow.yaml": TEN },
    "later-on.flow.yaml": "curlew: 1\nname: Later\nnodes: [] # to be written\n# and this\n",
    ...{ "row.flow.yaml": ROW, "kept.flow.yaml": ONE, "clash.flow.yaml": CLASH },
  });

  async function opened(name: string): Promise<View> {
    const view = await web.open();
    await view.go(`/w/${name}.flow.yaml`);
    await view.page.getByRole("region", { name: `Canvas of ${name}.flow.yaml` }).waitFor();
    return view;
  }

  test("adding a node to an empty file makes it a workflow", async () => {
    const { page, server } = await opened("empty");
    await page.getByText("What should happen first?").waitFor();
    await page.getByRole("button", { name: "Text: fill in a template" }).click();
    await page.locator(".react-flow__node").waitFor();
    await expect
      .poll(() => server.read("empty.flow.yaml"))
      .toMatch(/^# to be written\ncurlew: 1\nnodes:\n {2}- id: text\n/);
    await page.getByRole("button", { name: /error/ }).waitFor({ state: "detached" });
  });

  test("a comment behind the empty list of nodes stays, and stops no first node", async () => {
    const { page, server } = await opened("later-on");
    await page.getByRole("button", { name: "Text: fill in a template" }).click();
    await page.locator(".react-flow__node").waitFor();
    await expect
      .poll(() => server.read("later-on.flow.yaml"))
      .toMatch(/^curlew: 1\nname: Later\nnodes:\n {2}- id: text\n[\s\S]*\n {2}# to be written\n# and this\n$/);
  });

  test("the document's panel shows problems of the document itself", async () => {
    const { page } = await opened("later");
    const panel = page.getByRole("complementary", { name: "Inspector" });
    await panel.getByText("This file has format version 10").waitFor();
    await accessible(page, "a document of a later format");
  });

  test("a row that is longer than the window opens at its start, in readable letters", async () => {
    const { page } = await opened("row");
    const first = page.locator('.react-flow__node[data-id="n0"]');
    await first.getByText("Step 0").waitFor();
    const [card, canvas] = [await first.boundingBox(), await page.locator(".curlew-canvas").boundingBox()];
    expect(card!.width).toBeGreaterThan(150);
    expect(card!.x).toBeGreaterThan(canvas!.x);
    expect(card!.y).toBeGreaterThan(canvas!.y);
    expect(card!.y + card!.height).toBeLessThan(canvas!.y + canvas!.height);
  });

  test("a read-only file says so as long as it is, and is written as soon as it can be", async () => {
    const { page, server, provoked } = await opened("kept");
    const detail = "The system reports: it may not be changed.";
    const refused = { type: "about:blank", title: "Not written", status: 403, code: "not-writable", detail };
    await page.route("**/api/v1/workflows/kept.flow.yaml", (route) =>
      route.request().method() === "PUT"
        ? route.fulfill({ status: 403, contentType: "application/problem+json", json: refused })
        : route.continue(),
    );
    await page.locator('.react-flow__node[data-id="a"]').click();
    await page.getByRole("textbox", { name: "Title", exact: true }).fill("Mine");
    await page.getByRole("textbox", { name: "Title", exact: true }).press("Enter");
    const told = page.getByRole("contentinfo").getByText(`not saved: ${detail}`);
    await told.waitFor();
    // The next attempts say so at once and show no further message in the corner.
    await page.waitForResponse((answer) => answer.status() === 403);
    await told.waitFor();
    await page.unrouteAll({ behavior: "wait" });
    await told.waitFor({ state: "detached" });
    provoked(403);
    await expect
      .poll(() => server.read("kept.flow.yaml"))
      .toBe(ONE.replace("id: a", "id: mine").replace("title: A", "title: Mine"));
  });

  test("a node whose keys contradict each other is drawn with its problem", async () => {
    const { page } = await opened("clash");
    await page.getByRole("group", { name: /^Odd,.*1 error/ }).click();
    await page.getByRole("region", { name: "The selected node" }).getByText(/mode/).first().waitFor();
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Keys" });
    expect(await help.getByRole("region", { name: "Editor", exact: true }).count()).toBe(1);
  });

  test("a command that is selected while its parser can't be loaded gets its form later", async () => {
    const { page, wrong } = await opened("clash");
    // The worker that finds problems has loaded its own parser.
    await page.getByRole("group", { name: /^Odd,.*1 error/ }).waitFor();
    const parser = /\/assets\/parser-/;
    const refused = page.waitForEvent("requestfailed", (request) => parser.test(request.url()));
    await page.route(parser, (route) => route.abort());
    await page.locator('.react-flow__node[data-id="a"]').click();
    await refused;
    await page.unrouteAll({ behavior: "wait" });
    await page.getByRole("textbox", { name: "URL", exact: true }).waitFor();
    const faults = wrong.splice(0).filter((one) => !one.includes("Failed to load resource"));
    expect(faults).toEqual([]);
  });
}

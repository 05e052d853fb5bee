// Files that are not as a new one of ours: empty, of another format, longer than the window, not to be written (spec 2.3, ui 6.8).

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

if (has("chromium")) {
  const web = inBrowser({
    ...{ "empty.flow.yaml": "# to be written\n", "later.flow.yaml": TEN },
    ...{ "row.flow.yaml": ROW, "kept.flow.yaml": ONE },
  });

  async function opened(name: string): Promise<View> {
    const view = await web.open({ refusals: true });
    await view.go(`/w/${name}.flow.yaml`);
    await view.page.getByRole("region", { name: `Canvas of ${name}.flow.yaml` }).waitFor();
    return view;
  }

  test("an empty file is begun by adding a node, which makes it a workflow", async () => {
    const { page, server } = await opened("empty");
    await page.getByText("Nothing here yet").waitFor();
    await page.getByRole("button", { name: "Text: fill in a template" }).click();
    await page.locator(".react-flow__node").waitFor();
    await expect
      .poll(() => server.read("empty.flow.yaml"))
      .toMatch(/^# to be written\ncurlew: 1\nnodes:\n {2}- id: text\n/);
    await page.getByRole("button", { name: /error/ }).waitFor({ state: "detached" });
  });

  test("what is wrong with the document itself stands in its panel", async () => {
    const { page } = await opened("later");
    const panel = page.getByRole("complementary", { name: "Inspector" });
    await panel.getByText("This document is of format 10").waitFor();
    await accessible(page, "a document of a later format");
  });

  test("a row that is longer than the window opens where it begins, in letters that are read", async () => {
    const { page } = await opened("row");
    const first = page.locator('.react-flow__node[data-id="n0"]');
    await first.getByText("Step 0").waitFor();
    const [card, canvas] = [await first.boundingBox(), await page.locator(".curlew-canvas").boundingBox()];
    expect(card!.width).toBeGreaterThan(150);
    expect(card!.x).toBeGreaterThan(canvas!.x);
    expect(card!.y).toBeGreaterThan(canvas!.y);
    expect(card!.y + card!.height).toBeLessThan(canvas!.y + canvas!.height);
  });

  test("a file that may not be written says so as long as that is so, and is written when it may", async () => {
    const { page, server } = await opened("kept");
    const detail = "The system says: it may not be changed.";
    const refused = { type: "about:blank", title: "Not written", status: 403, code: "not-writable", detail };
    await page.route("**/api/v1/workflows/kept.flow.yaml", (route) =>
      route.request().method() === "PUT"
        ? route.fulfill({ status: 403, contentType: "application/problem+json", json: refused })
        : route.continue(),
    );
    await page.locator('.react-flow__node[data-id="a"]').click();
    await page.getByRole("textbox", { name: "Title", exact: true }).fill("Mine");
    const told = page.getByRole("contentinfo").getByText(`not saved: ${detail}`);
    await told.waitFor();
    // Tried again, it is told without a pause and without another word in the corner.
    await page.waitForResponse((answer) => answer.status() === 403);
    await told.waitFor();
    await page.unrouteAll({ behavior: "wait" });
    await told.waitFor({ state: "detached" });
    await expect.poll(() => server.read("kept.flow.yaml")).toBe(ONE.replace("title: A", "title: Mine"));
  });
}

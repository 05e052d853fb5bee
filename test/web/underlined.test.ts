// A problem in a field is underlined, explained, counted and marked on the canvas shortly after typing stops, and goes away when it is fixed.

import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { inBrowser } from "./browser.ts";
import { focused } from "./waits.ts";

const TEXT = `curlew: 1
inputs: { repo: { type: string } }
nodes:
  - id: get
    type: cli
    data:
      title: Get
      content: curl --fail --max-time 9 "https://api.example.test/\${repo}"
`;

if (has("chromium")) {
  const web = inBrowser({ "one.flow.yaml": TEXT });

  test("an unknown name is underlined and explained until it is fixed", async () => {
    const { page, server, go } = await web.open();
    await go("/w/one.flow.yaml?node=get");
    const editor = page.getByRole("textbox", { name: "Command", exact: true });
    await editor.waitFor();
    await page.keyboard.press("ControlOrMeta+j");
    await page.getByText("Nothing is wrong with this file").waitFor();
    await editor.click();
    await focused(editor);
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.insertText(" ${nobody}");
    const marked = page.locator(".cm-lintRange", { hasText: "nobody" });
    const words = page.getByRole("complementary", { name: "Inspector" }).getByText("nothing sets it");
    const badge = page.locator(".react-flow__node [title*='nothing sets it']");
    const count = page.getByRole("button", { name: "1 warning" });
    const row = page.getByRole("list", { name: "Problems" }).getByText("nothing sets it");
    for (const one of [marked, words, badge, count, row]) await one.waitFor();
    await expect.poll(() => server.read("one.flow.yaml")).toContain("${nobody}");
    await editor.click();
    await focused(editor);
    await page.keyboard.press("ControlOrMeta+End");
    for (const _ of " ${nobody}") await page.keyboard.press("Backspace");
    for (const one of [page.locator(".cm-lintRange"), words, badge, count, row])
      await expect.poll(() => one.count()).toBe(0);
  });
}

// What is wrong in a field is underlined, said in words, counted and marked on the drawing while its document has not been told of it yet, stays
// so when it has, and goes with what was wrong (spec ui.md 6.8).

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

  test("a reference to nobody is underlined and told before the document holds it, and as long as it stands there", async () => {
    const { page, server, go } = await web.open();
    await go("/w/one.flow.yaml?node=get");
    const editor = page.getByRole("textbox", { name: "Command", exact: true });
    await editor.waitFor();
    await page.keyboard.press("ControlOrMeta+j");
    await page.getByText("Nothing is wrong with this file").waitFor();
    await editor.click();
    await focused(editor);
    await page.keyboard.press("ControlOrMeta+End");
    await page.evaluate(() => {
      const usual = window.setTimeout;
      // Whatever waits for a pause waits.
      const held = (act: TimerHandler, ms = 0) => (ms < 10 ? usual(act, ms) : 0);
      Object.assign(window, { setTimeout: held, __goOn: () => Object.assign(window, { setTimeout: usual }) });
    });
    const marked = page.locator(".cm-lintRange", { hasText: "nobody" });
    await page.keyboard.insertText(" ${nobody}");
    await marked.waitFor();
    const words = page.getByRole("complementary", { name: "Inspector" }).getByText("nothing sets it");
    const badge = page.locator(".react-flow__node [title*='nothing sets it']");
    const count = page.getByRole("button", { name: "1 warning" });
    const row = page.getByRole("list", { name: "Problems" }).getByText("nothing sets it");
    for (const one of [words, badge, count, row]) await one.waitFor();
    expect(server.read("one.flow.yaml")).toBe(TEXT);

    await page.evaluate(() => {
      const marks = () => [...document.querySelectorAll(".cm-lintRange")].map((one) => one.textContent);
      const look = () => marks().some((text) => text.includes("nobody")) || Object.assign(window, { __everGone: true });
      Object.assign(window, { __everGone: false });
      new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
    });
    await page.evaluate("void window.__goOn()");
    await editor.blur();
    await expect.poll(() => server.read("one.flow.yaml")).toContain("${nobody}");
    await words.waitFor();
    expect(await page.evaluate("window.__everGone")).toBe(false);

    await editor.click();
    await focused(editor);
    await page.keyboard.press("ControlOrMeta+End");
    for (const _ of " ${nobody}") await page.keyboard.press("Backspace");
    for (const one of [page.locator(".cm-lintRange"), words, badge, count, row])
      await expect.poll(() => one.count()).toBe(0);
  });
}

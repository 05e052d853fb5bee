// From an empty folder to an approved run and its log, by keyboard alone: no mouse, no focus given by the test (ui 6.7).

import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { inBrowser } from "./browser.ts";
import { approvable, chosen, focused, hasFocus } from "./waits.ts";

/** A whole screen has fewer tab stops. */
const STOPS_MAX = 90;

if (has("chromium")) {
  const web = inBrowser();

  test("by keyboard alone: a workflow is made, a node added, its command written, the run approved, and its log read", async () => {
    const { page, server } = await web.open();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("new workflow");
    await chosen(page.getByRole("option", { name: /New workflow/ }));
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "What should happen first?" }).waitFor();

    await page.keyboard.press("a");
    await page.keyboard.type("run a command");
    await chosen(page.getByRole("option", { name: /^Command/ }));
    await page.keyboard.press("Enter");
    const node = page.locator(".react-flow__node", { hasText: "Run a command" });
    await focused(node);
    await page.keyboard.press("Enter");
    await focused(page.getByRole("textbox", { name: "Title" }));
    await page.getByRole("textbox", { name: "Command" }).waitFor();
    await tabTo(page, page.getByRole("textbox", { name: "Command" }));
    await page.keyboard.press("Control+a");
    await page.keyboard.type("echo passed by keyboard");

    await tabTo(page, page.getByRole("tab", { name: /Command/ }), "Shift+Tab");
    for (const name of ["Input", "Output", "Policy"]) {
      await page.keyboard.press("ArrowRight");
      await page.getByRole("tab", { name, selected: true }).waitFor();
    }
    await tabTo(page, page.getByRole("checkbox", { name: /approv|ask/i }).first());
    await page.keyboard.press("Space");
    await expect
      .poll(() => server.read("untitled.flow.yaml"))
      .toMatch(/run: echo passed by keyboard\n {4}needsUserApproval: true/);
    await page.keyboard.press("Escape");
    await focused(node);

    await page.keyboard.press("r");
    await page.getByText("Run a command waits for your approval").waitFor();
    await page.keyboard.press("2");
    await page.getByRole("heading", { name: "Approve “Run a command”?" }).waitFor();
    await approvable(page);
    await page.keyboard.press("Control+Enter");
    await page.getByText("Approved: Run a command").first().waitFor();
    await page.getByRole("log").getByText("passed by keyboard", { exact: true }).waitFor();
  });
}

async function tabTo(page: Page, where: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  for (let stops = 0; stops < STOPS_MAX; stops += 1) {
    if (await hasFocus(where)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${STOPS_MAX} times ${key} do not lead to ${where}`);
}

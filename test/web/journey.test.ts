// From an empty folder to an approved run and its log, by keyboard alone: no mouse, no focus given by the test (ui 6.7).

import type { Locator, Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { startSampleApi } from "../../examples/sample-api/server.ts";
import { has } from "../setup/machine.ts";
import { inBrowser } from "./browser.ts";
import { approvable, chosen, focused, hasFocus, told } from "./waits.ts";

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
      // In quotes if the file was written behind a blank, which needs them.
      .toMatch(/run: "?echo passed by keyboard"?\n {4}needsUserApproval: true/);
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

  test("the first hour by keyboard alone: a request with OAuth 2.0, a filter, a decision, a failure that is fixed and retried, and a schedule", async () => {
    const api = await startSampleApi();
    onTestFinished(() => api.close());
    const { page } = await web.open();
    let presses = 0;
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
      presses += keys.length;
    };
    const type = (text: string) => page.keyboard.insertText(text);
    const text = (name: string) => page.getByRole("textbox", { name, exact: true });
    const card = (id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);
    const choose = async (words: string, option: RegExp) => {
      await type(words);
      await chosen(page.getByRole("option", { name: option }));
      await press("Enter");
    };
    const run = async (words: string, option: RegExp) => {
      await press("Control+k");
      await focused(page.getByRole("combobox"));
      await choose(words, option);
    };
    const add = async (words: string, option: RegExp) => {
      await press("Control+ArrowRight");
      await focused(page.getByRole("dialog", { name: "Add a node" }));
      await choose(words, option);
    };

    await run("new workflow", /New workflow/);
    await focused(page.getByRole("button", { name: /^HTTP request/ }));
    await press("Enter");
    await focused(text("URL"));
    await type(`${api.url}/protected/oauth`);
    presses += await tabTo(page, page.getByLabel("Sign in"));
    await press("ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown");
    await text("Token URL").waitFor();
    await press("Tab");
    await focused(text("Token URL"));
    await type(`${api.url}/oauth/token`);
    await press("Tab");
    await focused(text("Client ID"));
    await type("sample-client");
    await press("ControlOrMeta+Enter");
    await focused(page.getByRole("dialog", { name: "Set API_CLIENT_SECRET" }).getByLabel("Value"));
    await type("sample-client-secret");
    await press("Enter");
    await card("get_protected_oauth").getByText("succeeded").first().waitFor();
    await focused(text("Client ID"));
    await press("Escape");
    await focused(card("get_protected_oauth"));
    await add("jq .scheme", /^Run this command/);
    await focused(card("run_jq"));
    await add("if", /^If/);
    await focused(card("did_it_work"));
    await add("http", /^HTTP/);
    await focused(text("URL"));
    await type(`${api.url}/api/itemz`);
    await press("Escape");
    await focused(card("get_api_itemz"));
    await press("r");
    await card("get_api_itemz").getByText("failed").first().waitFor();
    await press("Enter");
    await focused(text("Title"));
    await press("Tab", "Tab");
    await focused(text("URL"));
    await press("ControlOrMeta+A");
    await type(`${api.url}/api/items`);
    await press("Escape");
    await card("get_api_itemz").getByText("GET /api/items", { exact: true }).waitFor();
    await press("Shift+R");
    await card("get_api_itemz").getByText("succeeded").first().waitFor();
    await run("schedule", /^Add a schedule/);
    await focused(page.getByRole("dialog", { name: "Add a schedule" }).getByLabel("When"));
    await press("ControlOrMeta+Enter");
    await told(page, "Schedule added").waitFor();
    await run("triggers", /^Go to triggers/);
    await page.getByRole("heading", { name: "At 09:00" }).waitFor();
    console.log(`the first hour: ${presses} keys beside the texts`);
    expect(presses).toBeLessThanOrEqual(40);
  });
}

/** How many presses it takes. */
async function tabTo(page: Page, where: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<number> {
  for (let stops = 0; stops < STOPS_MAX; stops += 1) {
    if (await hasFocus(where)) return stops;
    await page.keyboard.press(key);
  }
  throw new Error(`${STOPS_MAX} times ${key} do not lead to ${where}`);
}

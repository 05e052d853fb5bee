// Home: the workflows of the folder, and the way to a first one in an empty folder.

import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { accessible, fits, inBrowser } from "./browser.ts";
import { ASKS, FAILS, GREETING, HELLO } from "./flows.ts";
import { focused } from "./waits.ts";

const NEEDS = `curlew: 1
name: Needs
secrets: [UNSET_TOKEN]
nodes:
  - { id: call, type: cli, data: { title: Call, content: "curl --max-time 5 https://api.example.com/", auth: { type: bearer, token: "\${UNSET_TOKEN}" } } }
`;

if (has("chromium")) {
  const web = inBrowser({
    "hello.flow.yaml": HELLO,
    "team/greeting.flow.yaml": GREETING,
    "fails.flow.yaml": FAILS,
    "asks.flow.yaml": ASKS,
  });

  test("a workflow's row shows its last runs, leads to them, and says at once when one waits", async () => {
    const { page, server, context, go } = await web.open();
    const rows = page.getByRole("list", { name: "Workflows" });
    await rows.getByRole("link", { name: "Hello" }).waitFor();
    const bars = rows.getByRole("listitem").filter({ hasText: "fails.flow.yaml" }).getByRole("list");
    expect(await bars.count()).toBe(0);
    await server.api("POST", "/workflows/fails.flow.yaml/runs?wait=10");
    await bars.getByRole("link", { name: /^failed in/ }).waitFor();
    // The reason is there without a press: the node's title and the command's words, in the row and under "Needs you".
    await rows.getByRole("link", { name: /Broken .*“no”/ }).waitFor();
    const needs = page.getByRole("region", { name: "Needs you" });
    await needs.getByRole("link", { name: /Fails · Broken: “no”/ }).waitFor();
    await server.api("POST", "/workflows/asks.flow.yaml/runs?wait=10");
    await rows.getByRole("link", { name: "waiting for you", exact: true }).waitFor();
    await needs.getByRole("link", { name: /Waiting for approval .*Asks echo passed/ }).waitFor();
    // One press leads to the failed runs of the last day.
    await page
      .getByRole("region", { name: "Runs, last 24 hours" })
      .getByRole("link", { name: "1 failed", exact: true })
      .waitFor();
    await page.getByRole("link", { name: "Inbox 1 waiting" }).waitFor();
    expect(await page.title()).toBe("Workflows · Curlew");
    await context.grantPermissions(["notifications"]);
    await go("/inbox");
    await page.getByRole("link", { name: "Notifications" }).click();
    await page.getByLabel(/^Notify me when a run fails/).check();
    await go("/");
    await expect.poll(() => page.title()).toBe("(1) Workflows · Curlew");
    await accessible(page, "home");
    await fits(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await fits(page);
    await bars.getByRole("link").click();
    await page.waitForURL(/\/runs\/\w+$/);
    await go("/");
    await rows.getByRole("link", { name: /^failed Broken/ }).click();
    const card = page.getByRole("article", { name: "Broken failed" });
    await card.getByRole("button", { name: "Retry from here" }).waitFor();
  });

  test("a workflow is starred, renamed, copied without its triggers, deleted, and brought back", async () => {
    const { page, server, go } = await web.open();
    server.write(
      "daily.flow.yaml",
      HELLO.replace("name: Hello", 'name: Daily\non: [{ schedule: { cron: "0 3 1 1 *" } }]'),
    );
    await go("/");
    const rows = page.getByRole("list", { name: "Workflows" }).getByRole("listitem");
    await page.getByRole("button", { name: "Star Daily" }).click();
    await page.getByRole("button", { name: "Starred" }).click();
    await expect.poll(() => rows.count()).toBe(1);
    const menu = async (name: string, item: string) => {
      await page.getByRole("button", { name: `More for ${name}`, exact: true }).click();
      await page.getByRole("menuitem", { name: item }).click();
    };
    await menu("Daily", "Rename…");
    const dialog = page.getByRole("dialog", { name: "Rename Daily" });
    await dialog.getByLabel("Name").fill("Yearly");
    await dialog.getByLabel("File").fill("jobs/yearly");
    await dialog.getByText("Becomes jobs/yearly.flow.yaml").waitFor();
    await accessible(page, "rename");
    await page.keyboard.press("Enter");
    await rows.getByText("jobs/yearly.flow.yaml").waitFor();
    expect(server.read("jobs/yearly.flow.yaml")).toContain('name: Yearly\non: [{ schedule: { cron: "0 3 1 1 *" } }]');
    await menu("Yearly", "Duplicate");
    await page.getByText("The copy has no triggers", { exact: false }).first().waitFor();
    const copy = server.read("jobs/yearly-copy.flow.yaml");
    expect([copy.includes("name: Yearly copy"), copy.includes("schedule")]).toEqual([true, false]);
    const text = server.read("jobs/yearly.flow.yaml");
    await menu("Yearly", "Delete…");
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await rows.first().waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).click();
    await rows.getByText("jobs/yearly.flow.yaml").waitFor();
    expect(server.read("jobs/yearly.flow.yaml")).toBe(text);
  });

  test("Run starts a workflow and shows its run", async () => {
    const { page } = await web.open();
    await page.getByRole("button", { name: "Run Hello" }).click();
    await page.waitForURL(/\/runs\/\w+$/);
  });

  test("a workflow whose inputs have defaults starts at once, and asks for others in the menu", async () => {
    const { page, server, go } = await web.open();
    server.write("set.flow.yaml", GREETING.replace("Greeting", "Set").replace("required: true", "default: moin"));
    await page.getByRole("button", { name: "Run Set" }).click();
    await page.waitForURL(/\/runs\/\w+$/);
    await go("/");
    await page.getByRole("button", { name: "More for Set" }).click();
    await page.getByRole("menuitem", { name: "Run with inputs…" }).click();
    const dialog = page.getByRole("dialog", { name: "Run Set" });
    expect(await dialog.getByLabel("word").inputValue()).toBe("moin");
    await dialog.getByLabel("word").fill("salut");
    await dialog.getByRole("button", { name: "Run" }).click();
    await page.waitForURL(/\/runs\/\w+$/);
    await page.getByRole("log").getByText("salut 2").waitFor();
  });

  test("a workflow with inputs asks for them, names missing ones, and runs with the typed values", async () => {
    const { page, server } = await web.open();
    await page.getByRole("button", { name: "Run Greeting" }).click();
    const dialog = page.getByRole("dialog", { name: "Run Greeting" });
    await dialog.getByLabel("times").fill("many");
    await dialog.getByRole("button", { name: "Run" }).click();
    await dialog.getByText('Input "times": "many" is not an integer.').waitFor();
    await dialog.getByText(/Input "word"/).waitFor();
    await accessible(page, "inputs of a run");
    const word = dialog.getByLabel("word (required)");
    await focused(word);
    // Pasted text keeps its lines. Enter runs it, Shift+Enter starts a line.
    await page.keyboard.insertText("moin\nall");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("of you");
    await dialog.getByText(/Input "word"/).waitFor({ state: "detached" });
    await dialog.getByLabel("times").fill("");
    expect(await dialog.getByLabel("times").getAttribute("placeholder")).toBe("2");
    await dialog.getByLabel("times").fill("3");
    await page.keyboard.press("Shift+Tab");
    await focused(word);
    expect(await page.evaluate(() => getSelection()?.toString()), "by a key all of it is selected").toBe(
      "moin\nall\nof you",
    );
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/runs\/\w+$/);
    const run = (await (await server.api("GET", `/runs/${page.url().split("/").at(-1)}`)).json()) as {
      inputs: unknown;
    };
    expect(run.inputs).toEqual({ word: "moin\nall\nof you", times: 3 });
  });

  test("a new workflow opens empty, and its file follows its name without overwriting another one", async () => {
    const { page, server, go } = await web.open();
    server.write("untitled.flow.yaml", "curlew: 1\nname: Untitled\nnodes: [{ id: mine, run: ls }]\n");
    await page.locator("a", { hasText: "Untitled" }).waitFor();
    await page.getByRole("button", { name: "New" }).click();
    await page.waitForURL(/\/w\/untitled-2\.flow\.yaml/);
    expect(server.read("untitled-2.flow.yaml")).toBe("curlew: 1\nname: Untitled 2\nnodes: []\n");
    await go("/");
    await page.locator("a", { hasText: "Untitled" }).first().waitFor();
    rmSync(join(server.folder, "untitled.flow.yaml"));
    rmSync(join(server.folder, "untitled-2.flow.yaml"));
    await expect.poll(() => page.locator("a", { hasText: "Untitled" }).count()).toBe(0);
    await page.getByRole("button", { name: "New" }).click();
    await page.waitForURL(/\/w\/untitled\.flow\.yaml/);
    await page.getByRole("heading", { name: "What should happen first?" }).waitFor();
    expect(server.read("untitled.flow.yaml")).toBe("curlew: 1\nname: Untitled\nnodes: []\n");
    await accessible(page, "an empty workflow");
    const name = async (text: string) => {
      await page.getByTitle("Rename the workflow").click();
      await page.getByLabel("Name of the workflow").fill(text);
      await page.keyboard.press("Enter");
    };
    await name("Hello");
    await page.waitForURL(/\/w\/hello-2\.flow\.yaml/);
    await focused(page.getByRole("button", { name: /^HTTP request/ }));
    await page.keyboard.press("w");
    await focused(page.getByRole("textbox", { name: "Name", exact: true }));
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("Named in the panel");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/w\/named-in-the-panel\.flow\.yaml/);
    await name("Open issues");
    await page.waitForURL(/\/w\/open-issues\.flow\.yaml/);
    expect(server.read("open-issues.flow.yaml")).toContain("name: Open issues");
    await expect.poll(() => readdirSync(server.folder)).not.toContain("hello-2.flow.yaml");
    expect(readdirSync(server.folder)).not.toContain("untitled.flow.yaml");
    expect(server.read("hello.flow.yaml")).toBe(HELLO);
  });

  test("a run that lacks a secret asks for its value over the editor, and then runs", async () => {
    const { page, go, server } = await web.open();
    server.write("needs.flow.yaml", NEEDS);
    await go("/w/needs.flow.yaml");
    await page.locator("[data-id=call]").waitFor();
    await page.getByRole("button", { name: "Set value of UNSET_TOKEN" }).waitFor();
    const dialog = page.getByRole("dialog", { name: "Set UNSET_TOKEN" });
    // So does a test of the node.
    await page.locator("[data-id=call]").click();
    await page.getByRole("complementary", { name: "Inspector" }).getByRole("tab", { name: "Test" }).waitFor();
    await page.keyboard.press("Control+Enter");
    await dialog.getByText(/Call needs it to run/).waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await dialog.getByText(/Needs needs it to run/).waitFor();
    await dialog.getByLabel("Value").fill("a-value-for-the-test");
    await dialog.getByRole("button", { name: "Save and run" }).click();
    // The run is shown in the editor.
    await page.waitForURL(/\/w\/needs\.flow\.yaml\?(?:.*&)?run=\w+/);
  });
}

// Home: the workflows of the folder, and the way to a first one where there is none.

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
    // Why, without a press: the node, one sentence, the code.
    await rows.getByRole("link", { name: "broken: The command exited with code 3. exit-non-zero" }).waitFor();
    await server.api("POST", "/workflows/asks.flow.yaml/runs?wait=10");
    await rows.getByRole("link", { name: "waiting for you", exact: true }).waitFor();
    await page.getByRole("link", { name: "Inbox, 1 waiting" }).waitFor();
    expect(await page.title()).toBe("Workflows · Curlew");
    await context.grantPermissions(["notifications"]);
    await go("/inbox");
    await page.getByRole("button", { name: "Notify me" }).click();
    await go("/");
    await expect.poll(() => page.title()).toBe("(1) Workflows · Curlew");
    await accessible(page, "home");
    await fits(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await fits(page);
    await bars.getByRole("link").click();
    await page.waitForURL(/\/runs\/\w+$/);
    await go("/");
    await rows.getByRole("link", { name: /^failed (?:just now|\d+ s ago)$/ }).click();
    const card = page.getByRole("article", { name: "Broken failed" });
    await card.getByRole("button", { name: "Retry from here" }).waitFor();
  });

  test("Run starts a workflow and shows its run", async () => {
    const { page } = await web.open();
    await page.getByRole("button", { name: "Run Hello" }).click();
    await page.waitForURL(/\/runs\/\w+$/);
  });

  test("a workflow with inputs asks for them, says what is missing, and runs with what was typed", async () => {
    const { page, server } = await web.open();
    await page.getByRole("button", { name: "Run Greeting" }).click();
    const dialog = page.getByRole("dialog", { name: "Run Greeting" });
    await dialog.getByLabel("times").fill("many");
    await dialog.getByRole("button", { name: "Run" }).click();
    await dialog.getByText('Input "times": "many" is not a whole number.').waitFor();
    await dialog.getByText(/Input "word"/).waitFor();
    await accessible(page, "inputs of a run");
    const word = dialog.getByLabel("word (required)");
    await focused(word);
    // What is pasted keeps its lines; Enter runs it, Shift+Enter begins one.
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

  test("a new workflow gets a file by its name, never over another one", async () => {
    const { page, server, wrong } = await web.open();
    await page.getByRole("button", { name: "New" }).click();
    const dialog = page.getByRole("dialog", { name: "New workflow" });
    await dialog.getByLabel("Name").fill("Hello");
    await page.keyboard.press("Enter");
    await dialog.getByText("hello.flow.yaml already exists").waitFor();
    expect(wrong.splice(0)).toEqual([
      "console: Failed to load resource: the server responded with a status of 412 (Precondition Failed)",
    ]);
    await accessible(page, "new workflow");
    await dialog.getByLabel("Name").fill("Open issues");
    await dialog.getByText("Written to open-issues.flow.yaml").waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/w\/open-issues\.flow\.yaml/);
    expect(server.read("open-issues.flow.yaml")).toContain('name: "Open issues"');
    expect(server.read("hello.flow.yaml")).toBe(HELLO);
  });

  test("a run that does not start for want of a secret leads to where it gets its value", async () => {
    const { page, go, server } = await web.open({ refusals: true });
    server.write("needs.flow.yaml", NEEDS);
    await go("/w/needs.flow.yaml");
    await page.locator("[data-id=call]").waitFor();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page
      .getByText(/Needs did not start: .*UNSET_TOKEN/)
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Set its value" }).click();
    await page.waitForURL(/\/secrets$/);
    await page.getByText("UNSET_TOKEN").first().waitFor();
  });
}

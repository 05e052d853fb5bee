// An empty folder: three ways to a first success, each with one press or one paste.

import { expect, onTestFinished, test } from "vitest";
import { has } from "../setup/machine.ts";
import { accessible, fits, inBrowser } from "./browser.ts";
import { serve } from "./server.ts";
import { chosen } from "./waits.ts";

const TOKEN = "abcdefghij0123456789";

if (has("chromium")) {
  const web = inBrowser();

  test("a pasted curl command becomes a workflow, which opens", async () => {
    const { page, server } = await web.open();
    const sent: string[] = [];
    page.on("request", (request) => {
      if (`${request.url()} ${request.postData()}`.includes(TOKEN)) sent.push(`${request.method()} ${request.url()}`);
    });
    await page.getByRole("heading", { name: "Make a first workflow" }).waitFor();
    await accessible(page, "first steps");
    await fits(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await fits(page);
    const card = page.getByRole("region", { name: "Paste a curl command" });
    await card
      .getByLabel("curl command")
      .fill(`curl -sS https://api.example.com/orders -H 'Authorization: Bearer ${TOKEN}'`);
    await card.getByRole("button", { name: /Create workflow/ }).click();
    await page.waitForURL(/\/w\/.+\.flow\.yaml/);
    const path = decodeURIComponent(new URL(page.url()).pathname.slice("/w/".length));
    const text = server.read(path);
    expect(text).toContain("https://api.example.com/orders");
    expect(text).not.toContain(TOKEN);
    // Only the memory of the page has the value, until one press saves it.
    const save = page.getByRole("button", { name: "Save API_TOKEN (••••789)" });
    await save.waitFor();
    await page.getByText(/^saved/).waitFor();
    const kept = () =>
      page.evaluate(() =>
        JSON.stringify([document.documentElement.outerHTML, { ...localStorage }, { ...sessionStorage }]),
      );
    expect(await kept()).not.toContain(TOKEN);
    expect(sent).toEqual([]);
    await accessible(page, "a pasted token to save");
    await save.click();
    await page.getByText("Saved API_TOKEN").first().waitFor();
    await save.waitFor({ state: "detached" });
    expect(sent).toEqual([expect.stringMatching(/^PUT .*\/secrets\/API_TOKEN$/)]);
    expect(await kept()).not.toContain(TOKEN);
  });

  test("text that is not a curl command is reported where it was pasted", async () => {
    const { page, wrong } = await web.open();
    await page.getByRole("navigation", { name: "Places" }).waitFor();
    await page.keyboard.press("Control+K");
    await page.getByRole("combobox").fill("paste a curl");
    await chosen(page.getByRole("option", { name: /paste a curl/i }));
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Paste a curl command" });
    await dialog.getByLabel("curl command").fill("wget https://api.example.com");
    await page.keyboard.press("Control+Enter");
    await dialog.getByRole("alert").waitFor();
    await accessible(page, "a refused paste");
    const key = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
    await dialog.getByLabel("curl command").fill(`curl https://api.example.com # ${key}`);
    await page.keyboard.press("Control+Enter");
    await dialog.getByText(/looks like a GitHub token/).waitFor();
    wrong.length = 0; // The console shows the rejection too.
  });

  test("one press runs the demo, which succeeds without a network", async () => {
    const server = await serve();
    onTestFinished(() => server.close());
    const { page } = await web.open({ server, signedOut: true });
    await page.goto(server.printed);
    await page.getByRole("button", { name: "Run the demo" }).click();
    await page.waitForURL(/\/runs\/\w+$/);
    const path = `/runs/${page.url().split("/").at(-1)}`;
    const status = async () => ((await (await server.api("GET", path)).json()) as { status: string }).status;
    await expect.poll(status, { timeout: 40_000 }).toBe("succeeded");
    expect(server.read("demo.flow.yaml")).toContain("name: Demo");
  });
}

// An empty folder: three ways to a first success, each a press or a paste.

import { expect, onTestFinished, test } from "vitest";
import { has } from "../setup/machine.ts";
import { accessible, fits, inBrowser } from "./browser.ts";
import { HELLO } from "./flows.ts";
import { serve } from "./server.ts";
import { chosen } from "./waits.ts";

if (has("chromium")) {
  const web = inBrowser();

  test("a curl command that is pasted becomes a document, and is opened", async () => {
    const { page, server } = await web.open();
    await page.getByRole("heading", { name: "Make a first workflow" }).waitFor();
    await accessible(page, "first steps");
    await fits(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await fits(page);
    const card = page.getByRole("region", { name: "Paste a curl command" });
    await card
      .getByLabel("curl command")
      .fill("curl -sS https://api.example.com/orders -H 'Authorization: Bearer abcdefghij0123456789'");
    await card.getByRole("button", { name: /Create workflow/ }).click();
    await page.waitForURL(/\/w\/.+\.flow\.yaml/);
    const path = decodeURIComponent(new URL(page.url()).pathname.slice("/w/".length));
    const text = server.read(path);
    expect(text).toContain("https://api.example.com/orders");
    expect(text).not.toContain("abcdefghij0123456789");
    await page.getByRole("button", { name: "Set its value" }).click();
    await page.waitForURL(/\/secrets$/);
    await page.getByText("API_TOKEN").first().waitFor();
  });

  test("what is no curl command is told where it was pasted", async () => {
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
    wrong.length = 0; // The refusal stands in the console too.
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

  test("with --demo the home screen has the demo to run beside the other workflows", async () => {
    const server = await serve({ "hello.flow.yaml": HELLO }, ["--demo"]);
    onTestFinished(() => server.close());
    const { page } = await web.open({ server, signedOut: true });
    await page.goto(server.printed);
    await page.getByRole("link", { name: "Hello" }).waitFor();
    await accessible(page, "home with the demo");
    await page.getByRole("region", { name: "The demo" }).getByRole("button", { name: "Run the demo" }).click();
    await page.waitForURL(/\/runs\/\w+$/);
  });
}

// Secrets, doctor and settings in a real browser: values go in and never come out, each problem says what helps, and no
// state is blank.

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { accessible, fits, inBrowser } from "./browser.ts";
import { focused } from "./waits.ts";

const uses = (name: string) =>
  `curlew: 1\nname: u\nsecrets: [${name}]\nnodes:\n  - { id: a, type: text, data: { title: A, content: "\${${name}}" } }\n`;
const VALUE = "k3y-that-nobody-may-see-again";

if (has("chromium")) {
  const web = inBrowser({ "fetch.flow.yaml": uses("API_KEY"), "sub/more.flow.yaml": uses("API_KEY") });

  test("a missing secret is set by keyboard, tested, replaced and removed, and its value is nowhere on the page or in an answer", async () => {
    const { page, go, server, provoked } = await web.open();
    const bodies: string[] = [];
    page.on("response", async (answer) => void bodies.push(await answer.text().catch(() => "")));
    await go("/secrets");
    const row = page.getByRole("listitem").filter({ hasText: "API_KEY" }).first();
    await page.getByRole("heading", { name: "Not found" }).waitFor();
    await row.getByText("fetch.flow.yaml").waitFor();
    await accessible(page, "secrets");
    await page.getByRole("button", { name: "Test API_KEY" }).click();
    await page.getByText("API_KEY is not set anywhere.").waitFor();
    await page.getByRole("button", { name: "Set API_KEY" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Set API_KEY" }).waitFor();
    await accessible(page, "the dialog of a secret");
    await focused(page.getByLabel("Value"));
    await page.keyboard.type(VALUE);
    expect(
      await page
        .getByLabel("Value")
        .evaluate((area) => getComputedStyle(area).getPropertyValue("-webkit-text-security")),
    ).toBe("disc");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "In use" }).waitFor();
    await row.getByText("local store").waitFor();
    await page.getByRole("button", { name: "Test API_KEY" }).click();
    await page.getByText("Found in: local store.").waitFor();
    await page.getByRole("button", { name: "Replace API_KEY" }).click();
    await page.getByLabel("Value").fill("short");
    await page.getByRole("button", { name: "Replace", exact: true }).click();
    await page.getByText("secret-too-short").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Remove API_KEY" }).click();
    await page.getByText("2 workflows will not start without it").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByRole("heading", { name: "Not found" }).waitFor();
    expect(await page.content()).not.toContain(VALUE);
    expect(bodies.join("\n")).not.toContain(VALUE);
    expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain(
      VALUE,
    );
    expect(await (await server.api("GET", "/secrets")).text()).not.toContain(VALUE);
    // The console also reports a rejected value.
    provoked(422);
  });

  test("a new secret is added with A, an invalid name is reported while you type it, and a file that starts to use it shows at once", async () => {
    const { page, go, server } = await web.open();
    await go("/secrets");
    await page.getByText("API_KEY").first().waitFor();
    await page.keyboard.press("a");
    const dialog = page.getByRole("dialog", { name: "Add a secret" });
    await dialog.getByLabel("Name").fill("9 lives");
    await dialog.getByText("A name must not start with a digit.").waitFor();
    await dialog.getByLabel("Name").fill("FRESH");
    await dialog.getByLabel("Value").fill(VALUE);
    await dialog.getByRole("button", { name: "Save" }).click();
    const row = page.getByRole("listitem").filter({ hasText: "FRESH" }).first();
    await row.getByText("not used by a workflow").waitFor();
    server.write("new.flow.yaml", uses("FRESH"));
    await row.getByText("new.flow.yaml").waitFor();
    await fits(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await fits(page);
  });

  test("a pasted .env file says how many secrets it has, and is saved with Enter or Ctrl+Enter from any field", async () => {
    const { page, go, server } = await web.open();
    const paste = (text: string) =>
      page.evaluate((pasted) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData("text/plain", pasted);
        document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
      }, text);
    const stored = async () => await (await server.api("GET", "/secrets")).text();
    await go("/secrets");
    await page.getByText("API_KEY").first().waitFor();
    await paste(`SHOP_KEY=${VALUE}\nSHOP_TOKEN=${VALUE}-2\n`);
    const two = page.getByRole("dialog", { name: "Add 2 secrets" });
    await focused(two.getByLabel("Value"));
    expect(await two.getByLabel("Name").count(), "names are in the file").toBe(0);
    await accessible(page, "a pasted .env file");
    await page.keyboard.press("Control+Enter");
    await two.waitFor({ state: "detached" });
    expect(await stored()).toContain("SHOP_TOKEN");
    await page.keyboard.press("a");
    await page.getByRole("dialog", { name: "Add a secret" }).getByLabel("Name").fill("TYPED_KEY");
    await page.getByLabel("Value").fill(VALUE);
    await page.getByLabel("Show it while I type").focus();
    await page.keyboard.press("Control+Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await stored()).toContain("TYPED_KEY");
  });

  test("doctor shows the problem with a hint, and checks again", async () => {
    const { page, go, server, wrong } = await web.open();
    await go("/doctor");
    await page.getByRole("heading", { name: "In order" }).waitFor();
    await accessible(page, "doctor");
    expect(await server.api("PUT", "/settings", { retention: { runs: 5 } })).toMatchObject({ status: 200 });
    const file = join(server.home, "config.yaml");
    writeFileSync(file, `${readFileSync(file, "utf8")}histroy: {}\n`);
    await page.getByRole("button", { name: "Check again" }).click();
    await page.getByText("1 thing is wrong.").first().waitFor();
    await page.getByRole("listitem").filter({ hasText: "config-invalid" }).getByText("histroy").waitFor();
    await go("/settings");
    await page.getByRole("alert").getByText("config-invalid").waitFor();
    rmSync(file);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { name: "Model providers" }).waitFor();
    await go("/doctor");
    // The console reports the rejection.
    wrong.length = 0;
    await page.setViewportSize({ width: 390, height: 844 });
    await fits(page);
  });

  test("settings keep the theme, how long runs are kept, and a provider whose key is a secret", async () => {
    const { page, go, server } = await web.open();
    await go("/settings");
    await page.getByRole("heading", { name: "Model providers" }).waitFor();
    await accessible(page, "settings");
    await page.getByText("Dark", { exact: true }).click();
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe("dark");
    await page.getByText("As the system").click();
    await page.getByLabel("Days to keep").fill("0");
    await page.getByText("Enter an integer from 1 to 3650").waitFor();
    expect(await page.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
    await page.getByLabel("Days to keep").fill("30");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved").first().waitFor();
    await page.getByRole("button", { name: "Add" }).click();
    const dialog = page.getByRole("dialog", { name: "Add a model provider" });
    await dialog.getByLabel("Name").fill("local");
    await dialog.getByLabel("Base URL").fill("http://127.0.0.1:9/v1");
    await dialog.getByLabel("Secret that holds its key").fill("LOCAL_KEY");
    await accessible(page, "the dialog of a provider");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Set key of local" }).click();
    await page.getByRole("dialog", { name: "Set LOCAL_KEY" }).getByLabel("Value").fill(VALUE);
    await page.getByRole("button", { name: "Save" }).last().click();
    await page.getByRole("listitem").filter({ hasText: "LOCAL_KEY" }).getByText("key is set").waitFor();
    const settings = await (await server.api("GET", "/settings")).json();
    expect(settings.retention.days).toBe(30);
    expect(settings.providers[0]).toEqual({
      name: "local",
      type: "openai-compatible",
      baseURL: "http://127.0.0.1:9/v1",
      secret: "LOCAL_KEY",
      key: "set",
      from: "config",
    });
    await page.getByRole("button", { name: "Test local" }).click();
    await page.getByText(/Curlew could not reach/).waitFor();
    await page.getByRole("button", { name: "Remove local" }).click();
    await page.getByRole("button", { name: "Remove local" }).waitFor({ state: "detached" });
    await page.setViewportSize({ width: 390, height: 844 });
    await fits(page);
  });
}

// A part of the web that is not loaded yet when the server goes away: it comes when the server is back, and nothing breaks meanwhile.

import { test } from "vitest";
import { has } from "../setup/machine.ts";
import { inBrowser } from "./browser.ts";
import { HELLO } from "./flows.ts";

if (has("chromium")) {
  const web = inBrowser({ "hello.flow.yaml": HELLO });

  test("who looks for what is wrong when the server is gone comes to Doctor, and back", async () => {
    const { page, server, wrong } = await web.open({ refusals: true });
    await page.getByRole("link", { name: "Hello" }).waitFor();
    await server.kill();
    await page.getByRole("navigation", { name: "Places" }).getByRole("link", { name: "Doctor" }).click();
    await page.waitForURL("**/doctor");
    await page.getByRole("alert").getByText("The server does not answer.").first().waitFor();
    await page.getByRole("link", { name: "Hello" }).waitFor({ state: "detached" });
    await page.getByRole("navigation", { name: "Places" }).getByRole("link", { name: "Workflows" }).click();
    await page.getByRole("link", { name: "Hello" }).waitFor();
    await server.startAgain();
    await page.getByRole("dialog", { name: "Sign in to go on" }).waitFor({ timeout: 30_000 });
    wrong.splice(0);
  });

  test("what is opened while the server is away is there when it is back", async () => {
    // The new server refuses the old one's session.
    const { page, server, wrong } = await web.open({ refusals: true });
    await page.getByRole("link", { name: "Hello" }).waitFor();
    await server.kill();
    await page.keyboard.press("?");
    await page.getByRole("alert").getByText("The server does not answer.").first().waitFor();
    await page.getByRole("link", { name: "Hello" }).waitFor();
    await server.startAgain();
    // The new server wants to be signed in to, and asks for that in front of it.
    await page.getByRole("dialog", { name: "Keys", includeHidden: true }).waitFor({ timeout: 30_000 });
    // That nobody answered is what was wanted.
    wrong.splice(0);
  });
}

// Signing in with the printed or a pasted link, and what a page says while it is signed out. Never a blank page.

import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { accessible, fits, inBrowser } from "./browser.ts";
import { GATE } from "./run-flows.ts";
import { focused } from "./waits.ts";

if (has("chromium")) {
  const web = inBrowser();

  test("without a session the page says what to do, at any width", async () => {
    const { page, server } = await web.open({ signedOut: true });
    await page.goto(server.url);
    await page.getByRole("heading", { name: "Sign in to Curlew" }).waitFor();
    await page.getByText("curlew serve", { exact: true }).waitFor();
    await accessible(page, "signed out");
    await page.setViewportSize({ width: 390, height: 844 });
    await fits(page);
  });

  test("text that is not a link is reported, and so is a used link; a fresh link signs in and leaves no code behind", async () => {
    const { page, server, wrong } = await web.open({ signedOut: true });
    await page.goto(`${server.url}/runs`);
    const link = page.getByLabel("Or paste the link here");
    await link.fill("hello");
    await page.keyboard.press("Enter");
    await page.getByText("This is not a Curlew sign-in link").waitFor();
    const used = await server.link();
    await fetch(`${server.url}/api/v1/session`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code: used.split("code=")[1] }),
    });
    await link.fill(used);
    await page.keyboard.press("Enter");
    await page.getByText("Each link works once").waitFor();
    await link.fill(await server.link());
    await page.keyboard.press("Enter");
    await page.getByRole("navigation", { name: "Places" }).waitFor();
    expect(page.url()).toBe(`${server.url}/runs`);
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
    wrong.length = 0; // The code that was rejected.
  });

  test("another tab of the same browser is also signed in, and keeps no link", async () => {
    const { page, server, context } = await web.open();
    const other = await context.newPage();
    await other.goto(`${server.url}/runs`);
    await other.getByRole("navigation", { name: "Places" }).waitFor();
    expect(other.url()).toBe(`${server.url}/runs`);
    await page.close();
    await other.reload();
    await other.getByRole("navigation", { name: "Places" }).waitFor();
  });

  test("a session that ends while you write is reported at once; after signing in again your text is still there, with the focus", async () => {
    const { page, server, go, wrong } = await web.open();
    server.write("gate.flow.yaml", GATE);
    const { id } = (await (await server.api("POST", "/workflows/gate.flow.yaml/runs", {})).json()) as { id: string };
    await go(`/runs/${id}`);
    await page.getByRole("button", { name: "Reject…" }).click();
    const reason = page.getByLabel(/^Reason/);
    await reason.fill("because");
    const token = await page.evaluate(() => sessionStorage.getItem("curlew.token"));
    await fetch(`${server.url}/api/v1/session`, { method: "DELETE", headers: { authorization: `Bearer ${token}` } });
    const dialog = page.getByRole("dialog", { name: "Sign in to continue" });
    await dialog.getByText("Your session has ended").waitFor();
    await accessible(page, "a session that is over");
    // There is nothing to go back to yet.
    await page.keyboard.press("Escape");
    await dialog.waitFor();
    await dialog.getByLabel("Or paste the link here").fill(await server.link());
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await focused(reason);
    expect(await reason.inputValue()).toBe("because");
    await page.keyboard.type(" of it");
    await page.keyboard.press("Enter");
    await page.getByText("because of it").first().waitFor();
    await page.getByRole("button", { name: "Reject…" }).waitFor({ state: "detached" });
    wrong.length = 0; // The calls without a session.
  });
}

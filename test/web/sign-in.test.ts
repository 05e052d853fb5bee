// Signing in: by the printed link, by a pasted one, and what a page says that nobody is signed in on. Never a blank page.

import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { accessible, fits, inBrowser } from "./browser.ts";

if (has("chromium")) {
  const web = inBrowser();

  test("without a session the page says what to do, to everybody, on any width", async () => {
    const { page, server } = await web.open({ signedOut: true });
    await page.goto(server.url);
    await page.getByRole("heading", { name: "Sign in to Curlew" }).waitFor();
    await page.getByText("curlew serve", { exact: true }).waitFor();
    await accessible(page, "signed out");
    await page.setViewportSize({ width: 390, height: 844 });
    await fits(page);
  });

  test("what is no link is told; a link that was used is told; a fresh one signs in and leaves no code behind", async () => {
    const { page, server, wrong } = await web.open({ signedOut: true });
    await page.goto(`${server.url}/runs`);
    const link = page.getByLabel("Or paste the link here");
    await link.fill("hello");
    await page.keyboard.press("Enter");
    await page.getByText("That is no link of Curlew").waitFor();
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
    wrong.length = 0; // The code that was refused.
  });

  test("another tab of the same browser is signed in too, and keeps no link", async () => {
    const { page, server, context } = await web.open();
    const other = await context.newPage();
    await other.goto(`${server.url}/runs`);
    await other.getByRole("navigation", { name: "Places" }).waitFor();
    expect(other.url()).toBe(`${server.url}/runs`);
    await page.close();
    await other.reload();
    await other.getByRole("navigation", { name: "Places" }).waitFor();
  });

  test("another browser is not", async () => {
    await web.open();
    const { page, server } = await web.open({ signedOut: true });
    await page.goto(server.url);
    await page.getByRole("heading", { name: "Sign in to Curlew" }).waitFor();
  });
}

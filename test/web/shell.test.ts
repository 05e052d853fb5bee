// The frame around every screen: palette, keys, help, theme, and reconnecting after the server was killed.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { limits } from "../../src/base/limits.ts";
import { has } from "../setup/machine.ts";
import { accessible, inBrowser } from "./browser.ts";
import { ASKS, FAILS, HELLO } from "./flows.ts";
import { serve } from "./server.ts";
import { chosen } from "./waits.ts";

/** The first page stays small (ui 6.8), counted in compressed bytes. */
const boundBytes = 300_000;
const dist = join(import.meta.dirname, "../../dist/web");

if (has("chromium")) {
  const web = inBrowser({
    ...{ "hello.flow.yaml": HELLO, "fails.flow.yaml": FAILS },
    "tour.flow.yaml": HELLO.replace("name: Hello", "name: Tour"),
  });

  test("the palette finds workflows, runs and actions, by typing alone", async () => {
    const { page, server, go } = await web.open();
    const { id } = (await (await server.api("POST", "/workflows/hello.flow.yaml/runs?wait=10")).json()) as {
      id: string;
    };
    await page.keyboard.press("Control+k");
    const palette = page.getByRole("dialog", { name: "Command palette" });
    await palette.getByRole("option", { name: /Hello hello\.flow\.yaml/ }).waitFor();
    await accessible(page, "palette");
    await palette.getByRole("combobox").fill(id.slice(0, 8));
    await chosen(palette.getByRole("option").filter({ hasText: id.slice(0, 8) }));
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/runs/${id}`);
    await page.getByRole("tab", { name: /Output/ }).waitFor();
    await page.keyboard.press("Control+k");
    await palette.getByRole("combobox").fill("greet");
    await chosen(palette.getByRole("option", { name: "Greet" }));
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/runs/${id}?node=greet`);
    await go("/");
    await page.keyboard.press("Control+k");
    // Names that start with the text come before names that only contain its letters.
    await palette.getByRole("combobox").fill("tour");
    await chosen(palette.getByRole("option", { name: /^Tour/ }));
    await palette.getByRole("combobox").fill("run tour");
    await chosen(palette.getByRole("option", { name: /^Run Tour/ }));
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => /^\/runs\/\w+$/.test(url.pathname) && !url.pathname.includes(id));
    await page.getByRole("button", { name: "Run again" }).waitFor();
    await page.keyboard.press("Control+k");
    // The workflow that is open.
    await palette.getByRole("combobox").fill("run");
    await palette.getByRole("option", { name: "Run this workflow again" }).waitFor();
    await palette.getByRole("combobox").fill("of long ago");
    await palette.getByRole("button", { name: "Search all runs for “of long ago”" }).click();
    await page.waitForURL(/\/runs\?text=of/);
    await page.keyboard.press("Control+k");
    await palette.getByRole("combobox").fill("hello.flow");
    await chosen(palette.getByRole("option", { name: /Hello hello\.flow\.yaml/ }));
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/w\/hello\.flow\.yaml/);
    await page.keyboard.press("Control+k");
    await palette.getByRole("combobox").fill("dark light");
    await chosen(palette.getByRole("option", { name: /theme/i }));
    await page.keyboard.press("Enter");
    await page.locator('html[data-theme="light"]').waitFor();
  });

  test("if you want, you are notified of a run that fails while you look elsewhere, and a press leads to it", async () => {
    const { page, server, go } = await web.open();
    await go("/settings");
    // A browser without a desktop only lets the page see that it may notify.
    await page.evaluate(() => {
      const told: object[] = [];
      const Told = class {
        static permission = "granted";
        static requestPermission = async () => "granted";
        constructor(title: string, { body }: { body: string }) {
          told.push(Object.assign(this, { title, body }));
        }
        close() {}
      };
      Object.assign(globalThis, { Notification: Told, told });
    });
    const told = () => page.evaluate("told.map(({ title, body }) => title + ': ' + body)");
    const fail = async () =>
      ((await (await server.api("POST", "/workflows/fails.flow.yaml/runs?wait=20")).json()) as { id: string }).id;
    await page.getByLabel(/^Notify me when a run fails/).check();
    // The run in view causes no notification.
    await go(`/runs/${await fail()}`);
    await page.getByRole("article", { name: "Broken failed" }).waitFor();
    await page.evaluate(() => Object.defineProperty(document, "hidden", { value: true }));
    const id = await fail();
    await expect.poll(told).toEqual([expect.stringMatching(/^Fails failed: /)]);
    await page.evaluate("told[0].onclick()");
    await page.waitForURL(`**/runs/${id}`);
  });

  test("G then H, R or I changes the screen, but not while you type; ? lists the keys", async () => {
    const { page, go } = await web.open();
    await go("/settings");
    await page.keyboard.press("g");
    await page.keyboard.press("r");
    await page.waitForURL(/\/runs$/);
    const search = page.getByLabel("Text in name, file or id");
    await search.waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("gh?");
    await expect.poll(() => page.url()).toMatch(/text=gh/);
    await search.blur();
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Keys" });
    await help
      .getByRole("region", { name: "Runs" })
      .getByText("Compare the two selected runs", { exact: true })
      .waitFor({ state: "attached" });
    await accessible(page, "help");
    await page.keyboard.press("Escape");
    await page.keyboard.press("g");
    await page.keyboard.press("i");
    await page.waitForURL(/\/inbox$/);
    await page.keyboard.press("g");
    await page.keyboard.press("h");
    await page.waitForURL((url) => url.pathname === "/");
  });

  test("an action gets other keys, which survive a reload, and gets its own back", async () => {
    const { page } = await web.open();
    const give = async (keys: string) => {
      await page.keyboard.press("?");
      await page.getByRole("button", { name: /^Go to runs/ }).click();
      await page.getByText("Press keys…").waitFor();
      if (keys === "") await page.getByRole("button", { name: "Reset" }).click();
      else await page.keyboard.press(keys);
      await page.getByText("Press keys…").waitFor({ state: "detached" });
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    };
    await give("Alt+r");
    await page.reload();
    await page.getByRole("link", { name: "Hello" }).waitFor();
    // Every place that names the keys of an action names these.
    await page.getByRole("link", { name: "Runs", exact: true }).focus();
    await page.getByRole("tooltip").getByText("AltR").or(page.getByText("AltR")).first().waitFor();
    await page.keyboard.press("Alt+r");
    await page.waitForURL(/\/runs$/);
    await page.keyboard.press("g");
    await page.keyboard.press("h");
    await page.getByRole("link", { name: "Hello" }).waitFor();
    await give("");
    await page.keyboard.press("g");
    await page.keyboard.press("r");
    await page.waitForURL(/\/runs$/);
  });

  test("the theme follows the system until you choose one, and the choice survives a reload", async () => {
    const { page, go } = await web.open({ theme: "dark" });
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(await background()).toBe("rgb(15, 18, 22)");
    await go("/settings");
    await page.getByRole("button", { name: "Light" }).click();
    expect(await background()).toBe("rgb(247, 248, 250)");
    await page.reload();
    await page.getByRole("button", { name: "Light", pressed: true }).waitFor();
    expect(await background()).toBe("rgb(247, 248, 250)");
  });

  test("a server that hangs is reported like one that is gone, and when it continues the page shows all it did before", async () => {
    const server = await serve({ "hello.flow.yaml": HELLO });
    const { pid } = JSON.parse(readFileSync(join(server.home, "server.json"), "utf8")) as { pid: number };
    onTestFinished(async () => {
      process.kill(pid, "SIGCONT");
      await server.close();
    });
    const { page, go } = await web.open({ server });
    await page.clock.install();
    await page.reload();
    await page.getByText(/live/).first().waitFor();
    await go("/runs");
    await page.getByRole("heading", { name: "No runs yet" }).waitFor();
    process.kill(pid, "SIGSTOP");
    await page.clock.fastForward(limits.streamHeartbeatMs * 3);
    await page.getByRole("alert").getByText("The server is not responding").waitFor();
    await page.getByRole("heading", { name: "No runs yet" }).waitFor();
    process.kill(pid, "SIGCONT");
    await page.getByText("Connected again, caught up 0 events").first().waitFor();
    await server.api("POST", "/workflows/hello.flow.yaml/runs?wait=10");
    await page.getByRole("row").filter({ hasText: "hello.flow.yaml" }).getByText("succeeded").first().waitFor();
  });

  test("when a killed server is replaced, the page reports the loss and asks to sign in again over what was open", async () => {
    const server = await serve({ "hello.flow.yaml": HELLO, "asks.flow.yaml": ASKS });
    onTestFinished(() => server.close());
    const { page, go, wrong } = await web.open({ server });
    await page.getByText(/live/).first().waitFor();
    await go("/runs");
    await page.getByRole("heading", { name: "No runs yet" }).waitFor();
    await server.kill();
    await page.getByRole("alert").getByText("The server is not responding").waitFor();
    await server.startAgain();
    // Events in between are in the journal, so none is missed.
    await server.api("POST", "/workflows/asks.flow.yaml/runs?wait=10");
    const dialog = page.getByRole("dialog", { name: "Sign in to continue" });
    await dialog.getByText("Your session has ended").waitFor();
    await page.getByRole("alert").waitFor({ state: "detached" });
    await page.locator("footer").getByText("signed out").waitFor();
    await accessible(page, "signed out again");
    await dialog.getByLabel("Or paste the link here").fill(server.printed);
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await page
      .getByText(/Connected again, caught up \d+ events/)
      .first()
      .waitFor();
    await page.getByRole("row").filter({ hasText: "asks.flow.yaml" }).getByText("waiting for you").first().waitFor();
    wrong.length = 0; // Refused connections, and the old token's 401.
  });

  test("the home screen loads at most 300 KB of JavaScript, in few files, and the editor in few more", async () => {
    const { page, server } = await web.open({ signedOut: true });
    const loaded = new Set<string>();
    page.on("response", (response) => {
      const { pathname } = new URL(response.url());
      if (pathname.endsWith(".js")) loaded.add(pathname);
    });
    await page.goto(await server.link());
    await page.getByRole("link", { name: "Hello" }).waitFor();
    const sizes = [...loaded].map((path) => ({ path, bytes: gzipSync(readFileSync(join(dist, path))).length }));
    const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
    console.log(`initial JavaScript: ${Math.round(total / 1000)} KB compressed, ${sizes.length} files`);
    expect(sizes.length).toBeGreaterThan(1);
    expect(sizes.length).toBeLessThanOrEqual(8);
    expect(total, JSON.stringify(sizes, undefined, 1)).toBeLessThanOrEqual(boundBytes);
    expect([...loaded].filter((path) => /(?:editor|language|run)-[^/]*$/.test(path))).toEqual([]);
    await page.getByRole("link", { name: "Hello" }).click();
    await page.getByRole("textbox", { name: "Name", exact: true }).waitFor();
    await page.locator(".react-flow__node").first().waitFor();
    const names = [...loaded].map((path) => /^\/assets\/(.*)-[\w-]{8}\.js$/.exec(path)?.[1] ?? "theme");
    const ofPage = [...new Set(names)].filter((name) => name !== "validate.worker");
    expect(ofPage.length, ofPage.join(" ")).toBeLessThanOrEqual(8);
    expect(ofPage.filter((name) => /examples|parser/.test(name))).toEqual([]);
  });
}

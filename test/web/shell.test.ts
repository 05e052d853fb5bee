// The frame around every place: palette, keys, help, theme, reconnecting after the server was killed.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { has } from "../setup/machine.ts";
import { accessible, fits, inBrowser } from "./browser.ts";
import { ASKS, FAILS, HELLO } from "./flows.ts";
import { serve } from "./server.ts";
import { chosen } from "./waits.ts";

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
    // What is called so stands before what has its letters somewhere.
    await palette.getByRole("combobox").fill("tour");
    await chosen(palette.getByRole("option", { name: /^Tour/ }));
    await palette.getByRole("combobox").fill("run tour");
    await chosen(palette.getByRole("option", { name: /^Run Tour/ }));
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => /^\/runs\/\w+$/.test(url.pathname) && !url.pathname.includes(id));
    await page.getByRole("button", { name: "Run again" }).waitFor();
    await page.keyboard.press("Control+k");
    // The one at hand.
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
    await page.getByRole("button", { name: "Theme: light. Change" }).waitFor();
  });

  test("who wants it is told of a run that fails while they look elsewhere, and a press leads to it", async () => {
    const { page, server, go } = await web.open();
    await go("/settings");
    // Of a browser without a desktop the page sees only that it may.
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
    // What is looked at is not told.
    await go(`/runs/${await fail()}`);
    await page.getByRole("article", { name: "Broken failed" }).waitFor();
    await page.evaluate(() => Object.defineProperty(document, "hidden", { value: true }));
    const id = await fail();
    await expect.poll(told).toEqual([expect.stringMatching(/^Fails failed: /)]);
    await page.evaluate("told[0].onclick()");
    await page.waitForURL(`**/runs/${id}`);
  });

  test("G then H, R or I goes to places, but not while something is typed; ? tells the keys", async () => {
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

  test("an action gets other keys, which hold after a reload, and its own ones back", async () => {
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
    // Whatever names the keys of an action names those.
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

  test("the theme is the system's until a person chooses, and the choice holds after a reload", async () => {
    const { page } = await web.open({ theme: "dark" });
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(await background()).toBe("rgb(15, 18, 22)");
    await page.getByRole("button", { name: "Theme: system. Change" }).click();
    expect(await background()).toBe("rgb(247, 248, 250)");
    await page.reload();
    await page.getByRole("button", { name: "Theme: light. Change" }).waitFor();
    expect(await background()).toBe("rgb(247, 248, 250)");
  });

  test("every place is there at any width, and an address that leads nowhere says so", async () => {
    const { page, go } = await web.open({ size: { width: 390, height: 844 } });
    const places = page.getByRole("navigation", { name: "Places" }).getByRole("link");
    for (const place of await places.all()) {
      await place.click();
      await expect.poll(() => place.getAttribute("aria-current")).toBe("page");
      await page.getByRole("heading", { level: 1 }).waitFor();
      await fits(page);
    }
    await go("/nowhere");
    await page.getByRole("heading", { name: "Nothing is here" }).waitFor();
  });

  test("a server that hangs is missed like one that is gone, and what it did before is all there when it goes on", async () => {
    const server = await serve({ "hello.flow.yaml": HELLO });
    const { pid } = JSON.parse(readFileSync(join(server.home, "server.json"), "utf8")) as { pid: number };
    onTestFinished(async () => {
      process.kill(pid, "SIGCONT");
      await server.close();
    });
    const { page, go } = await web.open({ server });
    await page.getByText(/live/).first().waitFor();
    await go("/runs");
    await page.getByRole("heading", { name: "No runs yet" }).waitFor();
    process.kill(pid, "SIGSTOP");
    await page.getByRole("alert").getByText("The server is not responding").waitFor();
    await page.getByRole("heading", { name: "No runs yet" }).waitFor();
    process.kill(pid, "SIGCONT");
    await page.getByText("Connected again, caught up 0 events").first().waitFor();
    await server.api("POST", "/workflows/hello.flow.yaml/runs?wait=10");
    await page.getByRole("row").filter({ hasText: "hello.flow.yaml" }).getByText("succeeded").first().waitFor();
  });

  test("a server that was killed is missed, and its successor asks to sign in again over what was open", async () => {
    const server = await serve({ "hello.flow.yaml": HELLO, "asks.flow.yaml": ASKS });
    onTestFinished(() => server.close());
    const { page, go, wrong } = await web.open({ server });
    await page.getByText(/live/).first().waitFor();
    await go("/runs");
    await page.getByRole("heading", { name: "No runs yet" }).waitFor();
    await server.kill();
    await page.getByRole("alert").getByText("The server is not responding").waitFor();
    await server.startAgain();
    // What happens meanwhile is in the journal: nothing of it is missed.
    await server.api("POST", "/workflows/asks.flow.yaml/runs?wait=10");
    const dialog = page.getByRole("dialog", { name: "Sign in to continue" });
    await dialog.getByText("Your session has ended").waitFor();
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
}

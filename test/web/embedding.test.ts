// A page of somebody else that embeds Curlew, opens it, or is opened beside it, in the browser in which somebody is signed in (spec 4.3 S7, S8): it
// sees nothing of the window, reaches into nothing, and what it posts changes nothing.

import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { has } from "../setup/machine.ts";
import { attack, EVIL_ARGS } from "./attacker.ts";
import { inBrowser, type View } from "./browser.ts";
import { HELLO } from "./flows.ts";

const PLACES = ["/", "/runs", "/inbox", "/secrets", "/w/hello.flow.yaml", "/theme.js", "/api/v1/runs"];

if (has("chromium")) {
  const web = inBrowser({ "hello.flow.yaml": HELLO }, [], EVIL_ARGS);

  test("in a frame of a foreign page nothing of it is drawn, at any address", async () => {
    const { page, server } = await foreign(await web.open());
    for (const path of PLACES)
      for (const element of ["iframe", "embed", "object"] as const) {
        const inside = await page.evaluate(embedded, { element, url: server.url + path });
        expect(inside, `${element} of ${path}`).not.toContain("readable");
        // An error page of the browser, or nothing: never a document of ours.
        const frames = page
          .frames()
          .filter((frame) => frame !== page.mainFrame() && frame.url().startsWith(server.url));
        for (const frame of frames) expect(await frame.locator("#root, pre").count(), path).toBe(0);
      }
  });

  test("opened by a foreign page it is refused; whoever goes there in that window has no opener, and is not reached", async () => {
    const view = await web.open();
    const { page, server } = await foreign(view);
    const opened = view.context.waitForEvent("page");
    await page.evaluate((url) => {
      const mine = globalThis as unknown as { other: Window | null };
      mine.other = window.open(url);
    }, `${server.url}/`);
    const other = await opened;
    await other.getByText("Another site's page may not call this server.").waitFor();
    // Somebody goes on to Curlew in that very window, whose handle the foreign page still holds.
    await other.goto(server.url);
    await other.getByRole("navigation", { name: "Places" }).waitFor();
    expect(await other.evaluate(() => window.opener === null)).toBe(true);
    const seen = await page.evaluate(() => {
      const { other } = globalThis as unknown as { other: Window | null };
      const tried = (what: () => unknown) => {
        try {
          return String(what());
        } catch (reason) {
          return (reason as Error).name;
        }
      };
      return {
        closed: tried(() => other?.closed),
        location: tried(() => other?.location.href),
        storage: tried(() => (other as unknown as { sessionStorage: Storage }).sessionStorage.length),
        frames: tried(() => other?.length),
      };
    });
    expect(seen.location).not.toContain(server.url);
    expect(seen.storage).not.toMatch(/^\d+$/);
  });

  test("what a foreign page posts, or sends to a channel of the same name, changes nothing", async () => {
    const view = await web.open();
    const { page, server } = await foreign(view);
    await view.go("/runs");
    const token = await view.page.evaluate(() => sessionStorage.getItem("curlew.token"));
    const told = await page.evaluate(async (url) => {
      const heard: unknown[] = [];
      const channel = new BroadcastChannel("curlew.session");
      channel.onmessage = ({ data }) => heard.push(data);
      addEventListener("message", ({ data }) => heard.push(data));
      channel.postMessage({ asks: true });
      channel.postMessage({ token: "token-of-the-attacker" });
      const other = window.open(`${url}/`);
      for (const message of [{ asks: true }, { token: "token-of-the-attacker" }, "curlew.session"])
        other?.postMessage(message, "*");
      // Whoever would answer has answered when a word of our own has gone round.
      await new Promise<void>((done) => {
        const second = new BroadcastChannel("round");
        new BroadcastChannel("round").onmessage = () => done();
        second.postMessage(1);
      });
      return heard;
    }, server.url);
    expect(told).toEqual([]);
    expect(await view.page.evaluate(() => sessionStorage.getItem("curlew.token"))).toBe(token);
    await view.page.reload();
    await view.page.getByRole("navigation", { name: "Places" }).waitFor();
  });
}

async function foreign(view: View): Promise<{ page: Page; server: View["server"] }> {
  const attacker = await attack(view.server.url);
  onTestFinished(() => attacker.close());
  const page = await view.context.newPage();
  await page.goto(attacker.url);
  await page.getByText("Free prizes").waitFor();
  return { page, server: view.server };
}

/** In the foreign page: what can be had of it. */
async function embedded({ element, url }: { element: "iframe" | "embed" | "object"; url: string }): Promise<string> {
  const made = document.createElement(element);
  made.setAttribute(element === "object" ? "data" : "src", url);
  const settled = new Promise<void>((done) => {
    made.addEventListener("load", () => done());
    made.addEventListener("error", () => done());
  });
  document.body.append(made);
  await settled;
  try {
    const { contentDocument } = made as HTMLIFrameElement;
    return contentDocument === null || contentDocument === undefined
      ? "closed"
      : `readable ${contentDocument.body.textContent}`.trim() === "readable"
        ? "empty"
        : "readable";
  } catch {
    return "refused";
  } finally {
    made.remove();
  }
}

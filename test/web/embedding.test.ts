// A foreign page embeds Curlew, opens it, or is opened beside it, in a browser that is signed in (spec 4.3 S7, S8). It
// sees nothing of the window, reaches into nothing, and its messages change nothing.

import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { has } from "../setup/machine.ts";
import { attack, EVIL_ARGS } from "./attacker.ts";
import { inBrowser, type View } from "./browser.ts";
import { HELLO } from "./flows.ts";

const PLACES = ["/", "/runs", "/inbox", "/secrets", "/w/hello.flow.yaml", "/theme.js", "/api/v1/runs"];

if (has("chromium")) {
  const web = inBrowser({ "hello.flow.yaml": HELLO }, [], EVIL_ARGS);

  test("nothing is drawn in a frame of a foreign page, at any URL", async () => {
    const { page, server } = await foreign(await web.open());
    for (const path of PLACES)
      for (const element of ["iframe", "embed", "object"] as const) {
        const inside = await page.evaluate(embedded, { element, url: server.url + path });
        expect(inside, `${element} of ${path}`).not.toContain("readable");
        // An error page of the browser, or nothing: never a document of Curlew.
        const frames = page
          .frames()
          .filter((frame) => frame !== page.mainFrame() && frame.url().startsWith(server.url));
        for (const frame of frames) expect(await frame.locator("#root, pre").count(), path).toBe(0);
      }
  });

  test("a window that a foreign page opens shows nothing; a user who goes to Curlew there has no opener and stays out of reach", async () => {
    const view = await web.open();
    const { page, server } = await foreign(view);
    const opened = view.context.waitForEvent("page");
    await page.evaluate((url) => {
      const mine = globalThis as unknown as { other: Window | null };
      mine.other = window.open(url);
    }, `${server.url}/`);
    const other = await opened;
    await other.getByText("Another site's page may not call this server.").waitFor();
    // The user goes to Curlew in that same window, to which the foreign page still has a handle.
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

  test("messages that a foreign page posts, or sends to a channel of the same name, change nothing", async () => {
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
      // A handler that answers has answered by the time our own message has gone round.
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

/** In the foreign page: everything it can get from the window. */
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

// What a page on another port of this machine can do to a server, in a real browser (spec 4.3, 4.4): nothing, and it learns nothing.

import { expect, test } from "vitest";
import type { Page, RunItem } from "../../src/api/shapes.ts";
import { inARow } from "../cli/curlew.ts";
import { has } from "../setup/machine.ts";
import { foreignSite } from "./foreign-site.ts";
import { served } from "./served.ts";

/** What the attacker's page tries; each answers with what it got to see, if anything. Run in the page. */
const TRIES = `async (url) => {
  const seen = [];
  const path = url + "/api/v1/workflows/a.flow.yaml/runs";
  const get = async (name, address, options) => {
    try {
      const answer = await fetch(address, options);
      seen.push(name + ": " + answer.type + " " + answer.status + " " + (await answer.text()).slice(0, 80));
    } catch { seen.push(name + ": nothing"); }
  };
  const json = { "content-type": "application/json", authorization: "Bearer x" };
  for (const origin of [url, url.replace("127.0.0.1", "localhost")]) {
    await get("read", origin + "/api/v1/runs");
    await get("page", origin + "/");
    await get("json", origin + path.slice(url.length), { method: "POST", body: "{}", headers: json, credentials: "include" });
    await get("simple", origin + path.slice(url.length), { method: "POST", body: "{}", mode: "no-cors", credentials: "include" });
    await get("beacon-like", origin + "/api/v1/session", { method: "POST", body: '{"code":"x"}', mode: "no-cors", keepalive: true });
  }
  navigator.sendBeacon(path, new Blob(["{}"], { type: "text/plain" }));
  const element = (make, loaded) => new Promise((resolve) => {
    const one = make();
    one.onload = () => { seen.push(loaded + ": loaded"); resolve(); };
    one.onerror = () => { seen.push(loaded + ": nothing"); resolve(); };
    document.body.append(one);
  });
  await element(() => Object.assign(new Image(), { src: url + "/icon.svg" }), "image");
  await element(() => Object.assign(document.createElement("script"), { src: url + "/theme.js" }), "script");
  const frame = document.createElement("iframe");
  frame.name = "frame";
  document.body.append(frame);
  const form = Object.assign(document.createElement("form"), { action: path, method: "post", target: "frame", enctype: "text/plain" });
  form.append(Object.assign(document.createElement("input"), { name: '{"inputs":{},"x":"', value: '"}' }));
  document.body.append(form);
  const framed = new Promise((resolve) => { frame.onload = resolve; });
  form.submit();
  await framed;
  seen.push("frame: " + (frame.contentDocument === null ? "nothing" : frame.contentDocument.body.innerText));
  await new Promise((resolve) => {
    const socket = new WebSocket(path.replace("http", "ws"));
    socket.onopen = () => { seen.push("socket: open"); resolve(); };
    socket.onerror = () => { seen.push("socket: nothing"); resolve(); };
  });
  await new Promise((resolve) => {
    const source = new EventSource(url + "/api/v1/events", { withCredentials: true });
    source.onopen = () => { seen.push("events: open"); resolve(); };
    source.onerror = () => { seen.push("events: nothing"); source.close(); resolve(); };
  });
  return seen;
}`;

if (has("chromium")) {
  test("a page of another port starts nothing and reads nothing, whatever it tries", { timeout: 60_000 }, async () => {
    const it = await served({ "a.flow.yaml": inARow({ a: "touch ran" }) });
    const { context, address } = await foreignSite();
    const page = await context.newPage();
    // Somebody is signed in at the server, in the same browser.
    const mine = await context.newPage();
    await mine.goto(it.running.link());
    await page.goto(address);
    const seen = (await page.evaluate(`(${TRIES})(${JSON.stringify(it.url)})`)) as string[];
    expect(seen.length).toBeGreaterThanOrEqual(14);
    expect(seen.filter((one) => !/: (?:nothing|opaque 0 )$/.test(one))).toEqual([]);
    const runs = (await (await it.api("GET", "/runs")).json()) as Page<RunItem>;
    expect(runs.items).toEqual([]);
    expect(await mine.evaluate("document.cookie")).toBe("");
    expect(await context.cookies()).toEqual([]);
  });
}

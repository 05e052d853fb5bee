// A page in a real browser can't start anything at a hook without verification, unless the document names its site
// (spec 4.3; ADR 49).

import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { foreignSite } from "./foreign-site.ts";
import { armed, deliveries, flow, send, signed, started, withSecret } from "./hooking.ts";
import { served } from "./served.ts";
import { until } from "./until.ts";

/** Every way in which a page sends without asking first. Runs in the page. */
const TRIES = `async (url) => {
  const quietly = (send) => send().then(() => {}, () => {});
  await quietly(() => fetch(url, { method: "POST", body: '{"from":"text"}', mode: "no-cors" }));
  await quietly(() => fetch(url, { method: "POST", body: new URLSearchParams({ from: "form" }), mode: "no-cors", keepalive: true }));
  await quietly(() => fetch(url, { method: "POST", body: '{"from":"json"}', headers: { "content-type": "application/json" } }));
  navigator.sendBeacon(url, new Blob(['{"from":"beacon"}'], { type: "text/plain" }));
  const frame = Object.assign(document.createElement("iframe"), { name: "frame" });
  const form = Object.assign(document.createElement("form"), { action: url, method: "post", target: "frame" });
  form.append(Object.assign(document.createElement("input"), { name: "from", value: "frame" }));
  document.body.append(frame, form);
  const framed = new Promise((resolve) => { frame.onload = resolve; });
  form.submit();
  await framed;
}`;

const without = (...origins: string[]) =>
  flow(`{ path: open, verify: none, origins: ${JSON.stringify(origins)} }`, "x-b: 1");

if (has("chromium")) {
  test("an open page starts nothing at a hook without verification, however it sends; a named site does", async () => {
    const { context, address } = await foreignSite();
    const site = address.slice(0, -1);
    const server = await served({ "hook.flow.yaml": without("https://shop.example.com") }, withSecret);
    await armed(server);
    const page = await context.newPage();
    await page.goto(address);
    const hook = `${server.running.hooksUrl}/h/open`;
    await page.evaluate(`(${TRIES})(${JSON.stringify(hook)})`);
    await until(async () => (await deliveries(server)).length >= 4);
    const all = await deliveries(server);
    // A request that asks first (JSON) gets no answer, and does not come.
    expect(all.map(({ status, reason }) => `${status} ${reason}`)).toEqual(Array(4).fill("refused foreign-page"));
    expect(all.map(({ bytes }) => bytes).sort((a, b) => a - b)).toEqual([9, 10, 15, 17]);

    server.write("hook.flow.yaml", without("https://shop.example.com", site));
    await page.goto(address);
    await until(async () => {
      await page.evaluate(`fetch(${JSON.stringify(hook)}, { method: "POST", body: "{}", mode: "no-cors" })`);
      return (await deliveries(server)).some(({ status }) => status === "started");
    });
  }, 60_000);
}

test("programs can send as always, and a signed delivery counts from anywhere", async () => {
  const files = {
    "open.flow.yaml": without("https://shop.example.com"),
    "gh.flow.yaml": flow("{ path: gh, verify: github, secret: HOOK_SECRET }"),
  };
  const server = await served(files, withSecret);
  await armed(server, 2);
  const refused: Record<string, string>[] = [
    ...[{ origin: "null" }, { origin: "https://evil.example.com" }, { origin: "https://shop.example.com.evil.com" }],
    ...[{ "sec-fetch-site": "cross-site" }, { "sec-fetch-site": "same-origin" }, { "sec-fetch-site": "none" }],
  ];
  for (const headers of refused)
    expect((await send(server, "open", "{}", headers)).status, JSON.stringify(headers)).toBe(403);
  expect((await send(server, "open", "a=1", { "content-type": "application/x-www-form-urlencoded" })).status).toBe(200);
  expect((await send(server, "open", "{}", { origin: "https://shop.example.com" })).status).toBe(200);
  expect((await send(server, "gh", "{}", { ...signed("{}", "1"), origin: "https://evil.example.com" })).status).toBe(
    200,
  );
  await started(server, 3);
});

// Triggers: schedules in words and in the chosen zone, webhooks with their address, what came and replaying it, pausing; by the keyboard.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Page as Listed } from "../../src/api/shapes.ts";
import { signWebhook } from "../../src/secrets/webhook-signatures.ts";
import { has } from "../setup/machine.ts";
import { accessible, fits, inBrowser } from "./browser.ts";
import type { Server } from "./server.ts";

const SECRET = "a-secret-of-the-hook";
const text = (name: string, on: string, more = "") =>
  `curlew: 1\nname: ${name}\n${more}on:\n${on}\nnodes:\n  - { id: t, type: text, data: { title: t, content: done } }\n`;

const FLOWS = {
  ".env": `HOOK_SECRET=${SECRET}\n`,
  "report.flow.yaml": text(
    "Report",
    '  - schedule: { cron: "30 9 * * mon-fri", timezone: Asia/Tokyo, overlap: queue }',
  ),
  "nightly.flow.yaml": text("Nightly", '  - schedule: { cron: "0 2 * * *", timezone: UTC, catchUp: none }'),
  "hook.flow.yaml": text(
    "Hook",
    "  - webhook: { path: gh/push, verify: github, secret: HOOK_SECRET }\n  - webhook: { path: open, verify: none }",
    "secrets: [HOOK_SECRET]\n",
  ),
  "lost.flow.yaml": text(
    "Lost",
    "  - webhook: { path: shop, verify: token, secret: SHOP_TOKEN }",
    "secrets: [SHOP_TOKEN]\n",
  ),
  "inbox.flow.yaml": text("Inbox", '  - file: { paths: ["inbox/*.json"], on: [add] }'),
};

async function deliver(server: Server, body: string, id: string, secret = SECRET): Promise<number> {
  const { hooksUrl } = JSON.parse(readFileSync(join(server.home, "server.json"), "utf8"));
  const headers = signWebhook("github", { body: Buffer.from(body), secret, nowMs: Date.now(), id });
  if (!headers.ok) throw new Error(headers.error.message);
  const init = { method: "POST", body, headers: { "content-type": "application/json", ...headers.value } };
  return (await fetch(`${hooksUrl}/h/gh/push`, init)).status;
}

if (has("chromium")) {
  const web = inBrowser(FLOWS);

  test("schedules are told in words, with their next times in the zone that is chosen", async () => {
    const { page, go } = await web.open();
    await go("/triggers");
    const list = page.getByRole("list", { name: "Schedules" });
    await list.getByRole("heading", { name: "At 09:30, Monday through Friday" }).waitFor();
    await list.getByText("Waits for the previous run").waitFor();
    const tokyo = list.getByRole("list", { name: "Next times in Asia/Tokyo" }).getByRole("listitem");
    expect(await tokyo.count()).toBe(5);
    expect(await tokyo.first().textContent()).toMatch(/, 09:30 UTC\+9$/);
    await page.getByRole("combobox", { name: /^Times in/ }).selectOption({ label: "UTC (here)" });
    const utc = list.getByRole("list", { name: "Next times in UTC" });
    await expect.poll(() => utc.count()).toBe(2);
    expect(await utc.last().getByRole("listitem").first().textContent()).toMatch(/, 00:30 UTC$/);
    await accessible(page, "triggers");
    await fits(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await fits(page);
  });

  test("a trigger is paused and goes on, by the keyboard", async () => {
    const { page, go } = await web.open();
    await go("/triggers");
    await page.getByRole("button", { name: "Pause schedule 0 2 * * *" }).focus();
    await page.keyboard.press("Enter");
    const again = page.getByRole("button", { name: "Resume schedule 0 2 * * *" });
    await again.waitFor();
    await page.getByText("paused", { exact: true }).waitFor();
    await again.focus();
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Pause schedule 0 2 * * *" }).waitFor();
  });

  test("a hook shows its address and what it lacks; what comes is there at once, opens, and is replayed for another workflow", async () => {
    const { page, server, go } = await web.open();
    await go("/triggers");
    const hooks = page.getByRole("list", { name: "Webhooks" });
    await hooks.getByText(/^http:\/\/127\.0\.0\.1:\d+\/h\/gh\/push$/).waitFor();
    await hooks.getByText(/SHOP_TOKEN is not set/).waitFor();
    const inbox = page.getByRole("list", { name: "Deliveries" });
    await page.getByText("No deliveries yet.", { exact: false }).waitFor();
    expect(await deliver(server, '{"ref":"main","text":"<b>&</b>"}', "first")).toBe(200);
    await inbox.getByText("started", { exact: true }).waitFor();
    expect(await deliver(server, "{}", "x", "another-secret-altogether")).toBe(401);
    await inbox.getByText("webhook-mismatch").waitFor();
    // On a phone the reason is read to its end.
    await page.setViewportSize({ width: 390, height: 844 });
    const reason = inbox.getByText("webhook-mismatch");
    expect(await reason.evaluate((it) => [it.scrollWidth - it.clientWidth, it.clientWidth > 300])).toEqual([0, true]);
    await fits(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await inbox.getByRole("button", { name: /^gh\/push started/ }).click();
    const dialog = page.getByRole("dialog", { name: "Delivery to gh/push" });
    await dialog.getByText('"text": "<b>&</b>"').waitFor();
    await dialog.getByText("x-github-delivery: first").waitFor();
    await accessible(page, "a delivery");
    await dialog.getByLabel("for").selectOption("report.flow.yaml");
    await dialog.getByRole("button", { name: "Replay" }).click();
    await dialog.getByText("Replay of").waitFor();
    await dialog.getByText("started", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await inbox.getByText("replayed for report.flow.yaml").waitFor();
    const runs = (await (await server.api("GET", "/runs")).json()) as Listed<{
      workflow: string;
      trigger: { kind: string };
    }>;
    // At 02:00 the nightly one has run by itself.
    const brought = runs.items.filter(({ trigger }) => trigger.kind !== "schedule");
    expect(brought.map(({ workflow }) => workflow).sort()).toEqual(["Hook", "Report"]);
    await page.getByRole("button", { name: "Show only deliveries to open" }).click();
    await page.getByRole("heading", { name: "Deliveries to open" }).waitFor();
    await inbox.waitFor({ state: "detached" });
  });

  test("help with a tunnel names the port of the hooks, and never that of the editor", async () => {
    const { page, server, go } = await web.open();
    await go("/triggers");
    await page.getByRole("button", { name: "Open to the internet…" }).click();
    const dialog = page.getByRole("dialog", { name: "Open webhooks to the internet" });
    const { hooksUrl } = JSON.parse(readFileSync(join(server.home, "server.json"), "utf8"));
    await dialog.getByText(`cloudflared tunnel --url ${hooksUrl}`).waitFor();
    expect(await dialog.textContent()).not.toContain(new URL(server.url).port);
    await accessible(page, "tunnel help");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });
}

if (has("chromium")) {
  const web = inBrowser({
    "a.flow.yaml": "curlew: 1\nname: A\nnodes:\n  - { id: t, type: text, data: { title: t, content: hi } }\n",
  });

  test("without triggers the screen says how one is written; one that is saved is there at once", async () => {
    const { page, server, go } = await web.open();
    await go("/triggers");
    await page.getByRole("heading", { name: "No triggers yet" }).waitFor();
    await accessible(page, "no triggers");
    // Two clock changes a year, and a time on either side of one: each that changes says its offset.
    server.write("b.flow.yaml", text("B", '  - schedule: { cron: "0 12 1 1,7 *", timezone: Europe/Berlin }'));
    const times = page.getByRole("list", { name: "Next times in Europe/Berlin" }).getByRole("listitem");
    await expect.poll(() => times.filter({ hasText: "UTC+1" }).count()).toBeGreaterThanOrEqual(2);
    expect(await times.filter({ hasText: /UTC\+[12]/ }).count()).toBe(5);
    server.write("a.flow.yaml", text("A", '  - schedule: { cron: "@daily" }'));
    await page.getByRole("list", { name: "Schedules" }).getByRole("link", { name: "a.flow.yaml" }).waitFor();
  });
}

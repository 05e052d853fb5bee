// Triggers by keyboard: schedules in words and in the chosen zone, webhooks with their URL, deliveries and replays,
// pausing.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Page as Listed } from "../../src/api/shapes.ts";
import { signWebhook } from "../server/sign-webhook.ts";
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
  const init = { method: "POST", body, headers: { "content-type": "application/json", ...headers } };
  return (await fetch(`${hooksUrl}/h/gh/push`, init)).status;
}

if (has("chromium")) {
  const web = inBrowser(FLOWS);

  test("schedules are shown in words, with their next times in the chosen zone", async () => {
    const { page, go } = await web.open();
    await go("/triggers");
    const list = page.getByRole("list", { name: "Schedules" });
    await list.getByRole("heading", { name: "At 09:30, Monday through Friday" }).waitFor();
    await list.getByText("While the previous run is active: wait for it").waitFor();
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

  test("a trigger is paused and resumed by the keyboard", async () => {
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

  test("a hook shows its URL and what it lacks; a delivery appears at once, opens, and can be replayed for another workflow", async () => {
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
    // A phone shows the whole reason.
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
    // At 02:00 the nightly one ran automatically.
    const brought = runs.items.filter(({ trigger }) => trigger.kind !== "schedule");
    expect(brought.map(({ workflow }) => workflow).sort()).toEqual(["Hook", "Report"]);
    await page.getByRole("button", { name: "Show only deliveries to open" }).click();
    await page.getByRole("heading", { name: "Deliveries to open" }).waitFor();
    await inbox.waitFor({ state: "detached" });
  });
}

if (has("chromium")) {
  const web = inBrowser({
    "a.flow.yaml": "curlew: 1\nname: A\nnodes:\n  - { id: t, type: text, data: { title: t, content: hi } }\n",
  });

  test("without triggers the screen says how to write one, and a saved one appears at once", async () => {
    const { page, server, go } = await web.open();
    await go("/triggers");
    await page.getByRole("heading", { name: "No triggers yet" }).waitFor();
    await accessible(page, "no triggers");
    // Two clock changes per year, and a time on either side of one: each that changes says its offset.
    server.write("b.flow.yaml", text("B", '  - schedule: { cron: "0 12 1 1,7 *", timezone: Europe/Berlin }'));
    const times = page.getByRole("list", { name: "Next times in Europe/Berlin" }).getByRole("listitem");
    await expect.poll(() => times.filter({ hasText: "UTC+1" }).count()).toBeGreaterThanOrEqual(2);
    expect(await times.filter({ hasText: /UTC\+[12]/ }).count()).toBe(5);
    server.write("a.flow.yaml", text("A", '  - schedule: { cron: "@daily" }'));
    await page.getByRole("list", { name: "Schedules" }).getByRole("link", { name: "a.flow.yaml" }).waitFor();
    // It is changed, removed, brought back, and another one is added, all in the file.
    await page.getByRole("button", { name: "Edit schedule @daily" }).click();
    const dialog = page.getByRole("dialog", { name: "Edit the schedule" });
    await dialog.getByLabel(/^Cron/).fill("30 7 * * mo");
    await dialog.getByText(/^The weekday "mo" is not valid/).waitFor();
    expect(await dialog.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
    await dialog.getByLabel(/^Cron/).fill("30 7 * * mon");
    await dialog.getByText("At 07:30, only on Monday").waitFor();
    await expect.poll(() => dialog.getByRole("listitem").count()).toBe(5);
    await accessible(page, "a schedule");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => server.read("a.flow.yaml")).toContain('schedule: { cron: "30 7 * * mon" }');
    await page.getByRole("button", { name: "Remove schedule 30 7 * * mon" }).click();
    await expect.poll(() => server.read("a.flow.yaml")).not.toContain("schedule");
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => server.read("a.flow.yaml")).toContain("30 7 * * mon");
    const add = async (item: string) => {
      await page.getByRole("button", { name: "Add a trigger" }).press("Enter");
      await page.getByRole("menuitem", { name: item }).press("Enter");
    };
    await add("Schedule…");
    const added = page.getByRole("dialog", { name: "Add a schedule" });
    await added.getByLabel("Workflow").selectOption("a.flow.yaml");
    await added.getByLabel("When").selectOption({ label: "Every hour" });
    await added.getByRole("button", { name: "Add" }).click();
    await page.getByRole("heading", { name: "Every hour" }).waitFor();
    expect(server.read("a.flow.yaml")).toContain("0 * * * *");
    // A webhook and a file watch are added here too. A bad line is refused before it is in the file.
    await add("Webhook…");
    const hook = page.getByRole("dialog", { name: "Add: webhook" });
    await hook.getByLabel("Path").fill("a b");
    await hook.getByText(/^Use letters, digits/).waitFor();
    expect(await hook.getByRole("button", { name: "Add" }).isDisabled()).toBe(true);
    await hook.getByLabel("Path").fill("shop/orders");
    await hook.getByLabel("Deliveries").selectOption("github");
    await hook.getByLabel("Name of the secret").fill("SHOP_SECRET");
    await accessible(page, "a new webhook");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "/h/shop/orders" }).waitFor();
    await page.getByText(/SHOP_SECRET is not set/).waitFor();
    await add("File watch…");
    const watch = page.getByRole("dialog", { name: "Add: file watch" });
    await watch.getByLabel("Files").fill("../x");
    await watch.getByText("../x leaves the document's folder.").waitFor();
    await watch.getByLabel("Files").fill("inbox/*.json, new/**");
    await page.keyboard.press("Enter");
    await page.getByRole("list", { name: "File watches" }).getByText("inbox/*.json").waitFor();
    expect(server.read("a.flow.yaml")).toMatch(/webhook: .*shop\/orders.*github.*SHOP_SECRET[\s\S]*file: .*new\/\*\*/);
  });
}

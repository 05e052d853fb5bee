// Many triggers: a part of each list stands there at once, the rest when it is asked for, and whatever is meant is found by what is known of it.

import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { accessible, fits, inBrowser } from "./browser.ts";
import { focused } from "./waits.ts";

const FLOWS = 100;
const flow = (n: number): string => `curlew: 1
name: Flow ${n}
on:
  - schedule: { cron: "${n % 60} 3 * * *", timezone: Asia/Tokyo }
  - schedule: { cron: "30 ${n % 24} * * mon-fri" }
  - schedule: { cron: "@hourly" }
  - webhook: { path: shop/${n}, verify: none }
  - file: { paths: ["in/${n}/*.json"], on: [add] }
nodes:
  - { id: t, type: text, data: { title: t, content: done } }
`;

if (has("chromium")) {
  const web = inBrowser(Object.fromEntries(Array.from({ length: FLOWS }, (_, n) => [`f${n}.flow.yaml`, flow(n)])));

  test(`of ${FLOWS * 5} triggers each list shows some, more at a key, and they are found by words, kind and file`, async () => {
    const { page, go } = await web.open();
    await go("/triggers");
    const rows = (list: string) => page.getByRole("list", { name: list, exact: true }).locator("> li");
    await page.getByText("25 of 300").waitFor();
    await page.getByText("25 of 100").first().waitFor();
    expect(await rows("Schedules").count()).toBe(25);

    await page.getByRole("button", { name: "Show 100 more schedules" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("125 of 300").waitFor();
    await focused(rows("Schedules").nth(25));

    const find = page.getByRole("searchbox", { name: "Find a trigger" });
    await page.keyboard.press("/");
    await focused(find);
    await page.keyboard.type("monday ");
    await page.getByText("100 of 500 triggers").waitFor();
    await page.keyboard.type("07:30");
    await page.getByText("4 of 500 triggers").waitFor();
    expect(await rows("Schedules").count()).toBe(4);
    expect(await rows("Webhooks").count()).toBe(0);
    expect(new URL(page.url()).searchParams.get("text")).toBe("monday 07:30");

    await find.fill("shop/77");
    await page.getByText("1 of 500 triggers").waitFor();
    await page.getByRole("button", { name: "Pause webhook shop/77" }).click();
    await find.fill("paused");
    // As many as were found before: that the sum stands there says nothing yet.
    await expect.poll(() => rows("Webhooks").getByText("paused").count()).toBe(1);
    await page.getByText("1 of 500 triggers").waitFor();
    expect(await rows("Webhooks").count()).toBe(1);

    await find.fill("f42.flow.yaml");
    await page.getByText("5 of 500 triggers").waitFor();
    await find.fill("nothing like this");
    await page.getByText("No trigger is like that").waitFor();
    await accessible(page, "triggers that are looked for");
    await page.setViewportSize({ width: 390, height: 844 });
    await fits(page);
    await page.getByRole("button", { name: "Show all triggers" }).click();
    await page.getByText("25 of 300").waitFor();
  });
}

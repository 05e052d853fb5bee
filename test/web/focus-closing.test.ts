// Where the focus goes when something is closed or leaves a list (spec ui 6.7): back where it was, or to a neighbour, never to the page as a
// whole. By keys alone (focus.test.ts has what runs and requests do).

import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { inBrowser } from "./browser.ts";
import { GREETING, HELLO } from "./flows.ts";
import { TOUR } from "./run-flows.ts";

const SCHEDULED = `curlew: 1
name: Nightly
on:
  - schedule: { cron: "0 2 * * *", timezone: UTC }
  - webhook: { path: open, verify: none }
nodes:
  - { id: t, type: text, data: { title: T, content: done } }
`;

if (has("chromium")) {
  const web = inBrowser({
    "hello.flow.yaml": HELLO,
    "greeting.flow.yaml": GREETING,
    "nightly.flow.yaml": SCHEDULED,
    "tour.flow.yaml": TOUR,
  });

  test("dialogs that a button opened give the focus back to it", async () => {
    const view = await web.open();
    const { page } = view;
    const opens: [place: string, title: string, button: string | RegExp, dialog: string | RegExp][] = [
      ["/", "Workflows", /^New$/, "New workflow"],
      ["/", "Workflows", "Paste curl", /curl/],
      ["/", "Workflows", "Run Greeting", "Run Greeting"],
      ["/", "Workflows", "Command palette", "Command palette"],
      ["/", "Workflows", /shortcuts/, "Keys"],
      ["/secrets", "Secrets", /^Add/, /secret/i],
      ["/settings", "Settings", /^Add/, "Add a model provider"],
      ["/triggers", "Triggers", "Open to the internet…", "Open webhooks to the internet"],
    ];
    for (const [place, title, button, dialog] of opens) {
      await view.go(place);
      // Buttons of the place before may have the same name.
      await page.getByRole("heading", { level: 1, name: title }).waitFor();
      const opener = page.getByRole("button", { name: button }).first();
      await opener.press("Enter");
      await page.getByRole("dialog", { name: dialog }).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog", { name: dialog }).waitFor({ state: "detached" });
      await expect
        .poll(() => opener.evaluate((one) => one === document.activeElement), { message: `${button}` })
        .toBe(true);
    }
  });

  test("who was writing writes on when the palette is closed", async () => {
    const { page, go } = await web.open();
    await go("/runs");
    const field = page.getByLabel("Text in name, file or id");
    await field.fill("no");
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog", { name: "Command palette" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Command palette" }).waitFor({ state: "detached" });
    await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.type("w");
    expect(await field.inputValue()).toBe("now");
    // What the palette does counts more than where one was.
    await page.keyboard.press("Control+k");
    await page.keyboard.type("go to the doctor");
    await page.getByRole("option", { name: "Go to the doctor" }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/doctor");
  });
}

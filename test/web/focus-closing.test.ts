// Where the focus goes when something is closed or leaves a list (spec ui 6.7): back where it was, or to a neighbour, never to the page as a
// whole. By keys alone (focus.test.ts has what runs and requests do).

import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { inBrowser } from "./browser.ts";
import { GREETING, HELLO } from "./flows.ts";
import { TOUR } from "./run-flows.ts";
import { focused, settled, where } from "./where.ts";

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
      ["/triggers", "Triggers", "Reach them from outside…", "Reach the hooks from outside"],
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

  test("a secret or a provider that is removed leaves the focus in its list; a trigger that is paused keeps it", async () => {
    const view = await web.open();
    const { page, server } = view;
    for (const name of ["ALPHA", "BETA"])
      await server.api("PUT", `/secrets/${name}`, { value: "a-value-of-some-length" });
    await view.go("/secrets");
    await page.getByRole("button", { name: "Remove ALPHA" }).press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).press("Enter");
    await page.getByRole("button", { name: "Remove ALPHA" }).waitFor({ state: "detached" });
    await focused(view, /BETA/);
    await server.api("PUT", "/settings", {
      providers: {
        one: { type: "openai-compatible", baseURL: "http://127.0.0.1:9/v1" },
        two: { type: "openai-compatible", baseURL: "http://127.0.0.1:9/v1" },
      },
    });
    await view.go("/settings");
    await page.getByRole("button", { name: "Remove one" }).press("Enter");
    await page.getByRole("button", { name: "Remove one" }).waitFor({ state: "detached" });
    await focused(view, /two/);
    await view.go("/triggers");
    await page.getByRole("button", { name: "Pause schedule 0 2 * * *" }).press("Enter");
    await focused(view, /^Resume schedule/);
    await settled(view);
    expect(await where(view)).toMatch(/^Resume schedule/);
  });

  test("a word that is dismissed gives the focus back to what had it before", async () => {
    const view = await web.open();
    const { page } = view;
    await page.getByRole("button", { name: "Run Hello" }).waitFor();
    await view.go("/triggers");
    const copy = page.getByRole("button", { name: "Copy the address of open" });
    await view.context.grantPermissions(["clipboard-write"]);
    await copy.press("Enter");
    await page.getByRole("button", { name: "Dismiss" }).press("Enter");
    await page.getByRole("button", { name: "Dismiss" }).waitFor({ state: "detached" });
    await focused(view, /^Copy the address of open$/);
  });

  test("the details of a run that are hidden from within leave the focus on the place", async () => {
    const view = await web.open();
    const { page, server } = view;
    const answer = await server.api("POST", "/workflows/tour.flow.yaml/runs?wait=20", {});
    const { id } = (await answer.json()) as { id: string };
    await view.go(`/runs/${id}`);
    await page.getByRole("button", { name: "Hide the details" }).press("Enter");
    await page.getByRole("button", { name: "Hide the details" }).waitFor({ state: "detached" });
    await settled(view);
    expect(await where(view)).not.toBe("BODY");
  });

  test("a node that is deleted leaves the focus on the drawing", async () => {
    const view = await web.open();
    const { page } = view;
    await view.go("/w/tour.flow.yaml");
    await page.locator('.react-flow__node[data-id="single"]').click();
    await page.locator('.react-flow__node[data-id="single"]').press("Delete");
    await page.locator('.react-flow__node[data-id="single"]').waitFor({ state: "detached" });
    await settled(view);
    expect(await where(view)).not.toBe("BODY");
    expect(await page.evaluate(() => document.activeElement?.closest("[aria-label^=Canvas]") !== null)).toBe(true);
  });
}

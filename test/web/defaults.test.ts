// The document's own fields in a real browser: every one has a place, `defaults` a form, and nodes show what they take from it (spec 1.1).

import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { accessible, inBrowser } from "./browser.ts";

const PLAIN = `curlew: 1
name: Plain # mine
nodes:
  - id: a
    type: cli
    data: { title: Ask, content: echo one }
`;

if (has("chromium")) {
  const web = inBrowser({ "plain.flow.yaml": PLAIN });

  test("defaults are set in a form, a node says what it takes from them, and they leave the file again", async () => {
    const { page, go, server } = await web.open({ size: { width: 1280, height: 1000 } });
    await go("/w/plain.flow.yaml");
    await page.locator('.react-flow__node[data-id="a"]').waitFor();
    const panel = page.getByRole("complementary", { name: "Inspector" });
    const written = (wanted: RegExp) => expect.poll(() => server.read("plain.flow.yaml")).toMatch(wanted);
    for (const name of ["Inputs", "Triggers", "Secrets and signing in", "Limits", "Result and end"])
      await panel.getByRole("region", { name }).waitFor();
    await panel.getByText("Defaults of every node").click();
    await panel.locator("summary", { hasText: /^Time$/ }).click();
    const defaults = panel.locator("details", { hasText: "Defaults of every node" }).first();
    await defaults.getByLabel("Timeout", { exact: true }).fill("20s");
    await written(/name: Plain # mine\ndefaults: \{ timeout: 20s \}\nnodes:/);
    await accessible(page, "the defaults");
    await defaults.locator("summary", { hasText: /^Environment$/ }).click();
    await defaults.getByLabel("Name of a new variable").first().fill("REGION");
    await page.keyboard.press("Enter");
    await written(/REGION: ""/);
    await defaults.locator("summary", { hasText: /^Rate limit$/ }).click();
    await defaults.getByLabel("Limit", { exact: true }).first().fill("5");
    await written(/rateLimit: \{ limit: 5 \}/);
    await defaults.getByRole("button", { name: "Remove rate limit" }).click();
    await written(/^(?![\s\S]*rateLimit)/);

    await page.locator('.react-flow__node[data-id="a"]').click();
    await panel.getByRole("tab", { name: "Policy" }).click();
    expect(await panel.getByLabel("Timeout", { exact: true }).getAttribute("placeholder")).toContain("20s");
    await page.keyboard.press("Escape");
  });
}

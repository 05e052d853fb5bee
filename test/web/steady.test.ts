// Nothing jumps (spec ui 6.2.5, 6.4): what a person is about to press stands where it stood, whatever arrives, ends or has a long name.

import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { inBrowser } from "./browser.ts";
import { GATE } from "./run-flows.ts";

const NEEDS = `curlew: 1
name: Needs
secrets: [UNSET_TOKEN]
nodes:
  - { id: call, type: cli, data: { title: Call, content: "curl --max-time 5 https://api.example.com/", auth: { type: bearer, token: "\${UNSET_TOKEN}" } } }
`;

if (has("chromium")) {
  const web = inBrowser({
    "gate.flow.yaml": GATE,
    "needs.flow.yaml": NEEDS,
  });

  test("from the editor into a run, and to its end, the views, the tabs and the canvas stay where they are", async () => {
    const { page, server, go } = await web.open();
    await go("/w/gate.flow.yaml");
    const views = page.getByRole("group", { name: "View" });
    await page.locator("[data-id=wipe]").waitFor();
    const inEditor = await placeOf(views);
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("heading", { name: "Approve “Delete stale”?" }).first().waitFor();
    const timeline = page.getByRole("tab", { name: "Timeline" });
    const zoom = page.getByRole("button", { name: "Zoom in" });
    const whileItWaits = [await placeOf(views), await placeOf(timeline), await placeOf(zoom)];
    expect(whileItWaits[0], "the views, as in the editor").toEqual(inEditor);
    const moment = page.getByRole("slider", { name: "Moment of the run" });
    expect(await moment.isDisabled(), "there is no looking back yet").toBe(true);
    const id = page.url().split("/").at(-1);
    const { items } = (await (await server.api("GET", "/approvals")).json()) as {
      items: { id: string; run: string }[];
    };
    const asked = items.find(({ run }) => run === id)!;
    await server.api("POST", `/approvals/${asked.id}/grant`, {});
    await page.getByRole("button", { name: "Run again" }).waitFor();
    await page.getByRole("heading", { name: "After" }).first().waitFor();
    expect(await moment.isEnabled()).toBe(true);
    expect([await placeOf(views), await placeOf(timeline), await placeOf(zoom)]).toEqual(whileItWaits);
  });

  test("a run that does not start for want of a secret leads to where it gets its value", async () => {
    const { page, go } = await web.open({ refusals: true });
    await go("/w/needs.flow.yaml");
    await page.locator("[data-id=call]").waitFor();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page
      .getByText(/Needs did not start: .*UNSET_TOKEN/)
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Set its value" }).click();
    await page.waitForURL(/\/secrets$/);
    await page.getByText("UNSET_TOKEN").first().waitFor();
  });
}

async function placeOf(locator: Locator): Promise<{ x: number; y: number }> {
  const { x, y } = (await locator.boundingBox())!;
  return { x: Math.round(x), y: Math.round(y) };
}

// The server dies with a run in the middle and comes back: the page says so, stays as it is, and catches up without a gap.

import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { inBrowser } from "./browser.ts";
import { FLOWS } from "./run-flows.ts";

if (has("chromium")) {
  const web = inBrowser(FLOWS);

  test("kill -9 of the server in the middle of a run: a banner, nothing blank, everything afterwards", async () => {
    const { page, server, go, signIn, wrong } = await web.open();
    const { id } = (await (await server.api("POST", "/workflows/gate.flow.yaml/runs?wait=20", {})).json()) as {
      id: string;
    };
    await go(`/runs/${id}`);
    await page.getByRole("heading", { name: "Approve “Delete stale”?" }).waitFor();
    // The canvas too: it is in its own script.
    const cards = page.locator(".react-flow__node");
    await cards.nth(2).waitFor();
    await server.kill();
    await page.getByRole("alert").getByText("The server is not responding.").first().waitFor();
    expect(await cards.count()).toBe(3);
    await server.startAgain();
    await signIn();
    await page.goto(`${server.url}/runs/${id}`);
    await page.getByRole("button", { name: /^Approve/ }).click();
    await page.locator(".react-flow__node").filter({ hasText: "After" }).getByText("succeeded").waitFor();
    await page.getByRole("tab", { name: "Events" }).click();
    await page.getByText("run.succeeded").waitFor();
    wrong.length = 0; // The browser logs that no server answered.
  });
}

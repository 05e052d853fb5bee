// Nothing jumps (spec ui 6.2.5, 6.4): what a person is about to press stands where it stood, whatever arrives, ends or has a long name.

import type { Locator, Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { has } from "../setup/machine.ts";
import { inBrowser } from "./browser.ts";
import { HELLO } from "./flows.ts";
import { GATE } from "./run-flows.ts";
import { serve } from "./server.ts";

const LONG = "A title that somebody wrote without a thought of where it would be shown ".repeat(3).trim();
const NEEDS = `curlew: 1
name: Needs
secrets: [UNSET_TOKEN]
nodes:
  - { id: call, type: cli, data: { title: Call, content: "curl --max-time 5 https://api.example.com/", auth: { type: bearer, token: "\${UNSET_TOKEN}" } } }
`;

if (has("chromium")) {
  const web = inBrowser({
    "gate.flow.yaml": GATE,
    "long.flow.yaml": HELLO.replace("Greet", LONG),
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

  test("a long title leaves the tabs beside it in sight", async () => {
    const { page, server, go } = await web.open({ size: { width: 1024, height: 700 } });
    const { id } = (await (await server.api("POST", "/workflows/long.flow.yaml/runs?wait=20")).json()) as {
      id: string;
    };
    await go(`/runs/${id}`);
    await page.getByRole("tab", { name: `Output · ${LONG}` }).waitFor();
    const problems = (await page.getByRole("tab", { name: "Problems" }).boundingBox())!;
    expect(problems.x + problems.width).toBeLessThan(1024);
  });

  test("where the details lie over the canvas, the node they are of is beside them, and the output below is whole", async () => {
    const { page, server, go } = await web.open({ size: { width: 1024, height: 768 } });
    const { id } = (await (await server.api("POST", "/workflows/long.flow.yaml/runs?wait=20")).json()) as {
      id: string;
    };
    await go(`/runs/${id}`);
    const details = page.getByRole("complementary", { name: "What happened to this node" });
    await details.getByText("Value handed on").waitFor();
    const over = (await details.boundingBox())!;
    const node = (await page.locator("[data-id=greet]").boundingBox())!;
    expect(node.x + node.width, "the node").toBeLessThanOrEqual(over.x);
    const dock = (await page.getByRole("tabpanel").first().boundingBox())!;
    expect(over.y + over.height, "the output").toBeLessThanOrEqual(dock.y);
    await page.getByRole("button", { name: "Everything in view" }).click();
    const fitted = (await page.locator("[data-id=greet]").boundingBox())!;
    expect(fitted.x + fitted.width, "the node, after Fit").toBeLessThanOrEqual(over.x);
  });

  test("what can be done with a run stands there before the workflows are listed, and stays where it is", async () => {
    const { page, server } = await web.open();
    const { id } = (await (await server.api("POST", "/workflows/long.flow.yaml/runs?wait=20")).json()) as {
      id: string;
    };
    let list = () => {};
    const asked = new Promise<void>((resolve) => (list = resolve));
    await page.route(/\/api\/v1\/workflows\b/, async (route) => {
      await asked;
      await route.continue();
    });
    await page.goto(`${server.url}/runs/${id}`);
    const again = page.getByRole("button", { name: "Run again" });
    await again.waitFor();
    const views = page.getByRole("group", { name: "View" });
    const before = [await placeOf(views), await placeOf(again)];
    expect(await again.getAttribute("aria-disabled")).toBe("true");
    list();
    await expect.poll(() => again.getAttribute("aria-disabled")).toBe(null);
    expect([await placeOf(views), await placeOf(again)]).toEqual(before);
  });

  test("what the server says of the demo does not push the workflows down", async () => {
    const server = await serve({ "hello.flow.yaml": HELLO }, ["--demo"]);
    onTestFinished(() => server.close());
    const { page, signIn } = await web.open({ server, signedOut: true });
    // Later than the workflows: the other way round nothing would be seen.
    let workflows = () => {};
    const listed = new Promise<void>((resolve) => (workflows = resolve));
    page.on("response", (response) => void (/\/workflows\b/.test(response.url()) && workflows()));
    await page.route(/\/api\/v1\/server$/, async (route) => {
      await listed;
      await route.continue();
    });
    await signIn();
    await page.getByRole("button", { name: "Run the demo" }).waitFor();
    await page.getByRole("link", { name: "Hello", exact: true }).waitFor();
    expect(await shifts(page)).toEqual([]);
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

/** Of the page's time so far: what moved without anybody's doing, as the browser measures it. */
function shifts(page: Page): Promise<string[]> {
  return page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const moved = new Set<string>();
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
            if (entry.value > 0.001) moved.add(`${entry.value}`);
        }).observe({ type: "layout-shift", buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => resolve([...moved])));
      }),
  );
}

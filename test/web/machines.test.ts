// The machines of a cluster in the browser: their states, a drained one, a forgotten one, and the name on a run (spec 6.2).

import { join } from "node:path";
import { expect, test } from "vitest";
import { cluster, LEASE_MS } from "../cluster/cluster.ts";
import { servedOn } from "../cluster/served-on.ts";
import type { Served } from "../server/served.ts";
import { has } from "../setup/machine.ts";
import { accessible, fits, inBrowser } from "./browser.ts";
import type { Server } from "./server.ts";

if (has("chromium")) {
  const web = inBrowser();

  test("a server of one machine shows no machines", async () => {
    const { page } = await web.open();
    await page.getByRole("link", { name: "Doctor" }).waitFor();
    expect(await page.getByRole("link", { name: "Machines" }).count()).toBe(0);
  });

  if (has("postgres"))
    test("machines are drained, resumed, and forgotten after a question, and a run names its machine", async () => {
      const here = await cluster();
      const two = await here.machine("two", "", LEASE_MS);
      const it = await servedOn(here.url);
      const { page, go } = await web.open({ server: signing(it) });
      const ledger = join(here.folder, "ledger");
      const run = await here.submit(`  - { id: a, run: 'echo began >> "${ledger}"; exec sleep 60' }\n`);
      await expect.poll(() => here.ledger(), { timeout: 60_000 }).toEqual(["began"]);

      await page.getByRole("link", { name: "Runs" }).click();
      await page.getByRole("grid").getByText("on two").waitFor();
      await go(`/runs/${run}`);
      await page.getByText("on two").waitFor();
      const queued = await here.submit(`  - { id: a, run: "echo" }\n`, "runsOn: [gpu]\n");
      await go(`/runs/${queued}`);
      await page.getByText("It waits for a machine with gpu.").waitFor();
      await page.getByText("queued", { exact: true }).first().waitFor();
      await accessible(page, "a queued run");

      await page.getByRole("link", { name: "Machines" }).click();
      const row = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "two" }) });
      await row.getByText("1 run, 4 slots").waitFor();
      await page.getByRole("list", { name: "Labels of one" }).getByText("eu", { exact: true }).waitFor();
      await accessible(page, "machines");
      for (const width of [390, 768, 1440]) {
        await page.setViewportSize({ width, height: 800 });
        await fits(page);
      }
      await row.getByRole("button", { name: "Drain two" }).press("Enter");
      await row.getByText("draining", { exact: true }).waitFor();
      await row.getByRole("button", { name: "Resume two" }).press("Enter");
      await row.getByText("live", { exact: true }).waitFor();

      two.killAll();
      await row.getByRole("button", { name: "Forget two" }).click({ timeout: 30_000 });
      const dialog = page.getByRole("dialog", { name: "Forget two?" });
      await dialog.getByText("Its 1 run no longer waits for it").waitFor();
      await accessible(page, "the question", "[role=dialog]");
      await dialog.getByRole("button", { name: "Keep" }).click();
      expect((await here.rows("SELECT dead_at::text FROM curlew.machines WHERE name = 'two'"))[0]?.dead_at).not.toBe(
        "-infinity",
      );
      await row.getByRole("button", { name: "Forget two" }).click();
      await dialog.getByRole("button", { name: "Forget" }).click();
      await dialog.waitFor({ state: "hidden" });
      await row.getByText("dead", { exact: true }).waitFor();
      expect((await here.rows("SELECT dead_at::text FROM curlew.machines WHERE name = 'two'"))[0]?.dead_at).toBe(
        "-infinity",
      );
    }, 90_000);

  if (has("postgres"))
    test("a run says which machine its subflow waits for, with a link to the run of the subflow", async () => {
      const here = await cluster();
      await here.machine("two");
      const it = await servedOn(here.url);
      const { page, go } = await web.open({ server: signing(it) });
      const run = await here.submit(
        "  - { id: train, type: subflow, data: { title: Train, workflow: train.flow.yaml, runsOn: [gpu] } }\n",
        "",
        { subflows: { "train.flow.yaml": 'name: Train\nnodes:\n  - { id: fit, run: "echo" }\n' } },
      );
      await go(`/runs/${run}?node=train`);
      const waits = page.getByText("It waits for a machine with gpu.");
      await waits.waitFor({ timeout: 60_000 });
      await accessible(page, "a run whose subflow waits for a machine");
      await page.getByRole("link", { name: "Open its run" }).click();
      await page.waitForURL((url) => url.pathname.startsWith("/runs/") && !url.pathname.endsWith(run));
      await page.getByText("Queued.").waitFor();
      await waits.waitFor();
      await go(`/runs/${run}?node=train`);
      await waits.waitFor();
      await here.machine("three", "gpu");
      await waits.waitFor({ state: "detached" });
      await here.ends(run);
    }, 90_000);
}

/** A server in this process, as a page uses it. */
function signing({ url, api }: Served): Server {
  const link = async () => ((await (await api("POST", "/server/login", {})).json()) as { url: string }).url;
  const session = async () => {
    const code = new URL(await link()).hash.replace("#code=", "");
    return ((await (await api("POST", "/session", { code })).json()) as { token: string }).token;
  };
  return { url, api, link, session } as Server;
}

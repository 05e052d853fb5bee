// A long history: the table draws only what is seen, reads on while it is scrolled, and finds one run among all (spec ui 6.8).

import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { newRunId } from "../../src/base/ids.ts";
import { openStore } from "../../src/store/index.ts";
import { has } from "../setup/machine.ts";
import { inBrowser } from "./browser.ts";
import { HELLO } from "./flows.ts";
import { serve } from "./server.ts";

const RUNS = process.env.CHECK_FULL === undefined ? 1_000 : 5_000;
const rowsDrawnMax = 60;

/** Ended ones, a second apart; `n` is in the name. */
function seed(home: string, folder: string): string[] {
  const store = openStore(home);
  if (!store.ok) throw new Error(store.error.message);
  const { journal } = store.value;
  const file = join(folder, "hello.flow.yaml");
  const trigger = { kind: "cli" as const };
  const ids = Array.from({ length: RUNS }, (_, n) => {
    const ms = Date.UTC(2026, 0, 1) + n * 1000;
    const [id, at] = [newRunId(ms, new Uint8Array(11).fill(n % 32)), new Date(ms).toISOString()];
    const workflow = { name: `Run ${n}`, file, text: HELLO };
    const started = { run: id, at, seq: 1, type: "run.started", workflow, inputs: {}, trigger };
    const ended = { run: id, at, seq: 2, type: "run.cancelled" };
    journal.createRun({ id, name: `Run ${n}`, file, trigger, startedAt: at, status: "running" });
    journal.append(id, [started, ended] as never, { status: "cancelled", endedAt: at });
    return id;
  });
  store.value.close();
  return ids;
}

if (has("chromium")) {
  const web = inBrowser();

  test(`of ${RUNS} runs only those are drawn that are seen; scrolling leads to the oldest, text to any`, async () => {
    let ids: string[] = [];
    const server = await serve({ "hello.flow.yaml": HELLO }, [], (home, folder) => {
      ids = seed(home, folder);
    });
    onTestFinished(() => server.close());
    const { page, go } = await web.open({ server });
    const from = performance.now();
    await go("/runs");
    const grid = page.getByRole("grid", { name: "Runs" });
    await grid.getByText(`Run ${RUNS - 1}`, { exact: true }).waitFor();
    console.log(`first page of ${RUNS} runs: ${Math.round(performance.now() - from)} ms`);
    const drawn = () => grid.evaluate((element) => element.querySelectorAll("[role=row][id]").length);
    expect(await drawn()).toBeLessThan(rowsDrawnMax);
    const oldest = grid.getByText("Run 0", { exact: true });
    const rows = async () => Number(await grid.getAttribute("aria-rowcount"));
    while ((await rows()) < RUNS + 1) {
      const before = await rows();
      await grid.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      await expect.poll(rows).toBeGreaterThan(before);
    }
    await grid.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await oldest.waitFor();
    expect(await drawn()).toBeLessThan(rowsDrawnMax);
    await page.getByLabel("Text in name, file or id").fill(ids[7]!);
    await expect.poll(rows).toBe(2);
    await grid.getByText("Run 7", { exact: true }).waitFor();
  });
}

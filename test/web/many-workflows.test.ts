// A large folder: the home screen is short to draw, and everything of a row is there when somebody comes to it (spec ui 6.8).

import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { newRunId } from "../../src/base/ids.ts";
import { openStore } from "../../src/store/index.ts";
import { has } from "../setup/machine.ts";
import { inBrowser } from "./browser.ts";
import { HELLO } from "./flows.ts";
import { serve } from "./server.ts";

const FLOWS = 60;
const RUNS = 4;
const nameOf = (n: number) => `f${String(n).padStart(3, "0")}.flow.yaml`;

function seed(home: string, folder: string): void {
  const store = openStore(home);
  if (!store.ok) throw new Error(store.error.message);
  const { journal } = store.value;
  const trigger = { kind: "cli" as const };
  for (let n = 0; n < FLOWS * RUNS; n++) {
    const ms = Date.UTC(2026, 0, 1) + n * 1000;
    const [id, at] = [newRunId(ms, new Uint8Array(11).fill(n % 32)), new Date(ms).toISOString()];
    const file = join(folder, nameOf(n % FLOWS));
    const started = {
      run: id,
      at,
      seq: 1,
      type: "run.started",
      workflow: { name: "F", file, text: HELLO },
      inputs: {},
      trigger,
    };
    journal.createRun({ id, name: "F", file, trigger, startedAt: at, status: "running" });
    journal.append(id, [started, { run: id, at, seq: 2, type: "run.cancelled" }] as never, {
      status: "cancelled",
      endedAt: at,
    });
  }
  store.value.close();
}

if (has("chromium")) {
  const web = inBrowser();

  test(`of ${FLOWS} workflows the runs of those are drawn that are near, and those of the others when they come`, async () => {
    const files = Object.fromEntries(Array.from({ length: FLOWS }, (_, n) => [nameOf(n), HELLO]));
    const server = await serve(files, [], seed);
    onTestFinished(() => server.close());
    const { page, go } = await web.open({ server });
    await go("/");
    const row = (n: number) => page.getByRole("listitem").filter({ hasText: nameOf(n) });
    const bars = (n: number) => row(n).getByRole("list", { name: "Last runs, newest last" }).getByRole("listitem");
    const drawn = (n: number) =>
      bars(n)
        .nth(RUNS - 1)
        .waitFor({ state: "attached" });
    await drawn(0);
    const [first, last] = [row(0), row(FLOWS - 1)];
    expect(await page.locator("[aria-label='Last runs, newest last']").count()).toBeLessThan(FLOWS / 2);
    expect((await last.boundingBox())!.height).toBe((await first.boundingBox())!.height);
    await last.getByRole("button", { name: /^Run / }).focus();
    await drawn(FLOWS - 1);
    await page.getByRole("searchbox", { name: "Find a workflow" }).fill(nameOf(30));
    await drawn(30);
  });
}

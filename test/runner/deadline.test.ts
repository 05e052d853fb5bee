// After the deadline of its machine, the runner starts nothing and ends the commands that another machine would repeat.
// It doesn't matter whether its engine lives, hangs, or is gone (spec 6.4 M6, process/runner/deadline.ts).

import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { newRunId, RUN_ID_RANDOM_BYTES } from "../../src/base/ids.ts";
import { endRunners, made, started } from "../cli/curlew.ts";
import { tempFolder } from "../setup/folders.ts";

const LEASE_MS = 1_500;
const TIMES = { timeout: 60_000 };

async function leased() {
  const home = tempFolder();
  const run = newRunId(Date.now(), randomBytes(RUN_ID_RANDOM_BYTES));
  const folder = join(home, "runs", run);
  mkdirSync(folder, { recursive: true });
  const program = join(import.meta.dirname, "leased.ts");
  const engine = started(process.execPath, [program, home, run, String(LEASE_MS)], home, {}, home);
  onTestFinished(() => endRunners(home, "SIGTERM"));
  let heard = "";
  engine.process.stdout.on("data", (text) => {
    heard += text;
  });
  await expect.poll(() => heard).toContain("\n");
  for (const stem of ["1", "2"]) await made(join(folder, `alive-${stem}`));
  const lastMs = (stem: string): number =>
    Number(
      readFileSync(join(folder, `alive-${stem}`), "utf8")
        .trim()
        .split("\n")
        .at(-1),
    ) / 1e6;
  return { engine, lastMs, untilMs: Number(heard.split("\n")[0]) };
}

/** One command lives long after the deadline, the other has given no sign of life since. */
async function onlyOneContinues({ lastMs, untilMs }: Awaited<ReturnType<typeof leased>>): Promise<void> {
  await expect.poll(() => lastMs("2") - untilMs, { timeout: 30_000 }).toBeGreaterThan(1_500);
  expect(lastMs("1") - untilMs).toBeGreaterThan(-1_100);
  expect(lastMs("1") - untilMs).toBeLessThan(700);
}

if (process.platform !== "win32") {
  test(
    "the engine lives: it learns that the command was ended, and nothing starts before the next deadline",
    TIMES,
    async () => {
      const it = await leased();
      const { stdout } = await it.engine.done;
      const told = JSON.parse(stdout.split("\n")[1] ?? "");
      expect(told).toMatchObject({
        first: { leaseLost: true, ended: { cause: { type: "cancelled" } } },
        late: "not-started",
        next: { ended: { cause: { type: "exited", code: 0 } } },
      });
      await onlyOneContinues(it);
    },
  );

  for (const [how, signal] of [
    ["hangs", "SIGSTOP"],
    ["is gone", "SIGKILL"],
  ] as const)
    test(`the engine ${how}: the command that would be repeated is ended, the other continues`, TIMES, async () => {
      const it = await leased();
      it.engine.process.kill(signal);
      await onlyOneContinues(it).finally(() => it.engine.process.kill("SIGKILL"));
    });
}

// A runner that starts and never comes up prevents no end, for instance on a machine without free threads; here it is
// stopped before its first message. Curlew gives it up and runs the commands itself (spec 3.2, 3.4).

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Folder, folder, inARow, type Started } from "../cli/curlew.ts";

const TIMES = { timeout: 120_000 };

/** A run whose runner was stopped before it came up. */
async function stuck(): Promise<{ it: Folder; run: Started; runner: number }> {
  for (;;) {
    const it = folder({ "k.flow.yaml": inARow({ a: "echo a >> ran; echo one", b: "cat; echo b >> ran; echo two" }) });
    const run = it.start("run k.flow.yaml");
    const runner = await childOf(run.process.pid ?? 0);
    process.kill(runner, "SIGSTOP");
    // Its folder is the first thing that it makes. If it was too fast, the test tries again.
    if (!existsSync(join(it.home, "runners")) || readdirSync(join(it.home, "runners")).length === 0) {
      onTestFinished(() => ended(runner));
      return { it, run, runner };
    }
    process.kill(runner, "SIGCONT");
    await run.done;
  }
}

/** As soon as it runs its own program: until then Curlew waits for it. */
async function childOf(pid: number): Promise<number> {
  for (;;) {
    const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
    if (child !== "" && readFileSync(`/proc/${child}/cmdline`, "utf8").includes("runner")) return Number(child);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function ended(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It is gone, as it should be.
  }
}

const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`);

if (process.platform === "linux") {
  test("the commands still run, once", TIMES, async () => {
    const { it, run, runner } = await stuck();
    const ran = await run.done;
    expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: "two\n" });
    expect(it.read("ran")).toBe("a\nb\n");
    await expect.poll(() => isAlive(runner), { timeout: 20_000 }).toBe(false);
    expect(await it.run("doctor --store")).toMatchObject({ code: 0 });
  });

  test("Ctrl-C ends the run, and the runner", TIMES, async () => {
    const { it, run, runner } = await stuck();
    await run.says("a started");
    run.process.kill("SIGINT");
    expect(await run.done).toMatchObject({ code: 130 });
    // To end it Curlew wakes it, and it may then have started an earlier order.
    expect(existsSync(join(it.path, "ran")) ? it.read("ran") : "").not.toContain("b");
    await expect.poll(() => isAlive(runner), { timeout: 20_000 }).toBe(false);
  });
}

// The connection to a runner ends while the runner lives, because the system refused a write. A command that it was
// told to start is found there again, or is known never to start. No other runner starts it a second time (spec 3.2,
// 3.4).

import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { newRunId, RUN_ID_RANDOM_BYTES } from "../../src/base/ids.ts";
import { stateOf } from "../../src/process/identity.ts";
import { RunnerClient } from "../../src/process/runner/client.ts";
import type { Order } from "../../src/process/runner/orders.ts";
import { createMasker } from "../../src/secrets/masker.ts";
import { made } from "../cli/curlew.ts";
import { tempFolder } from "../setup/folders.ts";

const TIMES = { timeout: 60_000 };

function engine() {
  const home = tempFolder();
  // As usual, no two are the same: Curlew looks for a command's processes by it on the whole machine.
  const run = newRunId(Date.now(), randomBytes(RUN_ID_RANDOM_BYTES));
  const folder = join(home, "runs", run);
  mkdirSync(folder, { recursive: true });
  const client = new RunnerClient(home);
  onTestFinished(() => client.close());
  const start = (stem: string, script: string) => {
    const by = client.name();
    const order: Order = {
      ...{ run, stem, folder, argv: ["sh", "-c", script], env: { PATH: process.env.PATH ?? "" }, cwd: folder },
      ...{ stdin: { kind: "none" }, killGraceMs: 1_000, outputBytesMax: 1_000_000, removeAfter: [] },
      about: { interpreter: "sh", httpsOnly: false },
    };
    return { runner: by ?? "", kept: client.start(by, order, createMasker()) };
  };
  return {
    folder,
    start,
    close: () => client.close(),
    cutOff: () => once((client as unknown as { own: { socket: Socket } }).own.socket.destroy(), "close"),
    effects: () => (existsSync(join(folder, "ran")) ? readFileSync(join(folder, "ran"), "utf8") : ""),
  };
}

if (process.platform === "linux") {
  test("a command that was ordered but not started is started by that runner, or never", TIMES, async () => {
    const it = engine();
    const { runner, kept } = it.start("1", "echo one >> ran");
    await kept.done;
    const { pid } = stateOf(runner);
    process.kill(pid, "SIGSTOP");
    onTestFinished(() => {
      if (stateOf(runner).state === "alive") process.kill(pid, "SIGKILL");
    });
    const second = it.start("2", "echo two >> ran; exit 7");
    expect(second.runner).toBe(runner);
    await new Promise((resolve) => setImmediate(resolve));
    await it.cutOff();
    const end = await second.kept.done;
    // It reads its orders, or learns first that nothing more may start.
    if (typeof end === "object") expect(end.ended.cause).toEqual({ type: "exited", code: 7 });
    else expect(end).toBe("not-started");
    await it.start("3", "echo three >> ran").kept.done;
    await it.close();
    // The search lets the command there continue, and it ends when it has nothing to do.
    await expect.poll(() => stateOf(runner).state).toBe("dead");
    expect(it.effects()).toBe(typeof end === "object" ? "one\ntwo\nthree\n" : "one\nthree\n");
  });

  test("a running command continues, its end is known, and it can be ended", TIMES, async () => {
    const it = engine();
    const running = [1, 2].map((n) =>
      it.start(`${n}`, `touch began-${n}; until test -e go-${n}; do sleep 0.02; done; echo ${n} >> ran; exit ${n}`),
    );
    for (const n of [1, 2]) await made(join(it.folder, `began-${n}`));
    await it.cutOff();
    const another = it.start("3", "touch go-1");
    expect(another.runner).not.toBe(running[0]?.runner);
    expect(await running[0]?.kept.done).toMatchObject({ ended: { cause: { type: "exited", code: 1 } } });
    running[1]?.kept.kill();
    expect(await running[1]?.kept.done).toMatchObject({ ended: { cause: { type: "cancelled" } } });
    expect(it.effects()).toBe("1\n");
  });
}

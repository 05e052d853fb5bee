// The command line over PostgreSQL gives the same results as with the store of one machine (spec 6.1 P1).

import { join } from "node:path";
import { expect, test } from "vitest";
import { endRunners, folder, inARow, made } from "../cli/curlew.ts";
import { cluster } from "./cluster.ts";

const TIMES = { timeout: 120_000 };

/** A folder whose commands work on a cluster. */
async function onCluster(files: Record<string, string>) {
  const { url, rows } = await cluster({ isReady: false });
  const it = folder(files);
  const env = { CURLEW_DB: url, CURLEW_KEY_FILE: join(it.path, "key") };
  await it.run("db init --key-file key", { env });
  return {
    ...{ ...it, url, rows },
    run: (args: string | string[]) => it.run(args, { env }),
    start: (args: string | string[]) => it.start(args, { env }),
  };
}

test(
  "a run whose program was killed is interrupted, and resumed from the same data directory at once",
  TIMES,
  async () => {
    const it = await onCluster({
      "k.flow.yaml": inARow({ first: "echo once >> first.txt", waits: "touch began; sleep 300", last: "echo done" }),
    });
    const run = it.start("run k.flow.yaml");
    await made(join(it.path, "began"));
    run.process.kill("SIGKILL");
    await run.done;
    await endRunners(it.home, "SIGKILL");
    expect((await it.run("runs")).stdout).toContain("interrupted");
    const resumed = await it.run("runs resume latest");
    expect(resumed).toMatchObject({ code: 1, stdout: "" });
    expect(resumed.stderr).not.toContain("first started");
    expect(it.read("first.txt")).toBe("once\n");
  },
);

test(
  "its living command is adopted from the same data directory, and from another one the run is left alone",
  TIMES,
  async () => {
    const it = await onCluster({
      "k.flow.yaml": inARow({
        waits: "echo begins >> ledger; touch began; until test -e go; do sleep 0.02; done; echo ends",
      }),
    });
    const run = it.start("run k.flow.yaml");
    await made(join(it.path, "began"));
    run.process.kill("SIGKILL");
    await run.done;
    expect(await it.run("runs resume latest --home other")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("error[run-claimed]"),
    });
    const resumed = it.start("runs resume latest");
    it.write("go", "");
    expect(await resumed.done).toMatchObject({ code: 0, stdout: "ends\n" });
    expect(it.read("ledger")).toBe("begins\n");
  },
);

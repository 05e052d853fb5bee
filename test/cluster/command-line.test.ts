// The command line over PostgreSQL gives the same results as with the store of one machine (spec 6.1 P1).

import { join } from "node:path";
import { expect, test } from "vitest";
import { endRunners, folder, type Given, inARow, made } from "../cli/curlew.ts";
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
    run: (args: string | string[], given: Given = {}) => it.run(args, { ...given, env: { ...env, ...given.env } }),
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
    const { checks } = JSON.parse((await it.run("doctor --json")).stdout) as {
      checks: { what: string; code?: string }[];
    };
    expect(checks.filter(({ what }) => what === "store" || what === "runs")).toMatchObject([
      { what: "store", status: "ok", message: expect.stringContaining("PostgreSQL") },
      { what: "runs", code: "runs-interrupted" },
    ]);
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

test("what trust approved, validate knows", TIMES, async () => {
  const it = await onCluster({
    "i.flow.yaml": inARow({ a: "echo hi" }, "imported: { from: https://example.com/i.flow.yaml }\n"),
  });
  expect((await it.run("validate i.flow.yaml")).stderr).toContain("unseen-command");
  expect(await it.run("trust i.flow.yaml --all")).toMatchObject({ code: 0 });
  expect(await it.run("validate i.flow.yaml --strict")).toMatchObject({ code: 0, stderr: "" });
  expect((await it.run("validate i.flow.yaml --strict --json")).stdout).toBe("[]\n");
});

test("secrets are set and removed in the audit log of the cluster, and backup points to pg_dump", TIMES, async () => {
  const it = await onCluster({});
  expect(await it.run(["secrets", "set", "TOKEN"], { stdin: "a-long-enough-value" })).toMatchObject({ code: 0 });
  expect(await it.run("secrets rm TOKEN")).toMatchObject({ code: 0 });
  const log = JSON.parse((await it.run("audit --json")).stdout);
  expect(log).toMatchObject([
    { type: "secret.removed", name: "TOKEN" },
    { type: "secret.set", name: "TOKEN" },
  ]);
  const keyless = await it.run(["secrets", "set", "TOKEN"], {
    stdin: "a-long-enough-value",
    env: { CURLEW_KEY_FILE: "" },
  });
  expect(keyless).toMatchObject({ code: 2, stderr: expect.stringContaining("error[cluster-key-missing]") });
  expect(JSON.parse((await it.run("secrets --json")).stdout)).toEqual([]);
  const { code, stderr } = await it.run("backup copy");
  expect([code, stderr]).toEqual([2, expect.stringContaining("error[history-in-cluster]")]);
  expect(stderr).toContain("pg_dump");
});

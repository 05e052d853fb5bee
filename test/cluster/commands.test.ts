// `curlew db init`, `worker`, and `machines` (spec 6.2), with a real database.

import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { clusterOf, keyForPurpose, openClusterStore } from "../../src/app/cluster.ts";
import { folder } from "../cli/curlew.ts";
import { cluster } from "./cluster.ts";

const TIMES = { timeout: 120_000 };

test("a database becomes a cluster, whose machines are listed, drained, and ended", TIMES, async () => {
  const { url, ...it } = await cluster({ isReady: false });
  const here = folder();
  const env = { CURLEW_DB: url, CURLEW_KEY_FILE: "key" };
  const unready = await here.run("machines", { env });
  expect(unready).toMatchObject({ code: 2, stdout: "" });
  expect(unready.stderr).toContain("error[store-not-set-up]");

  expect(await here.run("db init --key-file key", { env })).toMatchObject({ code: 0, stdout: "" });
  expect(statSync(join(here.path, "key")).mode & 0o777).toBe(0o600);
  expect((await here.run("db init --key-file key", { env })).stderr).toBe("The database is up to date.\n");
  expect(await here.run("machines", { env })).toMatchObject({
    code: 0,
    stdout: "",
    stderr: "No machine has worked in this cluster yet.\n",
  });

  const worker = here.start("worker --name one --labels gpu --lease 3s --restart-lease 3s", { env });
  await worker.says("Machine one takes up to 4 runs");
  const key = keyForPurpose(Buffer.from(readFileSync(join(here.path, "key"), "utf8").trim(), "base64url"), "runs");
  const run = await it.submit(`  - { id: x, type: cli, data: { title: X, content: "echo x >> ledger" } }\n`, "", {
    by: key,
  });
  await it.ends(run);
  expect(it.ledger()).toEqual(["x"]);
  const [one] = JSON.parse((await here.run("machines --json", { env })).stdout);
  expect(one).toMatchObject({ name: "one", labels: ["gpu"], slots: 4, leaseMs: 3_000, state: "live" });

  expect((await here.run("machines forget one", { env })).stderr).toContain("error[machine-alive]");
  expect((await here.run("machines drain two", { env })).stderr).toContain("error[machine-not-found]");
  expect(await here.run("machines drain one --wait", { env })).toMatchObject({ code: 0 });
  expect((await here.run("machines", { env })).stdout).toContain("draining");
  expect(await here.run("machines resume one", { env })).toMatchObject({ code: 0 });
  const log = JSON.parse((await here.run("audit --json", { env })).stdout);
  expect(log).toMatchObject(["machine.resumed", "machine.drained"].map((type) => ({ type, name: "one", door: "cli" })));
  expect((await here.run("audit verify", { env })).code).toBe(0);
  worker.process.kill("SIGTERM");
  expect((await worker.done).code).toBe(0);
});

test("doctor reports a history that it can't read, and a data directory that is a file", TIMES, async () => {
  const { url } = await cluster({ isReady: false });
  const here = folder({ ".home": "", torn: "AAAA\n" });
  const wrong = async (key: string) => {
    const told = await here.run("doctor --json", { env: { CURLEW_DB: url, CURLEW_KEY_FILE: key } });
    expect(told).toMatchObject({ code: 1, stderr: "" });
    const { checks } = JSON.parse(told.stdout) as { checks: { status: string; code: string }[] };
    return checks.filter(({ status }) => status === "wrong").map(({ code }) => code);
  };
  expect(await wrong("")).toEqual(["store-not-set-up", "home-not-a-folder"]);
  expect(await wrong("torn")).toEqual(["cluster-key-damaged", "home-not-a-folder"]);
  await here.run("db init --key-file key", { env: { CURLEW_DB: url } });
  expect(await wrong("key")).toEqual(["home-not-a-folder"]);
});

test("a worker that is declared dead while the database is away waits, and begins again", TIMES, async () => {
  const { url, postgres, ...it } = await cluster({ isReady: false });
  const here = folder();
  const other = folder();
  const env = { CURLEW_DB: url, CURLEW_KEY_FILE: join(here.path, "key") };
  expect((await here.run("db init --key-file key", { env: { CURLEW_DB: url } })).code).toBe(0);
  const worker = here.start("worker --name one --lease 3s", { env });
  await worker.says("Machine one takes up to 4 runs");
  const second = other.start("worker --name two --lease 20s", { env });
  await second.says("Machine two takes up to 4 runs");
  worker.process.kill("SIGSTOP");
  const state = async () => (await it.rows("SELECT state FROM curlew.machines WHERE name = 'one'"))[0]?.state;
  await expect.poll(state, { timeout: 20_000 }).toBe("dead");
  worker.process.kill("SIGCONT");
  await worker.says("was declared dead");
  await postgres.stop("immediate");
  await worker.says("store-unreachable");
  await postgres.start();
  await worker.says("Machine one takes up to 4 runs", "stderr", 2);
  for (const each of [worker, second]) each.process.kill("SIGTERM");
  expect((await worker.done).code).toBe(0);
  await second.done;
});

test("what a key is for is refused without it, and with another one", TIMES, async () => {
  const { url } = await cluster();
  const here = folder({ other: `${"A".repeat(43)}\n`, torn: "AAAA\n" });
  const refusal = async (args: string, env: Record<string, string>) => {
    const { code, stderr } = await here.run(args, { env });
    expect(code).toBe(2);
    return /error\[([\w-]+)\]/.exec(stderr)?.[1];
  };
  expect(await refusal("worker", {})).toBe("cluster-database-missing");
  const env = { CURLEW_DB: url };
  expect(await refusal("worker", env)).toBe("cluster-key-missing");
  expect(await refusal("machines drain a", env)).toBe("cluster-key-missing");
  expect(await refusal("worker --key-file nowhere", env)).toBe("cluster-key-unreadable");
  expect(await refusal("worker --key-file torn", env)).toBe("cluster-key-damaged");
  expect(await refusal("worker --key-file other", env)).toBe("cluster-key-wrong");
  expect(await refusal("db init --key-file other", env)).toBe("cluster-key-wrong");
  expect(await refusal("worker --lease 1s", env)).toBe("invalid-value");
  expect(await refusal("machines", { CURLEW_DB: "mysql://x" })).toBe("database-url");
});

test("without a database there is no cluster, and without a key it can be read", TIMES, async () => {
  const it = await cluster();
  const run = await it.submit("  - { id: x, type: cli, data: { title: X, content: true } }\n", "runsOn: [eu]\n");
  const here = folder({ ".home/config.yaml": `db: ${it.url}\n` });
  const place = { env: {}, home: here.home, cwd: here.path };
  expect(await clusterOf({ ...place, home: join(here.path, "empty") })).toEqual({ ok: true, value: undefined });
  const found = await clusterOf(place);
  expect(found).toEqual({ ok: true, value: { url: it.url, key: undefined } });
  const opened = await openClusterStore({ url: it.url, key: undefined }, here.home);
  expect(opened.ok && (await opened.value.journal.findRun("latest"))).toMatchObject({
    value: { id: run, status: "queued" },
  });
  if (opened.ok) await opened.value.close();
  expect((await here.run("runs show latest")).stdout).toContain("It waits for a machine with eu.");
  expect(JSON.parse((await here.run("runs show latest --json")).stdout)).toMatchObject({ runsOn: ["eu"] });
});

test(
  "commands that only read create no data directory, and a server starts with a damaged config.yaml",
  TIMES,
  async () => {
    const { url, rows } = await cluster({ isReady: false });
    const here = folder({
      "damaged/config.yaml": "colour: blue\n",
      "flows/a.flow.yaml": "curlew: 1\nname: A\nnodes: []\n",
    });
    const env = { CURLEW_DB: url, CURLEW_KEY_FILE: join(here.path, "key") };
    expect(await here.run("db init --key-file key", { env: { CURLEW_DB: url } })).toMatchObject({ code: 0 });
    for (const args of ["runs", "approvals", "state", "machines", "db check", "doctor"]) {
      expect([args, (await here.run(args, { env })).code]).toEqual([args, 0]);
      expect([args, existsSync(here.home)]).toEqual([args, false]);
    }
    await rows(`INSERT INTO curlew.machines SELECT 'gone', 'token', 1, '', '', '[]', 1, '0', 3000, 0,
    now() - interval '3 minutes', 'live', NULL, ''`);
    const { stdout } = await here.run("doctor", { env });
    expect(stdout).toContain("The key is the one of this cluster.");
    expect(stdout).toMatch(/\[machine-silent\] Machine gone gave its last sign of life 3m .*, and has 0 runs\./);
    here.write("other", `${"A".repeat(43)}\n`);
    const other = await here.run("doctor", { env: { ...env, CURLEW_KEY_FILE: "other" } });
    expect(other).toMatchObject({ code: 1, stdout: expect.stringContaining("[cluster-key-wrong]") });
    const server = here.start("serve flows --name s1 --port 0 --hooks-port 0 --home damaged", { env });
    await server.says("Ctrl-C ends");
    server.process.kill("SIGTERM");
    const { stderr } = await server.done;
    expect(stderr.match(/config\.yaml:1:1: has no setting "colour"/g)).toHaveLength(1);
  },
);

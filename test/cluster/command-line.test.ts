// The command line over PostgreSQL gives the same results as with the store of one machine (spec 6.1 P1).

import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readServerFile } from "../../src/app/instance.ts";
import { endRunners, folder, type Given, inARow, made } from "../cli/curlew.ts";
import { follow, isLive } from "../server/streams.ts";
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
    start: (args: string | string[], more = {}) => it.start(args, { env: { ...env, ...more } }),
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
    expect(checks.filter(({ what }) => ["store", "runs", "key", "machines"].includes(what))).toMatchObject([
      { what: "store", status: "ok", message: expect.stringContaining("PostgreSQL") },
      { what: "runs", code: "runs-interrupted" },
      { what: "key", status: "ok" },
      { what: "machines", status: "ok" },
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

const KEEPS = `curlew: 1
name: Keeps
state: { last: none }
nodes:
  - id: last
    run: |
      printf '["last","a\\\\u0000b"]\\n' >> "$CURLEW_STATE"
  - id: slow
    cache: { key: one, ttl: 1h }
    run: printf 'x\\0y'; echo computed >> computed
`;

test("state and cached values are there for every data directory, also with zero characters", TIMES, async () => {
  const it = await onCluster({ "t.flow.yaml": KEEPS });
  for (const home of [".home", "other"]) expect((await it.run(`run t.flow.yaml --home ${home}`)).code, home).toBe(0);
  expect(it.read("computed")).toBe("computed\n");
  const listed = JSON.parse((await it.run("state list --json --home other")).stdout);
  expect(listed).toMatchObject([{ name: "last", value: "a\0b" }]);
  expect(JSON.parse((await it.run("cache list --json --home other")).stdout)).toMatchObject([{ key: "one" }]);
  expect((await it.run("cache clear --home other")).code).toBe(0);
  expect(JSON.parse((await it.run("cache list --json")).stdout)).toEqual([]);
});

test("a rejection from elsewhere reaches the run, without secrets that only its machine has", TIMES, async () => {
  const gated = "  - { id: gate, type: cli, data: { title: Gate, content: echo passed, needsUserApproval: true } }\n";
  const busy = "touch began; until test -e go; do sleep 0.02; done";
  const it = await onCluster({ "a.flow.yaml": `${inARow({ busy }, "secrets: [TOKEN]\n")}${gated}` });
  const run = it.start("run a.flow.yaml", { TOKEN: "only-there-0815" });
  await run.says("gate waits for an approval");
  const rejected = await it.run("reject latest gate --reason only-there-0815 --detach --home other");
  expect(rejected).toMatchObject({ code: 0, stdout: "" });
  it.write("go", "");
  expect((await run.done).code).toBe(1);
  const said = await it.rows("SELECT body FROM curlew.events UNION ALL SELECT body FROM curlew.inbox");
  expect(JSON.stringify(said)).not.toContain("only-there");
  expect((await it.run("runs show latest --json")).stdout).toContain('"reason": "***"');
  const log = JSON.parse((await it.run("audit --json")).stdout);
  expect(log[0]).toMatchObject({ type: "approval.rejected", path: "gate", door: "cli" });
  expect(await it.run("audit verify")).toMatchObject({ code: 0 });
});

test("a server is killed: the next one continues its run, and adopts the command", TIMES, async () => {
  const waits = "echo begins >> ledger; touch began; until test -e go; do sleep 0.02; done";
  const it = await onCluster({ "k.flow.yaml": inARow({ waits, last: "echo last >> ledger" }) });
  const serve = "serve . --port 0 --hooks-port 0";
  const first = it.start(serve);
  await first.says("The link works once");
  const run = (await it.run("run k.flow.yaml --detach")).stdout.trim();
  await made(join(it.path, "began"));
  first.process.kill("SIGKILL");
  await first.done;
  const second = it.start(serve);
  await second.says("The link works once");
  it.write("go", "");
  await expect.poll(async () => (await it.run(["runs", "show", run])).stdout).toContain("Test  succeeded");
  expect(it.read("ledger")).toBe("begins\nlast\n");
  second.process.kill("SIGTERM");
  expect((await second.done).stderr).not.toContain("run-stopped");
});

test("a server that was declared dead ends its streams, and serves again at the same address", TIMES, async () => {
  const it = await onCluster({ "a.flow.yaml": inARow({ a: "echo hi" }) });
  const server = it.start(["serve", ".", "--name", "s1", "--port", await freePort(), "--hooks-port", "0"]);
  await server.says("The link works once");
  const before = readServerFile(it.home)!;
  const page = await follow(before, "/events");
  await page.until(isLive);
  await it.rows("UPDATE curlew.machines SET state = 'dead', dead_at = clock_timestamp() WHERE name = 's1'");
  await expect(page.until(() => false)).rejects.toThrow();
  await server.says("warning[machine-dead]");
  await server.says("The link works once", "stderr", 2);
  const after = readServerFile(it.home)!;
  expect(after.url).toBe(before.url);
  await (await follow(after, "/events")).until(isLive);
  const run = (await it.run("run a.flow.yaml --detach")).stdout.trim();
  await expect.poll(async () => (await it.run(["runs", "show", run])).stdout).toContain("Test  succeeded");
  server.process.kill("SIGTERM");
  await server.done;
});

async function freePort(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return String(port);
}

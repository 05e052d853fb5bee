// One history for several servers and command lines (spec 6.2), with a real database.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readServerFile } from "../../src/app/instance.ts";
import { ok } from "../../src/base/result.ts";
import { openPostgresStore } from "../../src/store/postgres/index.ts";
import { folder } from "../cli/curlew.ts";
import { id, must } from "../store/fixture.ts";
import { startProxy } from "../store/proxy.ts";
import { cluster } from "./cluster.ts";

const TIMES = { timeout: 120_000 };
const HELLO = `curlew: 1\nname: Hello\nnodes: [{ id: greet, run: "echo hello" }]\n`;
const SLOW = `curlew: 1\nname: Slow\nnodes: [{ id: wait, run: "echo begins; until test -e go; do sleep 0.05; done; echo ends" }]\n`;
const ASK = `curlew: 1\nname: Ask\nnodes: [{ id: gate, run: "rm -rf nothing; echo done" }]\n`;

async function shared(more: Record<string, string> = {}) {
  const { url, rows, postgres } = await cluster({ isReady: false });
  const files = { "hello.flow.yaml": HELLO, "ask.flow.yaml": ASK, "slow.flow.yaml": SLOW, ...more };
  const [one, other] = [folder(files), folder(files)];
  expect((await one.run("db init --key-file key", { env: { CURLEW_DB: url } })).code).toBe(0);
  const env = { CURLEW_DB: url, CURLEW_KEY_FILE: join(one.path, "key") };
  return { one, other, env, reading: { CURLEW_DB: url }, rows, postgres };
}

async function api(home: string, method: string, path: string, body?: object): Promise<Response> {
  const { url, token } = readServerFile(home)!;
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return fetch(`${url}/api/v1${path}`, { method, headers, body: body && JSON.stringify(body) });
}

test("runs are seen, answered, and left to others from every command line that has the URL", TIMES, async () => {
  const { one, other, env, reading } = await shared();
  expect(await one.run("run hello.flow.yaml", { env })).toMatchObject({ code: 0, stdout: "hello\n" });
  const [run] = JSON.parse((await other.run("runs --json", { env: reading })).stdout);
  expect(run).toMatchObject({ workflow: "Hello", status: "succeeded" });
  expect(await one.run("runs logs latest", { env })).toMatchObject({ stdout: "greet | hello\n" });
  expect(await other.run("runs logs latest", { env: reading })).toMatchObject({
    stdout: "greet | hello\n",
    stderr: "",
  });
  for (const args of ["run hello.flow.yaml", "runs cancel latest", "approve gate"])
    expect((await other.run(args, { env: reading })).stderr).toContain("error[cluster-key-missing]");

  expect((await one.run("run ask.flow.yaml", { env })).code).toBe(3);
  expect(await other.run("approve gate", { env })).toMatchObject({ code: 0, stdout: "done\n" });

  const left = await one.run("run hello.flow.yaml --detach", { env });
  expect(left.code).toBe(0);
  const early = one.start("runs logs latest -f", { env: reading });
  await early.says("It waits for a machine");
  const queued = (await one.run("runs show latest", { env })).stdout;
  expect(queued).toMatch(/^Hello {2}queued\n/);
  expect(queued).toContain("It waits for a machine with a free slot.");
  const worker = other.start("worker --name two", { env });
  await expect.poll(async () => (await one.run("runs show latest", { env })).stdout).toContain("succeeded");
  expect((await early.done).stdout).toBe("greet | hello\n");

  const asking = (await one.run("run ask.flow.yaml --detach", { env })).stdout.trim();
  await expect.poll(async () => (await one.run("approvals", { env })).stdout).toContain("gate");
  expect(await one.run(["approve", asking, "gate", "--detach"], { env })).toMatchObject({ code: 0 });
  await expect.poll(async () => (await one.run(["runs", "show", asking], { env })).stdout).toContain("Ask  succeeded");

  const slow = (await one.run("run slow.flow.yaml --detach", { env })).stdout.trim();
  const following = one.start(["runs", "logs", slow, "-f"], { env: reading });
  await following.says("begins", "stdout");
  writeFileSync(join(one.path, "go"), "");
  expect((await following.done).stdout).toBe("wait | begins\nwait | ends\n");
  worker.process.kill("SIGTERM");
  await worker.done;
});

test(
  "after the time limit of an approval, a machine with the labels continues the run, and no other",
  TIMES,
  async () => {
    const approval = "needsUserApproval: true, approval: { timeout: 1s, onTimeout: approve }";
    const text = `curlew: 1\nname: Gpu\nrunsOn: [gpu]\nnodes: [{ id: gate, run: "echo done", ${approval} }]\n`;
    const { one, other, env, rows } = await shared({ "gpu.flow.yaml": text });
    const server = one.start("serve --name s1 --port 0 --hooks-port 0", { env });
    const worker = other.start("worker --name w1 --labels gpu", { env });
    await Promise.all([server.says("api"), worker.says("Machine w1 takes")]);
    const run = (await one.run("run gpu.flow.yaml --detach", { env })).stdout.trim();
    const status = async () => (await rows("SELECT status FROM curlew.runs WHERE id = $1", [run]))[0]?.status;
    await expect.poll(status, { timeout: 30_000 }).toBe("succeeded");
    const [event] = await rows("SELECT body FROM curlew.events WHERE body LIKE '%attempt.started%'");
    const { runner } = JSON.parse(String(event?.body)).detail;
    expect(readdirSync(join(other.home, "runners"))).toContain(runner);
  },
);

test("two servers show the same runs while they happen", TIMES, async () => {
  const { one, other, env } = await shared();
  const [first, second] = [
    one.start("serve --name s1 --port 0 --hooks-port 0", { env }),
    other.start("serve --name s2 --port 0 --hooks-port 0", { env }),
  ];
  await Promise.all([first.says("api"), second.says("api")]);
  const events = await api(other.home, "GET", "/events");
  const started = await (await api(one.home, "POST", "/workflows/ask.flow.yaml/runs", {})).json();
  const { id } = started as { id: string };
  const reader = events.body!.getReader();
  let text = "";
  while (!text.includes("approval.requested")) text += new TextDecoder().decode((await reader.read()).value);
  await reader.cancel();
  expect(text).toContain(id);

  const { items } = (await (await api(other.home, "GET", "/approvals")).json()) as { items: { id: string }[] };
  expect((await api(other.home, "POST", `/approvals/${items[0]!.id}/grant`, {})).status).toBe(200);
  const statusAt = async (home: string) => (await (await api(home, "GET", `/runs/${id}`)).json()) as { status: string };
  await expect.poll(() => statusAt(one.home)).toMatchObject({ status: "succeeded" });
  for (const { home } of [one, other]) {
    const output = await api(home, "GET", `/runs/${id}/nodes/gate/attempts/1/output`);
    expect(await output.text()).toBe("done\n");
  }
  for (const server of [first, second]) server.process.kill("SIGTERM");
  await Promise.all([first.done, second.done]);
});

test("a server that is killed continues its run when it starts again", TIMES, async () => {
  const { one, env } = await shared();
  const serve = () => one.start("serve --name s1 --port 0 --hooks-port 0", { env });
  const first = serve();
  await first.says("api");
  const run = (await one.run("run slow.flow.yaml --detach", { env })).stdout.trim();
  await expect.poll(async () => (await one.run(["runs", "show", run], { env })).stdout).toContain("running");
  first.process.kill("SIGKILL");
  await first.done;
  const second = serve();
  await second.says("api");
  writeFileSync(join(one.path, "go"), "");
  await expect.poll(async () => (await one.run(["runs", "show", run], { env })).stdout).toContain("Slow  succeeded");
  second.process.kill("SIGTERM");
  expect((await second.done).stderr).not.toContain("run-stopped");
});

test("a server leaves a run to a machine with its labels, and says what the run waits for", TIMES, async () => {
  const gpu = `curlew: 1\nname: Gpu\nrunsOn: [gpu]\nnodes: [{ id: x, run: "echo $CURLEW_RUN_ID" }]\n`;
  const { one, other, env } = await shared({ "gpu.flow.yaml": gpu });
  const server = one.start("serve --name s1 --port 0 --hooks-port 0", { env });
  await server.says("api");
  const started = async (): Promise<string> => {
    const answer = await api(one.home, "POST", "/workflows/gpu.flow.yaml/runs", {});
    expect(answer.status).toBe(201);
    return ((await answer.json()) as { id: string }).id;
  };
  const shown = async (run: string) => (await api(one.home, "GET", `/runs/${run}`)).json();
  const [run, cancelled] = [await started(), await started()];
  expect(await shown(run)).toMatchObject({ status: "queued", runsOn: ["gpu"] });
  const text = (await one.run(["runs", "show", run], { env })).stdout;
  expect(text).toMatch(/^Gpu {2}queued\n/);
  expect(text).toContain("It waits for a machine with gpu.");
  const { items } = (await (await api(one.home, "GET", "/runs")).json()) as { items: { status: string }[] };
  expect(items.map(({ status }) => status)).toEqual(["queued", "queued"]);
  expect((await api(one.home, "POST", `/runs/${cancelled}/cancel`, {})).status).toBe(202);
  await expect.poll(() => shown(cancelled)).toMatchObject({ status: "cancelled" });
  const worker = other.start("worker --name two --labels gpu", { env });
  await expect.poll(() => shown(run), { timeout: 20_000 }).toMatchObject({ status: "succeeded", result: run });
  for (const process of [worker, server]) process.process.kill("SIGTERM");
  await Promise.all([worker.done, server.done]);
});

test("an approval on a machine without the labels of the run leaves it to one that has them", TIMES, async () => {
  const gpu = `curlew: 1\nname: Gpu\nrunsOn: [gpu]\nnodes:\n  - { id: x, run: "echo by $WHO", needsUserApproval: true, env: { inherit: [WHO] } }\n`;
  const { one, other, env, rows } = await shared({ "gpu.flow.yaml": gpu });
  const work = () => other.start("worker --name two --labels gpu", { env: { ...env, WHO: "two" } });
  const asked = async (): Promise<string> => (await one.run("run gpu.flow.yaml --detach", { env })).stdout.trim();
  const [first, second] = [await asked(), await asked()];
  const worker = work();
  const resting = () => rows("SELECT id FROM curlew.runs WHERE status = 'waiting' AND owner_token IS NULL");
  await expect.poll(async () => (await resting()).length, { timeout: 20_000 }).toBe(2);
  worker.process.kill("SIGTERM");
  await worker.done;
  expect(await one.run(["approve", first, "x"], { env })).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Recorded. This machine does not have the label "gpu"'),
  });
  const server = one.start("serve --name s1 --port 0 --hooks-port 0", { env });
  await server.says("api");
  const { items } = (await (await api(one.home, "GET", "/approvals")).json()) as { items: { id: string }[] };
  expect((await api(one.home, "POST", `/approvals/${items[0]!.id}/grant`, {})).ok).toBe(true);
  const again = work();
  for (const run of [first, second])
    await expect
      .poll(async () => (await api(one.home, "GET", `/runs/${run}`)).json(), { timeout: 20_000 })
      .toMatchObject({ status: "succeeded", result: "by two" });
  for (const process of [again, server]) process.process.kill("SIGTERM");
  await Promise.all([again.done, server.done]);
});

test("what triggers accept while the machine has no lease starts when it has one again", TIMES, async () => {
  const nodes = `nodes: [{ id: x, run: "echo x" }]\n`;
  const { one, env, rows } = await shared({
    "hook.flow.yaml": `curlew: 1\nname: Hook\non: [{ webhook: { path: hook, verify: none } }]\n${nodes}`,
    "file.flow.yaml": `curlew: 1\nname: File\non: [{ file: { paths: ["in.txt"] } }]\n${nodes}`,
  });
  const server = one.start("serve --name s1 --lease 3s --port 0 --hooks-port 0", { env });
  await server.says("api");
  // Only its renewals fail.
  await rows(`CREATE FUNCTION curlew.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$`);
  await rows("CREATE TRIGGER refuse BEFORE UPDATE OF seen ON curlew.machines EXECUTE FUNCTION curlew.refuse()");
  const isOver = async () =>
    (await rows("SELECT seen + lease_ms * interval '1 ms' < clock_timestamp() AS over FROM curlew.machines"))[0]?.over;
  await expect.poll(isOver, { timeout: 20_000 }).toBe(true);
  const hook = `${readServerFile(one.home)!.hooksUrl}/h/hook`;
  expect((await fetch(hook, { method: "POST", body: "{}" })).ok).toBe(true);
  writeFileSync(join(one.path, "in.txt"), "");
  const tried = () => readFileSync(join(one.home, "server.log"), "utf8").match(/lease-lost/g)?.length ?? 0;
  await expect.poll(tried, { timeout: 20_000 }).toBeGreaterThan(1);
  await rows("DROP TRIGGER refuse ON curlew.machines");
  const ended = () => rows("SELECT name, status FROM curlew.runs ORDER BY name");
  const [File, Hook] = ["File", "Hook"].map((name) => ({ name, status: "succeeded" }));
  await expect.poll(ended, { timeout: 20_000 }).toEqual([File, Hook]);
  server.process.kill("SIGTERM");
  await server.done;
});

test("a server starts what another one acknowledged and decided before it was gone", TIMES, async () => {
  const served = `curlew: 1\nname: Served\non:\n  - webhook: { path: h, verify: none }\nnodes: [{ id: x, run: "echo x" }]\n`;
  const { one, env, rows } = await shared({ "served.flow.yaml": served });
  const server = one.start("serve --name s1 --port 0 --hooks-port 0", { env });
  await server.says("api");
  // Its own deliveries and starts are done, so it is idle.
  const hook = `${readServerFile(one.home)!.hooksUrl}/h/h`;
  await expect.poll(async () => (await fetch(hook, { method: "POST", body: "{}" })).status).toBe(200);
  const ended = "SELECT id FROM curlew.runs WHERE status = 'succeeded' ORDER BY id";
  await expect.poll(async () => (await rows(ended)).length).toBe(1);
  const auditKey = () => ok(Buffer.alloc(32, 7));
  const gone = must(await openPostgresStore({ url: env.CURLEW_DB, home: join(one.path, "gone"), auditKey }));
  onTestFinished(() => gone.close());
  const ids = [1, 2, 3, 4].map((n) => id(n));
  for (const [n, folder] of [one.path, dirname(one.path)].entries()) {
    const file = join(folder, "served.flow.yaml");
    const sent = { receivedAt: new Date(0).toISOString(), headers: {}, query: {}, body: Buffer.from("{}") };
    must(await gone.deliveries.receive({ id: `d${n}`, run: ids[n]!, hook: "h", file, ...sent }));
    const start = { run: ids[n + 2]!, trigger: `t${n}`, key: "1", startedBy: { kind: "schedule" as const }, file };
    must(await gone.triggers.decide(`t${n}`, { sinceMs: 0 }, [start]));
  }
  const taken = () => rows(`${ended} LIMIT 2`);
  await expect.poll(taken, { timeout: 25_000 }).toEqual([{ id: ids[0] }, { id: ids[2] }]);
  // The others are for a server that serves their folder.
  expect(await rows("SELECT status FROM curlew.deliveries ORDER BY n")).toEqual(
    ["started", "started", "received"].map((status) => ({ status })),
  );
  expect(await rows("SELECT state FROM curlew.trigger_starts ORDER BY n")).toEqual(
    ["started", "due"].map((state) => ({ state })),
  );
  server.process.kill("SIGTERM");
  await server.done;
});

test("M3: a run whose recording was not answered for long runs when the database answers", TIMES, async () => {
  const { one, env, rows, postgres } = await shared();
  const proxy = await startProxy(postgres.port);
  onTestFinished(() => proxy.close());
  const CURLEW_DB = env.CURLEW_DB.replace(/:\d+\//, `:${proxy.port}/`);
  const server = one.start("serve --name s1 --lease 2m --port 0 --hooks-port 0", { env: { ...env, CURLEW_DB } });
  await server.says("api");
  await slowCommits(rows);
  const { url, token } = readServerFile(one.home)!;
  const headers = {
    ...{ authorization: `Bearer ${token}`, "content-type": "application/json", "idempotency-key": "once" },
  };
  const post = () => fetch(`${url}/api/v1/workflows/hello.flow.yaml/runs`, { method: "POST", headers, body: "{}" });
  const first = post();
  await expect.poll(async () => (await rows(COMMITS)).length).toBe(1);
  proxy.cut();
  expect((await first).ok).toBe(false);
  expect(await rows("SELECT status, last_seq FROM curlew.runs")).toEqual([{ status: "running", last_seq: 1 }]);
  proxy.join();
  const again = await post();
  const { id } = (await again.json()) as { id: string };
  expect(await rows("SELECT id FROM curlew.runs")).toEqual([{ id }]);
  await expect
    .poll(() => rows("SELECT status FROM curlew.runs"), { timeout: 15_000 })
    .toEqual([{ status: "succeeded" }]);
  server.process.kill("SIGTERM");
  await server.done;
});

test("M3: a run in the foreground whose recording was not answered runs when the database answers", TIMES, async () => {
  const { one, env, rows, postgres } = await shared();
  const proxy = await startProxy(postgres.port);
  onTestFinished(() => proxy.close());
  await slowCommits(rows);
  const CURLEW_DB = env.CURLEW_DB.replace(/:\d+\//, `:${proxy.port}/`);
  const run = one.start("run hello.flow.yaml", { env: { ...env, CURLEW_DB } });
  await expect.poll(async () => (await rows(COMMITS)).length, { timeout: 10_000 }).toBe(1);
  proxy.cut();
  await run.says("waits to see whether run");
  proxy.join();
  expect(await run.done).toMatchObject({ code: 0, stdout: "hello\n" });
  expect(await rows("SELECT status FROM curlew.runs")).toEqual([{ status: "succeeded" }]);
});

const COMMITS = "SELECT 1 FROM pg_stat_activity WHERE query = 'COMMIT' AND wait_event = 'PgSleep'";

/** The commit of a new run takes two seconds. */
async function slowCommits(rows: Awaited<ReturnType<typeof shared>>["rows"]): Promise<void> {
  await rows(`CREATE FUNCTION curlew.waits() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_sleep(2); RETURN NULL; END $$`);
  await rows(`CREATE CONSTRAINT TRIGGER waits AFTER INSERT ON curlew.runs DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION curlew.waits()`);
}

// Three workers and two servers with one database, while machines, runners, and PostgreSQL are killed, stopped, cut
// off, and started again at random (spec 6.7, 6.9 no. 4). Each command writes to a ledger. Afterwards each run has
// ended or waits for a person, and the ledger agrees with the journal. CHECK_SEED=n starts there. CHECK_FULL=1 starts
// 200 runs instead of 20.

import { join } from "node:path";
import { expect, test } from "vitest";
import { readServerFile } from "../../src/app/instance.ts";
import type { RunEvent } from "../../src/scheduler/event.ts";
import { folder } from "../cli/curlew.ts";
import { randomFrom } from "../scheduler/generate.ts";
import { died, FAULTS, lastWords, type Machine, machine, pause, unwatched } from "./chaos.ts";
import { cluster } from "./cluster.ts";
import { type Judged, judge } from "./judge.ts";

const FULL = process.env.CHECK_FULL === "1";
const RUNS = FULL ? 200 : 20;
const FAULTS_MS = FULL ? 300_000 : 40_000;
const SEED = Number(process.env.CHECK_SEED ?? Math.floor(Math.random() * 1e9));
const [LEASE_MS, PATIENCE_MS] = [5_000, 8_000];

const work = (seconds: number, id: string, more = "", last = "") =>
  `  - { id: ${id}, ${more}run: 'L="$CURLEW_RUN_ID $CURLEW_NODE $CURLEW_ATTEMPT"; echo "$L $(date +%s%3N) begin" >> ledger; sleep ${seconds}; echo "$L $(date +%s%3N) end" >> ledger${last}' }\n`;
const REPEATED = "onLost: retry, ";
const FLOWS: Record<string, string> = {
  chain: `nodes:\n${work(0.3, "a")}${work(1, "b", REPEATED)}${work(0.3, "c")}edges: [a -> b, b -> c]\n`,
  loop: `nodes:\n  - { id: each, type: loop-start, data: { title: Each, iterations: 4, maxIterations: 4 } }\n${work(0.5, "in", REPEATED)}  - { id: done, type: loop-end, data: { title: Done } }\nedges: [each -> in, in -> done]\n`,
  again: `nodes:\n${work(0.3, "x", `${REPEATED}retry: { maxAttempts: 20, initialInterval: 1s, multiplier: 1, jitter: none, on: [1] }, `, '; test "$CURLEW_ATTEMPT" -ge 3')}`,
  later: `nodes:\n${work(0.2, "x", `${REPEATED}retry: { maxAttempts: 20, initialInterval: 7s, multiplier: 1, jitter: none, on: [1] }, `, '; test "$CURLEW_ATTEMPT" -ge 2')}`,
  ask: `nodes:\n${work(0.3, "a", REPEATED)}${work(0.3, "gate", "needsUserApproval: true, ")}edges: [a -> gate]\n`,
  expires: `nodes:\n${work(0.3, "gate", "needsUserApproval: true, approval: { timeout: 6s, onTimeout: approve }, ")}`,
  stays: `nodes:\n${work(0.3, "gate", "needsUserApproval: true, ")}`,
  sub: `nodes:\n  - { id: s, type: subflow, title: S, workflow: chain.flow.yaml, onLost: retry }\n${work(0.3, "z", REPEATED)}edges: [s -> z]\n`,
  placed: `nodes:\n  - { id: s, type: subflow, title: S, workflow: chain.flow.yaml, runsOn: [gpu] }\n${work(0.3, "z", REPEATED)}edges: [s -> z]\n`,
  placedAsk: `nodes:\n  - { id: s, type: subflow, title: S, workflow: ask.flow.yaml, runsOn: [gpu] }\n${work(0.3, "z", REPEATED)}edges: [s -> z]\n`,
  label: `runsOn: [gpu]\nnodes:\n${work(0.5, "x", REPEATED)}${work(0.5, "y")}edges: [x -> y]\n`,
  budget: `nodes:\n${work(0.4, "one", `${REPEATED}concurrency: { key: one, limit: 1 }, `)}`,
  hook: `on:\n  - webhook: { path: hook, verify: none }\nnodes:\n${work(0.3, "x", REPEATED)}`,
  tick: `on:\n  - schedule: { cron: "* * * * *", overlap: allow }\nnodes:\n${work(0.3, "x", REPEATED)}`,
};
const STARTED = Object.keys(FLOWS).filter((name) => name !== "hook" && name !== "tick");

const SHORT = Object.keys(FAULTS).filter((name) => !/long|gone/.test(name));

const startedMs = performance.now();
const log: string[] = [];
const note = (text: string): void => void log.push(`${((performance.now() - startedMs) / 1_000).toFixed(1)} ${text}`);

test(`${RUNS} runs while everything fails (seed ${SEED})`, { timeout: FAULTS_MS + 200_000 }, async () => {
  const random = randomFrom(SEED);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  const { url, postgres, rows } = await cluster({ isReady: false });
  const files = Object.entries(FLOWS).map(([name, text]) => [`${name}.flow.yaml`, `curlew: 1\nname: ${name}\n${text}`]);
  const place = folder(Object.fromEntries(files));
  const env = { CURLEW_DB: url, CURLEW_KEY_FILE: join(place.path, "key") };
  expect((await place.run("db init --key-file key", { env: { CURLEW_DB: url } })).code).toBe(0);
  const make = (name: string, args: string, leaseMs: number) => machine(name, args, leaseMs, place, url, postgres.port);
  const timing = `--lease ${LEASE_MS / 1_000}s --patience ${PATIENCE_MS / 1_000}s`;
  const workers = await Promise.all(
    ["w1 --labels gpu", "w2 --labels gpu", "w3"].map((of) =>
      make(of.slice(0, 2), `worker --name ${of} ${timing}`, LEASE_MS),
    ),
  );
  const servers = await Promise.all(
    ["s1", "s2"].map((name) => make(name, `serve --name ${name} --port 0 --hooks-port 0 .`, 20_000)),
  );
  await Promise.all(workers.map(({ name, now }) => now.says(`Machine ${name} takes`)));
  await Promise.all(servers.map(({ now }) => now.says("Ctrl-C ends")));

  const api = async (method: string, path: string, body?: object, key?: string): Promise<Response | undefined> => {
    const server = readServerFile(pick(servers).home);
    const headers = { "content-type": "application/json", ...(key && { "idempotency-key": key }) };
    if (server === undefined) return undefined;
    const init = { method, body: JSON.stringify(body), signal: AbortSignal.timeout(5_000) };
    const auth = { authorization: `Bearer ${server.token}` };
    return fetch(`${server.url}/api/v1${path}`, { ...init, headers: { ...headers, ...auth } }).catch(() => undefined);
  };
  const acknowledged = new Set<string>();
  const delivered = new Set<string>();
  const untilMs = performance.now() + FAULTS_MS;
  const isOver = () => performance.now() > untilMs;

  async function start(n: number): Promise<void> {
    const file = `${STARTED[n % STARTED.length]}.flow.yaml`;
    // A server starts only what it can drive itself.
    while (file.startsWith("label") || random() < 0.5) {
      const { code, stdout } = await place.run(`run ${file} --detach`, { env });
      if (code === 0) return void acknowledged.add(stdout.trim());
      await pause(300);
    }
    // The same key starts one run, also if its first answer was lost, or another server is asked.
    for (;;) {
      const answer = await api("POST", `/workflows/${file}/runs`, {}, `start-${n}`);
      if (answer?.ok) return void acknowledged.add(((await answer.json()) as { id: string }).id);
      await pause(300);
    }
  }

  async function deliver(id: string): Promise<void> {
    for (let left = 2; left > 0; ) {
      const hook = `${readServerFile(pick(servers).home)?.hooksUrl}/h/hook`;
      const headers = { "idempotency-key": id, "content-type": "application/json" };
      const sent = { method: "POST", headers, body: JSON.stringify({ id }), signal: AbortSignal.timeout(5_000) };
      if ((await fetch(hook, sent).catch(() => undefined))?.ok) {
        delivered.add(id);
        left -= 1;
      } else await pause(300);
    }
  }

  /** A person who approves what asks, except in two workflows. */
  async function approve(): Promise<void> {
    const asked = await (await api("GET", "/approvals"))?.json().catch(() => undefined);
    const { items = [] } = (asked ?? {}) as { items?: { id: string }[] };
    const answered = items.filter((item) => !/(?:stays|expires)\.flow/.test(JSON.stringify(item)));
    for (const { id } of answered) await api("POST", `/approvals/${id}/grant`, {});
  }

  let [databaseFaults, isDown] = [0, false];
  async function failDatabase(): Promise<void> {
    const how = pick(["fast", "immediate", "long", "backend"] as const);
    [databaseFaults, isDown] = [databaseFaults + 1, true];
    note(`database: ${how}`);
    if (how === "backend") {
      const [row] = await rows(
        "SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database() LIMIT 1",
      );
      if (row !== undefined) process.kill(Number(row.pid), "SIGKILL");
    } else {
      await postgres.stop(how === "long" ? "immediate" : how);
      await pause(how === "long" ? LEASE_MS + 2_000 : 1_500 * random());
      await postgres.start();
    }
    isDown = false;
    note("database: back");
  }

  const takeovers: number[] = [];
  /** How long after its lease another machine says that this one is dead. Not while the database fails. */
  async function takeover({ name, leaseMs }: Machine): Promise<void> {
    const [fromMs, before] = [performance.now(), databaseFaults];
    const isQuiet = (): boolean => databaseFaults === before && !isDown;
    const dead = "SELECT 1 FROM curlew.machines WHERE name = $1 AND state = 'dead'";
    for (; isQuiet() && performance.now() - fromMs < leaseMs + 2_400; await pause(50)) {
      const found = await rows(dead, [name]).catch(() => []);
      if (found.length > 0) break;
    }
    if (isQuiet()) takeovers.push(performance.now() - fromMs - leaseMs);
  }

  async function faultsOf(machines: readonly Machine[], names: readonly string[]): Promise<void> {
    while (!isOver()) {
      await pause(500 + 2_000 * random());
      const [it, name] = [pick(machines), pick(names)];
      note(`${it.name}: ${name}`);
      if (name === "killed and gone") void takeover(it);
      await FAULTS[name]!(it);
      note(`${it.name}: back`);
    }
  }

  const everyMs = FAULTS_MS / RUNS;
  const lanes = [
    faultsOf(workers, Object.keys(FAULTS)),
    faultsOf(servers, FULL ? Object.keys(FAULTS) : SHORT),
    (async () => {
      for (; !isOver(); await pause(6_000 + 8_000 * random())) await failDatabase();
    })(),
    Promise.all(Array.from({ length: RUNS }, (_, n) => pause(n * everyMs).then(() => start(n)))),
    Promise.all(Array.from({ length: RUNS / 4 }, (_, n) => pause(n * 4 * everyMs).then(() => deliver(`d${n}`)))),
  ];
  let isCalm = false;
  const person = (async () => {
    for (; !isCalm; await pause(500)) await approve();
  })();
  await Promise.all(lanes);
  note("calm");

  const OPEN = `SELECT id, name, status, owner_machine FROM curlew.runs WHERE ended_at IS NULL
    AND NOT (name = 'stays' AND status = 'waiting')`;
  // A server may be busy with what it acknowledged last.
  const ACKNOWLEDGED = `SELECT id FROM curlew.deliveries WHERE status = 'received'
    UNION ALL SELECT run FROM curlew.trigger_starts WHERE state = 'due'`;
  const openNow = async () => [...(await rows(OPEN)), ...(await rows(ACKNOWLEDGED))];
  const sinceMs = performance.now();
  while ((await openNow()).length > 0 && performance.now() - sinceMs < 90_000) await pause(250);
  note("settled");
  isCalm = true;
  await person;
  const about = (): string => [`seed ${SEED}`, ...log, place.path].join("\n");
  const open = await rows(OPEN);
  const why = async () => `${about()}\n${await state(rows)}\n\n${await lastWords([...workers, ...servers])}`;
  expect(open, open.length === 0 ? "" : await why()).toEqual([]);

  const runs = await judged(rows);
  expect(judge(runs, place.read("ledger").trim().split("\n"), unwatched), about()).toEqual([]);
  expect(died, about()).toEqual([]);
  const ids = new Set(runs.map(({ id }) => id));
  expect([acknowledged.size, [...acknowledged].filter((id) => !ids.has(id))], about()).toEqual([RUNS, []]);
  // P6.
  expect(
    startsOf(runs, "hook", ({ inputs }) => String(inputs.event)),
    about(),
  ).toEqual([...delivered].map((id) => JSON.stringify({ id })).sort());
  const ticks = startsOf(runs, "tick", ({ trigger }) => String(trigger.at));
  expect(new Set(ticks).size, about()).toBe(ticks.length);
  expect(Math.max(0, ...takeovers), about()).toBeLessThan(2_000);
  console.log(
    `${runs.length} runs, ${log.length} notes, takeovers ${takeovers.map(Math.round).join(", ")} ms after the lease`,
  );
});

/** The last events, entries, and shares of the runs that did not end. */
async function state(rows: Rows): Promise<string> {
  const last = `SELECT r.id, r.owner_token, r.owner_machine, r.epoch, r.waiting, r.last_seq, left(e.body, 200) AS last FROM curlew.runs r
    JOIN curlew.events e ON e.run = r.key AND e.seq > r.last_seq - 4 WHERE r.ended_at IS NULL AND r.name <> 'stays' ORDER BY r.id, e.seq`;
  const entries = `SELECT w.workflow_uuid, w.status, w.executor_id FROM curlew_queue.workflow_status w JOIN curlew.runs r
    ON w.workflow_uuid LIKE r.id || '%' WHERE r.ended_at IS NULL AND r.name <> 'stays'`;
  const asked = [last, entries, "SELECT * FROM curlew.slots", "SELECT * FROM curlew.budget_waits"];
  const machines = `SELECT name, token, state, beat, lease_ms, extract(epoch FROM clock_timestamp() - seen) AS silent_s
    FROM curlew.machines`;
  const found = await Promise.all([...asked, machines].map((sql) => rows(sql)));
  return found.map((some) => some.map((row) => JSON.stringify(row)).join("\n")).join("\n\n");
}

type Rows = Awaited<ReturnType<typeof cluster>>["rows"];

async function judged(rows: Rows): Promise<Judged[]> {
  const all = await rows("SELECT id, name, status FROM curlew.runs");
  const recorded = await rows(
    "SELECT r.id, e.seq, e.body FROM curlew.events e JOIN curlew.runs r ON r.key = e.run ORDER BY e.run, e.seq",
  );
  const bodies = Map.groupBy(recorded, ({ id }) => id);
  return all.map((row) => {
    const [id = "", name = "", status = ""] = [row.id, row.name, row.status].map(String);
    const events = (bodies.get(row.id) ?? []).map(({ seq, body }) => ({ ...JSON.parse(String(body)), run: id, seq }));
    return { id, name, status, events };
  });
}

type First = Extract<RunEvent, { type: "run.started" }>;

function startsOf(runs: readonly Judged[], name: string, what: (first: First) => string): string[] {
  const firsts = runs.filter((run) => run.name === name).map(({ events }) => events[0]);
  return firsts.flatMap((first) => (first?.type === "run.started" ? [what(first)] : [])).sort();
}

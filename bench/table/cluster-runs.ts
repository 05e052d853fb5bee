// cluster-runs: what it costs that a run is in PostgreSQL, and that another machine takes it (spec 6.8). Workers are
// processes. Control: the same run in SQLite, or the same runs with one worker, in turn.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { closeSync, fdatasyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { clusterKey, keyForPurpose } from "../../src/app/cluster.ts";
import { newRunId, RUN_ID_RANDOM_BYTES } from "../../src/base/ids.ts";
import { ok } from "../../src/base/result.ts";
import { type ClusterEngine, openClusterEngine, type Query } from "../../src/engine/cluster/index.ts";
import { connect } from "../../src/store/postgres/index.ts";
import { parseWorkflow } from "../../src/workflow/parse.ts";
import { postgresPrograms, startPostgres } from "../../test/setup/postgres.ts";
import { must } from "../../test/store/fixture.ts";
import {
  cli,
  curlew,
  ended,
  flow,
  freshFolder,
  median,
  names,
  quick,
  type Row,
  ratio,
  runArgs,
  text,
} from "./measure.ts";

interface Place {
  env: NodeJS.ProcessEnv;
  query: Query;
  /** Starts a worker, and waits until it takes runs. */
  worker(name: string): Promise<ChildProcess>;
  /** Records a run of a text node, and leaves it to the workers. */
  submit(): Promise<void>;
}

export const clusterRuns = {
  turn: () =>
    inCluster(async ({ env }) => {
      const ids = names(quick ? 30 : 300);
      const file = flow(
        ids.map((id) => cli(id, "true")),
        ids.slice(1).map((id, at) => `${ids[at]} -> ${id}`),
      );
      const run = (more: NodeJS.ProcessEnv) => () =>
        ended(
          spawnSync(curlew, runArgs(file), { env: { ...process.env, ...more }, stdio: ["ignore", "ignore", "pipe"] }),
        );
      const control = () => {
        run({})();
        flush(ids.length);
      };
      const what = `${ids.length} commands in turn in PostgreSQL, against SQLite and one flush each`;
      return [await ratio(what, { ours: run(env), control, rounds: quick ? 1 : 5, most: 1.3 })];
    }),
  queued: () =>
    inCluster(async ({ worker, submit, query }) => {
      const one = await worker("one");
      for (let n = 0; n < (quick ? 20 : 200); n++) {
        await submit();
        await settled(query);
      }
      one.kill("SIGKILL");
      const took = (await begun(query)).toSorted((a, b) => a - b);
      const [p50, p99] = [median(took), took[Math.floor(took.length * 0.99)] ?? Number.NaN];
      const figure = `p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`;
      const reached = p50 <= 100 && p99 <= 300;
      return [{ what: "queued until begun on another machine", figure, reach: "p50 ≤ 100, p99 ≤ 300 ms", reached }];
    }),
  taken: async (): Promise<Row[]> => {
    const rates: number[] = [];
    for (const count of [1, 2, 3])
      await inCluster(async (place) => {
        rates.push(await rate(place, count));
        return [];
      });
    const [one = 0, two = 0, three = 0] = rates.map(Math.round);
    const figure = `${two}/s (one worker: ${one}/s, three: ${three}/s)`;
    return [{ what: "runs taken up and ended by two workers", figure, reach: "≥ 100/s", reached: two >= 100 }];
  },
  idle: () =>
    inCluster(async ({ worker }) => {
      const one = await worker("one");
      await sleep(quick ? 500 : 5_000);
      const [before, fromMs] = [cpuMs(one.pid!), performance.now()];
      await sleep(quick ? 2_000 : 20_000);
      const share = ((cpuMs(one.pid!) - before) / (performance.now() - fromMs)) * 100;
      one.kill("SIGKILL");
      const figure = `${share.toFixed(1)} % of a core`;
      return [{ what: "an idle worker", figure, reach: "≤ 2 %", reached: share <= 2 }];
    }),
};

/** Writes so many blocks to the disk, one after the other. */
function flush(count: number): void {
  const file = openSync(join(freshFolder("flushes"), "blocks"), "w");
  for (let n = 0; n < count; n++) {
    writeSync(file, Buffer.alloc(8_192));
    fdatasyncSync(file);
  }
  closeSync(file);
}

/** Runs per second, from the first that is begun to the last that has ended. */
async function rate({ worker, submit, query }: Place, count: number): Promise<number> {
  const runs = quick ? 40 : 400;
  for (let n = 0; n < runs; n++) await submit();
  const workers = await Promise.all(Array.from({ length: count }, (_, n) => worker(`w${n}`)));
  await settled(query);
  for (const each of workers) each.kill("SIGKILL");
  const [row] = must(
    await query(
      "SELECT min(began) AS began, max(ended_at) AS ended FROM curlew.runs, LATERAL (" +
        "SELECT (e.body::json->>'at') AS began FROM curlew.events e WHERE e.run = key AND e.seq = 2) AS b",
    ),
  );
  return runs / ((Date.parse(String(row!.ended)) - Date.parse(String(row!.began))) / 1_000);
}

async function settled(query: Query): Promise<void> {
  const open = async () => must(await query("SELECT count(*) AS n FROM curlew.runs WHERE ended_at IS NULL"))[0]!.n;
  while (Number(await open()) > 0) await sleep(5);
}

/** Milliseconds from the record of each run to the event after it. All clocks are this machine's. */
async function begun(query: Query): Promise<number[]> {
  const rows = must(
    await query(`SELECT r.started_at AS since, e.body::json->>'at' AS at
      FROM curlew.runs r JOIN curlew.events e ON e.run = r.key WHERE e.seq = 2`),
  );
  return rows.map(({ since, at }) => Date.parse(String(at)) - Date.parse(String(since)));
}

/** Linux: its time in programs and in the kernel, in hundredths of a second. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function inCluster(work: (place: Place) => Promise<Row[]>): Promise<Row[]> {
  if (postgresPrograms() === undefined)
    return [{ what: "runs in PostgreSQL", figure: "PostgreSQL's programs are missing", reach: "", reached: false }];
  const server = await startPostgres({ durable: true });
  const place = freshFolder("cluster");
  const env = { CURLEW_DB: server.url(), CURLEW_KEY_FILE: join(place, "key"), CURLEW_KEYRING: "off" };
  ended(
    spawnSync(curlew, ["db", "init", "--key-file", join(place, "key")], {
      env: { ...process.env, CURLEW_DB: env.CURLEW_DB },
    }),
  );
  const connection = must(connect(server.url()));
  const engine = await sender(server.url(), place, env);
  const file = flow([text("a", "x")], []);
  const source = readFileSync(file, "utf8");
  const { workflow } = parseWorkflow(source, file);
  const worker = async (name: string): Promise<ChildProcess> => {
    const args = ["worker", "--name", name, "--home", join(place, name)];
    const child = spawn(curlew, args, { env: { ...process.env, ...env }, stdio: ["ignore", "ignore", "pipe"] });
    await once(child.stderr!, "data");
    return child;
  };
  const submit = async (): Promise<void> => {
    const id = newRunId(Date.now(), randomBytes(RUN_ID_RANDOM_BYTES));
    const trigger = { kind: "cli" as const };
    must(
      await engine.startElsewhere({ id, file, text: source, workflow: workflow!, subflows: {}, inputs: {}, trigger }),
    );
  };
  try {
    return await work({ env, query: (sql, values) => connection.query(sql, values), worker, submit });
  } finally {
    await engine.close();
    await connection.close();
    await server.remove();
  }
}

async function sender(url: string, home: string, env: Record<string, string>): Promise<ClusterEngine> {
  const key = must(clusterKey({ env, home }));
  const machine = { name: "sender", labels: [], slots: 1, leaseMs: 20_000, version: "0" };
  return must(
    await openClusterEngine({
      ...{ url, home, env: process.env, machine, takes: false, patienceMs: 600_000 },
      ...{ key: keyForPurpose(key, "runs"), auditKey: () => ok(keyForPurpose(key, "audit")) },
    }),
  );
}

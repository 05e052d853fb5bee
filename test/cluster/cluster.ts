// cluster: machines as processes, with one database, and a ledger of what their commands did.

import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, onTestFinished } from "vitest";
import { newRunId, RUN_ID_RANDOM_BYTES } from "../../src/base/ids.ts";
import { limits } from "../../src/base/limits.ts";
import { ok } from "../../src/base/result.ts";
import { initCluster, openClusterEngine } from "../../src/engine/cluster/index.ts";
import { connect } from "../../src/store/postgres/index.ts";
import { parseWorkflow } from "../../src/workflow/parse.ts";
import { endRunners, runnersOf, type Started, started } from "../cli/curlew.ts";
import { tempFolder } from "../setup/folders.ts";
import { type Postgres, startPostgres } from "../setup/postgres.ts";
import { must } from "../store/fixture.ts";

export const LEASE_MS = 5_000;
/** Of machines that nothing happens to: a busy computer is not to end their commands. */
export const LONG_LEASE_MS = 20_000;

export interface MachineProcess extends Started {
  name: string;
  home: string;
  kill(): void;
  stop(): void;
  wake(): void;
  /** With its runner, so that no process supervises its commands. */
  killAll(): void;
}

const machineProgram = join(import.meta.dirname, "machine.ts");

let server: Promise<Postgres> | undefined;
let databases = 0;

afterAll(async () => (await server)?.remove());

/** A database of one server for the file: empty, or a copy of one that is ready. */
async function database(isReady: boolean): Promise<{ postgres: Postgres; url: string }> {
  const isFirst = server === undefined;
  server ??= startPostgres();
  const postgres = await server;
  const connection = must(connect(postgres.url()));
  if (isFirst) {
    must(await connection.query("CREATE DATABASE ready"));
    must(await initCluster(postgres.url("ready"), "digest"));
  }
  databases += 1;
  const name = `c${databases}`;
  must(await connection.query(`CREATE DATABASE ${name} TEMPLATE ${isReady ? "ready" : "template1"}`));
  await connection.close();
  return { postgres, url: postgres.url(name) };
}

export async function cluster({ patienceMs = 600_000, key = Buffer.alloc(32, 7) as Buffer, isReady = true } = {}) {
  const { postgres, url } = await database(isReady);
  const connected = connect(url);
  if (!connected.ok) throw new Error(connected.error.message);
  onTestFinished(() => connected.value.close());
  const folder = tempFolder();

  function machine(
    name: string,
    labels = "",
    leaseMs = name === "a" ? LEASE_MS : LONG_LEASE_MS,
    { slots = 4, lookMs = limits.queueLookMs }: { slots?: number; lookMs?: number } = {},
  ): Promise<MachineProcess> {
    const home = join(folder, `home-${name}`);
    mkdirSync(home, { recursive: true });
    const args = [
      machineProgram,
      url,
      home,
      name,
      String(leaseMs),
      String(patienceMs),
      String(slots),
      labels,
      String(lookMs),
    ];
    const process_ = started(process.execPath, args, folder, {}, home);
    onTestFinished(() => endRunners(home, "SIGTERM"));
    const signal = (name: NodeJS.Signals) => () => void process_.process.kill(name);
    const it = { ...process_, name, home, kill: signal("SIGKILL"), stop: signal("SIGSTOP"), wake: signal("SIGCONT") };
    const killAll = (): void => {
      const runners = runnersOf(home);
      // The machine first: it would record that its runner died.
      it.kill();
      for (const pid of runners) process.kill(pid, "SIGKILL");
    };
    return Promise.race([process_.says("ready", "stdout"), process_.done]).then(() => ({ ...it, killAll }));
  }

  /** Records a run of these nodes, and leaves it to the machines. */
  async function submit(
    nodes: string,
    more = "",
    { by = key, written = (text: string) => text, subflows = {} as Record<string, string> } = {},
  ): Promise<string> {
    const home = join(folder, "home-sender");
    mkdirSync(home, { recursive: true });
    const file = join(folder, "f.flow.yaml");
    const text = `curlew: 1\nname: f\n${more}nodes:\n${nodes}`;
    writeFileSync(file, text);
    const files = Object.entries(subflows).map(
      ([name, inside]) => [join(folder, name), `curlew: 1\n${inside}`] as const,
    );
    for (const [path, inside] of files) writeFileSync(path, inside);
    const { workflow, diagnostics } = parseWorkflow(text, file);
    if (workflow === undefined) throw new Error(JSON.stringify(diagnostics));
    const opened = await openClusterEngine({
      ...{ url, home, env: process.env, key: by, auditKey: () => ok(Buffer.alloc(32, 8)) },
      machine: { name: "sender", labels: [], slots: 1, leaseMs: LEASE_MS, version: "0" },
      ...{ takes: false, patienceMs },
    });
    if (!opened.ok) throw new Error(opened.error.message);
    const id = newRunId(Date.now(), randomBytes(RUN_ID_RANDOM_BYTES));
    const begun = await opened.value.startElsewhere({
      ...{
        id,
        file,
        text: written(text),
        workflow,
        subflows: Object.fromEntries(files),
        inputs: {},
        trigger: { kind: "cli" as const },
      },
    });
    await opened.value.close();
    if (!begun.ok) throw new Error(begun.error.message);
    return id;
  }

  const rows = async (sql: string, values: unknown[] = []) => {
    const found = await connected.value.query(sql, values);
    if (!found.ok) throw new Error(found.error.message);
    return found.value;
  };
  return {
    ...{ url, folder, postgres, machine, submit, rows },
    /** The lines that the commands have written. */
    ledger: (): string[] => {
      const file = join(folder, "ledger");
      return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
    },
    events: async (run: string) =>
      (
        await rows(
          "SELECT e.body FROM curlew.events e JOIN curlew.runs r ON r.key = e.run WHERE r.id = $1 ORDER BY e.seq",
          [run],
        )
      ).map(({ body }) => JSON.parse(String(body))),
    statusOf: async (run: string) => (await rows("SELECT status FROM curlew.runs WHERE id = $1", [run]))[0]?.status,
    ends: (run: string, status = "succeeded") =>
      expect
        .poll(async () => (await rows("SELECT status FROM curlew.runs WHERE id = $1", [run]))[0]?.status, {
          // A run that lost its entry waits for up to two sweeps.
          timeout: 2 * limits.queueSweepMs + 10_000,
        })
        .toBe(status),
  };
}

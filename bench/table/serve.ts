// serve: how soon the server answers, and what it takes while nobody asks it anything. From its start to the first answer of the API.
// Control: `node -e 0`. Memory is what is resident, shared pages of Node.js included. Idle with nothing to wait for, and with much.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as passed } from "node:timers/promises";
import { curlew, ended, folder, ms, quick, type Row, root, turns } from "./measure.ts";
import { addHistory, ranOnce } from "./store.ts";

const idleMs = quick ? 2_000 : 30_000;
const [triggers, history] = quick ? [20, 1_000] : [200, 10_000];

export const serving = {
  serve: async (): Promise<Row[]> => {
    const home = join(folder, "home-of-serve");
    const flows = join(folder, "flows-of-serve");
    mkdirSync(flows, { recursive: true });
    for (let at = 0; at < 20; at += 1) {
      const node = `{ id: a, type: text, data: { title: A, content: "${at}" } }`;
      writeFileSync(join(flows, `f${at}.flow.yaml`), `curlew: 1\nnodes: [${node}]\n`);
    }
    const [ready = [], bare = []] = await turns(quick ? 3 : 10, [
      async () => stop(await startedIn(home, flows)),
      () => ended(spawnSync(process.execPath, ["-e", "0"])),
    ]);
    const least = Math.min(...ready);
    const idle = await idleIn(home, flows);
    return [
      {
        what: "curlew serve: from its start to its first answer",
        figure: `${ms(ready)} (node -e 0: ${ms(bare)})`,
        reach: "≤ 300 ms",
        reached: least <= 300,
        adr: "42",
      },
      {
        what: "  idle: resident memory",
        figure: `${idle.mb.toFixed(0)} MB`,
        reach: "≤ 90 MB",
        reached: idle.mb <= 90,
      },
      processor("  idle: processor time", idle.cpuMs),
      processor(`  the same with ${triggers} triggers and ${history} runs`, (await idleWithMuch()).cpuMs),
      installedSize(),
    ];
  },
};

function processor(what: string, cpuMs: number): Row {
  return {
    what,
    figure: `${((100 * cpuMs) / idleMs).toFixed(2)} % of one core, over ${idleMs / 1_000} s`,
    reach: "~0 (≤ 0.2 %)",
    reached: cpuMs <= idleMs / 500,
  };
}

/** Until it answers a call with its token. */
export async function startedIn(home: string, flows: string): Promise<ChildProcess> {
  const args = ["serve", flows, "--home", home, "--port", "0", "--hooks-port", "0"];
  const child = spawn(curlew, args, { stdio: ["ignore", "ignore", "pipe"] });
  for await (const line of createInterface({ input: child.stderr })) if (line.includes("#code=")) break;
  child.stderr.resume();
  await answer(home, "/workflows");
  return child;
}

/** What the server of a home answers, by its token. */
export async function answer(home: string, route: string, method = "GET"): Promise<Record<string, unknown>> {
  const { url, token } = JSON.parse(readFileSync(join(home, "server.json"), "utf8"));
  const body = method === "GET" ? {} : { body: "{}" };
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const response = await fetch(`${url}/api/v1${route}`, { method, headers, ...body });
  if (!response.ok) throw new Error(`${method} ${route} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}

export async function stop(child: ChildProcess): Promise<void> {
  child.kill("SIGTERM");
  await once(child, "exit");
}

/** Schedules of the night, hooks and watches, a third each. */
async function idleWithMuch(): Promise<Idle> {
  const flows = join(folder, "flows-with-triggers");
  for (let at = 0; at < triggers; at += 1) {
    mkdirSync(join(flows, `in${at}`), { recursive: true });
    const on = [
      `schedule: { cron: "${at % 60} 4 * * *" }`,
      `webhook: { path: hook${at}, verify: none }`,
      `file: { paths: ["in${at}/*.json"] }`,
    ][at % 3];
    const node = `{ id: a, type: text, data: { title: A, content: "${at}" } }`;
    writeFileSync(join(flows, `f${at}.flow.yaml`), `curlew: 1\non: [{ ${on} }]\nnodes: [${node}]\n`);
  }
  const home = ranOnce();
  addHistory(home, history);
  return idleIn(home, flows);
}

interface Idle {
  mb: number;
  cpuMs: number;
}

/** After what the start left behind was collected, some ten seconds later. Linux alone has the figures. */
async function idleIn(home: string, flows: string): Promise<Idle> {
  const server = await startedIn(home, flows);
  const pid = server.pid!;
  try {
    await passed(quick ? 2_500 : 15_000);
    const before = cpuMsOf(pid);
    await passed(idleMs);
    const rss = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return { mb: Number(rss) / 1_024, cpuMs: cpuMsOf(pid) - before };
  } finally {
    await stop(server);
  }
}

/** By the scheduler's own nanoseconds, of all its threads: a tick of the clock is longer than what is asked for here. */
function cpuMsOf(pid: number): number {
  const ns = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]),
  );
  return ns.reduce((sum, one) => sum + one, 0) / 1e6;
}

/** What `files` of package.json names of the built: the program and the web, without Node.js. */
function installedSize(): Row {
  const bytes = ["bin", "dist", "examples", "docs"]
    .flatMap((name) => readdirSync(join(root, name), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("dist/.cache"))
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
  const mb = bytes / 1e6;
  return {
    what: "  installed, without Node.js",
    figure: `${mb.toFixed(1)} MB`,
    reach: "≤ 60 MB",
    reached: mb <= 60,
  };
}

// others: the same 100 commands in sequence by other programs. This benchmark installs none of them. It looks for a
// program in the folder that `--others=FOLDER` names (in any node_modules/.bin one or two levels deep), then on PATH,
// and leaves out the missing ones. None of them keeps a history: after a kill there is no record of their work.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as passed } from "node:timers/promises";
import { cli, curlew, folder, freshFolder, ms, names, quick, type Row, turns } from "./measure.ts";

const rounds = quick ? 2 : 7;

/** The path of a program, or nothing. */
export function programOf(name: string): string | undefined {
  const given = process.argv.find((word) => word.startsWith("--others="))?.slice("--others=".length);
  const folders = given === undefined ? [] : [given, ...readdirSync(given).map((below) => join(given, below))];
  const found = folders.map((one) => join(one, "node_modules/.bin", name)).find((file) => existsSync(file));
  if (found !== undefined) return found;
  const known = spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" });
  return known.status === 0 ? known.stdout.trim() : undefined;
}

/** The first part of `--version` that looks like one. */
export function versionOf(program: string): string {
  const { stdout } = spawnSync(program, ["--version"], { encoding: "utf8" });
  return /\d+(?:\.\d+)+/.exec(stdout)?.[0] ?? "?";
}

interface Running {
  child: ChildProcess;
  /** The hundred commands, from the question to the answer. */
  go(): Promise<void>;
}

export const others = {
  servers: async (): Promise<Row[]> => {
    const nodeRed = programOf("node-red");
    const rows = await measured("curlew serve, with a history", curlewServer);
    if (nodeRed === undefined)
      rows.push({ what: "the same by Node-RED", figure: "left out: not installed", reach: "" });
    else rows.push(...(await measured(`Node-RED ${versionOf(nodeRed)}`, () => nodeRedServer(nodeRed))));
    rows.push({ what: "the same by n8n", figure: "left out: this bench does not know how to ask it", reach: "" });
    return rows;
  },
};

async function measured(name: string, start: () => Promise<Running>): Promise<Row[]> {
  const [ready = [], cold = []] = await turns(quick ? 1 : 5, [
    async () => stop((await start()).child),
    async () => {
      const { child, go } = await start();
      await go();
      await stop(child);
    },
  ]);
  const { child, go } = await start();
  try {
    const [hundred = []] = await turns(rounds, [go]);
    await passed(quick ? 1_000 : 5_000);
    return [
      { what: `100 true asked of a server: ${name}`, figure: ms(hundred), reach: "" },
      { what: "  from its start to its first answer", figure: ms(ready), reach: "" },
      { what: "  from its start to the end of the hundred, and its own", figure: ms(cold), reach: "" },
      { what: "  idle afterwards: resident memory", figure: `${residentMb(child.pid!).toFixed(0)} MB`, reach: "" },
    ];
  } finally {
    await stop(child);
  }
}

async function curlewServer(): Promise<Running> {
  const [home, flows] = [freshFolder("home-of-hundred"), freshFolder("flows-of-hundred")];
  const document = { curlew: 1, nodes: names(100).map((id) => cli(id, "true")), edges: [names(100).join(" -> ")] };
  writeFileSync(join(flows, "hundred.flow.json"), JSON.stringify(document));
  const child = await startedIn(home, flows);
  return {
    child,
    go: async () => {
      const { status } = await answer(home, "/workflows/hundred.flow.json/runs?wait=600", "POST");
      if (status !== "succeeded") throw new Error(`the run ended as ${status}`);
    },
  };
}

async function nodeRedServer(program: string): Promise<Running> {
  const place = join(folder, "node-red");
  mkdirSync(place, { recursive: true });
  const exec = { type: "exec", z: "t", command: "true", addpay: "", append: "", useSpawn: "false", timer: "" };
  const ask = (id: string, next: string) => ({
    ...{ id, type: "http in", z: "t", url: `/${id}`, method: "get" },
    wires: [[next]],
  });
  const flows = [
    { id: "t", type: "tab", label: "Bench" },
    ask("up", "out"),
    ask("go", "n0"),
    ...names(100).map((id, at) => ({ ...exec, id, wires: [[at === 99 ? "out" : `n${at + 1}`], [], []] })),
    { id: "out", type: "http response", z: "t", wires: [] },
  ];
  writeFileSync(join(place, "flows.json"), JSON.stringify(flows));
  const quiet = "logging: { console: { level: 'fatal' } }, telemetry: { enabled: false, updateNotification: false }";
  writeFileSync(join(place, "settings.js"), `module.exports = { uiHost: "127.0.0.1", ${quiet} };\n`);
  const url = `http://127.0.0.1:${await freePort()}`;
  const child = spawn(program, ["--userDir", place, "--port", new URL(url).port, join(place, "flows.json")], {
    stdio: "ignore",
  });
  while (!(await isUp(`${url}/up`))) {
    if (child.exitCode !== null) throw new Error(`Node-RED ended with ${child.exitCode}`);
    await passed(5);
  }
  return {
    child,
    go: async () => {
      if (!(await isUp(`${url}/go`))) throw new Error("Node-RED did not do the hundred");
    },
  };
}

async function isUp(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** The memory of the process and its children. Only Linux has the figure. */
function residentMb(root: number): number {
  const pids = new Set([root]);
  for (const pid of readdirSync("/proc")
    .map(Number)
    .filter(Boolean)
    .sort((a, b) => a - b)) {
    const parent = Number(/PPid:\s+(\d+)/.exec(statusOf(pid))?.[1]);
    if (pids.has(parent)) pids.add(pid);
  }
  return [...pids].reduce((sum, pid) => sum + Number(/VmRSS:\s+(\d+)/.exec(statusOf(pid))?.[1] ?? 0), 0) / 1_024;
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}

/** Until it answers a call with its token. */
async function startedIn(home: string, flows: string): Promise<ChildProcess> {
  const args = ["serve", flows, "--home", home, "--port", "0", "--hooks-port", "0"];
  const child = spawn(curlew, args, { stdio: ["ignore", "ignore", "pipe"] });
  for await (const line of createInterface({ input: child.stderr })) if (line.includes("#code=")) break;
  child.stderr.resume();
  await answer(home, "/workflows");
  return child;
}

/** The response of a data directory's server, with its token. */
async function answer(home: string, route: string, method = "GET"): Promise<Record<string, unknown>> {
  const { url, token } = JSON.parse(readFileSync(join(home, "server.json"), "utf8"));
  const body = method === "GET" ? {} : { body: "{}" };
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const response = await fetch(`${url}/api/v1${route}`, { method, headers, ...body });
  if (!response.ok) throw new Error(`${method} ${route} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill("SIGTERM");
  await once(child, "exit");
}

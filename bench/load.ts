// What does a server keep that it should let go of? `node bench/load.ts [--minutes=10] [--log]`
//   A real server (the built program) with a home of its own lives the hours of a busy small team in some minutes: deliveries, schedules,
//   files that come, runs with commands and loops, approvals answered, event streams that come and go, outputs downloaded whole, cut off in
//   the middle and searched, documents saved. What it takes is looked at after each tenth, when the work has come to rest.
//   No control: it is held against itself. What still grows in the second half is a leak: bounds stand at `BOUNDS`.
//   Deliberately absent: speed.

import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { connect, Refused } from "../src/api/client.ts";

const root = join(import.meta.dirname, "..");
const minutes = Number(/--minutes=([\d.]+)/.exec(process.argv.join(" "))?.[1] ?? 10);
const isTold = process.argv.includes("--log");
const place = fs.mkdtempSync(join(tmpdir(), "curlew-load-"));
const [home, flows] = [join(place, "home"), join(place, "flows")];

/** How much more there may be in the second half than in the first, at rest. */
const BOUNDS = { mb: 12, heapMb: 6, fds: 3, threads: 1, children: 1, zombies: 0, runnerMb: 12 };

const command = (id: string, content: string, more = "") =>
  `  - { id: ${id}, type: cli, data: { title: ${id}, content: ${JSON.stringify(content)}${more} } }\n`;
const FILES: Record<string, string> = {
  "hook.flow.yaml": `curlew: 1\non: [{ webhook: { path: load, verify: none } }]\nnodes:\n${command("a", "cat", ", stdin: { source: literal, literal: '${event}' }")}`,
  "file.flow.yaml": `curlew: 1\non: [{ file: { paths: ["in/*.json"] } }]\nnodes:\n${command("a", "echo ${event.path}")}`,
  "big.flow.yaml": `curlew: 1\nnodes:\n${command("a", "seq 1 300000")}${command("b", "echo after")}edges: [a -> b]\n`,
  "fails.flow.yaml": `curlew: 1\nnodes:\n${command("a", "echo no >&2; exit 3")}`,
  "gate.flow.yaml": `curlew: 1\nnodes:\n${command("a", "echo go", ", needsUserApproval: true")}`,
  "loop.flow.yaml": `curlew: 1\nnodes:
  - { id: s, type: loop-start, data: { title: S, iterations: 5 } }
${command("a", "echo pass")}  - { id: e, type: loop-end, data: { title: E } }
edges: [s -> a, a -> e]\n`,
  "edited.flow.yaml": "curlew: 1\nnodes: [{ id: a, type: text, data: { title: A, content: '0' } }]\n",
  ...Object.fromEntries(
    Array.from({ length: 10 }, (_, n) => [
      `every-minute-${n}.flow.yaml`,
      `curlew: 1\non: [{ schedule: { cron: "* * * * *" } }]\nnodes:\n${command("a", `echo ${n}`)}`,
    ]),
  ),
};

interface Taken {
  mb: number;
  heapMb: number;
  fds: number;
  threads: number;
  children: number;
  zombies: number;
  runnerMb: number;
  files: number;
  homeMb: number;
  runs: number;
}

interface ServerFile {
  url: string;
  hooksUrl: string;
  token: string;
  pid: number;
}

await main();

async function main(): Promise<void> {
  fs.mkdirSync(join(flows, "in"), { recursive: true });
  for (const [name, text] of Object.entries(FILES)) fs.writeFileSync(join(flows, name), text);
  const args = ["serve", flows, "--home", home, "--port", "0", "--hooks-port", "0"];
  const child = spawn(join(root, "bin/curlew"), args, { stdio: ["ignore", "ignore", "pipe"] });
  const late = setTimeout(() => child.kill("SIGKILL"), (minutes + 5) * 60_000);
  try {
    for await (const line of createInterface({ input: child.stderr })) if (line.includes("#code=")) break;
    child.stderr.pipe(process.stderr);
    const server = JSON.parse(fs.readFileSync(join(home, "server.json"), "utf8")) as ServerFile;
    const rounds: Taken[] = [];
    for (let round = 0; round < 10; round += 1) {
      await work(server, performance.now() + minutes * 6_000);
      rounds.push(await atRest(server, rounds.length));
    }
    tell(rounds);
  } finally {
    child.kill("SIGTERM");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    clearTimeout(late);
    fs.rmSync(place, { recursive: true, force: true });
  }
}

/** Everybody at once, until the time is over; what goes wrong is told, and ends it. */
async function work(server: ServerFile, untilMs: number): Promise<void> {
  const again = async (everyMs: number, one: (n: number) => Promise<unknown>): Promise<void> => {
    for (let n = 0; performance.now() < untilMs; n += 1) {
      await one(n);
      await sleep(everyMs);
    }
  };
  const client = connect(server);
  await Promise.all([
    again(300, (n) => deliver(server, n)),
    again(500, () => client.start("loop.flow.yaml", { inputs: {} }, { waitSeconds: 20 })),
    again(700, () => client.start("fails.flow.yaml", { inputs: {} })),
    again(900, () => approve(client)),
    again(1_500, (n) => outputs(client, server, n)),
    again(400, (n) => listen(server, n)),
    again(800, (n) => save(client, n)),
    again(1_100, (n) => dropFile(n)),
  ]);
}

type Client = ReturnType<typeof connect>;

async function deliver({ hooksUrl }: ServerFile, n: number): Promise<void> {
  const body = JSON.stringify({ n, text: "x".repeat(n % 20 === 0 ? 500_000 : 200) });
  const headers = {
    "content-type": "application/json",
    "idempotency-key": `d${Math.floor(n / 2)}-${process.hrtime()[0]}`,
  };
  const { status } = await fetch(`${hooksUrl}/h/load`, { method: "POST", headers, body });
  if (status !== 200 && status !== 429) throw new Error(`a delivery was answered ${status}`);
}

async function approve(client: Client): Promise<void> {
  await client.start("gate.flow.yaml", { inputs: {} }, { waitSeconds: 0 });
  const { items } = await client.call("GET /approvals");
  for (const [at, { id }] of items.entries()) {
    const route = at % 3 === 2 ? ("POST /approvals/{id}/reject" as const) : ("POST /approvals/{id}/grant" as const);
    await client.call(route, { params: { id }, body: {} }).catch(orRefused);
  }
}

/** Whole, its end, a search, and one that is let go of in the middle. */
async function outputs(client: Client, { url, token }: ServerFile, n: number): Promise<void> {
  const { id } = await client.start("big.flow.yaml", { inputs: {} }, { waitSeconds: 60 });
  const at = `${url}/api/v1/runs/${id}/nodes/a/attempts/1/output`;
  const headers = { authorization: `Bearer ${token}` };
  const whole = await fetch(at, { headers });
  if (!whole.ok) throw new Error(`an output was answered ${whole.status}`);
  await whole.arrayBuffer();
  await (await fetch(`${at}/search?q=29999`, { headers })).text();
  const cut = await fetch(at, { headers });
  await cut.body?.getReader().cancel();
  if (n % 2 === 0) await client.call("DELETE /runs/{id}", { params: { id } }).catch(orRefused);
}

/** One that reads a little and goes, politely or not. */
async function listen({ url, token }: ServerFile, n: number): Promise<void> {
  const away = new AbortController();
  const after = n % 3 === 0 ? { "last-event-id": "0" } : undefined;
  const answer = await fetch(`${url}/api/v1/events`, {
    headers: { authorization: `Bearer ${token}`, ...after },
    signal: away.signal,
  });
  const reader = answer.body!.getReader();
  await reader.read();
  if (n % 2 === 0) await reader.cancel();
  else away.abort();
}

async function save(client: Client, n: number): Promise<void> {
  const params = { path: "edited.flow.yaml" };
  const { text, etag } = await client.call("GET /workflows/{path}", { params });
  const body = { text: text.replace(/content: '\d+'/, `content: '${n}'`) };
  await client.call("PUT /workflows/{path}", { params, headers: { "if-match": etag }, body });
}

async function dropFile(n: number): Promise<void> {
  fs.writeFileSync(join(flows, "in", `${n % 50}.json`), JSON.stringify({ n, at: Date.now() }));
}

function orRefused(reason: unknown): void {
  if (!(reason instanceof Refused)) throw reason;
}

/** When nothing runs any more and what was let go of is collected. */
async function atRest({ pid, url, token }: ServerFile, round: number): Promise<Taken> {
  const client = connect({ url, token });
  for (let left = 300; left > 0; left -= 1) {
    const { items } = await client.call("GET /runs", { query: { status: "running" } as never });
    if (items.length === 0) break;
    if (left === 1) throw new Error(`${items.length} runs do not end: ${JSON.stringify(items[0])}`);
    await sleep(200);
  }
  await sleep(Math.min(12_000, minutes * 2_000));
  const figures = await (await client.ask("GET /metrics", { headers: { accept: "text/plain" } })).text();
  const heapMb = Number(/^nodejs_heap_size_used_bytes (\d+)/m.exec(figures)?.[1]) / 1e6;
  const taken = { ...takenBy(pid), heapMb };
  if (isTold) console.log(round + 1, JSON.stringify(taken));
  return taken;
}

function takenBy(pid: number): Omit<Taken, "heapMb"> {
  const statuses = fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap(statusOf);
  const below = descendants(pid, statuses);
  const own = statuses.find((one) => one.pid === pid)!;
  const all = fs.readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const bytes = all.reduce((sum, { parentPath, name }) => sum + (sizeOf(join(parentPath, name)) ?? 0), 0);
  return {
    mb: own.mb,
    fds: fs.readdirSync(`/proc/${pid}/fd`).length,
    threads: own.threads,
    children: below.length,
    zombies: below.filter(({ state }) => state === "Z").length,
    runnerMb: below.reduce((sum, { mb }) => sum + mb, 0),
    files: all.length,
    homeMb: bytes / 1e6,
    runs: fs.readdirSync(join(home, "runs")).length,
  };
}

interface Status {
  pid: number;
  parent: number;
  state: string;
  threads: number;
  mb: number;
}

/** Nothing of one that has ended meanwhile. */
function statusOf(name: string): Status[] {
  try {
    const text = fs.readFileSync(`/proc/${name}/status`, "utf8");
    const field = (key: string): string => new RegExp(`^${key}:\\s+(\\S+)`, "m").exec(text)?.[1] ?? "0";
    const mb = Number(field("VmRSS")) / 1_024;
    return [
      {
        pid: Number(name),
        parent: Number(field("PPid")),
        state: field("State"),
        threads: Number(field("Threads")),
        mb,
      },
    ];
  } catch {
    return [];
  }
}

function descendants(pid: number, all: readonly Status[]): Status[] {
  return all.filter(({ parent }) => parent === pid).flatMap((one) => [one, ...descendants(one.pid, all)]);
}

function sizeOf(file: string): number | undefined {
  return fs.statSync(file, { throwIfNoEntry: false })?.size;
}

/** Garbage that nobody has collected yet only adds: the least of each half is compared, the first round left out, which warms up. */
function tell(rounds: readonly Taken[]): void {
  const end = rounds.at(-1)!;
  console.log(
    `${minutes} minutes; ${end.runs} runs, ${end.files} files, ${end.homeMb.toFixed(0)} MB; at rest after each tenth:`,
  );
  for (const [key, bound] of Object.entries(BOUNDS) as [keyof typeof BOUNDS, number][]) {
    const least = (part: readonly Taken[]): number => Math.min(...part.map((one) => one[key]));
    const grown = least(rounds.slice(5)) - least(rounds.slice(1, 5));
    if (grown > bound) process.exitCode = 1;
    const all = rounds.map((one) => one[key].toFixed(0)).join(" ");
    console.log(
      `${grown <= bound ? "ok  " : "MISS"}  ${key.padEnd(9)} ${all}  (may grow by ${bound} in the second half)`,
    );
  }
}

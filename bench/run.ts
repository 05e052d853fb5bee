// How much does Curlew add to the work itself? `npm run bench`, or `node bench/run.ts [--quick]`
//   Each row runs the whole program, cold, journal on disk with default durability, beside a control in the same run.
//   The figure is the best of ROUNDS, taken in turn with its control; what is slower than that is the machine's doing.
//   What is not measured: several runs at once, a full disk, other machines. Ratios travel between machines, times do not.
// The rooms' own questions stand beside this file (store, scheduler, process) and are asked at the end, without --quick.

import { type SpawnSyncReturns, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { stringify } from "yaml";

const root = dirname(import.meta.dirname);
const curlew = join(root, "bin/curlew");
const quick = process.argv.includes("--quick");
const ROUNDS = quick ? 1 : 3;
const folder = mkdtempSync(join(tmpdir(), "curlew-bench-"));
let serial = 0;

interface Row {
  what: string;
  reach: string;
  figure: string;
  /** Absent: the row has no figure to reach. */
  reached?: boolean;
}

try {
  const rows: Row[] = [];
  for (const question of [coldStart, sequence, hundredCold, fanOut, textNodes, passes, curlCalls, bigOutput])
    for (const row of await question()) {
      rows.push(row);
      console.log(
        `${row.reached === undefined ? "    " : row.reached ? "ok  " : "MISS"}  ${row.what.padEnd(58)} ${row.figure.padEnd(44)} reach: ${row.reach}`,
      );
    }
  if (!quick)
    for (const other of ["store", "scheduler", "process"].filter((name) =>
      existsSync(join(root, `bench/${name}.ts`)),
    )) {
      console.log(`\nbench/${other}.ts`);
      spawnSync(process.execPath, [join(root, `bench/${other}.ts`)], { stdio: "inherit" });
    }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function coldStart(): Promise<Row[]> {
  const file = flow([cli("a", "true")], []);
  const [bare = 0, version = 0, run = 0] = await best(10, [
    () => ended(spawnSync(process.execPath, ["-e", "0"])),
    () => ended(spawnSync(curlew, ["--version"])),
    () => ended(runFlow(file)),
  ]);
  return [
    addition("curlew --version, over node -e 0", version, bare, 25),
    addition("curlew run of one true, over node -e 0", run, bare, 80),
  ];
}

async function sequence(): Promise<Row[]> {
  const count = quick ? 100 : 1_000;
  const ids = names(count);
  const file = flow(
    ids.map((id) => cli(id, "true")),
    [ids.join(" -> ")],
  );
  const [ours = 0, bare = 0] = await best(ROUNDS, [() => ended(runFlow(file)), () => bareLoop(count, 1)]);
  return [ratio(`${count} true in sequence, over a bare Node loop`, ours, bare, 1.25)];
}

async function hundredCold(): Promise<Row[]> {
  const ids = names(100);
  const file = flow(
    ids.map((id) => cli(id, "true")),
    [ids.join(" -> ")],
  );
  const [ours = 0, bash = 0] = await best(ROUNDS, [
    () => ended(runFlow(file)),
    () => ended(spawnSync("bash", ["-c", "for i in {1..100}; do bash --noprofile --norc -c true; done"])),
  ]);
  return [ratio("100 true in sequence, cold, over a bash loop", ours, bash, 180 / 82)];
}

async function fanOut(): Promise<Row[]> {
  const count = quick ? 100 : 1_000;
  const file = flow(
    names(count).map((id) => cli(id, "true")),
    [],
    { concurrency: 8 },
  );
  const [ours = 0, bare = 0] = await best(ROUNDS, [() => ended(runFlow(file)), () => bareLoop(count, 8)]);
  return [ratio(`${count} true side by side, 8 at a time, over a bare Node loop`, ours, bare, 1.25)];
}

/** The cost of a node without a process: twice as many nodes, the difference divided by their number. */
async function textNodes(): Promise<Row[]> {
  const count = quick ? 1_000 : 10_000;
  const perNode = async (edges: (ids: string[]) => string[]): Promise<number> => {
    const make = (size: number) =>
      flow(
        names(size).map((id) => text(id, "x")),
        edges(names(size)),
      );
    const [small, large] = [make(count), make(2 * count)];
    const [one = 0, two = 0] = await best(ROUNDS, [() => ended(runFlow(small)), () => ended(runFlow(large))]);
    return ((two - one) * 1000) / count;
  };
  const chain = await perNode((ids) => [ids.join(" -> ")]);
  const fan = await perNode((ids) => ids.slice(1).map((id) => `${ids[0]} -> ${id}`));
  return [
    {
      what: `Text node in a chain, from ${count} to ${2 * count}`,
      reach: "≤ 100 µs",
      figure: `${chain.toFixed(0)} µs a node`,
      reached: chain <= 100,
    },
    {
      what: `Text node in a fan-out, from ${count} to ${2 * count}`,
      reach: "≤ 100 µs",
      figure: `${fan.toFixed(0)} µs a node`,
      reached: fan <= 100,
    },
  ];
}

async function passes(): Promise<Row[]> {
  const count = quick ? 200 : 1_000;
  const make = (iterations: number) =>
    flow(
      [
        { id: "loop", type: "loop-start", data: { title: "Loop", iterations } },
        text("a", "${i}"),
        text("b", "${1}"),
        text("c", "${1}"),
        { id: "end", type: "loop-end", data: { title: "End" } },
      ],
      ["loop -> a -> b -> c -> end"],
    );
  const [small, large] = [make(count), make(2 * count)];
  const [one = 0, two = 0] = await best(ROUNDS, [() => ended(runFlow(small)), () => ended(runFlow(large))]);
  const figure = `${one.toFixed(0)} ms, ${two.toFixed(0)} ms for twice as many`;
  return [{ what: `loop of ${count} passes × 3 Text nodes`, reach: "linear", figure, reached: two <= 2.5 * one }];
}

async function curlCalls(): Promise<Row[]> {
  const server = createServer((_, response) => response.end("ok"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
  const call = `curl --silent --fail --max-time 5 ${url}`;
  const file = flow(
    [
      { id: "loop", type: "loop-start", data: { title: "Loop", iterations: 100 } },
      cli("call", call),
      { id: "end", type: "loop-end", data: { title: "End" } },
    ],
    ["loop -> call -> end"],
  );
  // The server lives in this process: nothing here may block it.
  const [ours = 0, bash = 0] = await best(ROUNDS, [
    () => finished(curlew, runArgs(file)),
    () => finished("bash", ["-c", `for i in {1..100}; do ${call}; done`]),
  ]);
  server.close();
  return [ratio("loop of 100 curl calls, over a bash loop", ours, bash, 1.45)];
}

async function bigOutput(): Promise<Row[]> {
  const bytes = quick ? 100_000_000 : 1_000_000_000;
  const command = `head -c ${bytes} /dev/zero`;
  // Two nodes, so that the output is not printed as the result.
  const file = flow([cli("big", command), cli("end", "true")], ["big -> end"]);
  const target = join(folder, "control");
  const memory = join(folder, "memory");
  const [ours = 0, control = 0] = await best(ROUNDS, [
    () => ended(runFlow(file)),
    () => ended(spawnSync("bash", ["-c", `${command} > ${target}`])),
  ]);
  const rows = [ratio(`${bytes / 1e6} MB of output, over cmd > file`, ours, control, 1 / 0.7)];
  if (existsSync("/usr/bin/time")) {
    const peak = (flowFile: string): number => {
      spawnSync("/usr/bin/time", ["-f", "%M", "-o", memory, curlew, ...runArgs(flowFile)], { stdio: "ignore" });
      return Number(readFileSync(memory, "utf8").trim().split("\n").at(-1)) / 1024;
    };
    const growth = peak(file) - peak(flow([cli("a", "true"), cli("end", "true")], ["a -> end"]));
    rows.push({
      what: "its memory, over a run without output",
      reach: "≤ 64 MB",
      figure: `${growth.toFixed(0)} MB`,
      reached: growth <= 64,
    });
  }
  return rows;
}

// — doing —

/** The best time of each, in milliseconds; they take turns, so that a busy moment of the machine meets them all. */
async function best(rounds: number, tasks: (() => Promise<void> | void)[]): Promise<number[]> {
  const times = tasks.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round += 1)
    for (const [at, task] of tasks.entries()) {
      const from = performance.now();
      await task();
      times[at] = Math.min(times[at]!, performance.now() - from);
    }
  return times;
}

/** The control: the same shell started by Node, output to files, nothing recorded. */
async function bareLoop(count: number, atOnce: number): Promise<void> {
  const place = join(folder, fresh("bare"));
  mkdirSync(place);
  const script = join(place, "script");
  writeFileSync(script, "true\n");
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const [out, err] = ["out", "err"].map((name) => openSync(join(place, `${next}.${name}`), "w"));
      next += 1;
      await once(spawn("bash", ["--noprofile", "--norc", "-p", script], { stdio: ["ignore", out!, err!] }), "close");
      closeSync(out!);
      closeSync(err!);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  rmSync(place, { recursive: true });
}

function runArgs(file: string): string[] {
  return ["run", file, "--quiet", "--home", join(folder, fresh("home"))];
}

function runFlow(file: string): SpawnSyncReturns<Buffer> {
  return spawnSync(curlew, runArgs(file), { stdio: ["ignore", "ignore", "pipe"] });
}

function ended({ status, stderr }: SpawnSyncReturns<Buffer>): void {
  if (status !== 0) throw new Error(`ended with ${status}: ${stderr}`);
}

async function finished(program: string, args: string[]): Promise<void> {
  const [code] = await once(spawn(program, args, { stdio: "ignore" }), "close");
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
}

// — drawing —

function names(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `n${at}`);
}

function cli(id: string, content: string) {
  return { id, type: "cli", data: { title: id, content } };
}

function text(id: string, content: string) {
  return { id, type: "text", data: { title: id, content } };
}

function fresh(name: string): string {
  serial += 1;
  return `${name}${serial}`;
}

/** One file a drawing; chains are one line, as a person writes them. */
function flow(nodes: object[], edges: string[], head: object = {}): string {
  const file = join(folder, `${fresh("flow")}.flow.yaml`);
  writeFileSync(file, stringify({ curlew: 1, name: "Bench", ...head, nodes, edges }, { lineWidth: 0 }));
  return file;
}

// — saying —

function ratio(what: string, ours: number, control: number, most: number): Row {
  const figure = `${(ours / control).toFixed(2)} × (${ours.toFixed(0)} ms, control ${control.toFixed(0)} ms)`;
  return { what, reach: `≤ ${most.toFixed(2)} ×`, figure, reached: ours / control <= most };
}

function addition(what: string, ours: number, control: number, mostMs: number): Row {
  const figure = `+ ${(ours - control).toFixed(0)} ms (${ours.toFixed(0)} ms, control ${control.toFixed(0)} ms)`;
  return { what, reach: `≤ + ${mostMs} ms`, figure, reached: ours - control <= mostMs };
}

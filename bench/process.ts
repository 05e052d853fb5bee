// What does running a command through `createRunner` cost? `node bench/process.ts [FOLDER]`
//   sequence, fan-out: 1,000 scripts that say `true`. Control: bare child_process.spawn of the same shell, stdout and stderr to files.
//   sandbox: the same in sequence in each sandbox. Control: ours without one.
//   output: one program prints 2 GB. Control: the same program with the file as its standard output.
//   order: how many prints to stdout and stderr in turn, a given time apart, are not kept at their place. No control: it is what it is.
// Not measured: journal, templates, the engine. Ratios travel between machines, times do not.

import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { findProgram, launch } from "../src/process/dialect.ts";
import { readOrdered } from "../src/process/order.ts";
import { type CommandSpec, createRunner } from "../src/process/run.ts";
import { type SandboxMode, sandboxProblem } from "../src/process/sandbox.ts";

const OUTPUT_BYTES = 2_000_000_000;
const folder = fs.mkdtempSync(path.join(process.argv[2] ?? os.tmpdir(), "curlew-bench-process-"));
const runner = createRunner();
const home = fs.mkdtempSync(path.join(os.tmpdir(), "curlew-bench-home-"));
const env = { PATH: process.env.PATH ?? "" };
let names = 0;

function spec(argv: readonly string[]): CommandSpec {
  const stem = path.join(folder, String(++names));
  return {
    argv,
    env,
    cwd: folder,
    stdin: { kind: "none" },
    stdoutFile: `${stem}.out`,
    stderrFile: `${stem}.err`,
    orderFile: `${stem}.ord`,
    killGraceMs: 1_000,
    outputBytesMax: 1e12,
    runTag: `bench-${process.pid}.${names}`,
    onChunk: () => {},
  };
}

async function ours(argv: readonly string[], given: Partial<CommandSpec> = {}): Promise<void> {
  const { cause } = await runner.run({ ...spec(argv), ...given }).done;
  if (cause.type !== "exited" || cause.code !== 0) throw new Error(JSON.stringify(cause));
}

const plain = (argv: readonly string[]): Promise<void> => ours(argv);

function sandboxed(mode: SandboxMode): (argv: readonly string[]) => Promise<void> {
  const bwrap = findProgram("bwrap", env.PATH) ?? "";
  return (argv) => ours(argv, { sandbox: { mode, bwrap, home, files: [argv.at(-1)!] } });
}

function bare(argv: readonly string[]): Promise<void> {
  const { stdoutFile, stderrFile } = spec(argv);
  const files = [stdoutFile, stderrFile].map((file) => fs.openSync(file, "w", 0o600));
  const child: ChildProcess = spawn(argv[0]!, argv.slice(1), {
    cwd: folder,
    env,
    stdio: ["ignore", files[0], files[1]],
  });
  for (const file of files) fs.closeSync(file);
  return new Promise((resolve) => child.on("close", () => resolve()));
}

function script(text: string): string[] {
  const scriptFile = path.join(folder, `${++names}.sh`);
  fs.writeFileSync(scriptFile, text);
  return launch({ shell: "bash", shellPath: "/bin/bash", scriptFile });
}

/** Milliseconds for `count` commands, `width` at a time. */
async function time(
  start: (argv: readonly string[]) => Promise<void>,
  argv: string[],
  count: number,
  width: number,
): Promise<number> {
  const from = performance.now();
  let left = count;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await start(argv);
  };
  await Promise.all(Array.from({ length: width }, worker));
  const took = performance.now() - from;
  for (const name of fs.readdirSync(folder)) if (!name.endsWith(".sh")) fs.unlinkSync(path.join(folder, name));
  return took;
}

/** Blocks of `count` take turns with blocks of the control, so that both meet the same machine; the median block counts. */
async function race(
  title: string,
  argv: string[],
  blocks: number,
  count: number,
  width: number,
  reach: string,
  [first, second] = [bare, plain],
): Promise<void> {
  const took: { ours: number[]; bare: number[] } = { ours: [], bare: [] };
  for (let block = 0; block < blocks; block++) {
    took.bare.push(await time(first!, argv, count, width));
    took.ours.push(await time(second!, argv, count, width));
  }
  const [mine, control] = [median(took.ours), median(took.bare)];
  const ratio = (mine / control).toFixed(2);
  console.log(
    `${title}: ${(mine / count).toFixed(2)} ms each, control ${(control / count).toFixed(2)} ms, ratio ${ratio} (${reach})`,
  );
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
}

async function memoryWhile(work: () => Promise<void>): Promise<number> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 20);
  await work();
  clearInterval(timer);
  return peak - before;
}

/** Share of prints, to stdout and stderr in turn, that are kept at another place than they were printed. */
async function disorder(gapMs: number): Promise<number> {
  const prints = 200;
  const program = `const fs = require("fs"); const wait = (ms) => { const end = performance.now() + ms; while (performance.now() < end); };
    for (let n = 0; n < ${prints}; n++) { fs.writeSync(n % 2 + 1, n + "\\n"); wait(${gapMs}); }`;
  const given = spec([process.execPath, "-e", program]);
  await runner.run(given).done;
  const all = [...readOrdered(given.stdoutFile, given.stderrFile, given.orderFile)]
    .map(({ bytes }) => Buffer.from(bytes))
    .join("");
  const numbers = all.trimEnd().split("\n").map(Number);
  return numbers.filter((number, index) => number !== index).length / prints;
}

try {
  const quick = script("true\n");
  await time(plain, quick, 50, 1);
  await race("true, 1,000 in sequence", quick, 20, 50, 1, "reach 1.15");
  await race("true, 1,000, 8 at a time", quick, 10, 100, 8, "reach 1.15");
  for (const mode of ["no-network", "read-only", "strict"] as const)
    if (sandboxProblem(mode, env.PATH) === undefined)
      await race(`true in sandbox ${mode}, 400 in sequence`, quick, 20, 20, 1, "no reach", [plain, sandboxed(mode)]);
  const flood = ["head", "-c", String(OUTPUT_BYTES), "/dev/zero"];
  const memory = await memoryWhile(async () => void (await time(plain, flood, 1, 1)));
  await race("2 GB of output", flood, 3, 1, 1, "reach 1.43, which is 70 % of its speed");
  console.log(`2 GB of output: memory grew by ${(memory / 1e6).toFixed(0)} MB (reach 64)`);
  for (const gapMs of [0, 0.05, 0.2, 1, 5]) {
    console.log(
      `order of prints ${gapMs} ms apart: ${((await disorder(gapMs)) * 100).toFixed(1)} % not at their place`,
    );
  }
} finally {
  await runner.stopAll();
  fs.rmSync(home, { recursive: true });
  fs.rmSync(folder, { recursive: true, force: true });
}

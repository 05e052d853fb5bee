// measure: runs things in turn with their control, and prints the result.

import { type SpawnSyncReturns, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { stringify } from "yaml";

export const mode = process.argv.includes("--quick") ? "quick" : "full";
export const quick = mode === "quick";
export const root = dirname(dirname(import.meta.dirname));
export const curlew = join(root, "bin/curlew");
export const folder = mkdtempSync(join(tmpdir(), "curlew-bench-"));
let serial = 0;

export function cleanUp(): void {
  rmSync(folder, { recursive: true, force: true });
}

export interface Row {
  what: string;
  reach: string;
  figure: string;
  /** Absent: the row has no target. */
  reached?: boolean;
  /** Where a miss is explained, if it is known. */
  adr?: string;
}

/** Returns the number of misses. */
export function say({ what, reach, figure, reached, adr }: Row): number {
  const verdict = reached === undefined ? "" : reached ? "ok" : "MISS";
  const why = reached === false && adr !== undefined ? ` (ADR ${adr})` : "";
  const limit = reach === "" ? "" : `reach ${reach}`;
  console.log(`${verdict.padEnd(5)} ${what.padEnd(56)} ${figure.padEnd(58)} ${limit}${why}`);
  return reached === false ? 1 : 0;
}

export type Task = () => Promise<void> | void;

/** Milliseconds of each task in each round; they take turns. The first round does not count. */
export async function turns(rounds: number, tasks: readonly Task[], warmUp = true): Promise<number[][]> {
  const times: number[][] = tasks.map(() => []);
  for (let round = warmUp && !quick ? -1 : 0; round < rounds; round += 1)
    for (const [at, task] of tasks.entries()) {
      const from = performance.now();
      await task();
      if (round >= 0) times[at]!.push(performance.now() - from);
    }
  return times;
}

/** `ours` against `control`, as a ratio. */
export async function ratio(
  what: string,
  { ours, control, rounds, most, adr }: { ours: Task; control: Task; rounds: number; most?: number; adr?: string },
): Promise<Row> {
  const [mine = [], other = []] = await turns(rounds, [ours, control]);
  const least = Math.min(...mine) / Math.min(...other);
  const pairs = median(mine.map((ms, at) => ms / other[at]!));
  return {
    what,
    figure: `${least.toFixed(2)} × (median ${pairs.toFixed(2)}; ${ms(mine)}, control ${ms(other)})`,
    reach: most === undefined ? "" : `≤ ${most.toFixed(2)} ×`,
    ...(most === undefined ? {} : { reached: least <= most }),
    ...(adr === undefined ? {} : { adr }),
  };
}

/** `ours` beyond `control`, in milliseconds. */
export async function addition(
  what: string,
  { ours, control, rounds, mostMs, adr }: { ours: Task; control: Task; rounds: number; mostMs: number; adr?: string },
): Promise<Row> {
  const [mine = [], other = []] = await turns(rounds, [ours, control]);
  const least = Math.min(...mine) - Math.min(...other);
  const pairs = median(mine.map((ms, at) => ms - other[at]!));
  return {
    what,
    figure: `+ ${least.toFixed(0)} ms (median + ${pairs.toFixed(0)}; ${ms(mine)}, control ${ms(other)})`,
    reach: `≤ + ${mostMs} ms`,
    reached: least <= mostMs,
    ...(adr === undefined ? {} : { adr }),
  };
}

/** `least..median` of the times. */
export function ms(times: readonly number[]): string {
  const digits = Math.min(...times) < 10 ? 1 : 0;
  return `${Math.min(...times).toFixed(digits)}..${median(times).toFixed(digits)} ms`;
}

export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

// — doing —

export function runArgs(file: string, home = join(folder, fresh("home"))): string[] {
  return ["run", file, "--quiet", "--home", home];
}

/** One whole cold run, in a new data directory. */
export function runFlow(file: string, home?: string): void {
  ended(spawnSync(curlew, runArgs(file, home), { stdio: ["ignore", "ignore", "pipe"] }));
}

export function ended({ status, stderr }: SpawnSyncReturns<Buffer>): void {
  if (status !== 0) throw new Error(`ended with ${status}: ${stderr}`);
}

/** The same without blocking this process. */
export async function finished(program: string, args: readonly string[], options: object = {}): Promise<void> {
  const [code] = await once(spawn(program, args, { stdio: "ignore", ...options }), "close");
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
}

// — graphs —

export function names(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `n${at}`);
}

export function cli(id: string, content: string): object {
  return { id, type: "cli", data: { title: id, content } };
}

export function text(id: string, content: string): object {
  return { id, type: "text", data: { title: id, content } };
}

export function loop(iterations: number): object[] {
  return [
    { id: "loop", type: "loop-start", data: { title: "Loop", iterations, maxIterations: iterations } },
    { id: "end", type: "loop-end", data: { title: "End" } },
  ];
}

export function fresh(name: string): string {
  serial += 1;
  return `${name}${serial}`;
}

export function freshFolder(name: string): string {
  const place = join(folder, fresh(name));
  mkdirSync(place);
  return place;
}

/** One file per graph; chains are one line, as people write them. */
export function flow(nodes: readonly object[], edges: readonly string[], head: object = {}): string {
  const file = join(folder, `${fresh("flow")}.flow.yaml`);
  writeFileSync(file, stringify({ curlew: 1, name: "Bench", ...head, nodes, edges }, { lineWidth: 0 }));
  return file;
}

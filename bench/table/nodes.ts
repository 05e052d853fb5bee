// nodes: what a node without a process costs, and that it costs the same in a large graph and a long loop. Control: half the size.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { cli, curlew, flow, loop, mode, names, quick, type Row, runArgs, runFlow, text, turns } from "./measure.ts";

const rounds = quick ? 1 : 3;

export const nodes = {
  chain: () => growth("in a chain", (ids) => [ids.join(" -> ")]),
  wide: () => growth("in a fan-out", (ids) => ids.slice(1).map((id) => `${ids[0]} -> ${id}`)),
  passes: async (): Promise<Row[]> => {
    const count = quick ? 200 : 1_000;
    const make = (iterations: number) => {
      const [first, last] = loop(iterations);
      return flow(
        [first!, text("a", "${i}"), text("b", "${1}"), text("c", "${1}"), last!],
        ["loop -> a -> b -> c -> end"],
      );
    };
    const files = [make(1), make(count), make(2 * count)];
    const [none = 0, one = 0, two = 0] = leasts(
      await turns(
        rounds,
        files.map((file) => () => runFlow(file)),
      ),
    );
    return [linear(`loop of ${count} and ${2 * count} passes × 3 Text nodes`, one - none, two - none, count * 3)];
  },
  manyPasses: async (): Promise<Row[]> => {
    const count = mode === "long" ? 1_000_000 : quick ? 5_000 : 100_000;
    const make = (iterations: number) => {
      const [first, last] = loop(iterations);
      return flow([first!, text("a", "${i}"), last!], ["loop -> a -> end"]);
    };
    const half = await watched(make(count / 2));
    const whole = await watched(make(count));
    const row = linear(`${count / 2} and ${count} passes of a Text node`, half.ms, whole.ms, count / 2);
    const grown = whole.peakMb - half.peakMb;
    return [
      row,
      {
        what: "memory of the second over the first",
        figure: `+ ${grown.toFixed(0)} MB (${half.peakMb.toFixed(0)}, ${whole.peakMb.toFixed(0)} MB)`,
        reach: "flat (≤ 64 MB)",
        reached: grown <= 64,
      },
    ];
  },
  /** An hour's load in short: nothing may grow with the number of attempts. */
  attempts: async (): Promise<Row[]> => {
    const count = mode === "long" ? 20_000 : quick ? 200 : 2_000;
    const [first, last] = loop(count);
    const seen = await watched(flow([first!, cli("a", "true"), last!], ["loop -> a -> end"]));
    // The first quarter is for caches and compiled code to find their size.
    const grownMb = seen.last.mb - seen.quarter.mb;
    return [
      {
        what: `${count} short commands in one run: from a quarter to the end`,
        figure: `memory ${seen.quarter.mb.toFixed(0)} to ${seen.last.mb.toFixed(0)} MB, open files ${seen.quarter.fds} to ${seen.last.fds}`,
        reach: "flat (≤ 64 MB, ≤ 8 files)",
        reached: grownMb <= 64 && seen.last.fds - seen.quarter.fds <= 8,
      },
    ];
  },
};

async function growth(shape: string, edges: (ids: string[]) => string[]): Promise<Row[]> {
  const count = quick ? 1_000 : 10_000;
  const make = (size: number) =>
    flow(
      names(size).map((id) => text(id, "x")),
      size === 1 ? [] : edges(names(size)),
    );
  const files = [make(1), make(count), make(2 * count)];
  const [none = 0, one = 0, two = 0] = leasts(
    await turns(
      rounds,
      files.map((file) => () => runFlow(file)),
    ),
  );
  const each = ((two - none) * 1_000) / (2 * count);
  return [
    {
      what: `a Text node ${shape} of ${2 * count}, all in all`,
      figure: `${each.toFixed(0)} µs (of ${count}: ${(((one - none) * 1_000) / count).toFixed(0)} µs)`,
      reach: "≤ 100 µs",
      reached: each <= 100,
      adr: "42",
    },
    linear(`  from ${count} to ${2 * count}`, one - none, two - none, count),
  ];
}

/** Of small figures the start of the program is the most. */
const SLACK_MS = 50;

/** Twice as much may take little more than twice as long. */
function linear(what: string, oneMs: number, twoMs: number, count: number): Row {
  const figure = `${(twoMs / oneMs).toFixed(2)} × (${oneMs.toFixed(0)}, ${twoMs.toFixed(0)} ms; ${(((twoMs - oneMs) * 1_000) / count).toFixed(0)} µs each beyond the first half)`;
  return { what, figure, reach: "linear (≤ 2.40 ×)", reached: twoMs <= 2.4 * oneMs + SLACK_MS };
}

const leasts = (times: readonly number[][]): number[] => times.map((each) => Math.min(...each));

interface Seen {
  mb: number;
  fds: number;
}

/** A run that is looked at while it lasts, five times a second (Linux; elsewhere only its time is known). */
async function watched(file: string): Promise<{ ms: number; peakMb: number; quarter: Seen; last: Seen }> {
  const from = performance.now();
  const child = spawn(curlew, runArgs(file), { stdio: "ignore" });
  const seen: Seen[] = [];
  const timer = setInterval(() => {
    const now = look(child.pid ?? 0);
    if (now !== undefined) seen.push(now);
  }, 200);
  const [code] = await once(child, "close");
  clearInterval(timer);
  if (code !== 0) throw new Error(`ended with ${code}`);
  const none = { mb: 0, fds: 0 };
  return {
    ms: performance.now() - from,
    peakMb: Math.max(0, ...seen.map(({ mb }) => mb)),
    quarter: seen[Math.floor(seen.length / 4)] ?? none,
    last: seen.at(-1) ?? none,
  };
}

function look(pid: number): Seen | undefined {
  try {
    const kb = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
    return { mb: kb / 1024, fds: readdirSync(`/proc/${pid}/fd`).length };
  } catch {
    return undefined;
  }
}

// attack: an attacker's file is looked at by the whole program. Whatever it holds, looking is harmless and ends.

import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Folder, Ran } from "../cli/curlew.ts";

/** What looking at the worst file of 5 MB may cost: time of the processor, so that a busy machine does not count, and memory. */
export const CPU_MS_MAX = 20_000;
export const MEMORY_MB_MAX = 1_600;

export interface Cost {
  cpuMs: number;
  memoryMb: number;
}

/** Told by the process itself when it ends. */
const TELLS_COST = `data:text/javascript,${encodeURIComponent(
  "import { writeFileSync } from 'node:fs'; process.on('exit', () => { const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();" +
    "writeFileSync(process.env.COST_FILE, JSON.stringify({ cpuMs: (userCPUTime + systemCPUTime) / 1000, memoryMb: maxRSS / 1024 })); });",
)}`;

/** Runs a command that only looks. Nothing may have been executed, written or thrown, and nothing reaches a terminal but text. */
export async function look(it: Folder, args: string | string[], stdin?: string): Promise<Ran & Cost> {
  const costFile = join(it.path, ".cost");
  const before = filesOf(it);
  const ran = await it.run(args, {
    env: { NODE_OPTIONS: `--import=${TELLS_COST}`, COST_FILE: costFile },
    ...(stdin === undefined ? {} : { stdin }),
  });
  const cost = JSON.parse(readFileSync(costFile, "utf8")) as Cost;
  rmSync(costFile);
  const said = `${args}: exit ${ran.code}, ${Math.round(cost.cpuMs)} ms, ${Math.round(cost.memoryMb)} MB\n${ran.stderr.slice(0, 2_000)}`;
  expect(filesOf(it), said).toEqual(before);
  expect([0, 2], said).toContain(ran.code);
  expect(ran.stderr, said).not.toMatch(/error\[internal\]|^\s+at .*:\d+:\d+/m);
  harmlessText(ran.stderr);
  harmlessText(ran.stdout);
  expect(cost.cpuMs, said).toBeLessThan(CPU_MS_MAX);
  expect(cost.memoryMb, said).toBeLessThan(MEMORY_MB_MAX);
  return { ...ran, ...cost };
}

/** No control character but line breaks and tabs, nothing that changes the direction of text or has no width. */
export function harmlessText(text: string): void {
  const at = text.search(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/,
  );
  expect(
    at < 0 ? "" : JSON.stringify(text.slice(Math.max(0, at - 60), at + 20)),
    "a control character got through",
  ).toBe("");
}

/** Every file and folder, but those of the home. */
export function filesOf(it: Folder): string[] {
  return readdirSync(it.path, { recursive: true, encoding: "utf8" })
    .filter((name) => !name.startsWith(".home"))
    .sort();
}

export const HEAD = "curlew: 1\nname: T\n";
/** A node that would leave a trace. */
export const NODE = "nodes:\n  - { id: a, type: cli, data: { title: A, content: touch canary } }\n";

export const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

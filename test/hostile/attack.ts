// attack: the whole program looks at an attacker's file. Looking is always harmless, and ends.

import { readdirSync, readFileSync, rmSync } from "node:fs";
import { expect } from "vitest";
import type { Folder, Given, Ran } from "../cli/curlew.ts";

/** Limits for looking at the worst file of 5 MB: memory, and processor time, so that a busy machine does not count. */
export const CPU_MS_MAX = 20_000;
export const MEMORY_MB_MAX = 1_600;

export interface Cost {
  cpuMs: number;
  memoryMb: number;
}

/** The process itself reports its cost when it ends. */
const TELLS_COST = `data:text/javascript,${encodeURIComponent(
  "import { writeFileSync } from 'node:fs'; process.on('exit', () => { const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();" +
    "writeFileSync(process.env.COST_FILE, JSON.stringify({ cpuMs: (userCPUTime + systemCPUTime) / 1000, memoryMb: maxRSS / 1024 })); });",
)}`;

/** Runs a command that only looks. It must execute, write and throw nothing, and print only text. */
export async function look(it: Folder, args: string | string[], given: Given = {}): Promise<Ran> {
  const before = filesOf(it);
  const ran = await it.run(args, given);
  const said = `${args}: exit ${ran.code}\n${ran.stderr.slice(0, 2_000)}`;
  expect(filesOf(it), said).toEqual(before);
  expect([0, 2], said).toContain(ran.code);
  expect(ran.stderr, said).not.toMatch(/error\[internal\]|^\s+at .*:\d+:\d+/m);
  harmlessText(ran.stderr);
  harmlessText(ran.stdout);
  return ran;
}

/** The same in a separate process, whose cost is checked. */
export async function lookMeasured(it: Folder, args: string | string[]): Promise<Ran & Cost> {
  const costFile = `${it.path}.cost`;
  const ran = await look(it, args, { env: { NODE_OPTIONS: `--import=${TELLS_COST}`, COST_FILE: costFile } });
  const cost = JSON.parse(readFileSync(costFile, "utf8")) as Cost;
  rmSync(costFile);
  expect(cost.cpuMs, String(args)).toBeLessThan(CPU_MS_MAX);
  expect(cost.memoryMb, String(args)).toBeLessThan(MEMORY_MB_MAX);
  return { ...ran, ...cost };
}

/** No control character except newlines and tabs, nothing that changes the direction of text or has no width. */
export function harmlessText(text: string): void {
  const at = text.search(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/,
  );
  expect(
    at < 0 ? "" : JSON.stringify(text.slice(Math.max(0, at - 60), at + 20)),
    "a control character got through",
  ).toBe("");
}

/** Every file and folder except those of the data directory. */
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

// Small limits of the shell (ulimit) around a whole run: it works, or it says what the system gave no more of; nothing recorded is lost,
// no command runs twice, nobody is left, and under usual limits the run goes on. Below 24 open files Node.js itself does not start.

import { existsSync, mkdirSync } from "node:fs";
import { expect, test } from "vitest";
import { type Folder, folder, inARow, MAIN, type Ran, started } from "../cli/curlew.ts";
import { livingIn } from "./faults.ts";

const FLOW = inARow({
  a: "echo a >> effects; echo one",
  b: "echo b >> effects; echo two",
  c: "echo c >> effects; echo three",
});
/** `-f` is in blocks of 512 bytes, `-v` in KB. */
const SWEEPS: Record<string, number[]> = {
  "-n": [24, 26, 28, 30, 32, 34, 36, 40, 48, 64],
  "-f": [8, 16, 40, 100, 200, 400, 1_000],
  "-v": [2_000_000, 8_000_000],
};

for (const [flag, values] of Object.entries(SWEEPS))
  test(`ulimit ${flag}`, { timeout: 300_000 }, async () => {
    for (const value of values) await survives(flag, value);
  });

async function survives(flag: string, value: number): Promise<void> {
  const it = folder({ "f.flow.yaml": FLOW });
  mkdirSync(it.home, { mode: 0o700 });
  const ran = await within(it, `ulimit ${flag} ${value}; exec '${process.execPath}' -- '${MAIN}' run f.flow.yaml`);
  const seen = `ulimit ${flag} ${value}: ${ran.code}\n${ran.stdout}\n${ran.stderr}`;
  expect(livingIn(it), seen).toEqual([]);
  // Node.js, and not we, where not even its own modules can be read.
  if (!/Node\.js v\d/.test(ran.stderr)) {
    expect([0, 1, 2, 5], seen).toContain(ran.code);
    if (ran.code !== 0) expect(ran.stderr, seen).toMatch(/error\[[a-z-]+\]/);
    expect(ran.stderr, seen).not.toContain("error[internal]");
    expect(ran.stderr, seen).not.toContain("store-read-only");
  }
  if (ran.code === 0) expect(ran.stdout, seen).toBe("three\n");
  expect(await it.run("doctor --store"), seen).toMatchObject({ code: 0 });
  const [last] = JSON.parse((await it.run("runs --json")).stdout) as { status: string }[];
  if (last !== undefined && !["succeeded", "failed"].includes(last.status)) await it.run("runs resume latest");
  const effects = existsSync(`${it.path}/effects`) ? it.read("effects").trim().split("\n") : [];
  expect(effects, seen).toEqual(["a", "b", "c"].slice(0, effects.length));
}

function within(it: Folder, command: string): Promise<Ran> {
  return started("/bin/sh", ["-c", command], it.path, {}, it.home).done;
}

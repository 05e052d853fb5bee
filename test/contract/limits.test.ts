// Small limits of the shell (ulimit) around a whole run: it works, or it says what the system gave no more of; nothing recorded is lost,
// no command runs twice, nobody is left, and under usual limits the run goes on. Below 24 open files Node.js itself does not start.
// `-u` counts threads, and binds nobody who is root: as root the run is another user's, of whom there is nothing else.

import { spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync } from "node:fs";
import { expect, test } from "vitest";
import { type Folder, folder, inARow, MAIN, type Ran, started } from "../cli/curlew.ts";
import { livingIn } from "./faults.ts";

/** The second forks three times by itself. A shell that tries a fork again and again takes half a minute: this one does not. */
const FLOW = inARow({
  a: "echo a >> effects; echo one",
  b: "echo b >> effects; (echo two; true) | cat | cat",
  c: "echo c >> effects; echo three",
}).replaceAll("type: cli, data: {", "type: cli, data: { shell: sh,");
/** `-f` is in blocks of 512 bytes, `-v` in KB: as sh counts, which knows no `-u`. */
const SWEEPS: Record<string, number[]> = {
  "-n": [24, 28, 32, 40, 64],
  "-f": [8, 40, 200, 1_000],
  "-v": [2_000_000, 8_000_000],
};
/** Beside what the user has already: from too few for Node.js, by enough for it and not for its runner, to enough for all. */
const PROCESSES = process.env.CHECK_FULL === "1" ? [2, 6, 8, 10, 12, 14, 16, 18, 20, 24, 40] : [2, 12, 40];

for (const [flag, values] of Object.entries(SWEEPS))
  test(`ulimit ${flag}`, { timeout: 300_000 }, async () => {
    for (const value of values) await survives(flag, value);
  });

/** Somebody whom no other test is at the same time. */
const ANOTHER = 40_000 + (process.pid % 20_000);
const isRoot = process.getuid?.() === 0;
const asAnother = ["setpriv", "--reuid", String(ANOTHER), "--clear-groups"];
const isBound =
  process.platform === "linux" &&
  (!isRoot ||
    spawnSync(asAnother[0]!, [...asAnother.slice(1), process.execPath, "--", MAIN, "--version"]).status === 0);

if (isBound)
  test("ulimit -u", { timeout: 300_000 }, async () => {
    const ends = new Set<string>();
    for (const value of PROCESSES)
      ends.add(await survives("-u", `$(($(ps -L --no-headers -u $(id -u) | wc -l) + ${value}))`, isRoot));
    // Of a user who has nothing else it is known how it goes: too few for a runner or a command, and enough.
    if (isRoot) expect([...ends].toSorted()).toEqual(expect.arrayContaining(["0", "1"]));
  });

/** How it ended. `another`: it is run by somebody who is not root. */
async function survives(flag: string, value: number | string, another = false): Promise<string> {
  const it = folder({ "f.flow.yaml": FLOW });
  mkdirSync(it.home, { mode: 0o700 });
  if (another) for (const path of [it.path, it.home]) chownSync(path, ANOTHER, ANOTHER);
  const command = `ulimit ${flag} ${value}; exec '${process.execPath}' -- '${MAIN}' run f.flow.yaml`;
  const ran = await within(it, [...(another ? asAnother : []), flag === "-u" ? "bash" : "/bin/sh", "-c", command]);
  const seen = `ulimit ${flag} ${value}: ${ran.code}\n${ran.stdout}\n${ran.stderr}`;
  expect(livingIn(it), seen).toEqual([]);
  // Node.js, and not we, where not even its own modules can be read.
  if (!/Node\.js v\d|Native stack trace/.test(ran.stderr)) {
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
  return String(ran.code);
}

function within(it: Folder, [program = "", ...args]: readonly string[]): Promise<Ran> {
  return started(program, args, it.path, { env: { HOME: it.path } }, it.home).done;
}

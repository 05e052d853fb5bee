// The kernel refuses the runner process its n-th call of a kind, for n = 1, 2, 3 … from the end of a first command on.
// Curlew reports it or works on, no command runs twice, no process is left, and the data directory stays valid (spec
// 3.2, 4.4). The engine's own calls: test/contract/faults.test.ts.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folder, made, runnersOf } from "../cli/curlew.ts";
import { attached, livingIn } from "../contract/faults.ts";
import { has } from "../setup/machine.ts";

const FLOW = `curlew: 1
name: Faulty
nodes:
  - { id: a, type: cli, data: { title: A, content: "echo a >> ran; touch began; until test -e go; do sleep 0.02; done; echo one" } }
  - { id: b, type: cli, data: { title: B, content: "cat; echo b >> ran; head -c 100000 /dev/zero | tr '\\\\0' x; echo err >&2", stdin: { source: parent-index } } }
  - { id: c, type: cli, data: { title: C, content: "echo c >> ran; wc -c", stdin: { source: parent-index } } }
edges: [a -> b, b -> c]
`;
const RESULT = "100003\n";
const FAULTS: [call: string, error: string][] = [
  ["openat", "EMFILE"],
  ["write", "ENOSPC"],
  ["clone,clone3,vfork,fork", "EAGAIN"],
  ["clone,clone3,vfork,fork", "ENOMEM"],
  ["pipe2,socketpair", "EMFILE"],
  ["unlink,rename,link", "EIO"],
];
const FULL = process.env.CHECK_FULL !== undefined;
const TRIES = FULL ? 5 : 2;

if (has("strace"))
  for (const [call, error] of FAULTS)
    test(`${error} at the n-th ${call.replace(/,.*/, "")} of the runner`, { timeout: 600_000 }, async () => {
      // The first is always reached. If one is not, there were no more.
      expect(await survives(call, error, 1)).toBe(true);
      for (let n = 2; n <= TRIES && (await survives(call, error, n)); n++);
    });

/** Whether the n-th call was made at all. */
async function survives(call: string, error: string, n: number): Promise<boolean> {
  const it = folder({ "k.flow.yaml": FLOW });
  const run = it.start("run k.flow.yaml");
  await made(join(it.path, "began"));
  const trace = join(it.path, "trace");
  const inject = ["-e", `inject=${call}:error=${error}:when=${n}`];
  await attached(runnersOf(it.home)[0] ?? 0, ["-o", trace, ...inject, ...(call === "write" ? outputsOf(it.home) : [])]);
  it.write("go", "");
  const ran = await run.done;
  const seen = `${call} ${error} ${n}\n${ran.code}\n${ran.stderr}`;
  expect([0, 1], seen).toContain(ran.code);
  expect(ran.stderr, seen).not.toMatch(/internal|\n\s+at /);
  if (ran.code === 0) expect(ran.stdout, seen).toBe(RESULT);
  await expect.poll(() => livingIn(it), { timeout: 20_000, message: seen }).toEqual([]);
  const resumed = await it.run("runs resume latest");
  expect(Number(resumed.code) < 2 || resumed.stderr.includes("run-ended"), `${seen}\n${resumed.stderr}`).toBe(true);
  const effects = it.read("ran").trim().split("\n");
  expect(effects, seen).toEqual(["a", "b", "c"].slice(0, effects.length));
  expect(await it.run("doctor --store"), seen).toMatchObject({ code: 0 });
  return existsSync(trace) && readFileSync(trace, "utf8").includes("(INJECTED)");
}

/** Of writes, only those of outputs: others are Node.js waking itself, which no kernel refuses. */
function outputsOf(home: string): string[] {
  const [run = ""] = readdirSync(join(home, "runs"));
  const names = Array.from({ length: 20 }, (_, seq) => [`${seq}.out`, `${seq}.err`, `${seq}.order`]).flat();
  return names.flatMap((name) => ["-P", join(home, "runs", run, name)]);
}

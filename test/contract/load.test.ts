// Eight hundred commands in two runs of one data directory at once, ten thousand with CHECK_FULL=1. The program and the
// runner process open no more files over time, and memory stays flat.

import { expect, test } from "vitest";
import { folder } from "../cli/curlew.ts";

const PASSES = process.env.CHECK_FULL === "1" ? 5_000 : 400;
const SAMPLES = 20;
/** Memory that the garbage collector has not freed yet. */
const GROWTH_MAX_KB = 32 * 1_024;
/**
 * For the runner, which collects every limits.runnerCollectEvery commands. In the full check it would grow by 94 MB,
 * and did.
 */
const KEEPER_GROWTH_MAX_KB = 20 * 1_024;

/** Files and memory (KB) of the runner, then of the program, at intervals; each iteration passes on a little. */
const SAMPLE = `[ $((\${i} % ${PASSES / SAMPLES})) = 0 ] || { echo "\${i}"; exit 0; }
c=$(awk '/^PPid/{print $2}' /proc/$PPID/status)
for p in $PPID $c; do set -- $(ls /proc/$p/fd | wc -l) $(awk '/^VmRSS/{print $2}' /proc/$p/status); printf '%s %s ' "$@"; done >> samples-NAME
echo >> samples-NAME`;

const flow = (name: string): string => `curlew: 1
name: ${name}
nodes:
  - { id: l, type: loop-start, data: { title: L, iterations: ${PASSES} } }
  - { id: a, type: cli, data: { title: A, content: ${JSON.stringify(SAMPLE.replaceAll("NAME", name))} } }
  - { id: t, type: text, data: { title: T, content: "\${1}!" } }
  - { id: e, type: loop-end, data: { title: E } }
edges: [l -> a -> t -> e]
`;

if (process.platform === "linux")
  test(`${PASSES} iterations in each of two workflows at once`, { timeout: 900_000 }, async () => {
    const it = folder({ "x.flow.yaml": flow("x"), "y.flow.yaml": flow("y") });
    const ran = await Promise.all(["x", "y"].map((name) => it.start(`run ${name}.flow.yaml --quiet`).done));
    for (const { code, stderr } of ran) expect(code, stderr).toBe(0);
    for (const name of ["x", "y"]) {
      const rows = it
        .read(`samples-${name}`)
        .trim()
        .split("\n")
        .map((row) => row.trim().split(" ").map(Number));
      expect(rows).toHaveLength(SAMPLES);
      const told = JSON.stringify(rows);
      // In the first half memory still grows to its size.
      const from = rows[SAMPLES / 2]!;
      const last = rows.at(-1)!;
      for (const at of [0, 2]) expect(last[at]! - from[at]!, `files: ${told}`).toBeLessThanOrEqual(3);
      expect(last[1]! - from[1]!, `memory of the runner: ${told}`).toBeLessThan(KEEPER_GROWTH_MAX_KB);
      expect(last[3]! - from[3]!, `memory of the program: ${told}`).toBeLessThan(GROWTH_MAX_KB);
      console.log(`${name}: files and memory in KB of runner and program, after half ${from}, at the end ${last}`);
    }
  });

// The kernel refuses the n-th call, for every n in turn: files cannot be opened, processes not started, nothing can be
// written. The program ends with a message, leaves no process behind, never runs a command twice on its own, and the
// data directory stays valid (spec 4.4).

import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { callsOf, type Fault, place, RESULT, run } from "./faults.ts";

/**
 * A kind of call and its error. By default the first, the last and one between; some more with CHECK_FULL=1, each with
 * CHECK_FAULTS=all.
 */
const FAULTS: [call: string, error: string, ofStore?: boolean][] = [
  ["openat", "EMFILE"],
  ["pwrite64", "ENOSPC"],
  ["pwrite64", "EIO"],
  ["pread64", "EIO", true],
  ["fsync,fdatasync", "EIO"],
  ["mkdir", "ENOSPC"],
  ["clone,clone3,vfork,fork", "EAGAIN"],
  ["clone,clone3,vfork,fork", "ENOMEM"],
  ["pipe2", "EMFILE"],
  ["unlink", "EIO"],
  ["rename,link", "ENOSPC"],
];
const FULL = process.env.CHECK_FULL !== undefined;
const SHARES = process.env.CHECK_FAULTS === "all" ? 1_000_000 : FULL ? 6 : 2;

for (const [call, error, ofStore = false] of FAULTS)
  if (has("strace"))
    test(`${error} at the n-th ${call.replace(/,.*/, "")}`, { timeout: 1_200_000 }, async () => {
      const { first, all } = callsOf(call, ofStore);
      const step = Math.max(1, Math.floor((all - first) / SHARES));
      for (let n = first; n <= all; n += step)
        for (const persists of FULL ? [false, true] : [n !== first])
          await survives({ call, error, from: n, persists, ofStore });
    });

async function survives(fault: Fault): Promise<void> {
  const it = place();
  const said = JSON.stringify(fault);
  const ran = await run(it, ["run", "f.flow.yaml"], fault);
  const seen = `${said}\n${ran.code}\n${ran.stdout}\n${ran.stderr}`;
  expect([0, 1, 2, 5], seen).toContain(ran.code);
  expect(ran.stderr, seen).not.toMatch(/\n\s+at |internal/);
  expect(ran.left, seen).toEqual([]);
  expect(Math.max(0, ...Object.values(ran.effects)), seen).toBeLessThanOrEqual(1);
  if (ran.code === 0) expect(ran.stdout, seen).toBe(RESULT);

  const runs = JSON.parse((await run(it, ["runs", "--json"])).stdout) as { status: string }[];
  const last = runs[0]?.status;
  if (ran.code === 0) expect(last, seen).toBe("succeeded");
  if (last !== undefined && !["succeeded", "failed", "cancelled"].includes(last)) {
    const resumed = await run(it, ["runs", "resume", "latest"]);
    const how = `${seen}\nresume: ${resumed.code} ${resumed.stderr}`;
    if (resumed.code === 2) {
      expect(resumed.stderr, how).toContain("error[run-empty]");
      expect(resumed.effects, how).toEqual({});
    } else expect([0, 1], how).toContain(resumed.code);
    expect(Math.max(0, ...Object.values(resumed.effects)), seen).toBeLessThanOrEqual(1);
    expect(resumed.left, seen).toEqual([]);
  }
  const doctor = await run(it, ["doctor", "--store"]);
  expect(doctor.code, `${seen}\n${doctor.stdout}${doctor.stderr}`).toBe(0);
}

// `curlew approve` while another process holds the run right after the answer (spec 3.5). Curlew waits for a process
// that only looks (answerLookMs), and then continues the run. It names one that stays: the answer is on record, and
// nothing runs twice.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { limits } from "../../src/base/limits.ts";
import { isAlive, thisProcess } from "../../src/engine/recovery/owner.ts";
import { type LocalStore, openStore } from "../../src/store/index.ts";
import { type Folder, folder, type Ran, type Started } from "../cli/curlew.ts";

const GATE = `curlew: 1
name: gate
nodes:
  - { id: gate, type: cli, data: { title: Gate, needsUserApproval: true, content: echo gate >> ran } }
`;
const TIMES = { timeout: 120_000 };

interface Held {
  it: Folder;
  run: string;
  approving: Started;
  release(): void;
}

/** The answer is on record, and this process holds the run before the approving one has resumed it. */
async function held(): Promise<Held> {
  for (;;) {
    const it = folder({ "gate.flow.yaml": GATE });
    expect(await it.run("run gate.flow.yaml")).toMatchObject({ code: 3 });
    const store = opened(it);
    const runs = store.journal.listRuns();
    const { id: run, lastSeq } = (runs.ok ? runs.value.runs[0] : undefined)!;
    const approving = it.start(`approve ${run} gate`);
    while (seqOf(store, run) === lastSeq) await new Promise((resolve) => setImmediate(resolve));
    // The approving process releases the run before it resumes it. If that was faster than this, the test tries again.
    const isOurs = claimed(store, run, lastSeq + 1);
    if (isOurs) {
      const release = (): void => {
        store.journal.release(run);
        store.close();
      };
      return { it, run, approving, release };
    }
    store.close();
    await approving.done;
  }
}

function opened(it: Folder): LocalStore {
  const store = openStore(it.home);
  if (!store.ok) throw new Error(store.error.message);
  return store.value;
}

function seqOf(store: LocalStore, run: string): number {
  const seq = store.journal.lastSeq(run);
  return seq.ok ? seq.value : 0;
}

function claimed(store: LocalStore, run: string, answeredSeq: number): boolean {
  for (;;) {
    if (store.journal.claim(run, thisProcess(), isAlive).ok) return seqOf(store, run) === answeredSeq;
    if (seqOf(store, run) > answeredSeq) return false;
  }
}

const ranIn = (it: Folder): string => (existsSync(join(it.path, "ran")) ? it.read("ran") : "");

test("approve waits for a process that only looks, and then resumes the run", TIMES, async () => {
  const { it, approving, release } = await held();
  setTimeout(release, limits.answerLookMs / 5);
  const ran: Ran = await approving.done;
  expect(ran, ran.stderr).toMatchObject({ code: 0 });
  expect(ran.stderr).not.toContain("Recorded.");
  expect(ranIn(it)).toBe("gate\n");
});

test("approve names a process that keeps the run, which continues once that process ends", TIMES, async () => {
  const { it, run, approving, release } = await held();
  const ran: Ran = await approving.done;
  expect(ran).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`Process ${process.pid} is working on run`),
  });
  expect(ranIn(it)).toBe("");
  release();
  expect(await it.run(`runs resume ${run}`)).toMatchObject({ code: 0 });
  expect(ranIn(it)).toBe("gate\n");
});

// store: whether a long history costs anything. Control: the same data directory without it. The data directories are
// in a memory file system if there is one: making 100,000 runs durable one by one is not what this measures.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  cpSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type LocalStore, openStore } from "../../src/store/index.ts";
import { cli, curlew, flow, folder, fresh, median, ms, quick, type Row, runArgs, runFlow } from "./measure.ts";

export const store = {
  list: async (): Promise<Row[]> => {
    const count = quick ? 10_000 : 100_000;
    const [small, large] = [ranOnce(), ranOnce()];
    addHistory(large, count);
    const ask = (home: string) => (): void => withStore(home, (it) => void must(it.journal.listRuns({ limit: 50 })));
    const [few, many] = [times(ask(small)), times(ask(large))];
    return [
      {
        what: `open the store and list the newest 50 of ${count} runs`,
        figure: `${ms(many)} (with one run in it: ${ms(few)})`,
        reach: "≤ 50 ms",
        reached: Math.min(...many) <= 50,
      },
    ];
  },
  tail: async (): Promise<Row[]> => {
    const home = ranOnce();
    const bytes = quick ? 100_000_000 : 1_000_000_000;
    const run = withStore(home, (it) => must(it.journal.findRun("latest"))).id;
    const file = openSync(join(home, "runs", run, "2.out"), "w");
    ftruncateSync(file, bytes);
    writeSync(file, "one line of a log\n".repeat(100_000), bytes);
    closeSync(file);
    const took = times(() => withStore(home, (it) => must(it.outputs.tail(run, "2.out", { lines: 1_000 }))));
    return [
      {
        what: `open the store and the last 1,000 lines of a log of ${bytes / 1e9} GB`,
        figure: ms(took),
        reach: "≤ 200 ms",
        reached: Math.min(...took) <= 200,
      },
    ];
  },
  recovery: async (): Promise<Row[]> => {
    const [closed, open] = quick ? [1_000, 10] : [10_000, 100];
    const killed = await killedRun();
    const took: { alone: number[]; crowded: number[] } = { alone: [], crowded: [] };
    for (let round = 0; round < (quick ? 1 : 3); round += 1)
      for (const kind of ["alone", "crowded"] as const) {
        const home = join(place, fresh("recovered"));
        cpSync(killed, home, { recursive: true });
        if (kind === "crowded") addHistory(home, closed + open, open);
        took[kind].push(await firstResumed(home));
      }
    return [
      {
        what: `recovery among ${closed} runs and ${open} open ones, to the first node resumed`,
        figure: `${ms(took.crowded)} (alone: ${ms(took.alone)}; median ratio ${(median(took.crowded) / median(took.alone)).toFixed(2)})`,
        reach: "≤ 1000 ms",
        reached: Math.min(...took.crowded) <= 1_000,
      },
    ];
  },
};

const place = existsSync("/dev/shm") ? mkdtempSync("/dev/shm/curlew-bench-") : folder;
process.on("exit", () => rmSync(place, { recursive: true, force: true }));

function home(name: string): string {
  const made = join(place, fresh(name));
  mkdirSync(made);
  return made;
}

/** A home with one run in it. */
export function ranOnce(): string {
  const made = home("home");
  runFlow(flow([cli("a", "true")], []), made);
  return made;
}

function times(work: () => void): number[] {
  return Array.from({ length: quick ? 3 : 9 }, () => {
    const from = performance.now();
    work();
    return performance.now() - from;
  });
}

function withStore<T>(home: string, work: (store: LocalStore) => T): T {
  const opened = must(openStore(home));
  try {
    return work(opened);
  } finally {
    opened.close();
  }
}

function must<T>(result: { ok: true; value: T } | { ok: false; error: { message: string } }): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

/** Older runs with the events of the last one. The first `open` of them were under way when their program ended. */
export function addHistory(home: string, count: number, open = 0): void {
  withStore(home, ({ journal }) => {
    const { lastSeq: _, owner, ...last } = must(journal.findRun("latest"));
    const events = must(journal.read(last.id));
    const left = owner ?? { pid: 1, startTime: "0", bootId: "bench", token: "bench" };
    for (let n = 1; n <= count; n += 1) {
      const id = `0${String(n).padStart(19, "0")}`;
      const isOpen = n <= open;
      const given = { ...last, id, status: isOpen ? ("running" as const) : ("succeeded" as const) };
      const own = events.slice(0, isOpen ? -1 : undefined).map((event) => ({ ...event, run: id }));
      must(journal.createRun(given, { events: own, ...(isOpen ? { owner: left } : {}) }));
    }
  });
}

/**
 * The data directory of a run whose program was killed, and whose command has ended since: the rest of it is resumed.
 */
async function killedRun(): Promise<string> {
  const made = home("killed");
  const mark = join(made, "mark");
  const command = `test -e ${mark} || { echo $$ > ${mark}.new; mv ${mark}.new ${mark}; until test -e ${mark}.go; do sleep 0.02; done; }`;
  const file = flow(
    [
      cli("a", "true"),
      { id: "b", type: "cli", data: { title: "B", content: command, onLost: "retry", safetyLevel: "advanced" } },
      cli("c", "true"),
    ],
    ["a -> b -> c"],
  );
  const child = spawn(curlew, runArgs(file, made), { stdio: "ignore" });
  while (!existsSync(mark) && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 10));
  child.kill("SIGKILL");
  await once(child, "close");
  writeFileSync(`${mark}.go`, "");
  // Its runner has written down how it ended, and is gone.
  const runners = join(made, "runners");
  while (readdirSync(runners).some((name) => existsSync(join(runners, name, "s"))))
    await new Promise((resolve) => setTimeout(resolve, 10));
  return made;
}

/** Milliseconds from the call to the start of the first attempt. */
async function firstResumed(home: string): Promise<number> {
  const from = performance.now();
  const child: ChildProcess = spawn(curlew, ["runs", "resume", "latest", "--json", "--home", home], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const late = setTimeout(() => child.kill("SIGKILL"), 60_000);
  let took: number | undefined;
  createInterface({ input: child.stdout! }).on("line", (line) => {
    if (line.includes('"attempt.started"')) took ??= performance.now() - from;
  });
  const [code] = await once(child, "close");
  clearTimeout(late);
  if (code !== 0 || took === undefined) throw new Error(`resume ended with ${code}, and no attempt was started`);
  return took;
}

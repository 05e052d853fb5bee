// Ctrl-C, SIGTERM and SIGHUP at every stage of a run (spec 2.2, 3.2): the exit code is right, and no process
// is left. The journal tells what happened, and the terminal is as before. Each stage gets one signal, chosen by CHECK_SEED; all
// three with CHECK_FULL=1.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Folder, folder, inARow, type Started } from "../cli/curlew.ts";
import { onTerminal } from "../cli/on-terminal.ts";
import { livingIn } from "./faults.ts";
import { programIn, STAGES, type Stage, startStage } from "./stages.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
type Signal = (typeof SIGNALS)[number];
const CODES: Record<Signal, number> = { SIGINT: 130, SIGTERM: 4, SIGHUP: 4 };
const SEED = Number(process.env.CHECK_SEED ?? Math.floor(Math.random() * 1e9));
const ALL = process.env.CHECK_FULL === "1";

describe(`seed ${SEED}`, () => {
  for (const [at, [name, stage]] of Object.entries(STAGES).entries())
    for (const signal of ALL ? SIGNALS : [SIGNALS[(SEED + at) % 3]!])
      test(`${signal}: ${name}`, { timeout: 120_000 }, () => meets(stage, signal));
});

const DEAF: Stage = {
  files: {
    "f.flow.yaml": inARow({
      deaf: "trap '' TERM INT HUP; echo $$ > up; echo shown; while :; do sleep 0.05; done",
    }).replace("content:", "killGrace: 1h, content:"),
  },
  terminal: true,
  reached: (run) => run.says("│ shown", "stdout"),
  becomes: "cancelled",
};

test("the second Ctrl-C kills a command that ignores the first, and leaves the terminal as it was", {
  timeout: 120_000,
}, async () => {
  const it = folder(DEAF.files);
  const run = startStage(it, DEAF);
  await DEAF.reached(run, it);
  run.process.stdin.write("\u0003");
  await run.says("Ctrl-C again kills at once", "stdout");
  run.process.stdin.write("\u0003");
  await ends(it, run, DEAF, 130);
});

test("a closed terminal ends the run as SIGHUP does", { timeout: 120_000 }, async () => {
  const stage = STAGES["what is shown on a terminal"]!;
  const it = folder(stage.files);
  const run = onTerminal(it, "run f.flow.yaml");
  await stage.reached(run, it);
  run.process.kill("SIGKILL");
  await run.done;
  while (livingIn(it).length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await isOnRecord(it, stage, "");
});

async function meets(stage: Stage, signal: Signal): Promise<void> {
  const it = folder(stage.files);
  const run = startStage(it, stage);
  const early = run.done.then((ran) => {
    throw new Error(`it ended before that stage: ${ran.code}\n${ran.stdout.slice(-2_000)}\n${ran.stderr}`);
  });
  await Promise.race([stage.reached(run, it), early]);
  early.catch(() => {});
  interrupt(it, run, stage, signal);
  await ends(it, run, stage, stage.dies === true ? diedOf(stage, signal) : CODES[signal]);
}

function interrupt(it: Folder, run: Started, stage: Stage, signal: Signal): void {
  if (stage.terminal === true && signal === "SIGINT") run.process.stdin.write("\u0003");
  else process.kill(stage.terminal === true ? programIn(it) : (run.process.pid ?? 0), signal);
}

/** A shell, such as the one on a terminal, reports it as a number. There Ctrl-C is a key, not a signal. */
function diedOf(stage: Stage, signal: Signal): number | string {
  if (stage.terminal !== true) return signal;
  return 128 + constants.signals[signal];
}

async function ends(it: Folder, run: Started, stage: Stage, code: number | string): Promise<void> {
  const ran = await run.done;
  const how = `${ran.code}\n${ran.stdout.slice(-2_000)}\n${ran.stderr}`;
  expect(ran.code, how).toBe(code);
  expect(livingIn(it), how).toEqual([]);
  expect(zombiesOf(it), how).toEqual([]);
  expect(existsSync(join(it.path, "after")), how).toBe(false);
  if (stage.terminal === true) {
    expect(it.read("tty.after"), how).toBe(it.read("tty.before"));
    expect(ran.stdout.lastIndexOf("\u001b[?25h"), how).toBeGreaterThanOrEqual(ran.stdout.lastIndexOf("\u001b[?25l"));
  }
  await isOnRecord(it, stage, how);
}

/** The output of `runs show` and `runs resume` right afterwards. */
async function isOnRecord(it: Folder, stage: Stage, how: string): Promise<void> {
  const runs = JSON.parse((await it.run("runs --json")).stdout || "[]") as { id: string; status: string }[];
  expect(
    runs.map(({ status }) => status),
    how,
  ).toEqual(stage.becomes === "none" ? [] : [stage.becomes]);
  if (stage.becomes === "none") return;
  const view = JSON.parse((await it.run("runs show latest --json")).stdout);
  const open = view.nodes.flatMap(({ attempts }: { attempts: { status: string }[] }) =>
    attempts.filter(({ status }) => status === "running"),
  );
  expect(open, how).toEqual([]);
  const resumed = await it.run("runs resume latest");
  if (stage.becomes === "waiting") expect(resumed, resumed.stderr).toMatchObject({ code: 3 });
  else expect(resumed, resumed.stderr).toMatchObject({ code: 2, stderr: expect.stringContaining("error[run-ended]") });
  expect(await it.run("doctor --store")).toMatchObject({ code: 0 });
}

/** Dead processes that no parent has collected, in the sessions that commands wrote into `up`. */
function zombiesOf(it: Folder): string[] {
  const sessions = existsSync(join(it.path, "up")) ? it.read("up").trim().split("\n") : [];
  return readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
      const [state, parent, , session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return state === "Z" && parent !== "1" && sessions.includes(session ?? "") ? [stat] : [];
    } catch {
      return [];
    }
  });
}

// process: the runner's process, from the engine's side: started before it is needed, while other things are loaded (spec 5.3, 5.4).
//   S1. Its command line and environment say nothing of a run. It has a session of its own: a terminal's Ctrl-C is not for it.
//   S2. A runner that was started and is not needed ends by itself with this process.

import { spawn } from "node:child_process";
import type { Socket } from "node:net";
import { processName } from "../../process/identity.ts";
import { TAG_NAME } from "../../process/tree.ts";
import { runnerProgram } from "./runner-program.ts";

export interface RunnerProcess {
  pid: number;
  /** Tells it from every other process (identity.ts). */
  name: string;
  socket: Socket;
}

/** One place for all copies of this module: the package's entry is a file of its own. */
const EARLY = Symbol.for("curlew.runner");
const place = globalThis as { [EARLY]?: RunnerProcess | undefined };

/** To be called as soon as it is likely that a command will run. */
export function startRunnerEarly(): void {
  place[EARLY] ??= startRunner();
}

/** Undefined where nothing can outlive this process, or no process can be had. */
export function takeRunner(): RunnerProcess | undefined {
  const taken = place[EARLY] ?? startRunner();
  place[EARLY] = undefined;
  return taken;
}

function startRunner(): RunnerProcess | undefined {
  if (process.platform === "win32") return undefined;
  const { PATH, HOME, TMPDIR, LANG, CURLEW_DEBUG, [TAG_NAME]: tag } = process.env;
  const env = Object.entries({ PATH, HOME, TMPDIR, LANG, CURLEW_DEBUG, [TAG_NAME]: tag });
  const child = spawn(process.execPath, [...FLAGS, runnerProgram()], {
    cwd: "/",
    env: Object.fromEntries(env.filter(([, value]) => value !== undefined)),
    detached: true,
    stdio: ["ignore", "ignore", CURLEW_DEBUG === "1" ? "inherit" : "ignore", "pipe"],
  });
  child.on("error", () => {});
  child.unref();
  const { pid } = child;
  // There is no list of pipes when none could be made.
  const socket = ((child.stdio as typeof child.stdio | undefined)?.[3] ?? null) as Socket | null;
  socket?.on("error", () => {});
  socket?.unref();
  const name = pid === undefined ? undefined : processName(pid);
  if (pid !== undefined && name !== undefined && socket !== null) return { pid, name, socket };
  socket?.destroy();
  return undefined;
}

/**
 * No signal opens a debugger in a process that knows secrets, and no report or snapshot of it is written (4.2). What its commands leave is
 * collected when it says so (M5 of main.ts).
 */
const FLAGS = [
  "--expose-gc",
  "--disable-sigusr1",
  "--no-report-on-signal",
  "--no-report-on-fatalerror",
  "--no-report-uncaught-exception",
  "--disable-warning=ExperimentalWarning",
];

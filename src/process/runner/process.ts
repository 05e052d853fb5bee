// process: starts the runner process, early, while other modules are still loading (spec 5.3, 5.4).
//   S1. Its command line and environment reveal nothing about a run. It has its own session, so that a terminal's
//       Ctrl-C does not reach it.
//   S2. A runner that is not needed exits with this process.

import { spawn } from "node:child_process";
import type { Socket } from "node:net";
import { processName } from "../identity.ts";
import { TAG_NAME } from "../tree.ts";
import { runnerProgram } from "./runner-program.ts";

export interface RunnerProcess {
  pid: number;
  /** Distinguishes it from every other process (identity.ts). */
  name: string;
  socket: Socket;
}

/** Shared by all copies of this module, because the package's entry point is a separate bundle. */
const EARLY = Symbol.for("curlew.runner");
const place = globalThis as { [EARLY]?: RunnerProcess | undefined };

/** Call it as soon as it is likely that a command will run. */
export function startRunnerEarly(): void {
  place[EARLY] ??= startRunner();
}

/** Undefined where nothing can outlive this process, or if no process can be started. */
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
  // `stdio` is missing if the pipes could not be created.
  const socket = ((child.stdio as typeof child.stdio | undefined)?.[3] ?? null) as Socket | null;
  socket?.on("error", () => {});
  socket?.unref();
  const name = pid === undefined ? undefined : processName(pid);
  if (pid !== undefined && name !== undefined && socket !== null) return { pid, name, socket };
  socket?.destroy();
  return undefined;
}

/**
 * No signal opens a debugger in a process that knows secrets, and it writes no reports or snapshots (4.2). The garbage
 * of its commands is collected on request (M5 of main.ts).
 */
const FLAGS = [
  "--expose-gc",
  "--disable-sigusr1",
  "--no-report-on-signal",
  "--no-report-on-fatalerror",
  "--no-report-uncaught-exception",
  "--disable-warning=ExperimentalWarning",
];

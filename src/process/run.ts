// run: runs one command from its start to its end (spec 3.2).
//   R1. `done` settles exactly once and never rejects. By then no process of the command is left and its output is in
//       the files.
//   R2. Every command has its own process group. Cancellation, time limits, and output limits end the whole tree:
//       SIGTERM, then SIGKILL.
//   R3. Background processes of the command end with it. A process that keeps its output open does not delay the end.
//   R4. Any orderly end of this process (`stopAll`, exit) leaves no command running.

import { type ChildProcess, spawn } from "node:child_process";
import { closeSync } from "node:fs";
import type { Server, Socket } from "node:net";
import { limits } from "../base/limits.ts";
import { type Cause, type EndFacts, rankCause, type StopReason } from "./cause.ts";
import { type Fifo, type FifoPool, fifoPool } from "./fifo.ts";
import type { StreamName } from "./interleaving.ts";
import { type OutputFiles, type OutputTransform, outputFiles, type Printed } from "./output.ts";
import { type Reader, readFifo, readPipe } from "./reader.ts";
import { SANDBOX_FDS, type SandboxSpec } from "./sandbox.ts";
import { type Sandboxed, startedAs } from "./sandboxed.ts";
import { spawnFailure } from "./spawn-failure.ts";
import { openStdin, type Stdin, type StdinSpec } from "./stdin.ts";
import { isTreeGone, type Members, membersOf, type Root, signalTree } from "./tree.ts";

export type { Cause } from "./cause.ts";
export type { StdinSpec } from "./stdin.ts";

export interface CommandSpec {
  /** The program and its arguments, from `launch`. */
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
  stdin: StdinSpec;
  /**
   * Created with the first byte, mode 0600. Their folder must exist. The order file (interleaving.ts) exists only if both
   * streams printed.
   */
  stdoutFile: string;
  stderrFile: string;
  orderFile: string;
  timeoutMs?: number;
  /** Maximum time without output, in milliseconds. */
  idleTimeoutMs?: number;
  killGraceMs: number;
  outputBytesMax: number;
  /** Unique to the attempt, without blanks. Passed as CURLEW_TAG, by which processes that left the group are found. */
  runTag: string;
  /** Started through bubblewrap (sandbox.ts). */
  sandbox?: SandboxSpec;
  /** Whether to fsync the output files before the end is reported. Default: false. */
  sync?: boolean;
  /** Transforms the bytes of each stream before they reach anything. */
  transform?: (stream: StreamName) => OutputTransform;
  /**
   * Output as it arrives. The bytes are valid only during the call: copy what you keep. Copying all would create too
   * much garbage.
   */
  onChunk?: (stream: StreamName, bytes: Uint8Array) => void;
}

export interface Ended extends Printed {
  cause: Cause;
  durationMs: number;
  /** The last limits.stderrTailBytes of stderr as text. */
  stderrTail: string;
}

export interface RunningCommand {
  /** Undefined if it could not be started. */
  pid: number | undefined;
  /** On the monotonic clock (performance.now). */
  startedMs: number;
  done: Promise<Ended>;
  /** Asks it to end, and kills it after its grace period. No effect once it has ended. */
  cancel(reason?: string): void;
  /** Kills the whole tree now. */
  kill(): void;
}

export interface CommandRunner {
  /** Prepares what the first command will need, while nothing else is to be done. */
  warm(): void;
  run(spec: CommandSpec): RunningCommand;
  /** Kills everything that runs and settles when it is gone. The runner can be used again. */
  stopAll(): Promise<void>;
}

export function createRunner(): CommandRunner {
  const pool = fifoPool();
  const running = new Map<RunningCommand, Root>();
  const roots = new Set<number>();
  const onExit = (): void => {
    for (const root of running.values()) signalTree(root, "SIGKILL", membersOf(root));
    pool.close();
  };
  return {
    warm: () => pool.take()?.giveBack(),
    run(spec) {
      if (running.size === 0) process.once("exit", onExit);
      const command = runCommand(spec, pool, roots);
      if (command.pid !== undefined) {
        running.set(command, rootOf(command.pid, spec, command.startedMs));
        roots.add(command.pid);
      }
      void command.done.then(() => {
        running.delete(command);
        if (command.pid !== undefined) roots.delete(command.pid);
        if (running.size === 0) process.removeListener("exit", onExit);
      });
      return command;
    },
    async stopAll() {
      const commands = [...running.keys()];
      for (const command of commands) command.kill();
      await Promise.all(commands.map((command) => command.done));
      pool.close();
    },
  };
}

/** `others`: roots of other commands, which never count as members of this one. */
function runCommand(spec: CommandSpec, pool: FifoPool, others: ReadonlySet<number>): RunningCommand {
  const startedMs = performance.now();
  const life: Life = {
    spec,
    startedMs,
    output: undefined as never,
    lastOutputMs: startedMs,
    others,
    readers: [],
    known: new Map(),
    timers: new Set(),
  };
  life.output = outputFiles(
    { ...spec, bytesMax: spec.outputBytesMax, sync: spec.sync ?? false, onStop: (reason) => stop(life, reason) },
    startedMs,
  );
  const done = live(life, pool).then((facts): Ended => {
    for (const cancelTimer of life.timers) cancelTimer();
    const cause = rankCause({ ...facts, stopped: facts.stopped ?? life.stopped });
    const outcome = life.output.end(cause.type !== "exited");
    return { cause, ...outcome, durationMs: Math.round(performance.now() - startedMs) };
  });
  return {
    pid: life.root?.pid,
    startedMs,
    done,
    cancel: (reason = "cancelled") => stop(life, { type: "cancelled", reason }),
    kill: () => kill(life),
  };
}

/** The state of a command between its start and its end. */
interface Life {
  readonly spec: CommandSpec;
  readonly startedMs: number;
  readonly others: ReadonlySet<number>;
  output: OutputFiles;
  root?: Root;
  sandbox?: Sandboxed | undefined;
  exited?: boolean;
  /** It was killed, so nothing of it gets a grace period. */
  killed?: boolean;
  /** Why Curlew ended it. The first reason counts. */
  stopped?: StopReason;
  lastOutputMs: number;
  readers: Reader[];
  /** All members of its tree that were ever found. */
  known: Members;
  timers: Set<() => void>;
}

/** Starts it (before the first await) and follows it to its end. */
async function live(life: Life, pool: FifoPool): Promise<EndFacts> {
  const failed = (error: unknown): EndFacts => ({
    spawnFailure: spawnFailure(error, life.spec),
    exitCode: null,
    signal: null,
  });
  let stdin: Stdin | undefined;
  try {
    stdin = openStdin(life.spec.stdin, `${life.spec.stdoutFile}.stdin`, pool);
    const child = start(life, stdin, pool);
    const exit = await exitOf(child);
    if ("error" in exit) {
      for (const reader of life.readers) await reader.drained(0);
      return failed(exit.error);
    }
    const stopped = life.stopped;
    life.exited = true;
    const end = life.sandbox?.end(exit.exitCode, exit.signal) ?? exit;
    await (life.sandbox?.gone() ?? endLeftovers(life));
    await Promise.all(life.readers.map((reader) => reader.drained(limits.drainMs)));
    const facts = { stopped: stopped ?? onlyOutput(life.stopped), ...exit };
    if (!("notStarted" in end)) return { ...facts, ...end };
    const never = { type: "not-started" as const, reason: end.notStarted };
    return stopped === undefined ? { ...facts, spawnFailure: never } : facts;
  } catch (error) {
    return failed(error);
  } finally {
    stdin?.end();
    life.sandbox?.close();
  }
}

/** Output that is read after the exit can still exceed its limit. A cancellation or time limit then comes too late. */
function onlyOutput(reason: StopReason | undefined): StopReason | undefined {
  return reason?.type === "output-limit" || reason?.type === "output-failed" ? reason : undefined;
}

function start(life: Life, stdin: Stdin, pool: FifoPool): ChildProcess {
  const { spec } = life;
  const ends: { fifo: Fifo; ours: number; commands: number }[] = [];
  for (const stream of ["stdout", "stderr"] as const) {
    const fifo = pool.take();
    if (fifo !== undefined) ends.push({ fifo, ...fifo.openForReading(() => life.output.mark(stream)) });
  }
  const piped = ends.length < 2;
  let child: ChildProcess;
  try {
    const { argv, env, stderr, sandbox } = startedAs(spec);
    life.sandbox = sandbox;
    child = spawn(argv[0]!, argv.slice(1), {
      cwd: spec.cwd,
      env,
      detached: process.platform !== "win32",
      windowsHide: true,
      stdio: [stdin.stdio, piped ? "pipe" : ends[0]!.commands, ...stderr(piped ? "pipe" : ends[1]!.commands)],
    });
  } catch (error) {
    stdin.begin(null);
    for (const { fifo, ours, commands } of ends) {
      closeSync(ours);
      closeSync(commands);
      fifo.giveBack();
    }
    throw error;
  }
  for (const { commands } of ends) closeSync(commands);
  stdin.begin(child.stdin);
  life.sandbox?.begin();
  const { door } = spec.sandbox ?? {};
  if (door !== undefined) child.on("message", (_message, server) => door.open(server as Server));
  const pipes = { stdout: child.stdout, stderr: child.stdio[life.sandbox === undefined ? 2 : SANDBOX_FDS.stderr] };
  const take = (stream: StreamName) => (bytes: Uint8Array) => {
    life.lastOutputMs = performance.now();
    life.output.write(stream, bytes);
  };
  const lost = (reason: string) => stop(life, { type: "output-failed", reason });
  life.readers = (["stdout", "stderr"] as const).map((stream, index) =>
    piped
      ? readPipe(pipes[stream] as Socket, take(stream), lost)
      : readFifo(ends[index]!.ours, ends[index]!.fifo, take(stream), lost),
  );
  if (child.pid !== undefined) {
    life.root = rootOf(child.pid, spec, life.startedMs);
    watchClock(life);
  }
  return child;
}

function rootOf(pid: number, spec: CommandSpec, startedMs: number): Root {
  return { pid, tag: spec.runTag, startedMs, sandboxed: spec.sandbox === undefined ? undefined : true };
}

function exitOf(child: ChildProcess): Promise<{ exitCode: number | null; signal: string | null } | { error: unknown }> {
  return new Promise((resolve) => {
    child.once("error", (error) => {
      // From here on only a failed kill is reported here, and tree.ts handles killing.
      child.on("error", () => {});
      if (child.pid === undefined) resolve({ error });
    });
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
  });
}

// ── Ending it ───────────────────────────────────────────────────────────────────────────────────────────────────────────

function watchClock(life: Life): void {
  const { timeoutMs, idleTimeoutMs } = life.spec;
  if (timeoutMs !== undefined)
    after(life, timeoutMs, () => stop(life, { type: "timed-out", limit: "total", afterMs: timeoutMs }));
  if (idleTimeoutMs === undefined) return;
  const look = (): void => {
    if (life.exited) return;
    const left = idleTimeoutMs - (performance.now() - life.lastOutputMs);
    if (left <= 0) stop(life, { type: "timed-out", limit: "idle", afterMs: idleTimeoutMs });
    else after(life, left, look);
  };
  after(life, idleTimeoutMs, look);
}

/** Ends a running command: asks the whole tree, and kills it after the grace period. */
function stop(life: Life, reason: StopReason): void {
  if (life.stopped !== undefined) return;
  if (life.exited && reason.type !== "output-limit" && reason.type !== "output-failed") return;
  life.stopped = reason;
  if (life.root === undefined || life.exited) return;
  ask(life, life.root, new Set());
  after(life, life.spec.killGraceMs, () => kill(life));
}

/** Processes may appear in a sandbox while it is being set up, so new ones are asked, too. */
function ask(life: Life, root: Root, asked: Set<number>): void {
  if (life.exited || life.killed) return;
  const members = membersOf(root, life.known).filter((pid) => !asked.has(pid));
  signalTree(root, "SIGTERM", members);
  if (root.sandboxed !== true) return;
  for (const pid of members) asked.add(pid);
  after(life, 50, () => ask(life, root, asked));
}

function kill(life: Life): void {
  life.killed = true;
  if (life.root === undefined || life.exited) return;
  life.stopped ??= { type: "cancelled", reason: "killed" };
  signalTree(life.root, "SIGKILL", membersOf(life.root, life.known));
  // The next round finds processes that were forked during this one.
  after(life, 20, () => kill(life));
}

/**
 * Ends background processes of a command that has exited. They get a moment to end, then SIGTERM, then SIGKILL until
 * none is left.
 */
async function endLeftovers(life: Life): Promise<void> {
  const { root, spec } = life;
  if (root === undefined || (life.known.size === 0 && isTreeGone(root, life.others))) return;
  const alone = life.stopped === undefined ? limits.leftoverGraceMs : 0;
  const grace = life.stopped === undefined ? Math.min(spec.killGraceMs, limits.leftoverGraceMs) : spec.killGraceMs;
  const endedMs = performance.now();
  let asked = life.stopped !== undefined;
  for (let pause = 1; ; pause = Math.min(pause * 2, 20)) {
    // Where only the group is visible, its number is reported.
    const members = membersOf(root, life.known).filter((pid) => pid === root.pid || !life.others.has(pid));
    if (members.length === 0) return;
    const passedMs = performance.now() - endedMs;
    if (passedMs >= alone + grace + limits.drainMs * 5) return;
    if (passedMs >= alone + grace || life.killed) signalTree(root, "SIGKILL", members);
    else if (passedMs >= alone && !asked) {
      asked = true;
      signalTree(root, "SIGTERM", members);
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/**
 * setTimeout for any length: Node's own fires at once beyond 24.8 days. After a suspension (SIGSTOP), pending output
 * and ends are handled first.
 */
function after(life: Life, ms: number, then: () => void): void {
  const step = Math.min(ms, 2 ** 31 - 1);
  const timer = setTimeout(() => {
    life.timers.delete(cancelTimer);
    if (step < ms) after(life, ms - step, then);
    else setImmediate(then);
  }, step);
  const cancelTimer = (): void => clearTimeout(timer);
  life.timers.add(cancelTimer);
}

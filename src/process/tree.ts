// tree: finds and ends every process that a command started (spec 3.2).
//   T1. A process belongs to the command by its process group, by a living chain of parents, or by the tag in its
//       environment. The tag also finds processes that left the group by setsid and lost their parent.
//   T2. A process is killed by PID only after it was found to belong. A zombie counts as gone.
//   T3. After a short command only PIDs assigned since its start are checked (/proc/loadavg names the last one), which
//       takes microseconds instead of a walk over /proc. If many were assigned (threads count, too), only those that
//       are processes are checked.
//   T4. Not found: a process that left the group, lost its parent, and cleared its environment. Only a PID namespace is
//       certain (sandbox.ts): all its processes are descendants of bubblewrap, and the kernel ends them with it.
//   T5. If /proc is missing, or no file can be opened, only the group is known.

import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, readdirSync, readSync } from "node:fs";

export interface Root {
  pid: number;
  /** Unique to the attempt: the value, or one word of the value, of CURLEW_TAG. */
  tag: string;
  /** On the monotonic clock (performance.now). */
  startedMs: number;
  /** The root is bubblewrap, and the command is in a PID namespace below it. */
  sandboxed?: boolean;
}

/** The tag of an attempt: its run, and the stem of its files. */
export const tagOf = (run: string, stem: string): string => `${run}.${stem}`;

export const TAG_NAME = "CURLEW_TAG";

/** After a longer time PIDs may have wrapped around, so all of /proc is read. */
const QUICK_MS = 2_000;
const QUICK_PIDS = 64;
/** Something in /proc could not be read because no file could be opened. */
let blind = false;
const scratch = Buffer.allocUnsafe(2 ** 21);

/** Whether a process with that PID is alive. A zombie is not. */
export function isRunning(pid: number): boolean {
  return statOf(pid)?.dead === false;
}

/**
 * Sends a signal to the command's group and to `known` members. If the group is gone, its number may be free, and
 * nothing is sent there.
 */
export function signalTree(root: Root, signal: "SIGTERM" | "SIGKILL", known: readonly number[] = []): void {
  if (process.platform === "win32") {
    signalOnWindows(root.pid, signal);
    return;
  }
  // The group of a sandboxed command is bubblewrap alone, which would end everything without asking.
  if (!(root.sandboxed === true && signal === "SIGTERM")) send(-root.pid, signal);
  for (const pid of known) send(pid, signal);
}

/** Found members by PID, with their start time. Together they identify a process. */
export type Members = Map<number, string>;

/**
 * Living members of the command's tree, without the root. They are added to `known`. A known process stays a member
 * while it lives, because a dying process has no environment and parent any more.
 */
export function membersOf(root: Root, known: Members = new Map()): number[] {
  blind = false;
  const pids = process.platform === "linux" ? allPids() : undefined;
  if (pids === undefined) return send(-root.pid, 0) ? [root.pid] : [];
  const members = new Set<number>();
  const starts = new Map<number, string>();
  const parents = new Map<number, number>();
  for (const pid of pids) {
    const stat = statOf(pid);
    if (stat === undefined || pid === root.pid || stat.dead) continue;
    parents.set(pid, stat.parent);
    starts.set(pid, stat.start);
    if (stat.group === root.pid || known.get(pid) === stat.start || hasTag(pid, root.tag)) members.add(pid);
  }
  for (let grown = true; grown; ) {
    grown = false;
    for (const [pid, parent] of parents) {
      if (members.has(pid) || pid === process.pid || !(parent === root.pid || members.has(parent))) continue;
      members.add(pid);
      grown = true;
    }
  }
  members.delete(process.pid);
  // A process that could not be checked may belong, so the group counts, too.
  if (blind && send(-root.pid, 0)) members.add(root.pid);
  for (const pid of members) if (pid !== root.pid) known.set(pid, starts.get(pid) ?? "");
  return [...members];
}

/** After the root has ended: a cheap check whether nothing of it is left. False: a full check is needed. */
export function isTreeGone(root: Root, others: ReadonlySet<number>): boolean {
  if (process.platform === "win32") return true;
  if (send(-root.pid, 0)) return false;
  if (process.platform !== "linux") return true;
  const last = lastPid();
  if (last === 0 || performance.now() - root.startedMs > QUICK_MS) return false;
  blind = false;
  const since = startedSince(root.pid, last);
  if (since === undefined || since.some((pid) => !others.has(pid) && hasTag(pid, root.tag))) return false;
  return !blind;
}

/**
 * Whether a process with this tag exists, whoever started it. Checks every process of the machine, Linux only. True if
 * no file can be opened, because one may exist.
 */
export function isTagAlive(tag: string): boolean {
  if (process.platform !== "linux") return false;
  blind = false;
  return allPids()?.some((pid) => statOf(pid)?.dead === false && hasTag(pid, tag)) !== false || blind;
}

/**
 * Kills every process with the tag, for a command that is no longer supervised. Settles when none is left, or after 2
 * s.
 */
export async function endTagged(tag: string): Promise<void> {
  if (process.platform !== "linux") return;
  for (let round = 0; round < 100; round++) {
    blind = false;
    const left = allPids()?.filter((pid) => pid !== process.pid && hasTag(pid, tag) && isRunning(pid));
    if (left?.length === 0 && !blind) return;
    for (const pid of left ?? []) send(pid, "SIGKILL");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function signalOnWindows(pid: number, signal: "SIGTERM" | "SIGKILL"): void {
  spawnSync("taskkill", ["/pid", String(pid), "/t", ...(signal === "SIGKILL" ? ["/f"] : [])], {
    stdio: "ignore",
    windowsHide: true,
  });
}

/** Undefined if /proc cannot be read because no file can be opened. */
function allPids(): number[] | undefined {
  let names: string[];
  try {
    names = readdirSync("/proc");
  } catch {
    return undefined;
  }
  return names.map(Number).filter((pid) => pid > 1);
}

/**
 * T3: processes with PIDs after `from`, at least up to `last`. PIDs may have wrapped around. Undefined as for
 * `allPids`.
 */
function startedSince(from: number, last: number): number[] | undefined {
  const count = last - from;
  if (count < 0) return allPids()?.filter((pid) => pid > from || pid <= last);
  if (count > QUICK_PIDS) return allPids()?.filter((pid) => pid > from);
  return Array.from({ length: count }, (_, at) => from + 1 + at).filter((pid) => existsSync(`/proc/${pid}`));
}

/** The PID assigned last, as the kernel reports it. 0 if unknown. */
function lastPid(): number {
  const text = readProc("/proc/loadavg")?.toString("latin1") ?? "";
  return Number(text.trimEnd().split(" ")[4] ?? 0) || 0;
}

function statOf(pid: number): { parent: number; group: number; start: string; dead: boolean } | undefined {
  const text = readProc(`/proc/${pid}/stat`)?.toString("latin1");
  if (text === undefined) return undefined;
  // The name is in brackets and may contain anything, even brackets.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state = "", parent = "", group = ""] = fields;
  return {
    parent: Number(parent),
    group: Number(group),
    start: fields[19] ?? "",
    dead: state === "Z" || state === "X",
  };
}

function hasTag(pid: number, tag: string): boolean {
  const environment = readProc(`/proc/${pid}/environ`);
  if (environment === undefined) return false;
  const name = Buffer.from(`${TAG_NAME}=`);
  for (let at = environment.indexOf(name); at !== -1; at = environment.indexOf(name, at + 1)) {
    if (at > 0 && environment[at - 1] !== 0) continue;
    const end = environment.indexOf(0, at);
    const value = environment.toString("utf8", at + name.length, end === -1 ? environment.length : end);
    if (value.split(" ").includes(tag)) return true;
  }
  return false;
}

/** Up to 2 MiB of a /proc file, valid until the next call. Undefined if it is gone or not readable. */
function readProc(file: string): Buffer | undefined {
  let fd: number;
  try {
    fd = openSync(file, "r");
  } catch (error) {
    blind ||= /^(?:EMFILE|ENFILE|ENOMEM)$/.test((error as NodeJS.ErrnoException).code ?? "");
    return undefined;
  }
  try {
    let length = 0;
    for (let read = -1; read !== 0 && length < scratch.length; length += read) {
      read = readSync(fd, scratch, length, scratch.length - length, null);
    }
    return scratch.subarray(0, length);
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
}

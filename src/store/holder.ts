// holder: which other process has the lock that a writer of the database waits for, as far as the system says (Linux: /proc/locks).
//   H1. Looked at when somebody has waited in vain, never before.

import fs from "node:fs";

export interface LockHolder {
  pid: number;
  /** It stands still (SIGSTOP, a debugger): it lets go of nothing before it is told to go on. */
  isStopped: boolean;
}

/** Undefined where the system does not say, or when it has let go meanwhile. */
export function holderOf(path: string): LockHolder | undefined {
  try {
    const files = new Set([path, `${path}-shm`].flatMap(lockName));
    const pid = fs.readFileSync("/proc/locks", "latin1").split("\n").map(writer).find(isOther(files))?.pid;
    return pid === undefined ? undefined : { pid, isStopped: isStopped(pid) };
  } catch {
    return undefined;
  }
}

interface Lock {
  pid: number;
  file: string;
}

/** `1: POSIX  ADVISORY  WRITE 1234 fe:00:5678 120 120` */
function writer(line: string): Lock | undefined {
  const [, kind, , mode, pid, file] = line.split(/\s+/);
  if (kind !== "POSIX" || mode !== "WRITE" || pid === undefined || file === undefined) return undefined;
  return { pid: Number(pid), file };
}

function isOther(files: ReadonlySet<string>): (lock: Lock | undefined) => boolean {
  return (lock) => lock !== undefined && lock.pid > 0 && lock.pid !== process.pid && files.has(lock.file);
}

/** As /proc/locks names a file: its device in hexadecimal digits, its number. */
function lockName(path: string): string[] {
  const stat = fs.statSync(path, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return [];
  const major = ((stat.dev >> 8n) & 0xfffn) | ((stat.dev >> 32n) & ~0xfffn);
  const minor = (stat.dev & 0xffn) | ((stat.dev >> 12n) & ~0xffn & 0xffffffffn);
  return [`${hex(major)}:${hex(minor)}:${stat.ino}`];
}

function hex(number: bigint): string {
  return number.toString(16).padStart(2, "0");
}

function isStopped(pid: number): boolean {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, "latin1");
  return /^[Tt]/.test(stat.slice(stat.lastIndexOf(")") + 2));
}

// Finds the process that holds the database lock another writer waits for, where the system shows it (Linux:
// /proc/locks).
//   H1. Used only after a wait for the lock has failed.

import fs from "node:fs";

export interface LockHolder {
  pid: number;
  /** The process is suspended (SIGSTOP, a debugger), so it will not release the lock until it continues. */
  isStopped: boolean;
}

/** Undefined if the system does not say, or the lock has been released. */
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

/** The name of a file in /proc/locks: its device in hexadecimal, and its inode number. */
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

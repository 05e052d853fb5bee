// owner: identifies this process, even if another process gets its PID after a restart (spec 3.4).

import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Owner } from "../../store/index.ts";

export function thisProcess(): Owner {
  return { pid: process.pid, startTime: startTimeOf(process.pid) ?? "", bootId: bootId(), token: randomUUID() };
}

/** Engines of this process that are closed. Their claims are no longer valid. */
const closed = new Set<string>();

export function closeOwner(owner: Owner): void {
  closed.add(owner.token);
}

/** False if the process is gone, or its PID now belongs to another one. */
export function isAlive(owner: Owner): boolean {
  if (owner.bootId !== bootId() || closed.has(owner.token)) return false;
  const started = startTimeOf(owner.pid);
  if (started !== undefined) return started === owner.startTime;
  try {
    process.kill(owner.pid, 0);
    return true;
  } catch (error) {
    // A process of another user exists, too.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Clock ticks since boot, field 22 of /proc/PID/stat. Undefined without /proc, or if there is no such process. */
function startTimeOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}

export function bootId(): string {
  boot ??= readBootId();
  return boot;
}

let boot: string | undefined;

function readBootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
  } catch {
    return "";
  }
}

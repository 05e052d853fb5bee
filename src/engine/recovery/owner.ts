// owner: identifies this process, even if another process gets its PID after a restart (spec 3.4).

import { randomUUID } from "node:crypto";
import { bootId, processStat, startTimeOf } from "../../process/identity.ts";
import type { Owner } from "../../store/index.ts";

export function thisProcess(): Owner {
  return { pid: process.pid, startTime: startTimeOf(process.pid) ?? "", bootId: bootId(), token: randomUUID() };
}

/** Engines of this process that are closed. Their claims are no longer valid. */
const closed = new Set<string>();

export function closeOwner(owner: Owner): void {
  closed.add(owner.token);
}

/** For messages: who works on a run. */
export function nameOf({ machine, pid }: Owner): string {
  return machine === undefined ? `Process ${pid}` : `Machine ${machine}`;
}

/** Whether a claim must be left alone: only a cluster's engine knows whether its machines live (spec 6.4 M7). */
export function mayBeAlive(owner: Owner): boolean {
  return owner.machine !== undefined || isAlive(owner);
}

/** False if the process has ended (even if its parent has not noticed), or its PID now belongs to another one. */
export function isAlive(owner: Owner): boolean {
  if (owner.bootId !== bootId() || closed.has(owner.token)) return false;
  const found = processStat(owner.pid);
  if (found !== undefined) return !found.ended && found.startTime === owner.startTime;
  try {
    process.kill(owner.pid, 0);
    return true;
  } catch (error) {
    // A process of another user exists, too.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

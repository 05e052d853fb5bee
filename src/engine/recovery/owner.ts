// owner: identifies this process, even if another process gets its PID after a restart (spec 3.4).

import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
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

/** Whether a claim must be left alone. Of another computer, only a cluster's engine knows (spec 6.4 M7). */
export function mayBeAlive(owner: Owner): boolean {
  return owner.machine !== undefined && !isThisComputer(owner) ? true : isAlive(owner);
}

function isThisComputer({ bootId: its }: Owner): boolean {
  return its !== "" && its === bootId();
}

/** For claims in a cluster. Empty if unknown. */
export function identityOfHome(home: string): string {
  const { dev, ino } = statSync(home, { bigint: true, throwIfNoEntry: false }) ?? {};
  return dev === undefined ? "" : `${dev}.${ino}`;
}

/** Whether this process sees if `owner` lives, and finds its commands: it has the same computer and data directory. */
export function isOfThisHome(owner: Owner, home: string): boolean {
  return isThisComputer(owner) && (owner.machine === undefined || (owner.home === home && home !== ""));
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

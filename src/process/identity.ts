// identity: a process told from every other, also from one that gets its number later (spec 3.4).
//   I1. Number, start time and boot together name a process for good. What cannot be read is empty, and is never taken for the same.

import { readFileSync } from "node:fs";

/** Clock ticks since the machine started; undefined where there is no /proc or no such process. A zombie is none. */
export function startTimeOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

let boot: string | undefined;

/** Another after every start of the machine; empty where that cannot be told. */
export function bootId(): string {
  if (boot !== undefined) return boot;
  try {
    boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
  } catch {
    boot = "";
  }
  return boot;
}

/** `BOOT.PID.START`, safe as a file name; undefined where a process cannot be named so. */
export function processName(pid: number): string | undefined {
  const [began, start] = [bootId().replaceAll("-", "").slice(0, 12), startTimeOf(pid)];
  return began === "" || start === undefined ? undefined : `${began}.${pid}.${start}`;
}

/** `alive`: that very process; `other-boot`: nothing of that time is running any more, and what was not synced may be gone. */
export function stateOf(name: string): { state: "alive" | "dead" | "other-boot"; pid: number } {
  const pid = Number(name.split(".")[1] ?? 0);
  if (name.split(".")[0] !== bootId().replaceAll("-", "").slice(0, 12)) return { state: "other-boot", pid };
  return { state: processName(pid) === name ? "alive" : "dead", pid };
}

/** A process that stands still (SIGSTOP) goes on. To be called of one that was just seen to be the one that is meant. */
export function wake(pid: number): void {
  try {
    process.kill(pid, "SIGCONT");
  } catch {
    // It has ended by itself, or is another user's.
  }
}

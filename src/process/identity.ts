// identity: identifies a process, even if its PID is reused later (spec 3.4).
//   I1. PID, start time, and boot together identify a process forever. An unreadable part is empty, and never counts as
//       equal.

import { readFileSync, readlinkSync } from "node:fs";

/**
 * `startTime`: clock ticks since boot. `ended`: a zombie, whose parent has not noticed its end. `stopped`: by SIGSTOP or
 * a debugger. Undefined without /proc, or if there is no such process.
 */
export function processStat(pid: number): { ended: boolean; stopped: boolean; startTime: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state = ""] = fields;
    return { ended: /[ZX]/.test(state), stopped: /[Tt]/.test(state), startTime: fields[19] ?? "" };
  } catch {
    return undefined;
  }
}

/** Undefined without /proc, or if the process has ended. */
export function startTimeOf(pid: number): string | undefined {
  const found = processStat(pid);
  return found === undefined || found.ended ? undefined : found.startTime;
}

let boot: string | undefined;

/** Differs for each boot of the machine, and for containers whose processes have other PIDs. Empty if unknown. */
export function bootId(): string {
  if (boot !== undefined) return boot;
  try {
    const pids = readlinkSync("/proc/self/ns/pid").replace(/\D/g, "");
    boot = `${readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()}.${pids}`;
  } catch {
    boot = "";
  }
  return boot;
}

/** `BOOT.PID.START`, safe as a file name. Undefined if a part is unknown. */
export function processName(pid: number): string | undefined {
  const [began, start] = [bootId().replaceAll("-", "").slice(0, 12), startTimeOf(pid)];
  return began === "" || start === undefined ? undefined : `${began}.${pid}.${start}`;
}

/**
 * `alive`: exactly that process. `other-boot`: nothing of that boot is still running, and unsynced data may be lost.
 */
export function stateOf(name: string): { state: "alive" | "dead" | "other-boot"; pid: number } {
  const pid = Number(name.split(".")[1] ?? 0);
  if (name.split(".")[0] !== bootId().replaceAll("-", "").slice(0, 12)) return { state: "other-boot", pid };
  return { state: processName(pid) === name ? "alive" : "dead", pid };
}

/** Wakes a process stopped by SIGSTOP. Verify first that the PID still belongs to it. */
export function wake(pid: number): void {
  try {
    process.kill(pid, "SIGCONT");
  } catch {
    // It has ended, or belongs to another user.
  }
}

// clock: where the engine takes its time from, so that a test can hold it.

import { readFileSync } from "node:fs";

export interface Clock {
  nowMs(): number;
  /** Since the machine's boot, in whole milliseconds, the same for all its processes; no step of the clock changes it. */
  upMs(): number;
  /** Calls back once at or after `atMs`; returns how to call it off. */
  at(atMs: number, call: () => void): () => void;
}

/** The longest wait that a timer of Node.js can hold; longer ones are set again when they ring. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** hrtime stands still while a laptop sleeps, /proc/uptime does not; it is too coarse to be used by itself. */
function asleepMs(): number {
  try {
    const uptimeMs = Number.parseFloat(readFileSync("/proc/uptime", "latin1")) * 1_000;
    const apartMs = Math.round(uptimeMs - Number(process.hrtime.bigint() / 1_000_000n));
    return apartMs > ASLEEP_LEAST_MS ? apartMs : 0;
  } catch {
    return 0;
  }
}

const ASLEEP_LEAST_MS = 1_000;

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  upMs: () => Math.floor(Number(process.hrtime.bigint() / 1_000_000n)) + asleepMs(),
  at(atMs, call) {
    let timer: NodeJS.Timeout;
    const wait = (): void => {
      const left = atMs - Date.now();
      timer = left > LONGEST_TIMER_MS ? setTimeout(wait, LONGEST_TIMER_MS) : setTimeout(call, Math.max(0, left));
    };
    wait();
    return () => clearTimeout(timer);
  },
};

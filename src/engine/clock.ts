// clock: the engine's source of time, which tests can replace (spec 3.3 "the wait is a recorded time").
//   C1. Time never goes back. If the wall clock is set back, time continues from its last value at normal speed, so no
//       wait gets longer. If the wall clock is set ahead, that time counts as passed, as after a suspend of the
//       machine.
//   C2. The time of a resumed run starts no earlier than its last event (`notBefore`).
//   C3. Timers check the clock regularly, so that a clock set ahead or a suspend ends a wait in time.
//   C4. Schedules follow the wall clock, which may go back: nine o'clock is when the clock says so. A step back calls
//       the waiter, too.

import { readFileSync } from "node:fs";
import { limits } from "../base/limits.ts";

export interface Clock {
  nowMs(): number;
  /** Milliseconds since boot, the same for all processes of the machine. Not affected by clock steps. */
  upMs(): number;
  /** Calls `call` once, at or after `atMs`. Returns a function that cancels the call. */
  at(atMs: number, call: () => void): () => void;
}

/** hrtime stops while a laptop is suspended, /proc/uptime does not, but it is too coarse to be used alone. */
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

/** Smaller differences do not count as a step: they may be the resolution of the clocks. */
const STEP_LEAST_MS = 1_000;

/** C1, C3. `passedMs`: a clock without steps. It may stop while the machine is suspended. */
export function monotonicClock(wallMs: () => number, passedMs: () => number, upMs: () => number): Clock {
  let aheadMs = 0;
  let last: { nowMs: number; passedMs: number } | undefined;
  const nowMs = (): number => {
    const passed = passedMs();
    let now = wallMs() + aheadMs;
    if (last !== undefined) {
      const steppedMs = Math.round(now - last.nowMs - (passed - last.passedMs));
      if (steppedMs <= -STEP_LEAST_MS) aheadMs -= steppedMs;
      else if (steppedMs >= STEP_LEAST_MS) aheadMs = Math.max(0, aheadMs - steppedMs);
      now = Math.max(last.nowMs, wallMs() + aheadMs);
    }
    last = { nowMs: now, passedMs: passed };
    return now;
  };
  const at: Clock["at"] = (atMs, call) => {
    let timer: NodeJS.Timeout;
    const wait = (): void => {
      const leftMs = Math.max(0, atMs - nowMs());
      timer = leftMs > limits.clockLookMs ? setTimeout(wait, limits.clockLookMs) : setTimeout(call, leftMs);
    };
    wait();
    return () => clearTimeout(timer);
  };
  return { nowMs, upMs, at };
}

/** C2. The clock of a run whose last event is at `lastMs`. */
export function notBefore(clock: Clock, lastMs: number): Clock {
  const aheadMs = lastMs - clock.nowMs();
  if (!(aheadMs > 0)) return clock;
  return {
    nowMs: () => clock.nowMs() + aheadMs,
    upMs: () => clock.upMs(),
    at: (atMs, call) => clock.at(atMs - aheadMs, call),
  };
}

export const systemClock: Clock = monotonicClock(
  () => Date.now(),
  () => performance.now(),
  () => Math.floor(Number(process.hrtime.bigint() / 1_000_000n)) + asleepMs(),
);

/** C4. */
export function wallTimeClock(wallMs: () => number, { upMs }: Pick<Clock, "upMs">): Clock {
  const at: Clock["at"] = (atMs, call) => {
    let timer: NodeJS.Timeout;
    let lastMs = wallMs();
    const wait = (): void => {
      const nowMs = wallMs();
      const isOver = nowMs >= atMs || nowMs <= lastMs - STEP_LEAST_MS;
      lastMs = nowMs;
      if (isOver) call();
      else timer = setTimeout(wait, Math.min(atMs - nowMs, limits.clockLookMs));
    };
    timer = setTimeout(wait, Math.max(0, Math.min(atMs - lastMs, limits.clockLookMs)));
    return () => clearTimeout(timer);
  };
  return { nowMs: wallMs, upMs, at };
}

export const wallClock: Clock = wallTimeClock(() => Date.now(), systemClock);

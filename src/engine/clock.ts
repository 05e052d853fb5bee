// clock: where the engine takes its time from, so that a test can hold it (spec 3.3 "the wait is a recorded time").
//   C1. It never goes back: when the clock on the wall is set back, time goes on from where it was, at its pace; a wait gets no longer by it.
//       A clock that is set ahead is followed: so much time is taken to have passed, as after a sleep of the machine.
//   C2. A run that is taken up again goes on no earlier than its last event (`notBefore`).
//   C3. A timer looks at the clock now and then: one that was set ahead, or slept, is not waited out.
//   C4. A schedule goes by the wall, which may go back: nine o'clock is when the clock says so. Who waits is called then, too.

import { readFileSync } from "node:fs";
import { limits } from "../base/limits.ts";

export interface Clock {
  nowMs(): number;
  /** Since the machine's boot, in whole milliseconds, the same for all its processes; no step of the clock changes it. */
  upMs(): number;
  /** Calls back once at or after `atMs`; returns how to call it off. */
  at(atMs: number, call: () => void): () => void;
}

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

/** A step of the wall clock that is less is none: it may be the clocks' own grain. */
const STEP_LEAST_MS = 1_000;

/** C1, C3. `passedMs`: any clock that no step changes; it may stand still while the machine sleeps. */
export function neverBack(wallMs: () => number, passedMs: () => number, upMs: () => number): Clock {
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

/** C2. The clock of a run whose last event is of `lastMs`. */
export function notBefore(clock: Clock, lastMs: number): Clock {
  const aheadMs = lastMs - clock.nowMs();
  if (!(aheadMs > 0)) return clock;
  return {
    nowMs: () => clock.nowMs() + aheadMs,
    upMs: () => clock.upMs(),
    at: (atMs, call) => clock.at(atMs - aheadMs, call),
  };
}

export const systemClock: Clock = neverBack(
  () => Date.now(),
  () => performance.now(),
  () => Math.floor(Number(process.hrtime.bigint() / 1_000_000n)) + asleepMs(),
);

/** C4. */
export function byTheWall(wallMs: () => number, { upMs }: Pick<Clock, "upMs">): Clock {
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

export const wallClock: Clock = byTheWall(() => Date.now(), systemClock);

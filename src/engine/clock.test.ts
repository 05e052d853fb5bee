// Steps of the wall clock: time never goes back, a step ahead counts as passed time, and a step ahead and back again
// does not count.

import { afterEach, expect, test, vi } from "vitest";
import { limits } from "../base/limits.ts";
import { monotonicClock, notBefore, wallTimeClock } from "./clock.ts";

const START = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;

function held() {
  const at = { wallMs: START, passedMs: 500 };
  const clock = monotonicClock(
    () => at.wallMs,
    () => at.passedMs,
    () => at.passedMs,
  );
  clock.nowMs();
  const pass = (ms: number): void => {
    at.wallMs += ms;
    at.passedMs += ms;
  };
  const step = (ms: number): void => {
    at.wallMs += ms;
  };
  return { clock, pass, step, now: () => clock.nowMs() - START };
}

afterEach(() => void vi.useRealTimers());

test("after a clock is set back by hours, time continues from where it was", () => {
  const { pass, step, now } = held();
  pass(10_000);
  step(-3 * HOUR);
  pass(500);
  expect(now()).toBe(10_500);
  pass(60_000);
  expect(now()).toBe(70_500);
});

test("a clock that is set ahead moves the time", () => {
  const { pass, step, now } = held();
  step(2 * HOUR);
  pass(100);
  expect(now()).toBe(2 * HOUR + 100);
});

test("a timer notices a clock that was set ahead, and one that was set back does not delay it", () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { clock, pass, step } = held();
  const rang: string[] = [];
  const go = (ms: number): void => {
    pass(ms);
    vi.advanceTimersByTime(ms);
  };
  clock.at(clock.nowMs() + 2 * HOUR, () => rang.push("ahead"));
  step(2 * HOUR);
  go(limits.clockLookMs);
  expect(rang).toEqual([]);
  go(1);
  expect(rang).toEqual(["ahead"]);
  clock.at(clock.nowMs() + 30_000, () => rang.push("back"));
  step(-5 * HOUR);
  for (let tick = 0; tick < 30; tick++) go(1_000);
  go(2);
  expect(rang).toEqual(["ahead", "back"]);
});

test("a run continues no earlier than its last event", () => {
  const { clock, pass } = held();
  const later = notBefore(clock, START + HOUR);
  expect(later.nowMs()).toBe(START + HOUR);
  pass(250);
  expect(later.nowMs()).toBe(START + HOUR + 250);
  expect(notBefore(clock, START - HOUR)).toBe(clock);
});

test("wall time: set ahead, due timers fire; set back, waiting timers are called to check again", () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  let wallMs = START;
  const clock = wallTimeClock(() => wallMs, { upMs: () => 0 });
  const pass = (ms: number): void => {
    wallMs += ms;
    vi.advanceTimersByTime(ms);
  };
  const called: string[] = [];
  const at = (name: string) => clock.at(clock.nowMs() + HOUR, () => called.push(`${name} ${clock.nowMs() - START}`));
  at("in time");
  at("called off")();
  for (let ms = 0; ms < HOUR; ms += limits.clockLookMs) pass(limits.clockLookMs);
  expect(called.splice(0)).toEqual([`in time ${HOUR}`]);
  at("ahead");
  wallMs += 2 * HOUR;
  pass(limits.clockLookMs);
  expect(called.splice(0)).toEqual([`ahead ${3 * HOUR + limits.clockLookMs}`]);
  at("back");
  wallMs -= 3 * HOUR;
  pass(limits.clockLookMs);
  expect(called).toEqual([`back ${2 * limits.clockLookMs}`]);
});

import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { delayed } from "./running.ts";

let clockMs = 0;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.spyOn(performance, "now").mockImplementation(() => clockMs);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** How often is told: keys with so long after each; `costMs`: what telling takes, half of it for what is drawn afterwards. */
async function typed(waits: number[], costMs: number, least?: number): Promise<number> {
  let told = 0;
  const spend = () => {
    clockMs += costMs / 2;
  };
  const telling = delayed(10, () => {
    told += 1;
    spend();
    queueMicrotask(spend);
  });
  for (const wait of waits) {
    telling.later(least);
    await vi.advanceTimersByTimeAsync(wait);
  }
  return told;
}

const RHYTHM = [100, 100, 100, 100, 100];

it("tells each key where telling is not felt", async () => {
  expect(await typed(RHYTHM, 0)).toBe(5);
  expect(await typed(RHYTHM, 12)).toBe(5);
});

it("waits for a pause where telling is felt, also by what it draws", async () => {
  // 30 ms: told once, then not before 120 ms without a key.
  expect(await typed(RHYTHM, 30)).toBe(1);
  expect(await typed([...RHYTHM, 400], 80)).toBe(2);
});

it("waits longer where it is asked to, and never for more than 600 ms", async () => {
  expect(await typed(RHYTHM, 0, 180)).toBe(0);
  expect(await typed([700, 550, 650], 400)).toBe(2);
});

import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { delayed } from "./running.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

it("acts once after a pause, or at once when asked to", async () => {
  let told = 0;
  const telling = delayed(200, () => void told++);
  for (const wait of [100, 100, 199]) {
    telling.later();
    await vi.advanceTimersByTimeAsync(wait);
  }
  expect([told, telling.isOn()]).toEqual([0, true]);
  await vi.advanceTimersByTimeAsync(1);
  expect([told, telling.isOn()]).toEqual([1, false]);
  telling.later();
  telling.now();
  await vi.advanceTimersByTimeAsync(500);
  expect(told).toBe(2);
});

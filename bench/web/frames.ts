// frames: how many frames a second a page draws while something is done, and how busy its thread is meanwhile.

import type { Page } from "playwright-core";

/** Begins to count; a count that was begun before ends. */
const FRAMES = `{ const own = (window.__count = (window.__count ?? 0) + 1); window.__frames = 0; window.__since = performance.now();
  requestAnimationFrame(function count() { if (own === window.__count) { window.__frames++; requestAnimationFrame(count); } }); }`;

/** Since FRAMES: frames a second, and the share of the time that tasks took (what a busy machine changes least). */
async function framesFrom(page: Page): Promise<{ frames: number }> {
  const frames = await page.evaluate(
    "window.__count++; window.__frames / ((performance.now() - window.__since) / 1000)",
  );
  return { frames: Number(frames) };
}

/** The least busy of some tries: frames a second of the best, and milliseconds of tasks a step of the cheapest. */
export async function bestOf(
  place: { page: Page; taskMs(): Promise<number> },
  tries: number,
  steps: number,
  what: () => Promise<void>,
): Promise<{ frames: number; stepMs: number }> {
  const best = { frames: 0, stepMs: Number.POSITIVE_INFINITY };
  for (let n = 0; n < tries; n += 1) {
    const from = await place.taskMs();
    await place.page.evaluate(FRAMES);
    await what();
    await place.page.waitForFunction("performance.now() - window.__since > 1500");
    best.frames = Math.max(best.frames, (await framesFrom(place.page)).frames);
    best.stepMs = Math.min(best.stepMs, ((await place.taskMs()) - from) / steps);
  }
  return best;
}

// now: the current time as a value, so that "2 min ago" stays correct. All components share one clock, which stops in
// hidden pages.

import { useSyncExternalStore } from "react";

const clocks = new Map<number, { now: number; listeners: Set<() => void>; timer?: ReturnType<typeof setInterval> }>();

/** Updated every `everyMs`. */
export function useNow(everyMs = 1000): number {
  const clock = clocks.get(everyMs) ?? { now: Date.now(), listeners: new Set<() => void>() };
  clocks.set(everyMs, clock);
  return useSyncExternalStore(
    (listener) => {
      clock.listeners.add(listener);
      clock.timer ??= setInterval(() => {
        if (document.hidden) return;
        clock.now = Date.now();
        for (const each of clock.listeners) each();
      }, everyMs);
      return () => {
        clock.listeners.delete(listener);
        if (clock.listeners.size > 0) return;
        clearInterval(clock.timer);
        delete clock.timer;
      };
    },
    () => clock.now,
  );
}

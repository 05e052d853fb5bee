// now: the time as a value that components read, so that "2 min ago" stays true. One clock for all of them; it stands while nobody looks.

import { useSyncExternalStore } from "react";

const clocks = new Map<number, { now: number; listeners: Set<() => void>; timer?: ReturnType<typeof setInterval> }>();

/** Anew every `everyMs`. */
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

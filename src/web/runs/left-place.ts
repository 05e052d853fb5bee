// left-place: where somebody was in the table of runs when they left it, by entry of the browser's history: who comes back stands there again.

import { useRouterState } from "@tanstack/react-router";
import { useEffect, useRef } from "react";

export interface LeftPlace {
  top: number;
  current: string | undefined;
}

const kept = new Map<string, LeftPlace>();
const KEPT_MAX = 50;

/** `now` says where they are; the answer is where they were when they left this entry. A new entry has none. */
export function useLeftPlace(now: () => LeftPlace): LeftPlace | undefined {
  const key = useRouterState({ select: ({ location }) => location.state.__TSR_key });
  const first = useRef(key === undefined ? undefined : kept.get(key));
  const last = useRef(now);
  last.current = now;
  const entry = useRef(key);
  // While the screen goes away, the address is that of the next one already.
  useEffect(() => {
    if (location.pathname === "/runs") entry.current = key;
  }, [key]);
  useEffect(
    () => () => {
      if (entry.current === undefined) return;
      kept.delete(entry.current);
      kept.set(entry.current, last.current());
      if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value!);
    },
    [],
  );
  return first.current;
}

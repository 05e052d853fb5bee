// use-media: whether the window is as wide as a layout needs it (spec ui 6.1).

import { useSyncExternalStore } from "react";

export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = matchMedia(query);
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    () => matchMedia(query).matches,
  );
}

/** The inspector stands beside the canvas. */
export const WIDE = "(min-width: 1100px)";
/** There is a canvas at all. */
export const CANVAS = "(min-width: 720px)";

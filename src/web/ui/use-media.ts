// use-media: whether the window is wide enough for a layout (spec ui 6.1).

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

/** The inspector is beside the canvas. */
export const WIDE = "(min-width: 1100px)";
/** The canvas is shown. */
export const CANVAS = "(min-width: 720px)";

// detail: how much of a card is drawn at each zoom, and in which size. Pure, except for the hooks.
//   D1. From 0.85 a card is complete. Down to 0.35 it has two lines. Below that it is a block in the colour of its kind.
//       Text is at least 11 pixels on the screen.
//   D2. The size changes in steps, so that zooming does not lay out all cards in every frame.

import { useStore } from "@xyflow/react";
import { createContext, useContext } from "react";

export type Detail = "full" | "short" | "block";

export interface Drawn {
  detail: Detail;
  /** Size of the text in pixels of the canvas. A title of a complete card is larger. */
  textPx: number;
}

/** The smallest zoom of each detail. */
export const ZOOM_OF = { full: 0.85, short: 0.35 } as const;
const TEXT_PX = 12;
/** On the screen. */
const LEAST_PX = 11;
/** D2. Within a step, text grows with the zoom. */
const STEPS = [0.72, 0.6, 0.5, 0.42, ZOOM_OF.short];

export function drawnAt(zoom: number): Drawn {
  if (zoom >= ZOOM_OF.full) return { detail: "full", textPx: Math.max(TEXT_PX, Math.ceil(LEAST_PX / zoom)) };
  const step = STEPS.find((least) => zoom >= least);
  if (step === undefined) return { detail: "block", textPx: LEAST_PX / ZOOM_OF.short };
  return { detail: "short", textPx: Math.ceil(LEAST_PX / step) };
}

/** A context, so that the canvas reads the zoom once for all cards. */
export const DetailOf = createContext<Detail>("full");

/** Only what lays out text itself reads its size. Cards have it as a CSS variable (D2). */
export const TextPxOf = createContext(TEXT_PX);

export function useDetail(): Detail {
  return useContext(DetailOf);
}

export function useDrawn(): Drawn {
  const textPx = useStore(({ transform: [, , zoom] }) => drawnAt(zoom).textPx);
  const detail = useStore(({ transform: [, , zoom] }) => drawnAt(zoom).detail);
  return { detail, textPx };
}

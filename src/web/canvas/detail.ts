// detail: how much of a node is drawn at a zoom. Far away nobody reads commands, and a thousand of them cost.
//   `block`: all shapes are one layer (far-layer.tsx), a card writes only its title; `far`: not even that.

import { useStore } from "@xyflow/react";
import { createContext, useContext } from "react";
import type { Point } from "./model.ts";
import { type Box, CARD } from "./sizes.ts";

export type Detail = "full" | "title" | "block" | "far";

/** Asked once for all cards. */
export const DetailOf = createContext<Detail>("full");

export function useDetail(): Detail {
  return useContext(DetailOf);
}

/** The upper left corner of a drawing at a size that is read; the first node is in sight, wherever it stands. */
export function beginning(all: Box, first: Point, room: { width: number; height: number }) {
  const zoom = 0.8;
  const along = (from: number, long: number, at: number, card: number, space: number, margin: number): number =>
    long * zoom <= space - 2 * margin
      ? space / 2 - (from + long / 2) * zoom
      : Math.min(margin - from * zoom, space / 2 - (at + card / 2) * zoom);
  return {
    x: along(all.x, all.width, first.x, CARD.width, room.width, 40),
    y: along(all.y, all.height, first.y, CARD.height, room.height, 80),
    zoom,
  };
}

export function useDetailOfZoom(): Detail {
  return useStore(({ transform: [, , zoom] }) =>
    zoom < 0.17 ? "far" : zoom < 0.25 ? "block" : zoom < 0.5 ? "title" : "full",
  );
}

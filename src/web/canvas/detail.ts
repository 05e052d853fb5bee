// detail: how much of a card is drawn at each zoom. `title` shows only a large title, `block` only the shape and its
// colour.

import { useStore } from "@xyflow/react";
import { createContext, useContext } from "react";

export type Detail = "full" | "title" | "block";

/** A context, so that the canvas reads the zoom once for all cards. */
export const DetailOf = createContext<Detail>("full");

export function useDetail(): Detail {
  return useContext(DetailOf);
}

export function useDetailOfZoom(): Detail {
  return useStore(({ transform: [, , zoom] }) => (zoom < 0.2 ? "block" : zoom < 0.5 ? "title" : "full"));
}

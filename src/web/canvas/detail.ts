// detail: how much of a node is drawn at a zoom. Far away nobody reads commands, and a thousand of them cost.
//   `block`: all shapes are one layer (far-layer.tsx), a card writes only its title; `far`: not even that.

import { useStore } from "@xyflow/react";
import { createContext, useContext } from "react";

export type Detail = "full" | "title" | "block" | "far";

/** Asked once for all cards. */
export const DetailOf = createContext<Detail>("full");

export function useDetail(): Detail {
  return useContext(DetailOf);
}

export function useDetailOfZoom(): Detail {
  return useStore(({ transform: [, , zoom] }) =>
    zoom < 0.17 ? "far" : zoom < 0.25 ? "block" : zoom < 0.45 ? "title" : "full",
  );
}

// detail: how much of a node is drawn at a zoom. Far away nobody reads commands, and a thousand of them cost.

import { useStore } from "@xyflow/react";

export type Detail = "full" | "title" | "block";

export function useDetail(): Detail {
  return useStore(({ transform: [, , zoom] }) => (zoom < 0.25 ? "block" : zoom < 0.45 ? "title" : "full"));
}

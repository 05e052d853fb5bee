// carried: what went along an edge in the pass that is shown (spec ui.md 6.2). Pure.

import { type EdgeData, edgeData, handedOn } from "../canvas/edge-data.ts";
import { type Chosen, overlayWay } from "./overlay.ts";
import type { RunModel } from "./run-model.ts";

interface Ends {
  source: string;
  target: string;
  handle?: string;
}

export function carriedIn(model: RunModel, chosen: Chosen, { source, target, handle }: Ends): EdgeData {
  const path = model.loops.shownPath(source, chosen);
  const node = path === undefined ? undefined : model.node(path);
  const edge = { source, target, sourceHandle: handle };
  if (overlayWay(model, chosen, edge).state === "untaken") return { says: "Nothing went this way." };
  if (node?.failure !== undefined) return edgeData({ text: node.failure.message }, "");
  return edgeData(handedOn(node), model.isOver ? "Nothing went this way." : "Nothing has gone this way yet.");
}

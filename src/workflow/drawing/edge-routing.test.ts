// edge-routing.test: edges pass above or below obstacles, and are plain curves otherwise.

import { expect, test } from "vitest";
import { detours, endsOf, pathOf } from "./edge-routing.ts";
import { boxesOf, CARD, type Drawing, layout } from "./layout.ts";

function row(...links: [string, string][]): Drawing {
  const edges = links.map(([source, target]) => ({ key: `${source}${target}`, source, target, kind: "edge" as const }));
  return { order: ["a", "b", "c", "d"], edges, loops: new Map(), startOf: new Map() };
}

test("an edge past a node runs above or below it; a second one takes another height", () => {
  const drawing = row(["a", "b"], ["b", "c"], ["c", "d"], ["a", "c"], ["a", "d"]);
  const positions = layout(drawing);
  const levels = detours(drawing, positions, boxesOf(drawing, positions));
  expect([...levels.keys()]).toEqual(["ac", "ad"]);
  for (const level of levels.values()) expect(level < 0 || level > CARD.height).toBe(true);
  expect(levels.get("ac")).not.toBe(levels.get("ad"));
  const ends = endsOf(drawing, positions, new Map(), drawing.edges[3]!)!;
  expect(pathOf(ends, levels.get("ac"))).toContain(`,${levels.get("ac")} `);
  expect(pathOf(ends)).not.toContain("L");
});

test("edges between neighbours need no detour", () => {
  const drawing = row(["a", "b"], ["a", "c"], ["c", "d"], ["b", "d"]);
  const positions = layout(drawing);
  expect(detours(drawing, positions, new Map()).size).toBe(0);
});

// From far away: every card is in one shape of its state with that state's own sign, lines end where those of near end.

import { describe, expect, it } from "vitest";
import { parseWorkflow } from "../../workflow/parse.ts";
import { boxesOf } from "./boxes.ts";
import { type Far, farDrawing } from "./far.ts";
import { canvasModel } from "./model.ts";
import type { NodeOverlay, OverlayStatus } from "./overlay.ts";

const STATES: OverlayStatus[] = [
  ...(["ready", "queued", "running", "waiting", "succeeded", "failed", "skipped", "cancelled"] as const),
];
const TEXT = `curlew: 1
nodes:
${[...STATES, "again"].map((id) => `  - { id: ${id}, type: cli, data: { title: ${id}, content: ":" } }`).join("\n")}
  - { id: pages, type: loop-start, data: { title: Pages, iterations: 3 } }
  - { id: page, type: cli, data: { title: Page, content: ":" } }
  - { id: end, type: loop-end, data: { title: All } }
edges: [ready -> queued, queued -> running, "running:error -> waiting", pages -> page -> end -> ready]
layout:
${[...STATES, "again"].map((id, at) => `  ${id}: [${at * 300}, 0]`).join("\n")}
  pages: [0, 400]
  page: [300, 400]
  end: [600, 400]
`;

function far(more: Partial<Far> = {}): Far {
  const { workflow } = parseWorkflow(TEXT, "a.flow.yaml");
  if (workflow === undefined) throw new Error("not a workflow");
  const model = canvasModel(workflow, workflow);
  const { positions } = model;
  const none = { selected: new Set<string>(), selectedEdges: new Set<string>() };
  return {
    model,
    positions,
    boxes: boxesOf(model, positions),
    ways: new Map(),
    ...none,
    overlay: undefined,
    badges: undefined,
    ...more,
  };
}

const laid = (status: OverlayStatus): NodeOverlay => ({ status, word: status });
const inRun = (): Far =>
  far({
    overlay: {
      nodes: new Map([...STATES.map((id) => [id, laid(id)] as const), ["again", laid("succeeded")]]),
      edges: new Map([
        ["ready->queued", { state: "taken", status: "succeeded" }],
        ["queued->running", { state: "untaken" }],
      ]),
    },
  });

/** A path moved to where it began: what is drawn, not where. */
const form = (path: string) => {
  const [, x, y] = /^M(-?[\d.]+) (-?[\d.]+)/.exec(path) ?? [];
  return path.replaceAll(/M(-?[\d.]+) (-?[\d.]+)/g, (_, a, b) => `M${Number(a) - Number(x)} ${Number(b) - Number(y)}`);
};

describe("from far away", () => {
  it("cards of one state are one shape, and no two states have the same sign", () => {
    const { cards } = farDrawing(inRun(), false);
    expect(cards.map(({ look }) => look).sort()).toEqual([...STATES].sort());
    const succeeded = cards.find(({ look }) => look === "succeeded")!;
    expect(succeeded.cards).toBe("M1200 0h228v78h-228zM2400 0h228v78h-228z");
    const signs = cards.map(({ look, signs }) =>
      look === "succeeded" ? signs.slice(0, signs.lastIndexOf("M")) : signs,
    );
    expect(new Set(signs.map(form)).size).toBe(STATES.length);
    expect(signs.filter((sign) => sign === "")).toHaveLength(1);
  });

  it("a broken node has a sign in the design", () => {
    const badges = new Map([["queued", { errors: 1, warnings: 0, message: "x" }]]);
    const { cards } = farDrawing(far({ badges }), true);
    expect(cards.map(({ look }) => look).sort()).toEqual(["error", "ready"]);
  });

  it("lines leave and reach the ports, by what the run made of them", () => {
    const { links, loops } = farDrawing(inRun(), false);
    const of = (look: OverlayStatus, dash: string) =>
      links.find((link) => link.look === look && link.dash === dash)?.path;
    expect(of("succeeded", "")).toMatch(/^M228,39 C.* 300,39$/);
    expect(of("ready", "untaken")).toMatch(/^M528,39 C.* 600,39$/);
    // The port for errors stands lower, the two ends of the loop are ports of its box.
    expect(of("ready", "")).toContain("M828,65");
    expect(of("ready", "")!.split("M")).toHaveLength(1 + 4);
    expect(loops).toMatch(/^M256 360h316v134h-316z$/);
  });

  it("what is chosen has an outline, a loop by either end", () => {
    const chosen = (id: string) => farDrawing(far({ selected: new Set([id]) }), false).chosen;
    expect(chosen("queued")).toBe("M300 0h228v78h-228z");
    expect(chosen("end")).toBe(chosen("pages"));
    expect(farDrawing(far({ selectedEdges: new Set(["ready->queued"]) }), false).links.some((l) => l.selected)).toBe(
      true,
    );
  });
});

// No edge passes behind a card: what would goes around, on a level of its own.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parseWorkflow } from "../../workflow/parse.ts";
import { boxesOf } from "./boxes.ts";
import { CARD, type CanvasModel, canvasModel } from "./model.ts";
import { pathOf, portsOf, standsAlike, waysOf } from "./ways.ts";

function drawn(text: string) {
  const { workflow } = parseWorkflow(text, "a.flow.yaml");
  if (workflow === undefined) throw new Error("not a workflow");
  const model = canvasModel(workflow, workflow);
  const drawing = { model, positions: model.positions, boxes: boxesOf(model, model.positions) };
  return { ...drawing, ways: waysOf(drawing) };
}

type Drawn = ReturnType<typeof drawn>;

/** Cards that the line of an edge lies behind, its own among them. */
function behind(drawing: Drawn, key: string): string[] {
  const edge = drawing.model.edges.find((one) => one.key === key)!;
  const points = pointsOf(pathOf(portsOf(drawing, edge)!, drawing.ways.get(key)));
  return drawing.model.cards
    .filter(({ id }) => {
      const { x, y } = drawing.positions.get(id)!;
      return points.some((at) => at.x > x && at.x < x + CARD.width && at.y > y && at.y < y + CARD.height);
    })
    .map(({ id }) => id);
}

/** Of a path of curves and lines, in absolute places. */
function pointsOf(path: string): { x: number; y: number }[] {
  const all: { x: number; y: number }[] = [];
  let here = { x: 0, y: 0 };
  for (const [, letter, rest] of path.matchAll(/([MCL])([^MCL]*)/g)) {
    const numbers = rest!.match(/-?[\d.]+/g)!.map(Number);
    const [to, one, two] = [0, 2, 4].map((from) => ({ x: numbers.at(-2 - from)!, y: numbers.at(-1 - from)! }));
    for (let t = 0; letter !== "M" && t <= 1; t += 0.01) {
      const [a, b] = letter === "C" ? [two!, one!] : [here, to!];
      const mix = (from: number, p: number, q: number, end: number) =>
        (1 - t) ** 3 * from + 3 * (1 - t) ** 2 * t * p + 3 * (1 - t) * t * t * q + t ** 3 * end;
      all.push({ x: mix(here.x, a.x, b.x, to!.x), y: mix(here.y, a.y, b.y, to!.y) });
    }
    here = to!;
  }
  return all;
}

const text = (id: string, more = "") => `  - { id: ${id}, type: text, data: { title: ${id}, content: "${more}" } }`;
const flow = (ids: string, edges: string, layout = "") =>
  `curlew: 1\nnodes:\n${ids
    .split(" ")
    .map((id) => text(id))
    .join("\n")}\nedges: [${edges}]\n${layout}`;

it("an edge that skips a column goes around what stands there; its neighbours' are plain", () => {
  const drawing = drawn(flow("a b c d", "a -> b -> c -> d, a -> d, b -> d"));
  expect([...drawing.ways.keys()].sort()).toEqual(["a->d", "b->d"]);
  for (const { key } of drawing.model.edges) expect(behind(drawing, key), key).toEqual([]);
  // Each on its own: there is room below, and above.
  expect([drawing.ways.get("b->d"), drawing.ways.get("a->d")]).toEqual([CARD.height + 14, -14]);
});

it("it goes above where that is nearer, and between two rows where there is room", () => {
  const layout = "layout: { a: [0, 0], b: [300, 30], c: [300, 200], d: [700, 0] }\n";
  const above = drawn(flow("a b c d", "a -> b, a -> c, a -> d", layout));
  expect(above.ways.get("a->d")).toBe(30 - 14);
  const between = drawn(
    flow("a b c d", "a -> d", "layout: { a: [0, 90], b: [300, 0], c: [300, 140], d: [700, 90] }\n"),
  );
  expect(between.ways.size).toBe(0);
});

it("an edge to a node that stands left of its source goes around both, and around whoever stands between", () => {
  const ids = "a b c d";
  const beside = drawn(
    flow(ids, "a -> b, b -> c, c -> d", "layout: { a: [900, 0], b: [600, 0], c: [300, 0], d: [0, 40] }\n"),
  );
  for (const { key } of beside.model.edges) expect(behind(beside, key), key).toEqual([]);
  const far = drawn(
    flow(ids, "a -> b, a -> c, d -> b", "layout: { a: [900, 0], b: [0, 0], c: [300, 10], d: [600, 30] }\n"),
  );
  for (const { key } of far.model.edges) expect(behind(far, key), key).toEqual([]);
  expect(new Set(far.ways.values()).size, "each on a level of its own").toBe(3);
  // What is passed by the plain curve stays that: between two rows there is room.
  const rows = drawn(flow(ids, "b -> c", "layout: { a: [0, 0], b: [300, 0], c: [0, 800], d: [300, 800] }\n"));
  expect(rows.ways.size).toBe(0);
  // A turn does not pass behind what stands below or above the port, either.
  const under = drawn(flow(ids, "a -> b", "layout: { a: [600, 0], b: [0, 0], c: [630, 90], d: [-260, 90] }\n"));
  expect(behind(under, "a->b")).toEqual([]);
  expect(under.ways.get("a->b")).toBe(-14);
});

it("behind its loop's right side and before its left side, too", () => {
  const drawing = drawn(`curlew: 1
nodes:
${text("a")}
  - { id: again, type: loop-start, data: { title: Again, iterations: 2 } }
${text("b")}
${text("c")}
  - { id: done, type: loop-end, data: { title: Done } }
${text("d")}
edges: [a -> again -> b -> c -> done -> d]
layout: { a: [900, 0], b: [300, 0], c: [0, 20], d: [-340, 0] }
`);
  const box = drawing.boxes.get("again")!;
  for (const key of ["a->again", "done->d"]) {
    const level = drawing.ways.get(key)!;
    expect(level > box.y + box.height || level < box.y, key).toBe(true);
  }
  for (const key of ["a->again", "done->d", "b->c"]) expect(behind(drawing, key), key).toEqual([]);
  const inside = drawing.ways.get("b->c")!;
  expect(inside > box.y && inside < box.y + box.height, "what leads back in a loop stays in it").toBe(true);
});

it("a loop that it has nothing to do with is passed as a whole; around its own it may go", () => {
  const drawing = drawn(`curlew: 1
nodes:
${text("a")}
  - { id: again, type: loop-start, data: { title: Again, iterations: 2 } }
${text("b")}
${text("c")}
  - { id: done, type: loop-end, data: { title: Done } }
${text("d")}
edges: [a -> again -> b -> c -> done -> d, a -> d, a -> c]
`);
  const box = drawing.boxes.get("again")!;
  const level = drawing.ways.get("a->d")!;
  expect(level > box.y + box.height || level < box.y).toBe(true);
  expect(behind(drawing, "a->c")).toEqual([]);
});

it("on every example no edge lies behind a card", () => {
  const folder = join(import.meta.dirname, "../../../examples");
  const files = readdirSync(folder).filter((name) => name.endsWith(".flow.yaml"));
  expect(files.length).toBeGreaterThan(20);
  for (const name of files) {
    const drawing = drawn(readFileSync(join(folder, name), "utf8"));
    for (const { key } of drawing.model.edges) expect(behind(drawing, key), `${name}: ${key}`).toEqual([]);
  }
});

it("5,000 nodes cost little, also where every tenth edge is long", () => {
  const ids = Array.from({ length: 5_000 }, (_, at) => `n${at}`);
  const chain = ids.slice(1).map((id, at) => ({ source: ids[at]!, target: id }));
  const skips = ids.flatMap((id, at) =>
    at % 10 === 0 && at + 7 < ids.length ? [{ source: id, target: ids[at + 7]! }] : [],
  );
  const nodes = ids.map((id) => ({ id, type: "text", data: { title: id, content: "" } }));
  const edges = [...chain, ...skips];
  const workflow = { curlew: 1, name: "", inputs: {}, secrets: [], finally: [], nodes, edges };
  const model: CanvasModel = canvasModel(workflow, workflow as never);
  const drawing = { model, positions: model.positions, boxes: boxesOf(model, model.positions) };
  const before = process.cpuUsage();
  expect(waysOf(drawing).size).toBe(skips.length);
  const { user } = process.cpuUsage(before);
  expect(user / 1_000).toBeLessThan(1_000);
});

it("5,000 nodes cost little, also where they stand in rows and the end of each leads back to the next", () => {
  const ids = Array.from({ length: 5_000 }, (_, at) => `n${at}`);
  const nodes = ids.map((id) => ({ id, type: "text", data: { title: id, content: "" } }));
  const edges = ids.slice(1).map((id, at) => ({ source: ids[at]!, target: id }));
  const layout = Object.fromEntries(ids.map((id, at) => [id, [(at % 71) * 300, Math.floor(at / 71) * 140]]));
  const workflow = { curlew: 1, name: "", inputs: {}, secrets: [], finally: [], nodes, edges };
  const model: CanvasModel = canvasModel({ ...workflow, layout }, workflow as never);
  const drawing = { model, positions: model.positions, boxes: boxesOf(model, model.positions) };
  const before = process.cpuUsage();
  expect(waysOf(drawing).size).toBe(70);
  const { user } = process.cpuUsage(before);
  expect(user / 1_000).toBeLessThan(1_000);
});

it("what is typed into a field changes no way; a place, an edge and a kind do", () => {
  const model = (changed: (text: string) => string = (text) => text) =>
    drawn(changed(flow("a b c", "a -> b, b -> c", "layout: { a: [0, 0], b: [300, 0], c: [600, 0] }\n"))).model;
  const alike = (changed: (text: string) => string) => standsAlike(model(), model(changed));
  expect(alike((text) => text.replace("title: a", "title: other"))).toBe(true);
  expect(alike((text) => text.replace("[300, 0]", "[300, 1]"))).toBe(false);
  expect(alike((text) => text.replace("b -> c", "a -> c"))).toBe(false);
  expect(alike((text) => text.replace("{ id: c, type: text", "{ id: c, type: if"))).toBe(false);
});

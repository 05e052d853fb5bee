// ways: how an edge gets from port to port (spec ui.md 6.6). Pure.
//   W1. A plain curve, unless it would pass behind a card, or behind a loop that it has nothing to do with. Then it runs level above or below
//       all that is in its way; no two run on one level.
//   W2. What leads back (its target stands left of its source) has its own ends in its way, too: it turns around them.
//   W3. What is dragged at the moment is the plain curve.
// Deliberately absent: crossings of edges with edges; where nodes stand (layered.ts, tidy.ts).

import { getBezierPath, Position } from "@xyflow/react";
import { CARD, type CanvasEdge, type CanvasModel, type Point } from "./model.ts";
import { boxHandles, cardHandles, endsOf } from "./ports.ts";
import type { Box } from "./sizes.ts";

/** By the edge's key: the height on which it runs. */
export type Ways = ReadonlyMap<string, number>;

/** From a port to where it runs level, and between it and what it passes. */
const BEND = 56;
const CLEAR = 14;
/** Two levels are this far from each other. */
const APART = 10;
const COLUMN = 256;
/** How far what leads back goes out of a port to turn, as a curve's handle: the line itself stays within TURNED. */
const TURN = 48;
const TURNED = TURN * 0.75;
/** Farther than any way around. */
const NEVER = 1e6;

export interface Ends {
  sourceX: number;
  sourceY: number;
  targetX: number;
  targetY: number;
}

export function pathOf(ends: Ends, level: number | undefined): string {
  const { sourceX, sourceY, targetX, targetY } = ends;
  if (level !== undefined && leadsBack(ends))
    return `M${sourceX},${sourceY} C${sourceX + TURN},${sourceY} ${sourceX + TURN},${level} ${sourceX},${level} L${targetX},${level} C${targetX - TURN},${level} ${targetX - TURN},${targetY} ${targetX},${targetY}`;
  const [from, to] = [sourceX + BEND, targetX - BEND];
  if (level === undefined || to <= from)
    return getBezierPath({
      ...ends,
      sourcePosition: Position.Right,
      targetPosition: Position.Left,
      curvature: CURVATURE,
    })[0];
  const [middle, back] = [sourceX + BEND / 2, targetX - BEND / 2];
  return `M${sourceX},${sourceY} C${middle},${sourceY} ${middle},${level} ${from},${level} L${to},${level} C${back},${level} ${back},${targetY} ${targetX},${targetY}`;
}

function leadsBack({ sourceX, targetX }: Ends): boolean {
  return targetX <= sourceX;
}

interface Drawing {
  model: CanvasModel;
  positions: ReadonlyMap<string, Point>;
  boxes: ReadonlyMap<string, Box>;
}

/** Whether two models have the same ways: the same ports at the same places, connected alike. */
export function standsAlike(one: CanvasModel, other: CanvasModel): boolean {
  return (
    one.edges.length === other.edges.length &&
    one.byId.size === other.byId.size &&
    one.loops.size === other.loops.size &&
    one.edges.every(({ key }, at) => key === other.edges[at]!.key) &&
    [...one.byId].every(([id, card]) => {
      const [now, from, to] = [other.byId.get(id), one.positions.get(id), other.positions.get(id)];
      if (now === undefined || from?.x !== to?.x || from?.y !== to?.y) return false;
      return now === card || (now.type === card.type && now.loop === card.loop);
    })
  );
}

/** The middles of the ports that an edge connects. */
export function portsOf(drawing: Drawing, edge: CanvasEdge): Ends | undefined {
  const ends = endsOf(drawing.model, edge);
  const from = portOf(drawing, ends.source, ends.sourceHandle);
  const to = portOf(drawing, ends.target, ends.targetHandle);
  return from && to && { sourceX: from.x, sourceY: from.y, targetX: to.x, targetY: to.y };
}

function portOf({ model, positions, boxes }: Drawing, id: string, handle: string): Point | undefined {
  const box = boxes.get(id);
  const card = model.byId.get(id);
  const place = box ?? positions.get(id);
  if (card === undefined || place === undefined) return undefined;
  const handles = box === undefined ? cardHandles(card) : boxHandles(box);
  const port = handles.find((one) => one.id === handle);
  if (port === undefined) return undefined;
  return { x: place.x + port.x + (port.width ?? 0) / 2, y: place.y + port.y + (port.height ?? 0) / 2 };
}

/** The short ones first: who goes farther runs farther out. */
export function waysOf(drawing: Drawing): Ways {
  const ways = new Map<string, number>();
  const far = ({ sourceX, targetX }: Ends): number => Math.abs(targetX - sourceX);
  const long = drawing.model.edges
    .flatMap((edge) => {
      const ends = portsOf(drawing, edge);
      return ends !== undefined && (leadsBack(ends) || far(ends) > CARD.width) ? [{ edge, ends }] : [];
    })
    .sort((a, b) => far(a.ends) - far(b.ends));
  if (long.length === 0) return ways;
  const things = thingsIn(drawing);
  for (const { edge, ends } of long) {
    const isBack = leadsBack(ends);
    const [left, right] = isBack
      ? [ends.targetX - TURNED, ends.sourceX + TURNED]
      : [ends.sourceX + BEND, ends.targetX - BEND];
    const isOwn = isBack ? isAround : isAbout;
    const passed = (isBack ? between(things, left, right) : between(things, ends.sourceX, ends.targetX)).filter(
      (thing) => !isOwn(drawing.model, thing, edge),
    );
    if (!passed.some((thing) => meets(ends, thing))) continue;
    const level = levelFor(ends, passed);
    ways.set(edge.key, level);
    add(things, { x: left, width: right - left, y: level - APART + CLEAR, height: 2 * (APART - CLEAR) });
  }
  return ways;
}

interface Thing extends Box {
  /** Absent: an edge that runs level here. */
  id?: string;
}

type Things = Map<number, Thing[]>;

function thingsIn({ model, positions, boxes }: Drawing): Things {
  const things: Things = new Map();
  for (const { id } of model.cards) {
    const place = positions.get(id);
    if (place !== undefined) add(things, { id, ...place, ...CARD });
  }
  for (const [id, box] of boxes) add(things, { id, ...box });
  return things;
}

function add(things: Things, thing: Thing): void {
  for (let at = Math.floor(thing.x / COLUMN); at <= Math.floor((thing.x + thing.width) / COLUMN); at += 1) {
    const column = things.get(at);
    if (column === undefined) things.set(at, [thing]);
    else column.push(thing);
  }
}

function between(things: Things, left: number, right: number): Thing[] {
  const found = new Set<Thing>();
  for (let at = Math.floor(left / COLUMN); at <= Math.floor(right / COLUMN); at += 1)
    for (const thing of things.get(at) ?? [])
      if (thing.x < right - 1 && thing.x + thing.width > left + 1) found.add(thing);
  return [...found];
}

/** Its ends, and the loops around them. */
function isAbout({ loops }: CanvasModel, { id }: Thing, { source, target }: CanvasEdge): boolean {
  if (id === undefined) return false;
  const loop = loops.get(id);
  if (loop === undefined) return id === source || id === target;
  return [source, target].some((end) => end === id || end === loop.end.id || loop.inside.includes(end));
}

/** A loop that it stays within. */
function isAround({ loops, startOf }: CanvasModel, { id }: Thing, { source, target }: CanvasEdge): boolean {
  const loop = id === undefined ? undefined : loops.get(id);
  if (loop === undefined) return false;
  const from = startOf.get(source) ?? source;
  return source === id || target === loop.end.id || loop.inside.includes(from) || loop.inside.includes(target);
}

const STEPS = 24;
const CURVATURE = 0.3;
/** How far React Flow's curve bulges where it leads back. */
const BULGE = CURVATURE * 25;

/** Whether the plain curve goes through it. An edge is crossed, not passed. */
function meets({ sourceX, sourceY, targetX, targetY }: Ends, { id, x, y, width, height }: Thing): boolean {
  if (id === undefined) return false;
  const bulge = targetX > sourceX ? (targetX - sourceX) / 2 : BULGE * Math.sqrt(sourceX - targetX);
  for (let step = 1; step < STEPS; step += 1) {
    const t = step / STEPS;
    const [px, py] = [
      sourceX + (targetX - sourceX) * (3 * t * t - 2 * t * t * t) + 3 * bulge * t * (1 - t) * (1 - 2 * t),
      sourceY + (targetY - sourceY) * (3 * t * t - 2 * t * t * t),
    ];
    if (px > x && px < x + width && py > y - 2 && py < y + height + 2) return true;
  }
  return false;
}

/** The nearest height at which nothing stands, below rather than above. */
function levelFor(ends: Ends, passed: readonly Thing[]): number {
  const { sourceX, sourceY, targetX, targetY } = ends;
  const taken = passed.map(({ y, height }) => [y - CLEAR, y + height + CLEAR] as const).sort(([a], [b]) => a - b);
  const free: number[] = [];
  let end = -Infinity;
  for (const [top, bottom] of taken) {
    if (top >= end) free.push(...(end === -Infinity ? [] : [end]), top);
    end = Math.max(end, bottom);
  }
  free.push(end);
  const wide = leadsBack(ends) ? TURNED : BEND;
  const [atSource, atTarget] = [sourceX, targetX - wide].map((left) =>
    passed.filter(({ id, x, width }) => id !== undefined && x < left + wide && x + width > left),
  ) as [Thing[], Thing[]];
  const far = (level: number): number =>
    Math.abs(level - sourceY) +
    Math.abs(level - targetY) -
    (level > sourceY ? 1 : 0) +
    (hides(atSource, level, sourceY) ? NEVER : 0) +
    (hides(atTarget, level, targetY) ? NEVER : 0);
  const [first, ...others] = free.map((level) => ({ level, far: far(level) }));
  return others.reduce((best, one) => (one.far < best.far ? one : best), first!).level;
}

/** Whether the bend at a port would pass behind one of them. */
function hides(beside: readonly Thing[], level: number, port: number): boolean {
  return beside.some(({ y, height }) => y < Math.max(level, port) && y + height > Math.min(level, port));
}

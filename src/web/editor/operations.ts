// operations: what the keys, the canvas, and the outline do to a workflow. Each operation reports why it could not be
// done.

import { limits } from "../../base/limits.ts";
import type { Point as Place } from "../../workflow/drawing/layout.ts";
import type { CanvasHandle } from "../canvas/canvas.tsx";
import { grown, makeRoom } from "../canvas/collision.ts";
import type { CanvasModel } from "../canvas/model.ts";
import {
  addNode,
  connect,
  disconnect,
  duplicateNodes,
  type Edit,
  insertPiece,
  isPasteable,
  isTooLarge,
  type Link,
  moveNodes,
  otherMeanings,
  type Point,
  perform,
  pieceOf,
  removeNodes,
  together,
  wrapInLoop,
} from "../document/index.ts";
import { hasGoneOn } from "../ui/focus.ts";
import { say, toast } from "../ui/toast.tsx";
import { grouped, size } from "../ui/words.ts";
import { curlEdit, isCurl } from "./curl.ts";
import { dataFor, KINDS, type Kind } from "./kinds.ts";
import { drawingOf, variableNames } from "./read.ts";
import { aligned, isFree, type Line, neighbour, placeBeside, type Way, whyNot, withLoops } from "./rules.ts";
import type { Session } from "./session.ts";

export interface Ground {
  session: Session;
  model: () => CanvasModel;
  canvas: () => CanvasHandle | null;
}

export interface Beside {
  at?: Place;
  after?: { source: string; handle?: string };
}

export type Operations = ReturnType<typeof operationsOn>;

const STEP = 8;
const TOO_LARGE = `${size(limits.documentBytesMax)} and ${grouped(limits.nodesMax)} nodes`;

export function operationsOn({ session, model, canvas }: Ground) {
  const selected = (): string[] => [...session.store.getState().selected];
  const run = (edit: Edit, said?: string): boolean => {
    const problem = session.edit(edit);
    if (problem !== undefined) toast(problem);
    else say(said ?? edit.label);
    return problem === undefined;
  };
  /** Focuses the new node once it is drawn, which can take several frames. */
  const show = (frames = 300, from = document.activeElement): void => {
    const [id] = selected();
    if (id === undefined || frames === 0 || hasGoneOn(from)) return;
    requestAnimationFrame(() => (model().byId.has(id) ? canvas()?.focus(id) : show(frames - 1, from)));
  };
  /**
   * If no node has a position in the file, a new node gets none either, unless the user chose one. drawn.ts finds a
   * free position for it.
   */
  const placeFor = (beside: Beside): Point | undefined => {
    const { unplaced, order } = model();
    return beside.at === undefined && unplaced.length === order.length ? undefined : freePlace(beside);
  };
  const freePlace = ({ at, after }: Beside): Point => {
    if (at !== undefined) return [at.x, at.y];
    const place = after === undefined ? undefined : placeBeside(model(), after.source, "right");
    if (place !== undefined) return [place.x, place.y];
    const middle = canvas()?.toFlow() ?? { x: 0, y: 0 };
    const free = { x: middle.x - 114, y: middle.y - 39 };
    while (!isFree(model(), free)) free.y += 116;
    return [free.x, free.y];
  };
  /** Nodes pasted without a position follow the selected node, if exactly one is selected. */
  const pasted = (at: Place | undefined): Beside => {
    if (at !== undefined) return { at };
    const [only] = selected().length === 1 ? selected() : [];
    return only === undefined ? {} : { after: plainHandle(model(), { source: only }) };
  };
  const addCurl = async (text: string, where: Beside): Promise<void> => {
    const place = placeFor(where);
    const { at: _, ...follows } = where;
    const made = await curlEdit(text, { ...follows, at: place });
    if ("error" in made) toast(made.error);
    else if (put(settled(model(), made.edit, place), "Pasted")) {
      for (const told of made.told) toast(told);
      show();
    }
  };
  const addCommand = (text: string, where: Beside): void => {
    const content = text.trim();
    const kind = KINDS.find(({ id }) => id === (content.includes("\n") ? "script" : "cli"));
    const data = { ...kind?.data, content: content.includes("\n") ? `${content}\n` : content };
    const place = placeFor(where);
    const { at: _, ...follows } = where;
    const edit = addNode({ type: "cli", data, ...follows, at: place });
    if (put(settled(model(), edit, place), "Pasted")) show();
  };

  /** Moves nodes with a position in the file that a new or larger loop would cover. drawn.ts moves the others. */
  const withRoom = (edit: Edit): Edit => {
    const change = perform(session.store.getState().doc, edit);
    if (!change.ok) return edit;
    const after = drawingOf(change.value.doc, model().positions);
    const moved = grown(model(), after).flatMap((loop) => [...makeRoom(after, loop)]);
    const places = moved.flatMap(([id, { x, y }]): [string, Point][] =>
      after.unplaced.includes(id) ? [] : [[id, [x, y]]],
    );
    return places.length === 0 ? edit : together(edit.label, [edit, moveNodes(Object.fromEntries(places))]);
  };
  const put = (edit: Edit, said?: string): boolean => run(withRoom(edit), said);

  return {
    run,
    /** Use this for an edit that can make a loop larger. */
    put,
    add(kind: Kind, where: Beside) {
      const after = where.after === undefined ? undefined : plainHandle(model(), where.after);
      const data = dataFor(kind, after !== undefined, variableNames(session.store.getState().doc));
      const at = placeFor(where);
      const beside = { at, after };
      if (kind.type !== "loop") {
        if (put(settled(model(), addNode({ type: kind.type, data, ...beside }), at), `${kind.name} added`)) show();
        return;
      }
      // A new loop has a node in its body.
      const step = { title: "Repeat this", content: "pass ${i}" };
      const edit = settled(model(), addNode({ type: "text", data: step, ...beside }), at);
      const repeated = perform(session.store.getState().doc, edit);
      const ids = repeated.ok ? (repeated.value.select ?? []) : [];
      if (put(together(`Add ${kind.name}`, [edit, wrapInLoop(ids, data)]), "Loop added")) show();
    },
    /** `hinted`: a message says what else was deleted. */
    remove(heal: boolean, hinted = true) {
      const { selectedEdges } = session.store.getState();
      const ids = heal ? selected() : withLoops(model(), selected());
      const along = ids.length - selected().length;
      if (ids.length > 0 && run(removeNodes(ids, { heal })) && along > 1 && hinted)
        toast("A loop went with all that it repeats. Ctrl+Delete takes the loop alone.");
      else if (selectedEdges.size > 0) {
        const links = linksOf(model(), selectedEdges);
        // The focus moves to the source of the edge.
        if (run(disconnect(links)) && links[0] !== undefined) canvas()?.focus(links[0].source);
      }
    },
    connect(link: Link) {
      const problem = whyNot(model(), link);
      if (problem !== undefined) toast(problem);
      else if (put(connect(link.source, link.target, link.handle)) && link.source === selected()[0]) show();
    },
    nudge(way: Way, factor: number) {
      const by = STEP * factor;
      const [dx, dy] = { left: [-by, 0], right: [by, 0], up: [0, -by], down: [0, by] }[way] as [number, number];
      const ids = new Set(selected().flatMap((id) => [id, ...(model().loops.get(id)?.inside ?? [])]));
      const places: Record<string, Point> = {};
      for (const id of ids) {
        const place = model().positions.get(id);
        if (place !== undefined) places[id] = [place.x + dx, place.y + dy];
      }
      if (ids.size > 0) run(settled(model(), moveNodes(places), true), "Moved");
    },
    move(places: Record<string, Point>) {
      run(settled(model(), moveNodes(places), true), "Moved");
    },
    walk(way: Way) {
      const [from] = selected();
      const [edge] = linksOf(model(), session.store.getState().selectedEdges);
      const to =
        edge !== undefined
          ? edge[way === "left" || way === "up" ? "source" : "target"]
          : from === undefined
            ? model().order[0]
            : neighbour(model(), from, way);
      if (to === undefined) return;
      session.select([to]);
      canvas()?.focus(to);
      say(model().byId.get(to)?.title ?? to);
    },
    duplicate() {
      if (run(duplicateNodes(session.store.getState().doc, withLoops(model(), selected())))) show();
    },
    wrap() {
      if (!put(wrapInLoop(selected()))) return;
      session.select(selected().slice(0, 1));
      show();
    },
    align(line: Line) {
      if (selected().length > 1) run(settled(model(), moveNodes(aligned(model(), selected(), line), "Align"), true));
    },
    async tidy() {
      const { tidy } = await import("../canvas/tidy.ts");
      const places = await tidy(model());
      if (run(moveNodes(places, "Tidy"))) setTimeout(() => canvas()?.fitAll(), 80);
    },
    /** Inserts a snippet or a call of the catalogue. */
    insert(name: string, text: string, where: Beside) {
      const after = where.after === undefined ? undefined : plainHandle(model(), where.after);
      const at = placeFor(where);
      const beside = { at, after };
      if (put(settled(model(), insertPiece(text, `Add ${name}`, beside), at), `${name} added`)) show();
    },
    /** The selection as text, including the declarations that it needs. */
    piece: () => pieceOf(session.store.getState().doc, withLoops(model(), selected())),
    /** Resolves to false if the text is neither a command nor nodes. */
    async paste(text: string, at: Place | undefined): Promise<boolean> {
      if (isCurl(text)) {
        await addCurl(text, pasted(at));
        return true;
      }
      if (isTooLarge(text)) {
        toast(`Nothing was pasted: a workflow has at most ${TOO_LARGE}.`);
        return true;
      }
      if (!isPasteable(text)) return false;
      const others = otherMeanings(session.store.getState().doc, text);
      const paste = insertPiece(text, "Paste", at === undefined ? {} : { at: [at.x, at.y] });
      if (!put(settled(model(), paste, at))) return true;
      show();
      if (others.length > 0) toast(`${listed(others)}: this workflow's own counts, not what was copied along.`);
      return true;
    },
    /** Adds any text as a command, because the user asked for it. */
    pasteCommand: (text: string, at: Place | undefined) => addCommand(text, pasted(at)),
    /** Adds a command that the user typed in the box of kinds. */
    async addTyped(text: string, { at, after }: Beside) {
      const follows = after === undefined ? {} : { after: plainHandle(model(), after) };
      const where = { at, ...follows };
      if (isCurl(text)) await addCurl(text, where);
      else addCommand(text, where);
    },
    undo: () => void told(session.undo()),
    redo: () => void told(session.redo()),
    together: (label: string, edits: readonly Edit[]) => run(together(label, edits)),
  };
}

/** If one node gets a position, the positions of all others are written as well, so that nothing moves. */
function settled(model: CanvasModel, edit: Edit, at: unknown): Edit {
  if (at === undefined || model.unplaced.length === 0) return edit;
  const places: Record<string, Point> = {};
  for (const id of model.unplaced) {
    const place = model.positions.get(id);
    if (place !== undefined) places[id] = [place.x, place.y];
  }
  const both = together(edit.label, [moveNodes(places), edit]);
  return edit.key === undefined ? both : { ...both, key: edit.key };
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(", ");
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}

function told(problem: string | undefined): void {
  if (problem !== undefined) toast(problem);
}

/** An edge from an IF without a named port uses `true`, or `false` if `true` is already connected. */
function plainHandle(model: CanvasModel, from: { source: string; handle?: string }) {
  if (model.byId.get(from.source)?.type !== "if" || from.handle !== undefined) return from;
  const taken = model.edges.some(({ source, handle }) => source === from.source && handle === "true");
  return { ...from, handle: taken ? "false" : "true" };
}

function linksOf(model: CanvasModel, keys: ReadonlySet<string>): Link[] {
  return model.edges
    .filter(({ key }) => keys.has(key))
    .map(({ source, target, handle }) => ({ source, target, handle }));
}

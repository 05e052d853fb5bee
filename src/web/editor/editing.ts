// Editing: makes edits for the operations, and places what they add.
//   G1. A node that gets a position in the file moves no other. A node that would move gets its position as well.
//   G2. A new or larger loop covers no other node: those with a position in the file move. drawn.ts moves the others.

import { CARD, type Point as Place } from "../../workflow/drawing/layout.ts";
import type { CanvasHandle } from "../canvas/canvas.tsx";
import { grown, makeRoom } from "../canvas/collision.ts";
import type { CanvasEdge, CanvasModel } from "../canvas/model.ts";
import {
  type Doc,
  type Edit,
  type Link,
  moveNodes,
  nodesOf,
  type Point,
  partnersOf,
  perform,
  spoken,
  together,
} from "../document/index.ts";
import { hasGoneOn } from "../ui/focus.ts";
import { say, toast } from "../ui/toast.tsx";
import { rewired } from "./feeding.ts";
import { drawingOf } from "./read.ts";
import { COLUMN, freePlace, loopAround, placeBeside } from "./rules.ts";
import type { Session } from "./session.ts";

export interface EditDeps {
  session: Session;
  model: () => CanvasModel;
  canvas: () => CanvasHandle | null;
}

/** Where a new node goes: at a point, after another node, or on an edge. */
export interface Beside {
  at?: Place;
  after?: { source: string; handle?: string };
  on?: Link;
}

export interface Placed {
  at?: Point;
  after?: Beside["after"];
}

interface Adding {
  /** How many nodes it puts in a row. */
  count?: number;
  /** Whether the new node gets the focus. */
  focus?: boolean;
}

const FRAMES_MAX = 300;

export class Editing {
  readonly deps: EditDeps;
  constructor(deps: EditDeps) {
    this.deps = deps;
  }

  get model(): CanvasModel {
    return this.deps.model();
  }
  get doc(): Doc {
    return this.deps.session.store.getState().doc;
  }
  get selected(): string[] {
    return [...this.deps.session.store.getState().selected];
  }

  selectedLinks(): Link[] {
    const { selectedEdges } = this.deps.session.store.getState();
    return this.model.edges
      .filter(({ key, kind }) => selectedEdges.has(key) && kind === "edge")
      .map(({ source, target, handle }) => ({ source, target, handle }));
  }

  selectedReference(): CanvasEdge | undefined {
    const { selectedEdges } = this.deps.session.store.getState();
    return this.model.edges.find(({ key, kind }) => selectedEdges.has(key) && kind === "reference");
  }

  /** Makes an edit, and says `said` or why it is not possible. */
  run(edit: Edit, said = spoken(edit.label, this.doc.plain ?? {})): boolean {
    const problem = this.deps.session.edit(edit);
    if (problem !== undefined) toast(problem);
    else say(said);
    return problem === undefined;
  }

  /** For an edit that can make a loop larger (G2). */
  put(edit: Edit, said?: string): boolean {
    return this.run(this.#withRoom(edit), said);
  }

  /** For an edit that sets positions (G1). */
  place(edit: Edit, said?: string): boolean {
    return this.run(this.#settled(edit), said);
  }

  /** Adds what `make` returns for a place, and shows it. */
  add(where: Beside, said: string, make: (place: Placed) => Edit, { count = 1, focus = true }: Adding = {}): boolean {
    const { edit, after } = this.adding(where, make, count);
    const known = new Set(this.model.byId.keys());
    const isDone = this.put(edit, said);
    const added = nodesOf(this.doc.plain ?? {}).flatMap(({ id }) => (known.has(id) ? [] : [id]));
    if (isDone) this.show([...added, ...(after === undefined ? [] : [after.source])], focus);
    return isDone;
  }

  /** With only an edge selected, the new node is put on the edge. In a loop, it leads to the loop's end. */
  adding(where: Beside, make: (place: Placed) => Edit, count = 1): { edit: Edit; after: Beside["after"] } {
    const on = where.on ?? this.#selectedWay(where);
    const from = on ?? (where.after && this.#withPort(where.after));
    const after = from && { source: from.source, handle: from.handle };
    const at = this.#placeFor({ ...where, after }, count);
    const edit = this.#ledOn(make({ at, after }), on ?? this.#wayOut(after));
    return { edit: at === undefined ? edit : this.#settled(edit), after };
  }

  /** Shows the selected node once the model has it, which can take several frames. `along` comes into view with it. */
  show(along: readonly string[] = [], focus = true): void {
    const [id] = this.selected;
    const from = document.activeElement;
    const look = (frames: number): void => {
      if (id === undefined || frames === 0 || (focus && hasGoneOn(from))) return;
      const canvas = this.deps.canvas();
      if (!this.model.byId.has(id)) requestAnimationFrame(() => look(frames - 1));
      else if (focus) canvas?.focus(id, along);
      else canvas?.show([id, ...along]);
    };
    requestAnimationFrame(() => look(FRAMES_MAX));
  }

  /** The selected edge, for a node that has no other place. */
  #selectedWay({ at, after }: Beside): Link | undefined {
    const [way, ...others] = this.selectedLinks();
    return at === undefined && after === undefined && others.length === 0 ? way : undefined;
  }

  /** From a node in a loop to the loop's end, or undefined outside of loops. */
  #wayOut(after: Beside["after"]): Link | undefined {
    const loop = after && loopAround(this.model, after.source);
    return loop && { source: after.source, handle: after.handle, target: loop.end.id };
  }

  /** The edit, and an edge from what it adds to the target of `way`, instead of `way`. */
  #ledOn(edit: Edit, way: Link | undefined): Edit {
    const change = way && perform(this.doc, edit);
    if (way === undefined || !change?.ok) return edit;
    const { doc, select = [] } = change.value;
    const added = select.at(-1);
    if (added === undefined) return edit;
    const source = partnersOf(doc, [added])[0] ?? added;
    const isIf = nodesOf(doc.plain ?? {}).some(({ id, type }) => id === source && type === "if");
    return together(edit.label, [
      edit,
      rewired(this.doc, way, { source, target: way.target, handle: isIf ? "true" : undefined }),
    ]);
  }

  /** `undefined` if no node has a position in the file and the user chose none: drawn.ts finds a free one. */
  #placeFor({ at, after }: Beside, count: number): Point | undefined {
    const { unplaced, order } = this.model;
    if (at === undefined && unplaced.length === order.length) return undefined;
    // A node after another one may be out of view: it is brought into view then.
    const { x, y } =
      after === undefined
        ? freePlace(this.model, at, this.deps.canvas()?.visible(), {
            width: CARD.width + (count - 1) * COLUMN,
            height: CARD.height,
          })
        : (at ?? placeBeside(this.model, after.source, "right"));
    return [x, y];
  }

  /** An edge from an IF without a named port uses `true`, or `false` if `true` is already connected. */
  #withPort(from: { source: string; handle?: string }) {
    const { byId, edges } = this.model;
    if (byId.get(from.source)?.type !== "if" || from.handle !== undefined) return from;
    const isTaken = edges.some(({ source, handle }) => source === from.source && handle === "true");
    return { ...from, handle: isTaken ? "false" : "true" };
  }

  /** G1. Each round writes the positions of nodes that the file alone would draw elsewhere. */
  #settled(edit: Edit): Edit {
    const { unplaced, positions } = this.model;
    const places: Record<string, Point> = {};
    for (;;) {
      const keep = moveNodes(places);
      const settled = Object.keys(places).length === 0 ? edit : together(edit.label, [keep, edit]);
      const change = perform(this.doc, settled);
      if (!change.ok) return edit;
      const after = drawingOf(change.value.doc);
      const moved = unplaced.filter((id) => {
        const [was, is] = [positions.get(id), after.positions.get(id)];
        return after.unplaced.includes(id) && (was?.x !== is?.x || was?.y !== is?.y);
      });
      if (moved.length === 0) return { ...settled, key: edit.key };
      for (const id of moved) places[id] = [positions.get(id)!.x, positions.get(id)!.y];
    }
  }

  #withRoom(edit: Edit): Edit {
    const change = perform(this.doc, edit);
    if (!change.ok) return edit;
    const after = drawingOf(change.value.doc, this.model.positions);
    const moved = grown(this.model, after).flatMap((loop) => [...makeRoom(after, loop)]);
    const places = moved.flatMap(([id, { x, y }]): [string, Point][] =>
      after.unplaced.includes(id) ? [] : [[id, [x, y]]],
    );
    return places.length === 0 ? edit : together(edit.label, [edit, moveNodes(Object.fromEntries(places))]);
  }
}

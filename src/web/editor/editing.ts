// Editing: makes edits for the operations, and places what they add.
//   G1. If one node gets a position in the file, all others get theirs as well, so that nothing moves.
//   G2. A new or larger loop covers no other node: those with a position in the file move. drawn.ts moves the others.

import { CARD, type Point as Place } from "../../workflow/drawing/layout.ts";
import type { CanvasHandle } from "../canvas/canvas.tsx";
import { grown, makeRoom } from "../canvas/collision.ts";
import type { CanvasModel } from "../canvas/model.ts";
import { type Doc, type Edit, type Link, moveNodes, type Point, perform, together } from "../document/index.ts";
import { hasGoneOn } from "../ui/focus.ts";
import { say, toast } from "../ui/toast.tsx";
import { drawingOf } from "./read.ts";
import { isFree, placeBeside, ROW } from "./rules.ts";
import type { Session } from "./session.ts";

export interface EditDeps {
  session: Session;
  model: () => CanvasModel;
  canvas: () => CanvasHandle | null;
}

/** Where a new node goes: at a point, after another node, or both. */
export interface Beside {
  at?: Place;
  after?: { source: string; handle?: string };
}

export interface Placed {
  at?: Point;
  after?: Beside["after"];
}

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
      .filter(({ key }) => selectedEdges.has(key))
      .map(({ source, target, handle }) => ({ source, target, handle }));
  }

  /** Makes an edit, and says `said` or why it is not possible. */
  run(edit: Edit, said = edit.label): boolean {
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
  add(where: Beside, said: string, make: (place: Placed) => Edit): boolean {
    const after = where.after === undefined ? undefined : this.#withPort(where.after);
    const at = this.#placeFor(where);
    const edit = make({ at, after });
    const isDone = this.put(at === undefined ? edit : this.#settled(edit), said);
    if (isDone) this.show();
    return isDone;
  }

  /** Focuses the selected node once it is drawn, which can take several frames. */
  show(frames = 300, from = document.activeElement): void {
    const [id] = this.selected;
    if (id === undefined || frames === 0 || hasGoneOn(from)) return;
    requestAnimationFrame(() =>
      this.model.byId.has(id) ? this.deps.canvas()?.focus(id) : this.show(frames - 1, from),
    );
  }

  /** `undefined` if no node has a position in the file and the user chose none: drawn.ts finds a free one. */
  #placeFor({ at, after }: Beside): Point | undefined {
    const { unplaced, order } = this.model;
    if (at !== undefined) return [at.x, at.y];
    if (unplaced.length === order.length) return undefined;
    if (after !== undefined) {
      const { x, y } = placeBeside(this.model, after.source, "right");
      return [x, y];
    }
    const middle = this.deps.canvas()?.toFlow() ?? { x: 0, y: 0 };
    const free = { x: middle.x - CARD.width / 2, y: middle.y - CARD.height / 2 };
    while (!isFree(this.model, free)) free.y += ROW;
    return [free.x, free.y];
  }

  /** An edge from an IF without a named port uses `true`, or `false` if `true` is already connected. */
  #withPort(from: { source: string; handle?: string }) {
    const { byId, edges } = this.model;
    if (byId.get(from.source)?.type !== "if" || from.handle !== undefined) return from;
    const isTaken = edges.some(({ source, handle }) => source === from.source && handle === "true");
    return { ...from, handle: isTaken ? "false" : "true" };
  }

  #settled(edit: Edit): Edit {
    const { unplaced, positions } = this.model;
    if (unplaced.length === 0) return edit;
    const places = unplaced.flatMap((id): [string, Point][] => {
      const at = positions.get(id);
      return at === undefined ? [] : [[id, [at.x, at.y]]];
    });
    return { ...together(edit.label, [moveNodes(Object.fromEntries(places)), edit]), key: edit.key };
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

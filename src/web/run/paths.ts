// paths: parses and builds paths of nodes and iterations in a run (`fetch`, `fetch[2]`, `cell[1][0]`). Pure.

import { indexesOf } from "../../scheduler/state.ts";

/** `cell[1][0]` → `cell`. */
export function idOf(path: string): string {
  const bracket = path.indexOf("[");
  return bracket === -1 ? path : path.slice(0, bracket);
}

export function pathOf(id: string, indexes: readonly number[]): string {
  return indexes.length === 0 ? id : `${id}[${indexes.join("][")}]`;
}

/** The loop and index of an iteration's path: `pages[1][4]` → `pages[1]` and 4. */
export function passOf(path: string): { loop: string; index: number } {
  const indexes = indexesOf(path);
  const index = indexes.pop() ?? 0;
  return { loop: pathOf(idOf(path), indexes), index };
}

/** Counted from 1, for display. */
export function passText(path: string): string {
  return indexesOf(path)
    .map((index) => `iteration ${index + 1}`)
    .join(", ");
}

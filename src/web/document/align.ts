// align: matches the items of a changed list with those of the old list, and the keys of a changed map.

import { isMapValue, isSame } from "./equal.ts";
import type { Plain } from "./types.ts";

/**
 * For each new item, the index of the old item that it was, or -1 if it is new. Nodes match by id, other items by
 * content. An unknown item after the same predecessor as a lost one counts as that item, changed.
 */
export function align(before: readonly unknown[], after: readonly unknown[]): number[] {
  const places = new Map<unknown, number[]>();
  for (const [index, value] of before.entries()) {
    const list = places.get(nameOf(value));
    if (list === undefined) places.set(nameOf(value), [index]);
    else list.push(index);
  }
  const from = after.map((value) => places.get(nameOf(value))?.shift() ?? -1);
  const taken = new Set(from);
  for (const [at, value] of after.entries()) {
    if (from[at] !== -1 || (at > 0 && from[at - 1] === -1)) continue;
    const old = at === 0 ? 0 : from[at - 1]! + 1;
    if (old >= before.length || taken.has(old) || isMapValue(before[old]) !== isMapValue(value)) continue;
    from[at] = old;
    taken.add(old);
  }
  return from;
}

function nameOf(value: unknown): unknown {
  if (isMapValue(value) && typeof value.id === "string") return `id ${value.id}`;
  return typeof value === "object" ? JSON.stringify(value) : value;
}

/** Renamed keys, from old to new. A key was renamed if another key with the same value replaced it. */
export function renamedKeys(before: Plain, after: Plain): Map<string, string> {
  const renamed = new Map<string, string>();
  const names = Object.keys(before);
  const keys = Object.keys(after);
  if (names.length !== keys.length) return renamed;
  for (const [index, name] of names.entries()) {
    const key = keys[index]!;
    const moved = name !== key && !Object.hasOwn(after, name) && !Object.hasOwn(before, key);
    if (moved && isSame(before[name], after[key])) renamed.set(name, key);
  }
  return renamed;
}

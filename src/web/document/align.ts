// align: matches the items of a changed list with those of the old list.
//   A1. Nodes match by id and other items by identity, then the rest by content. A remaining item after the same
//       predecessor counts as changed.

import { isMapValue, isSame } from "./equal.ts";
import type { Plain } from "./types.ts";

/** For each new item, the index of the old item that it was, or -1 if it is new. */
export function align(before: readonly unknown[], after: readonly unknown[]): number[] {
  const from = new Array<number>(after.length).fill(-1);
  const free = new Set(before.keys());
  const take = (at: number, old: number): void => {
    from[at] = old;
    free.delete(old);
  };
  matchBy(before, after, from, take, free, identity);
  matchBy(before, after, from, take, free, content);
  pairGaps(before, after, from, take, free);
  return from;
}

const identity = (value: unknown): unknown =>
  isMapValue(value) && typeof value.id === "string" && "type" in value ? `id ${value.id}` : value;
const content = (value: unknown): unknown => JSON.stringify(value);

function matchBy(
  before: readonly unknown[],
  after: readonly unknown[],
  from: number[],
  take: (at: number, old: number) => void,
  free: Set<number>,
  key: (value: unknown) => unknown,
): void {
  const known = new Map<unknown, number[]>();
  for (const old of free) {
    const at = key(before[old]);
    const list = known.get(at);
    if (list === undefined) known.set(at, [old]);
    else list.push(old);
  }
  for (const [at, value] of after.entries()) {
    if (from[at] !== -1) continue;
    const old = known.get(key(value))?.shift();
    if (old !== undefined) take(at, old);
  }
}

/** Matches a remaining old item with the remaining new item after the same predecessor: one became the other. */
function pairGaps(
  before: readonly unknown[],
  after: readonly unknown[],
  from: number[],
  take: (at: number, old: number) => void,
  free: Set<number>,
): void {
  for (const old of [...free]) {
    const previous = old === 0 ? -1 : from.indexOf(old - 1);
    if (old > 0 && previous === -1) continue;
    const at = previous + 1;
    if (at >= after.length || from[at] !== -1) continue;
    if (isMapValue(before[old]) === isMapValue(after[at])) take(at, old);
  }
}

/** The largest set of items that can keep their order. */
export function staying(from: readonly number[]): Set<number> {
  const tails: number[] = [];
  const previous = new Map<number, number>();
  for (const [at, old] of from.entries()) {
    if (old === -1) continue;
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (from[tails[middle]!]! < old) low = middle + 1;
      else high = middle;
    }
    if (low > 0) previous.set(at, tails[low - 1]!);
    tails[low] = at;
  }
  const stay = new Set<number>();
  for (let at = tails.at(-1); at !== undefined; at = previous.get(at)) stay.add(at);
  return stay;
}

/** Renamed keys, from old to new. A key was renamed if another key with the same value replaced it. */
export function renamedKeys(
  names: readonly string[],
  keys: readonly string[],
  before: Plain,
  after: Plain,
): Map<string, string> {
  const renamed = new Map<string, string>();
  if (names.length !== keys.length) return renamed;
  for (const [index, name] of names.entries()) {
    const key = keys[index]!;
    const moved = name !== key && !Object.hasOwn(after, name) && !Object.hasOwn(before, key);
    if (moved && isSame(before[name], after[key])) renamed.set(name, key);
  }
  return renamed;
}

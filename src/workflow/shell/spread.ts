// shell/spread: values handed on from variable to variable until nothing new is found (see taint.ts, T1).

import { limits } from "../../base/limits.ts";
import type { Gift } from "./gifts.ts";
import { pathOf } from "./paths.ts";
import type { Origin, Origins, Sources } from "./taint.ts";

export function isStored(name: string, { stored }: Origin): boolean {
  return stored === true || pathOf(name) !== undefined;
}

/** T1. Ends: an origin is added at most once a name, mark and kind, and handed on once. */
export function spread(gifts: readonly (Gift & { sources: Sources })[], held: Origins): Origins | undefined {
  const origins = new Map<string, Origin[]>();
  const seen = new Map<string, Set<number>>();
  const waiting: { name: string; origin: Origin }[] = [];
  let count = 0;
  const add = (name: string, origin: Origin): void => {
    const known = seen.get(name) ?? new Set();
    seen.set(name, known);
    const key =
      origin.mark.index * 8 + Number(origin.stored ?? false) * 4 + Number(origin.whole) * 2 + Number(origin.copied);
    if (known.has(key)) return;
    known.add(key);
    count++;
    const list = origins.get(name);
    if (list === undefined) origins.set(name, [origin]);
    else list.push(origin);
    waiting.push({ name, origin });
  };
  const readers = new Map<string, { to: string; whole: boolean; copied: boolean }[]>();
  for (const { name: to, sources } of gifts) {
    for (const origin of sources.direct) add(to, origin);
    for (const { name, whole, copied } of sources.names) {
      const known = readers.get(name);
      if (known === undefined) readers.set(name, [{ to, whole, copied }]);
      else if (!known.some((other) => other.to === to && other.whole === whole && other.copied === copied))
        known.push({ to, whole, copied });
    }
  }
  for (const [name, from] of held) for (const origin of from) add(name, origin);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (count > limits.templateOriginsMax) return undefined;
    const { mark, whole, copied } = next.origin;
    for (const reader of readers.get(next.name) ?? [])
      add(reader.to, {
        mark,
        whole: whole && reader.whole,
        copied: copied && reader.copied,
        stored: isStored(next.name, next.origin),
      });
  }
  return origins;
}

// in-order: merges events of one run from a list and the stream into a sequence without gaps or duplicates. Pure.

/** Appends events in the order of `seq`, which counts from 1. Events that arrive before their predecessors wait. */
export function addInOrder<Event extends { seq: number }>(
  events: Event[],
  early: Map<number, Event>,
  found: readonly Event[],
): void {
  for (const event of found) if (event.seq > events.length) early.set(event.seq, event);
  for (let next = early.get(1 + events.length); next !== undefined; next = early.get(1 + events.length)) {
    early.delete(next.seq);
    events.push(next);
  }
}

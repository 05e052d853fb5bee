// in-order: merges events of one run from a list and the stream into a sequence without gaps or duplicates. Pure.

export interface Row<Event extends { seq: number }> {
  /** From 1 on, without a gap. The same array if nothing was added. */
  events: readonly Event[];
  /** Events that arrived before their predecessors. */
  early: readonly Event[];
}

export function inOrder<Event extends { seq: number }>(row: Row<Event>, found: readonly Event[]): Row<Event> {
  const all = [...row.early, ...found].sort((one, other) => one.seq - other.seq);
  const added: Event[] = [];
  const early: Event[] = [];
  let last = row.events.at(-1)?.seq ?? 0;
  for (const event of all) {
    if (event.seq === last + 1) {
      added.push(event);
      last = event.seq;
    } else if (event.seq > last && event.seq !== early.at(-1)?.seq) early.push(event);
  }
  return { events: added.length === 0 ? row.events : [...row.events, ...added], early };
}

// in-order: events of one run that come from a list and from the stream, put into one row without a gap and without a double. Pure.

export interface Row<Event extends { seq: number }> {
  /** From 1 on, without a gap. The same array where nothing was added. */
  events: readonly Event[];
  /** What came before its turn. */
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

// Events from two sources become one sequence, whatever their order and repetitions.

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { inOrder, type Row } from "./in-order.ts";

const of = (...seqs: number[]) => seqs.map((seq) => ({ seq }));
const empty: Row<{ seq: number }> = { events: [], early: [] };
const seqs = (events: readonly { seq: number }[]) => events.map(({ seq }) => seq);

test("what comes before its turn waits for it; what is known is left out", () => {
  const first = inOrder(empty, of(3, 4));
  expect([seqs(first.events), seqs(first.early)]).toEqual([[], [3, 4]]);
  const second = inOrder(first, of(1, 2, 3));
  expect([seqs(second.events), seqs(second.early)]).toEqual([[1, 2, 3, 4], []]);
  const third = inOrder(second, of(2, 4));
  expect(third.events).toBe(second.events);
});

test("parts of a run in any order, overlapping and repeated, make the whole run", () => {
  const parts = fc.array(fc.tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 0, max: 8 })), { maxLength: 40 });
  fc.assert(
    fc.property(parts, (cuts) => {
      let row = empty;
      for (const [from, length] of cuts) row = inOrder(row, of(...Array.from({ length }, (_, at) => from + at)));
      const known = new Set(cuts.flatMap(([from, length]) => Array.from({ length }, (_, at) => from + at)));
      let last = 0;
      while (known.has(last + 1)) last += 1;
      expect(seqs(row.events)).toEqual(Array.from({ length: last }, (_, at) => at + 1));
      expect(seqs(row.early)).toEqual([...known].filter((seq) => seq > last).sort((one, other) => one - other));
    }),
  );
});

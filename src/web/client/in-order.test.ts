// Events from two sources become one sequence, whatever their order and repetitions.

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { addInOrder } from "./in-order.ts";

test("parts of a run in any order, overlapping and repeated, make the whole run", () => {
  const parts = fc.array(fc.tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 0, max: 8 })), { maxLength: 40 });
  fc.assert(
    fc.property(parts, (cuts) => {
      const events: { seq: number }[] = [];
      const early = new Map<number, { seq: number }>();
      const cutsOf = cuts.map(([from, length]) => Array.from({ length }, (_, at) => from + at));
      for (const seqs of cutsOf)
        addInOrder(
          events,
          early,
          seqs.map((seq) => ({ seq })),
        );
      const known = new Set(cutsOf.flat());
      let last = 0;
      while (known.has(last + 1)) last += 1;
      expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: last }, (_, at) => at + 1));
      expect([...early.keys()].toSorted((a, b) => a - b)).toEqual(
        [...known].filter((seq) => seq > last).toSorted((a, b) => a - b),
      );
    }),
  );
});

import fc from "fast-check";
import { expect, it } from "vitest";
import { noHistory, record, redo, undo } from "./history.ts";
import { applyEdits, inverseOf } from "./text-edits.ts";
import type { TextEdit } from "./types.ts";

function done(text: string, edits: readonly TextEdit[], key = "k") {
  return edits.reduce(
    ({ now, history }, edit, at) => ({
      now: applyEdits(now, [edit]),
      history: record(
        history,
        { label: "Type", key, edits: [edit], inverse: inverseOf(now, [edit]), at: at * 50 },
        now,
      ),
    }),
    { now: text, history: noHistory },
  );
}

it("neighbouring keystrokes are one step: typing on, deleting backwards, deleting forwards", () => {
  const { now, history } = done("one two three", [
    { from: 7, to: 7, insert: "!" },
    { from: 7, to: 8, insert: "" },
    { from: 6, to: 7, insert: "" },
    { from: 5, to: 6, insert: "" },
    { from: 5, to: 6, insert: "" },
    { from: 5, to: 5, insert: "O" },
  ]);
  expect(now).toBe("one tOthree");
  expect(history.done).toHaveLength(1);
  const undone = undo(now, history);
  expect(undone).toMatchObject({ text: "one two three" });
  if (undone === undefined || "conflict" in undone) throw new Error("cannot be undone");
  expect(redo(undone.text, undone.history)).toMatchObject({ text: now });
});

it("an edit elsewhere is a separate step", () => {
  const edits = [
    { from: 0, to: 0, insert: "a" },
    { from: 5, to: 6, insert: "" },
  ];
  expect(done("one two three", edits).history.done).toHaveLength(2);
});

it("joined or not, undo gives back every byte and redo does it again", () => {
  const wanted = fc.array(fc.tuple(fc.nat(), fc.nat(4), fc.string({ maxLength: 3 })), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(wanted, (drawn) => {
      const text = "some text to be changed";
      let [now, history] = [text, noHistory];
      for (const [at, [place, length, insert]] of drawn.entries()) {
        const from = place % (now.length + 1);
        const edits = [{ from, to: Math.min(now.length, from + length), insert }];
        history = record(history, { label: "Type", key: "k", edits, inverse: inverseOf(now, edits), at }, now);
        now = applyEdits(now, edits);
      }
      let [back, left] = [now, history];
      for (let step = undo(back, left); step !== undefined && !("conflict" in step); step = undo(back, left))
        [back, left] = [step.text, step.history];
      expect(back).toBe(text);
      for (let step = redo(back, left); step !== undefined && !("conflict" in step); step = redo(back, left))
        [back, left] = [step.text, step.history];
      expect(back).toBe(now);
    }),
  );
});

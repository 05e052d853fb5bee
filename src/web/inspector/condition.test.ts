import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ConditionRow, OPERATORS, readCondition, rightSide, writeCondition } from "./condition.ts";

describe("a condition as rows", () => {
  it("shows and writes what is plain", () => {
    const text = 'inputs[0].status = "open" and i < 3 and vars.done';
    const read = readCondition(text);
    expect(read).toEqual({
      join: "and",
      rows: [
        { left: "inputs[0].status", operator: "=", right: '"open"' },
        { left: "i", operator: "<", right: "3" },
        { left: "vars.done", operator: "is true", right: "" },
      ],
    });
    expect(read && writeCondition(read.join, read.rows)).toBe(text);
  });

  it("leaves to the text what rows would change: mixed and/or, functions of more than paths, parentheses", () => {
    for (const text of [
      "a = 1 and b = 2 or c = 3",
      "$count(inputs[a = 1]) > 2",
      "$f($g(a)) = 1",
      "(a = 1)",
      "a =",
      "${1} == done",
    ])
      expect(readCondition(text), text).toBeUndefined();
    expect(readCondition('$count(inputs[0]) > 2 and $contains(vars.a, "b")')?.rows).toEqual([
      { left: "$count(inputs[0])", operator: ">", right: "2" },
      { left: '$contains(vars.a, "b")', operator: "is true", right: "" },
    ]);
    expect(readCondition("a = 1 or b = 2")).toMatchObject({ join: "or" });
    expect(readCondition("  ")).toEqual({ join: "and", rows: [] });
  });

  it("takes a plain word on the right for text, and leaves numbers, texts and paths as they are", () => {
    expect(["open", "3", "-1.5", '"x"', "true", "inputs[1].id", "exitCode", "it's"].map(rightSide)).toEqual([
      '"open"',
      "3",
      "-1.5",
      '"x"',
      "true",
      "inputs[1].id",
      "exitCode",
      '"it\'s"',
    ]);
  });

  it("reads back the rows that it wrote, whatever they are", () => {
    const name = fc.constantFrom("inputs[0].a", "exitCode", "vars.x_1", "item.name", "i");
    const right = fc.oneof(fc.constantFrom("1", "2.5", "true", "null", "vars.y"), fc.stringMatching(/^"[a-z ]{0,5}"$/));
    const row = fc
      .record({ left: name, operator: fc.constantFrom(...OPERATORS), right })
      .map((each): ConditionRow => (each.operator === "is true" ? { ...each, right: "" } : each));
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 1, maxLength: 4 }),
        fc.constantFrom("and" as const, "or" as const),
        (rows, join) => {
          const expected = rows.length === 1 ? "and" : join;
          expect(readCondition(writeCondition(join, rows))).toEqual({ join: expected, rows });
        },
      ),
    );
  });
});

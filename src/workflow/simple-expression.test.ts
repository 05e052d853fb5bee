// What is answered without JSONata is what JSONata answers (S1, S2), over generated expressions and values. The seed is printed on failure.

import * as fc from "fast-check";
import jsonata from "jsonata";
import { expect, test } from "vitest";
import { namesIn } from "./expression-names.ts";
import { answerSimple, simpleExpression, simpleNames } from "./simple-expression.ts";

const name = fc.constantFrom(
  "a",
  "b",
  "inputs",
  "vars",
  "exitCode",
  "i",
  "constructor",
  "length",
  "and",
  "function",
  "true",
  "toString",
  "__proto__",
);
const literal = fc.constantFrom(
  "0",
  "1",
  "2",
  "1.5",
  "10",
  '"open"',
  "'open'",
  '""',
  '"1"',
  "true",
  "false",
  "null",
  "-1",
  "007",
  "1e3",
  '"\\n"',
  "[0]",
);
const step = fc.oneof(
  fc.tuple(fc.constantFrom(".", " . ", ".."), name).map(([dot, one]) => dot + one),
  fc.constantFrom("[0]", "[1]", "[ 2 ]", "[-1]", "[0.5]", "[a]", "[]", '["a"]'),
);
const path = fc.tuple(name, fc.array(step, { maxLength: 3 })).map(([first, rest]) => first + rest.join(""));
const operand = fc.oneof({ weight: 3, arbitrary: path }, { weight: 2, arbitrary: literal });
const operator = fc.constantFrom("=", " = ", "!=", " < ", "<=", " >", ">=", " & ", " in ", " + ", "==");
const condition = fc.oneof(
  operand,
  fc.tuple(operand, operator, operand).map((parts) => parts.join("")),
);
const expression = fc
  .tuple(
    condition,
    fc.array(fc.tuple(fc.constantFrom(" and ", " or ", "\nand\t", "and", " "), condition), { maxLength: 3 }),
    fc.constantFrom("", " ", "\n", ")"),
  )
  .map(([first, rest, end]) => first + rest.flat().join("") + end);
const scalar = fc.constantFrom<unknown>(0, 1, 2, 1.5, -1, 10, "", "open", "1", "a", true, false, null);
const json = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: "small", withCrossShrink: true }, scalar, tie("list"), tie("map")),
  list: fc.array(tie("value"), { maxLength: 3 }),
  map: fc.dictionary(fc.constantFrom("a", "b", "i", "length", "constructor"), tie("value"), { maxKeys: 3 }),
})).value;
const scope = fc.record(
  {
    a: json,
    b: json,
    i: json,
    exitCode: fc.constantFrom(0, 1, 22),
    inputs: fc.array(json, { maxLength: 3 }),
    vars: fc.dictionary(fc.constantFrom("a", "b"), json),
  },
  { requiredKeys: [] },
);

test("every answer given here is JSONata's answer", async () => {
  let [read, answered, yes] = [0, 0, 0];
  await fc.assert(
    fc.asyncProperty(expression, scope, async (text, given) => {
      const simple = simpleExpression(text);
      if (simple === undefined) return;
      read += 1;
      // S2: this throws when JSONata cannot read it.
      const compiled = jsonata(text);
      expect({ text, names: simpleNames(simple) }).toEqual({ text, names: namesIn(compiled.ast(), text) });
      const names = JSON.parse(JSON.stringify(given)) as Record<string, unknown>;
      const mine = answerSimple(simple, given);
      if (mine === undefined) return;
      answered += 1;
      if (mine.value === true) yes += 1;
      expect({ text, names, value: await compiled.evaluate(names) }).toEqual({ text, names, value: mine.value });
    }),
    { numRuns: Number(process.env.CHECK_FULL === "1" ? 400_000 : 40_000) },
  );
  // The test says something: a fair share is answered here, both ways.
  expect(read).toBeGreaterThan(2_000);
  expect(answered).toBeGreaterThan(1_000);
  expect(yes).toBeGreaterThan(100);
}, 240_000);

test.each([
  ["exitCode = 0", { exitCode: 0 }, true],
  ['inputs[0].status = "open" and i < 3', { inputs: [{ status: "open" }], i: 2 }, true],
  ["vars.done", { vars: { done: "yes" } }, "yes"],
  ["missing != 1", {}, false],
  ["a = 1 or b = 1 and a = 2", { a: 1, b: 0 }, true],
])("%s", (text, given, value) => {
  expect(answerSimple(simpleExpression(text)!, given)).toEqual({ value });
});

test.each([
  "$count(inputs) > 0",
  "a + 1 = 2",
  "(a = 1)",
  "a.*",
  'a = "\\n"',
  "a == 1",
  "a = 1 b",
  "a.and",
  "",
  "a[b = 1]",
  "/* x */ a",
])("%s is for JSONata", (text) => {
  expect(simpleExpression(text)).toBeUndefined();
});

test.each([
  ["a.b", { a: [{ b: 1 }] }],
  ["a", { a: { b: 1 } }],
  ['a < "x"', { a: 1 }],
  ["a > 1", {}],
  ["a.constructor", { a: {} }],
])("%s over %j is for JSONata", (text, given) => {
  expect(answerSimple(simpleExpression(text)!, given)).toBeUndefined();
});

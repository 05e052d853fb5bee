import { afterAll, expect, test } from "vitest";
import { limits } from "../../base/limits.ts";
import { ok } from "../../base/result.ts";
import { createEvaluator } from "./index.ts";

const evaluator = createEvaluator({ processesMax: 1 });
// An endless expression does not end within 300 ms either, and the test is faster.
const hasty = createEvaluator({ processesMax: 1, timeoutMs: 300 });
afterAll(() => {
  evaluator.close();
  hasty.close();
});

const scope = {
  inputs: [
    {
      status: "open",
      items: [
        { name: "a", price: 1 },
        { name: "b", price: 5 },
      ],
    },
    "plain text",
  ],
  vars: { total: 3, name: "Ann" },
  exitCode: 0,
  i: 2,
  item: { id: 7 },
  sum: 4,
  run: { id: "r1" },
};

async function check(expression: string, expected: unknown, by = evaluator): Promise<void> {
  const answer = await by.evaluate({ expression, scope });
  expect(answer.ok ? answer.value : answer.error.code, expression).toEqual(expected);
}

test("names in scope", async () => {
  await check('inputs[0].status = "open" and exitCode = 0', true);
  await check("inputs[1]", "plain text");
  await check("vars.total * i", 6);
  await check("item.id", 7);
  await check("run.id & vars.name", "r1Ann");
  await check("inputs[0].items.name", ["a", "b"]);
  await check("nothing.here", undefined);
});

test("every name is also a variable, which reaches into paths; JSONata's own functions keep theirs", async () => {
  await check("inputs[0].items[price > $i].name", "b");
  await check("$sum(inputs[0].items.price) + sum", 10);
});

test("an expression cannot reach the host", async () => {
  for (const way of [
    "inputs.constructor",
    "inputs[0].__proto__",
    '$lookup(item, "constructor")',
    '"a".length',
    "process",
    "$process",
    "$require",
  ])
    await check(way, undefined);
  await check('$eval("1+1")', "expression-failed");
  await check('$eval("1+1", {})', "expression-failed");
  await evaluator.evaluate({
    expression: '{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}',
    scope,
  });
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  await check("item.polluted", undefined);
});
expect(({} as Record<string, unknown>)["1"]).toBeUndefined();

test("a result that isn't JSON is an error", async () => {
  await check("$sum", "expression-failed");
  await check("function($x){$x}", "expression-failed");
  await check("1/0", "expression-failed");
  await check("inputs[", "expression-failed");
  await check('"x" < 3', "expression-failed");
});

test("an endless expression is stopped at its limit, and the next one is evaluated", async () => {
  const runaways = {
    "($f := function($x){ $f($x + 1) + 1 }; $f(0))": "expression-depth",
    "($f := function($x){ $f($x + 1) }; $f(0))": "expression-timeout",
    '$match("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", /^(a+)+$/)': "expression-timeout",
    "[1..1e7]": "expression-limit",
    "[1..1e9]": "expression-limit",
    "$count([1..4e6].[1..4e6])": "expression-timeout",
    '$pad("x", 1e10)': "expression-limit",
  };
  for (const [expression, code] of Object.entries(runaways)) {
    const start = performance.now();
    await check(expression, code, hasty);
    expect(performance.now() - start, expression).toBeLessThan(limits.expressionStartTimeoutMs);
    await check("1 + 1", 2, hasty);
  }
}, 60_000);

test("too much input is rejected before it is sent", async () => {
  const large = "x".repeat(limits.expressionInputBytesMax);
  const answer = await evaluator.evaluate({ expression: "$count(large)", scope: { large } });
  expect(answer.ok ? "" : answer.error.code).toBe("expression-input-too-large");
  await check("a".repeat(limits.expressionCharsMax + 1), "expression-too-long");
});

test("simultaneous evaluations wait in order for their process", async () => {
  const numbers = Array.from({ length: 200 }, (_, n) => n);
  const answers = await Promise.all(numbers.map((n) => evaluator.evaluate({ expression: "n * 2", scope: { n } })));
  expect(answers).toEqual(numbers.map((n) => ({ ok: true, value: n * 2 })));
});

test("values that a plain condition does not name do not count against its limit", async () => {
  const large = "x".repeat(limits.expressionInputBytesMax);
  for (const expression of ["exitCode = 0", "inputs[0].a = 'b' and exitCode = 0"])
    expect(await evaluator.evaluate({ expression, scope: { large, exitCode: 0, inputs: [{ a: "b" }] } })).toEqual(
      ok(true),
    );
});

test("after close nothing is evaluated, and waiting callers get an error", async () => {
  const closing = createEvaluator({ processesMax: 1 });
  const waiting = ["1 + 0", "2 + 0"].map((expression) => closing.evaluate({ expression, scope: {} }));
  closing.close();
  waiting.push(closing.evaluate({ expression: "3", scope: {} }));
  for (const answer of await Promise.all(waiting))
    expect(answer.ok ? "" : answer.error.code).toMatch(/^expression-(process|memory)$/);
});

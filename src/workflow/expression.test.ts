import { expect, test } from "vitest";
import { asJsonata, checkExpression, textComparison, variablesOf } from "./expression.ts";

async function check(text: string, ...expected: string[]): Promise<void> {
  const found = await checkExpression(text);
  expect(found.map((problem) => `${problem.code} ${JSON.stringify(text.slice(problem.start, problem.end))}`)).toEqual(
    expected,
  );
}

test("a valid JSONata expression has no problem", async () => {
  await check('inputs[0].status = "open" and exitCode = 0');
  await check("$count(inputs[0].items[price > 3]) != 0");
  await check("$match(inputs[0], /a!&&b==/)");
  await check("${1} == done");
  await check("  ");
});

test("operators of other languages are named, with the right one", async () => {
  await check('inputs[0].status === "open"', 'expression-operator "==="');
  await check("${1} === done", 'expression-operator "==="');
  await check("a && b || !c", 'expression-operator "&&"', 'expression-operator "||"', 'expression-operator "!"');
  expect((await checkExpression("a === b"))[0]?.help).toBe("Write ==.");
});

test("== is read as =, but not in a string, a name, a comment, or a regular expression", async () => {
  await check('inputs[0].status == "open" and exitCode==0');
  const text = '$match(a, /b==/) == "c==" and `d==` ==e /* == */ and f := 1';
  expect(asJsonata(text)).toBe('$match(a, /b==/) =  "c==" and `d==` = e /* == */ and f := 1');
  expect(asJsonata("a === b and c !== d and e = = f")).toBe("a === b and c !== d and e = = f");
});

test("an invalid expression has a position", async () => {
  await check("inputs[0", 'expression-syntax "0"');
  await check("a = = b", 'expression-syntax "="');
  await check('"open', 'expression-syntax "n"');
  await check("(".repeat(9_000), 'expression-syntax "("');
  await check("a".repeat(10_001), `expression-too-long ${JSON.stringify("a".repeat(10_001))}`);
});

test("a template in an expression is rejected, never inserted", async () => {
  await check('inputs[0].status = "${x}"', 'expression-template "${x}"');
  await check("${1} > 3", 'expression-template "${1}"');
  await check("${a} == b && ${c} == d", 'expression-template "${a}"', 'expression-template "${c}"');
});

test("text comparisons: quotes are optional, both sides may be templates", () => {
  expect(textComparison("${1} == done")).toEqual({ left: "${1}", right: "done", equal: true });
  expect(textComparison("\"${1}\" != 'all done'")).toEqual({ left: "${1}", right: "all done", equal: false });
  expect(textComparison("open==${v.state|json}")).toEqual({ left: "open", right: "${v.state|json}", equal: true });
  expect(textComparison("${a}-${b} == ${c}")).toEqual({ left: "${a}-${b}", right: "${c}", equal: true });
  expect(textComparison('${1} == ""')).toEqual({ left: "${1}", right: "", equal: true });
  expect(textComparison("${1} ==")).toEqual({ left: "${1}", right: "", equal: true });
  for (const other of ["a == b", "${1} = done", "${1} == a == b", "${1} > 3", "${1} == a and b != c"])
    expect(textComparison(other), other).toBeUndefined();
});

test("names that an expression depends on", () => {
  expect(variablesOf("vars.total > 3 and vars . `odd name` = vars['x']").vars).toEqual(["total", "odd name", "x"]);
  expect(variablesOf('"vars.quoted" /* vars.comment */ & inputs.vars.own & $vars.mine').vars).toEqual([]);
  expect(variablesOf("${a} == ${1}").references.map((reference) => reference.root)).toEqual(["a", "1"]);
});

import { expect, test } from "vitest";
import { ok } from "../base/result.ts";
import { renderTemplate } from "./template.ts";

const values: Record<string, string> = {
  "1": '{"items":[{"id":7,"name":"Ann \\"A\\""}],"price":1.50,"big":12345678901234567890,"none":null,"odd-name":true}',
  name: "Ann & Bob (é)",
  code: "${name} $(id) `id`",
  list: "[1,2]",
  n: " 007 ",
  empty: "",
};

function check(text: string, expected: string): void {
  const answer = renderTemplate(text, ({ root }) => (Object.hasOwn(values, root) ? ok(values[root] ?? "") : undefined));
  expect(answer.ok ? answer.value : `${answer.error.code}: ${answer.error.message}`).toBe(expected);
}

test("a value in a JSON string must need no escaping there", () => {
  const render = (text: string): string => {
    const answer = renderTemplate(text, ({ root }) => ok(values[root] ?? ""), undefined, undefined, true);
    return answer.ok ? answer.value : answer.error.code;
  };
  expect(render('{"id": ${1.items[0].id}, "who": "for ${name}"}')).toBe('{"id": 7, "who": "for Ann & Bob (é)"}');
  expect(render('{"who": "${1.items[0].name}"}')).toBe("value-json-string");
  expect(render('{"who": ${1.items[0].name|json}}')).toBe(String.raw`{"who": "Ann \"A\""}`);
  // Not JSON: the quotes are text.
  expect(render('{ say "${1.items[0].name}"')).toBe('{ say "Ann "A""');
});

test("text and values", () => {
  check("", "");
  check("plain $x {y} ${", "plain $x {y} ${");
  check("Hello ${name}!", "Hello Ann & Bob (é)!");
  check("${empty}${empty}", "");
  check("$${name} costs $$5", "${name} costs $$5");
  check("${name:-x} ${#name} ${na me}", "${name:-x} ${#name} ${na me}");
});

test("a value is never scanned again", () => check("<${code}>", "<${name} $(id) `id`>"));

test("members: strings raw, other JSON compact, digits kept", () => {
  check("${1.items[0].id}", "7");
  check("${1.items[0].name}", 'Ann "A"');
  check("${1.items[0]}", '{"id":7,"name":"Ann \\"A\\""}');
  check("${1.price} ${1.big} ${1.none} ${1.odd-name}", "1.50 12345678901234567890  true");
  check("${list[1]}", "2");
});

test("an error about a missing member lists those that exist", () => {
  check(
    "${1.item}",
    "template-missing-member: ${1.item} does not exist: ${1} has the members items, price, big, none, odd-name.",
  );
  check(
    "${1.items[3].id}",
    "template-missing-member: ${1.items[3]} does not exist: ${1.items} is a list with members [0] to [0].",
  );
  check("${1.none.x}", "template-missing-member: ${1.none.x} does not exist: ${1.none} is null.");
  check(
    "${1.price.x}",
    "template-missing-member: ${1.price.x} does not exist: ${1.price} is a number, which has no members.",
  );
  check(
    "${1.constructor}",
    "template-missing-member: ${1.constructor} does not exist: ${1} has the members items, price, big, none, odd-name.",
  );
  check(
    "${name.x}",
    'template-not-json: ${name.x} names a member, but the value of ${name} is not JSON; it begins with "Ann & Bob (é)".',
  );
  check("${who}", 'template-unknown-name: "who" is not defined.');
  check("${2}", "template-unknown-name: ${2} names a parent that this node does not have.");
});

test("filters", () => {
  check("${1.items[0].name|json}", '"Ann \\"A\\""');
  check("q=${name|uri}", "q=Ann%20%26%20Bob%20%28%C3%A9%29");
  check("${name|b64}", Buffer.from("Ann & Bob (é)").toString("base64"));
  check("${n|int}", "7");
  check("${name|sh}", "'Ann & Bob (é)'");
  check("${name|arg}", "Ann & Bob (é)");
  check("${name|int}", 'template-filter: ${name|int} needs an integer, but the value is "Ann & Bob (é)".');
  check(
    "${name|upper}",
    'template-unknown-filter: ${name|upper}: there is no filter "upper". There are json, uri, b64, int, arg, sh, file.',
  );
});

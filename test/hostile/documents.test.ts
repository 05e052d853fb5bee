// An attacker's document is looked at: nothing runs, it ends in bounded time and memory, and what is wrong is said plainly.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { folder } from "../cli/curlew.ts";
import { HEAD, look, NODE, times } from "./attack.ts";

// Time of the processor is what is measured; a busy machine may take longer by the clock.
vi.setConfig({ testTimeout: 180_000 });

/** All of it with CHECK_FULL=1, a quarter of it otherwise. */
const huge = (count: number): number => (process.env.CHECK_FULL === "1" ? count : count / 4);

/** The code of the first error, or `valid`. Warnings do not matter here. */
async function check(name: string, text: string | Uint8Array, expected: string): Promise<void> {
  const it = folder();
  writeFileSync(join(it.path, name), text);
  const looked = await look(it, ["validate", name]);
  const seen = /error\[([a-z0-9-]+)\]/.exec(looked.stderr)?.[1] ?? "valid";
  expect(seen, looked.stderr.slice(0, 1_000)).toBe(expected);
  expect(looked.code).toBe(expected === "valid" ? 0 : 2);
}

const yaml = (title: string, expected: string, text: string | Uint8Array) =>
  test(title, () => check("t.flow.yaml", text, expected));
const json = (title: string, expected: string, text: string) => test(title, () => check("t.flow.json", text, expected));
/** A script of these lines in a document that has an input `b`. */
const script = (...lines: string[]) =>
  `${HEAD}inputs: { b: { type: string } }\nnodes:\n  - id: a\n    type: cli\n    data:\n      title: A\n      content: |\n${lines.map((line) => `        ${line}\n`).join("")}`;

describe("aliases and merges", () => {
  const letters = [..."abcdefghij"];
  const laughs = letters.slice(1).map((c, n) => `x-${c}: &${c} [${times(9, () => `*${letters[n]}`).join()}]\n`);
  yaml(
    "a billion laughs",
    "too-many-aliases",
    `${HEAD}x-a: &a [${times(9, () => "lol").join()}]\n${laughs.join("")}${NODE}`,
  );
  yaml("an alias of what it stands in", "too-many-aliases", `${HEAD}x-a: &a [*a]\n${NODE}`);
  const wide = `&a {${times(1_000, (n) => `k${n}: 1`).join()}}`;
  yaml(
    "a wide map merged 900 times",
    "valid",
    `${HEAD}x-a: ${wide}\n${times(900, (n) => `x-m${n}: { <<: *a }\n`).join("")}${NODE}`,
  );
  yaml(
    "100,000 anchors and aliases to the last of them",
    "valid",
    `${HEAD}${NODE}${times(100_000, (n) => `x-${n}: &a${n} 1\n`).join("")}x-l: [${times(900, (n) => `*a${99_999 - n}`).join()}]\n`,
  );
});

describe("size", () => {
  yaml("a scalar of 4.9 MB", "valid", `${HEAD}description: ${"a".repeat(4_900_000)}\n${NODE}`);
  yaml("a folded scalar of 4.9 MB", "valid", `${HEAD}description: >\n${"  a b\n".repeat(800_000)}${NODE}`);
  yaml("more than 5 MB", "document-too-large", `${HEAD}description: ${"a".repeat(5_000_001)}\n${NODE}`);
  yaml(`${huge(600_000)} equal keys`, "duplicate-key", `${HEAD}${NODE}${"x-y: 1\n".repeat(huge(600_000))}`);
  yaml(
    `${huge(200_000)} unknown keys`,
    "unknown-field",
    `${HEAD}${NODE}${times(huge(200_000), (n) => `zz${n}: 1\n`).join("")}`,
  );
  yaml("a key of 4 MB", "unknown-field", `${HEAD}${NODE}? ${"k".repeat(4_000_000)}\n: 1\n`);
  yaml(`${huge(1_200_000)} documents`, "multiple-documents", "---\n".repeat(huge(1_200_000)));
  yaml("100,000 edges to itself", "edge-to-itself", `${HEAD}${NODE}edges:\n${"  - a -> a\n".repeat(100_000)}`);
  yaml("a chain of 300,000", "too-many-edges", `${HEAD}${NODE}edges:\n  - ${times(300_000, () => "a").join(" -> ")}\n`);
  yaml(
    "19,000 nodes without sense",
    "missing-field",
    `${HEAD}nodes:\n${"  - { idd: 1, tpe: cli, dta: { ttle: A } }\n".repeat(19_000)}`,
  );
  test("20,000 nodes and 99,000 edges", () => {
    const nodes = times(20_000, (n) => `  - { id: n${n}, type: text, data: { title: A, content: x } }\n`);
    const edges = times(99_000, (n) => `  - n${n % 9_999} -> n${10_000 + Math.floor(n / 9_999) * 97 + (n % 97)}\n`);
    return check("t.flow.yaml", `${HEAD}nodes:\n${nodes.join("")}edges:\n${edges.join("")}`, "valid");
  });
  test("9,999 loops inside each other", () => {
    const all = times(9_999, (n) => n);
    const nodes = all.map(
      (n) =>
        `  - { id: s${n}, type: loop-start, data: { title: A, iterations: 1 } }\n  - { id: e${n}, type: loop-end, data: { title: A } }\n`,
    );
    const chain = [...all.map((n) => `s${n}`), ...all.map((n) => `e${n}`).reverse()].join(" -> ");
    return check("t.flow.yaml", `${HEAD}nodes:\n${nodes.join("")}edges:\n  - ${chain}\n`, "loops-too-deep");
  });
});

describe("depth", () => {
  yaml("a million brackets", "nested-too-deeply", `${HEAD}x-a: ${"[".repeat(1_000_000)}\n${NODE}`);
  yaml("100,000 braces", "nested-too-deeply", `${HEAD}x-a: ${"{a: ".repeat(100_000)}\n${NODE}`);
  yaml(
    "2,500 maps in block style",
    "nested-too-deeply",
    `${HEAD}x-a:\n${times(2_500, (n) => `${" ".repeat(n + 1)}a:\n`).join("")}${NODE}`,
  );
  yaml("200,000 lists in one line", "nested-too-deeply", `${HEAD}x-a:\n  ${"- ".repeat(200_000)}a\n${NODE}`);
  yaml("200,000 keys in keys", "nested-too-deeply", `${HEAD}x-a:\n  ${"? ".repeat(200_000)}a\n${NODE}`);
  yaml("brackets as a key", "nested-too-deeply", `${HEAD}? ${"[".repeat(100_000)}\n${NODE}`);
  json("two million brackets in JSON", "nested-too-deeply", `{"curlew":1,"x-a":${"[".repeat(2_000_000)}}`);
  yaml("64 deep is allowed", "valid", `${HEAD}x-a: ${"[".repeat(62)}1${"]".repeat(62)}\n${NODE}`);
});

describe("what YAML can say", () => {
  const described = (value: string) => `${HEAD}description: ${value}\n${NODE}`;
  yaml("!!js/function", "yaml-tag", described(`!!js/function 'function(){require("fs").writeFileSync("canary","")}'`));
  yaml("!!python", "yaml-tag", described('!!python/object/apply:os.system ["touch canary"]'));
  yaml("!!binary", "wrong-type", described("!!binary aGVsbG8="));
  yaml("a tag of its own", "yaml-tag", `%TAG ! tag:evil.example,2000:\n---\n${described("!foo bar")}`);
  yaml("a second document", "multiple-documents", `${HEAD}${NODE}---\n${HEAD}${NODE}`);
  yaml("a key twice", "duplicate-key", HEAD + NODE + NODE);
  yaml("a byte order mark", "valid", `\ufeff${HEAD}${NODE}`);
  yaml("UTF-16", "cannot-read", Buffer.from(`\ufeff${HEAD}${NODE}`, "utf16le"));
  yaml("UTF-16, the other way round", "cannot-read", Buffer.from(`\ufeff${HEAD}${NODE}`, "utf16le").swap16());
  yaml(
    "bytes that are no text",
    "cannot-read",
    Buffer.concat([Buffer.from(`${HEAD}# `), Buffer.from([0xff, 0xc0, 0x80, 0x0a]), Buffer.from(NODE)]),
  );
  yaml("NUL", "bad-character", HEAD + NODE.replace("canary", "can\0ary"));
  yaml("NUL, escaped", "bad-character", HEAD + NODE.replace("touch canary", '"touch can\\0ary"'));
  yaml("half a character", "bad-character", described('"\\ud800"'));
  json("half a character in a key", "bad-character", '{"curlew":1,"x-\\ud800":1}');
  yaml("numbers that are none", "wrong-type", `${HEAD}${NODE}layout: { a: [.nan, .inf] }\n`);
  yaml("numbers beyond any canvas", "out-of-range", `${HEAD}${NODE}layout: { a: [1e308, -1e308] }\n`);
  yaml(
    "a duration without end",
    "bad-duration",
    HEAD + NODE.replace("content:", `timeout: ${"9".repeat(100_000)}h, content:`),
  );
});

describe("names that mean something to JavaScript", () => {
  const names = ["__proto__", "constructor", "prototype"];
  const places = {
    "the document": (name: string) => `{"curlew":1,"${name}":{"x":1},"nodes":[]}`,
    inputs: (name: string) => `{"curlew":1,"inputs":{"${name}":{"type":"string"}},"nodes":[]}`,
    "a node": (name: string) =>
      `{"curlew":1,"nodes":[{"id":"a","type":"cli","${name}":1,"data":{"title":"A","content":"x"}}]}`,
    "env.static": (name: string) =>
      `{"curlew":1,"nodes":[{"id":"a","type":"cli","data":{"title":"A","content":"x","env":{"static":{"${name}":"x"}}}}]}`,
    defaults: (name: string) => `{"curlew":1,"defaults":{"${name}":{"content":"touch canary"}},"nodes":[]}`,
    layout: (name: string) => `{"curlew":1,"layout":{"${name}":[1,2]},"nodes":[]}`,
    "something deep": (name: string) => `{"curlew":1,"x-a":{"b":[[{"${name}":1}]]},"nodes":[]}`,
  };
  // One document for each place: all three names in it are refused.
  test.each(Object.entries(places))("in %s", async (_place, make) => {
    const it = folder(
      Object.fromEntries(
        names.flatMap((name) => [
          [`${name}.flow.json`, make(name)],
          [`${name}.flow.yaml`, make(name)],
        ]),
      ),
    );
    const files = names.flatMap((name) => [`${name}.flow.json`, `${name}.flow.yaml`]);
    const looked = await look(it, ["validate", "--json", ...files]);
    const found = JSON.parse(looked.stdout) as { code: string; file: string }[];
    for (const file of files)
      expect(found.filter((each) => each.file === file).map((each) => each.code)).toContain("forbidden-key");
  });
  yaml(
    "as ids they are only names",
    "valid",
    `${HEAD}nodes:\n${["constructor", "__proto__", "toString"].map((id) => `  - { id: ${id}, type: text, data: { title: A, content: "" } }\n`).join("")}edges: [ constructor -> __proto__ -> toString ]\n`,
  );
});

describe("look-alikes", () => {
  const ids = {
    "а Cyrillic letter": "аdmin",
    "a full-width letter": "ａdmin",
    "no width": "ad\\u200bmin",
    "a direction": "ad\\u202emin",
    "an escape sequence": "a\\e]0;owned\\a",
    "a dot above": "admi\\u0307n",
  };
  test.each(Object.entries(ids))("%s is no id", (_what, id) =>
    check(
      "t.flow.yaml",
      `${HEAD}nodes:\n  - { id: "${id}", type: text, data: { title: A, content: "" } }\n`,
      "bad-node-id",
    ),
  );
});

describe("scripts", () => {
  const many = (count: number, line: string) => times(count, () => line);
  test.each([
    ["a word of 2,000 references", script(`echo "${"${b} ".repeat(2_000)}"`), "valid"],
    ["2,000 arguments", script(`echo ${'"${b}" '.repeat(2_000)}`), "valid"],
    ["a heredoc of 2,000 references", script("cat <<A", ...many(2_000, "${b}"), "A"), "valid"],
    [`${huge(20_000)} references`, script(...many(huge(20_000), 'echo "${b}"')), "template-too-many"],
    [
      "2,000 comments in a long script",
      script(...many(2_000, "# ${b}"), ...many(8_000, "echo a b c; if true; then x; fi")),
      "valid",
    ],
    [`${huge(20_000)} heredocs`, script(...many(huge(20_000), "cat <<A ${b}")), "template-too-many"],
    ["20,000 heredocs that never end", script("echo ${b}", ...many(20_000, "cat <<A")), "template-script-unreadable"],
    [`${huge(100_000)} brackets`, script(`echo "\${b}" ${"$(".repeat(huge(100_000))}`), "template-script-unreadable"],
    [
      "3,000 substitutions in each other",
      script(`echo ${"$(echo ".repeat(3_000)}"\${b}"${")".repeat(3_000)}`),
      "template-script-unreadable",
    ],
    ["20,000 names that nobody knows", script(...times(20_000, (n) => `echo "\${zz${n}}"`)), "valid"],
    ["500,000 openings", script("${".repeat(500_000)), "valid"],
    ["300,000 dollar signs", script(`echo ${"$".repeat(300_000)}\${b}`), "valid"],
  ])("%s", async (_what, text, expected) => {
    const it = folder({ "t.flow.yaml": text });
    const looked = await look(it, "validate t.flow.yaml");
    const seen = /error\[([a-z0-9-]+)\]/.exec(looked.stderr)?.[1] ?? "valid";
    expect([expected, "template-script-unreadable"], looked.stderr.slice(0, 500)).toContain(seen);
  });
});

describe("expressions and patterns", () => {
  const condition = (text: string) =>
    `${HEAD}nodes:\n  - { id: a, type: if, data: { title: A, content: ${JSON.stringify(text)} } }\n  - { id: b, type: text, data: { title: B, content: "" } }\nedges: [ "a:true -> b" ]\n`;
  // Looking evaluates nothing: only an expression that cannot be read is told.
  yaml("a function that calls itself for ever", "valid", condition("($f := function($x){$f($x)}; $f(1))"));
  yaml("a list of ten million", "valid", condition("$count([1..10000000]) > 0"));
  yaml("a pattern that takes years", "valid", condition(`$contains("${"a".repeat(40)}!", /^(a+)+$/)`));
  yaml("9,000 brackets", "expression-syntax", condition("(".repeat(9_000)));
  yaml(
    "a default that its pattern takes years for",
    "bad-default",
    `${HEAD}inputs: { x: { type: string, pattern: "^(a+)+$", default: "${"a".repeat(40)}!" } }\n${NODE}`,
  );
  test("fifty such inputs", () =>
    check(
      "t.flow.yaml",
      `${HEAD}inputs:\n${times(50, (n) => `  x${n}: { type: string, pattern: "^(a+)+$", default: "${"a".repeat(40)}!" }\n`).join("")}${NODE}`,
      "bad-default",
    ));
  test("a value that a pattern takes years for", async () => {
    const it = folder({ "t.flow.yaml": `${HEAD}inputs: { x: { type: string, pattern: "^(a+)+$" } }\n${NODE}` });
    const looked = await look(it, ["run", "t.flow.yaml", "--input", `x=${"a".repeat(40)}!`]);
    expect(looked.code).toBe(2);
    expect(looked.stderr).toContain("takes too long");
    expect(looked.cpuMs).toBeLessThan(5_000);
  });
});

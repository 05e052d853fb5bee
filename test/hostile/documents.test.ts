// Curlew looks at an attacker's document: nothing runs, it ends in bounded time and memory, and the finding is clear.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { folder } from "../cli/curlew.ts";
import { HEAD, look, lookMeasured, NODE, times } from "./attack.ts";

// The test measures processor time; by the clock a busy machine may take longer.
vi.setConfig({ testTimeout: 180_000 });

/** The whole count with CHECK_FULL=1, otherwise a tenth. */
const huge = (count: number): number => (process.env.CHECK_FULL === "1" ? count : Math.floor(count / 10));

/** The code of the first error, or `valid`. Warnings do not matter here. */
async function check(name: string, text: string | Uint8Array, expected: string, see: typeof look = lookMeasured) {
  const it = folder();
  writeFileSync(join(it.path, name), text);
  const looked = await see(it, ["validate", name]);
  const seen = /error\[([a-z0-9-]+)\]/.exec(looked.stderr)?.[1] ?? "valid";
  expect(seen, looked.stderr.slice(0, 1_000)).toBe(expected);
  expect(looked.code).toBe(expected === "valid" ? 0 : 2);
}

const yaml = (title: string, expected: string, text: string | Uint8Array) =>
  test(title, () => check("t.flow.yaml", text, expected));
/** Its cost does not matter. */
const small = (title: string, expected: string, text: string | Uint8Array) =>
  test(title, () => check("t.flow.yaml", text, expected, look));
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
  yaml("an alias inside its own anchor", "too-many-aliases", `${HEAD}x-a: &a [*a]\n${NODE}`);
  const wide = `&a {${times(1_000, (n) => `k${n}: 1`).join()}}`;
  yaml(
    "a wide map merged 900 times",
    "valid",
    `${HEAD}x-a: ${wide}\n${times(900, (n) => `x-m${n}: { <<: *a }\n`).join("")}${NODE}`,
  );
  yaml(
    `${huge(100_000)} anchors and aliases to the last of them`,
    "valid",
    `${HEAD}${NODE}${times(huge(100_000), (n) => `x-${n}: &a${n} 1\n`).join("")}x-l: [${times(900, (n) => `*a${huge(100_000) - 1 - n}`).join()}]\n`,
  );
});

describe("size", () => {
  yaml("a scalar of 4.9 MB", "valid", `${HEAD}description: ${"a".repeat(4_900_000)}\n${NODE}`);
  yaml("a folded scalar of 4.9 MB", "valid", `${HEAD}description: >\n${"  a b\n".repeat(800_000)}${NODE}`);
  yaml(`${huge(600_000)} equal keys`, "duplicate-key", `${HEAD}${NODE}${"x-y: 1\n".repeat(huge(600_000))}`);
  yaml(
    `${huge(200_000)} unknown keys`,
    "unknown-field",
    `${HEAD}${NODE}${times(huge(200_000), (n) => `zz${n}: 1\n`).join("")}`,
  );
  yaml("a key of 4 MB", "unknown-field", `${HEAD}${NODE}? ${"k".repeat(4_000_000)}\n: 1\n`);
  yaml(`${huge(1_200_000)} documents`, "multiple-documents", "---\n".repeat(huge(1_200_000)));
  yaml(
    `${huge(100_000)} edges to itself`,
    "edge-to-itself",
    `${HEAD}${NODE}edges:\n${"  - a -> a\n".repeat(huge(100_000))}`,
  );
  yaml("a chain of 300,000", "too-many-edges", `${HEAD}${NODE}edges:\n  - ${times(300_000, () => "a").join(" -> ")}\n`);
  yaml(
    `${huge(19_000)} nodes without sense`,
    "missing-field",
    `${HEAD}nodes:\n${"  - { idd: 1, tpe: cli, dta: { ttle: A } }\n".repeat(huge(19_000))}`,
  );
  test(`${huge(20_000)} nodes and ${huge(99_000)} edges`, () => {
    const half = huge(10_000);
    const nodes = times(2 * half, (n) => `  - { id: n${n}, type: text, data: { title: A, content: x } }\n`);
    const edges = times(
      huge(99_000),
      (n) => `  - n${n % (half - 1)} -> n${half + Math.floor(n / (half - 1)) * 97 + (n % 97)}\n`,
    );
    return check("t.flow.yaml", `${HEAD}nodes:\n${nodes.join("")}edges:\n${edges.join("")}`, "valid");
  });
  test(`${huge(9_996)} loops inside each other`, () => {
    const all = times(huge(9_996), (n) => n);
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

describe("YAML's features", () => {
  const described = (value: string) => `${HEAD}description: ${value}\n${NODE}`;
  small("!!js/function", "yaml-tag", described(`!!js/function 'function(){require("fs").writeFileSync("canary","")}'`));
  small("UTF-16", "cannot-read", Buffer.from(`\ufeff${HEAD}${NODE}`, "utf16le"));
  small("UTF-16, the other way round", "cannot-read", Buffer.from(`\ufeff${HEAD}${NODE}`, "utf16le").swap16());
  small(
    "bytes that are not text",
    "cannot-read",
    Buffer.concat([Buffer.from(`${HEAD}# `), Buffer.from([0xff, 0xc0, 0x80, 0x0a]), Buffer.from(NODE)]),
  );
  small(
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
  // One document per place: Curlew rejects all three names in it.
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
  small(
    "as ids they are only names",
    "valid",
    `${HEAD}nodes:\n${["constructor", "__proto__", "toString"].map((id) => `  - { id: ${id}, type: text, data: { title: A, content: "" } }\n`).join("")}edges: [ constructor -> __proto__ -> toString ]\n`,
  );
});

describe("scripts", () => {
  const many = (count: number, line: string) => times(count, () => line);
  test.each([
    ["a word of 2,000 references", script(`echo "${"${b} ".repeat(2_000)}"`), "valid"],
    ["2,000 arguments", script(`echo ${'"${b}" '.repeat(2_000)}`), "valid"],
    ["a heredoc of 2,000 references", script("cat <<A", ...many(2_000, "${b}"), "A"), "valid"],
    [`${huge(50_000)} references`, script(...many(huge(50_000), 'echo "${b}"')), "template-too-many"],
    [
      `${huge(2_000)} comments in a long script`,
      script(...many(huge(2_000), "# ${b}"), ...many(huge(8_000), "echo a b c; if true; then x; fi")),
      "valid",
    ],
    [`${huge(50_000)} heredocs`, script(...many(huge(50_000), "cat <<A ${b}")), "template-too-many"],
    ["20,000 heredocs that never end", script("echo ${b}", ...many(20_000, "cat <<A")), "template-script-unreadable"],
    [`${huge(100_000)} brackets`, script(`echo "\${b}" ${"$(".repeat(huge(100_000))}`), "template-script-unreadable"],
    [
      "3,000 substitutions in each other",
      script(`echo ${"$(echo ".repeat(3_000)}"\${b}"${")".repeat(3_000)}`),
      "template-script-unreadable",
    ],
    [`${huge(20_000)} undefined names`, script(...times(huge(20_000), (n) => `echo "\${zz${n}}"`)), "valid"],
    ["500,000 openings", script("${".repeat(500_000)), "valid"],
    ["300,000 dollar signs", script(`echo ${"$".repeat(300_000)}\${b}`), "valid"],
  ])("%s", async (_what, text, expected) => {
    const it = folder({ "t.flow.yaml": text });
    const looked = await lookMeasured(it, "validate t.flow.yaml");
    const seen = /error\[([a-z0-9-]+)\]/.exec(looked.stderr)?.[1] ?? "valid";
    expect([expected, "template-script-unreadable"], looked.stderr.slice(0, 500)).toContain(seen);
  });
});

describe("expressions and patterns", () => {
  const condition = (text: string) =>
    `${HEAD}nodes:\n  - { id: a, type: if, data: { title: A, content: ${JSON.stringify(text)} } }\n  - { id: b, type: text, data: { title: B, content: "" } }\nedges: [ "a:true -> b" ]\n`;
  // Looking evaluates nothing: Curlew reports only expressions that it cannot parse.
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
    const looked = await lookMeasured(it, ["run", "t.flow.yaml", "--input", `x=${"a".repeat(40)}!`]);
    expect(looked.code).toBe(2);
    expect(looked.stderr).toContain("takes too long");
    expect(looked.cpuMs).toBeLessThan(5_000);
  });
});

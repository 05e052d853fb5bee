// What is read quickly is what the whole reader reads, and where they might differ it is not read quickly (P1, P2).

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readPlainYaml } from "./yaml-plain.ts";
import { readWholeYaml } from "./yaml-tree.ts";

const root = join(import.meta.dirname, "../..");
const texts = ["examples", "test/corpus"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => ({ name: `${folder}/${name}`, text: readFileSync(join(root, folder, name), "utf8") })),
);
const USUAL = `curlew: 1
name: "A: name # with marks"
# said by the author
nodes:
  - id: first
    type: cli
    data:
      title: 'First'
      timeout: 30s # not longer
      env: { static: { LIST: "a, b", n: 2 }, inherit: [HOME, TERM] }
      needsUserApproval: false
      content: |
        for i in 1 2; do
          echo "$i: #"

        done

      retry:
        maxAttempts: 3
  - { id: third, type: text, data: { title: 2 words, content: "a \\"b\\"\\n\\tc\\\\", other: 'it''s' } }
  - id: fourth
    type: cli
    data:
      title: Folded
      egress: { allow: [127.0.0.1] }
      content: >- # in one line
        curl --fail
        https://x.example
  - id: second
    type: text
    data:
      title: Zweite Überschrift
      content: |-
        \${1}
edges:
- first -> second
`;

/** Says whether it was read quickly. */
function same(text: string): boolean {
  const quick = readPlainYaml(text)?.plain;
  if (quick === undefined) return false;
  const { plain, diagnostics } = readWholeYaml("f.yaml", text);
  expect({ text, diagnostics, plain: JSON.stringify(plain) }).toEqual({
    text,
    diagnostics: [],
    plain: JSON.stringify(quick),
  });
  return true;
}

test("a usual document is read quickly, and so are many examples", () => {
  expect(same(USUAL)).toBe(true);
  const examples = texts.filter(({ name }) => name.startsWith("examples/"));
  expect(examples.filter(({ text }) => same(text)).length).toBeGreaterThan(10);
});

test("every document of the corpus comes to the same", () => {
  expect(texts.length).toBeGreaterThan(100);
  for (const { text } of texts) same(text);
});

test("documents with something changed anywhere come to the same, or are not read quickly", () => {
  const seed = Number(process.env.SEED ?? Date.now() % 1e9);
  console.info(`SEED=${seed}`);
  const next = numbers(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)]!;
  const bases = [USUAL, ...texts.map(({ text }) => text).filter((text) => text.length < 2_000)].filter(same);
  let quick = 0;
  for (let round = 0; round < 3_000; round += 1) {
    let text = pick(bases);
    for (let changes = 1 + Math.floor(next() * 3); changes > 0; changes -= 1) {
      const at = Math.floor(next() * (text.length + 1));
      text = text.slice(0, at) + pick(PIECES) + text.slice(at + (next() < 0.5 ? 0 : Math.floor(next() * 4)));
    }
    if (same(text)) quick += 1;
  }
  // Else nothing was compared.
  expect(quick).toBeGreaterThan(200);
});

const PIECES = [
  ...[
    "",
    "",
    " ",
    "  ",
    "\n",
    "\n\n",
    "\n  ",
    "\n    ",
    "\t",
    "\r\n",
    ":",
    ": ",
    " :",
    "#",
    " #",
    "- ",
    "-",
    "\n- ",
    "\n  - ",
  ],
  ...[
    "a",
    "Z",
    "_",
    "0",
    "1",
    "00",
    "1e3",
    "1.5",
    "-1",
    "0x1f",
    "12:30",
    "2026-11-22",
    "true",
    "null",
    "~",
    "No",
    ".inf",
    "5s",
  ],
  ...[
    '"',
    "'",
    "''",
    '\\"',
    "\\",
    "|",
    "|\n",
    "|-\n",
    ">",
    "|+",
    "|2",
    "{",
    "}",
    "[",
    "]",
    ",",
    "{}",
    "[]",
    "{ ",
    " }",
    ", ",
    ": [",
    "{ a: b }",
    "[a, b]",
    "?",
    "? ",
    "!",
    "!!str ",
  ],
  ...[
    "&a ",
    "*a",
    "<<: ",
    "%",
    "@",
    "`",
    "$",
    "${x}",
    "(",
    "/",
    "=",
    "...",
    "\n...\n",
    "---",
    "\n---\n",
    "\nid: x\n",
    "\n  id: x\n",
  ],
  ...[
    "ü",
    "\u00a0",
    "\u0085",
    "\u2028",
    "\ufeff",
    "😀",
    "\ud800",
    "\0",
    "__proto__: ",
    "constructor: ",
    "null: ",
    "true: ",
    "y: ",
    "a b: ",
  ],
];

function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

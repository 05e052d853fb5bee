// A document that is checked after each edit with what is kept of the last check gets the very findings of a whole check (K1), and every place
// found in the lines of one item is that of the whole text's tree (yaml-pieces.ts E1). The seed is printed by fast-check; PROPERTY_RUNS asks
// for more: 3,000 documents with up to 13 checks each were tried once.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { keptFromBefore } from "./kept.ts";
import type { Path } from "./source-map.ts";
import { validateWorkflow } from "./validate.ts";
import { readPlainYaml } from "./yaml-plain.ts";
import { readWholeYaml, readYaml } from "./yaml-tree.ts";

const root = join(import.meta.dirname, "../..");
const runs = Number(process.env.PROPERTY_RUNS ?? 150);
const texts = ["examples", "test/corpus"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => readFileSync(join(root, folder, name), "utf8"))
    .filter((text) => text.length < 4_000),
);
/** Nodes that mean something else when another line changes. */
const TIED = `curlew: 1
inputs: { id: { type: string, default: "http://x.example/" }, other: { type: string } }
secrets: [API_KEY]
nodes:
  - { id: first, type: text, data: { title: A, content: "fixed" } }
  - { id: second, type: variable, data: { title: B, variableName: kept, initialValue: "a" } }
  - id: call
    type: cli
    data:
      title: C
      env: { static: { NAME: "\${kept}" } }
      content: |
        curl --fail --max-time 5 "\${id}" "https://x.example/\${other}?\${kept}"
        rm -rf "\${1}" && eval "$NAME" && echo "\${2}"
  - { id: decide, type: if, data: { title: D, content: 'inputs[1].a = 1 and vars.kept = "a"' } }
  - { id: last, type: cli, data: { title: E, content: 'echo "\${API_KEY}" "\${nobody}"' } }
edges:
  - first -> call
  - second -> call
  - call -> decide
  - decide:true -> last
`;
/** Of a person's own environment: what a node's commands may read from it. */
const OPTIONS = {
  environment: new Set(["HOME", "API_KEY", "AWS_PROFILE"]),
  passesEnvironment: (name: string) => name === "HOME",
  folder: "/flows",
  home: "/home/me",
};

const step = fc.record({
  kind: fc.constantFrom("put", "put", "put", "line", "swap", "drop", "name", "back"),
  at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  other: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  take: fc.constantFrom(0, 0, 0, 1, 2, 9),
  put: fc.constantFrom(
    ...[
      "",
      " ",
      "x",
      "'",
      '"',
      "\n",
      ": ",
      "#",
      "- ",
      "${1}",
      "${nobody}",
      "${2.a|json}",
      "$HOME",
      "curl ",
      "rm -rf ",
      " | sh",
      " > /etc/x",
    ],
    ..."http://x.example|curl -k https://x.example|sk_live_4eC39HqLyjWDarjtT1zdp7dc|eval |sudo |[|{|}|\\|>-\n      |\n\n|\n# said\n|&a |*a".split(
      "|",
    ),
    ...[
      "timeout: 5s\n",
      "      needsUserApproval: true\n",
      "secrets: [API_KEY]\n",
      "egress: any\n",
      "timeout: 1m\n",
      "inputs: { id: { type: string } }\n",
    ],
  ),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

test("after each edit the findings are those of a whole check", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.constant(TIED), fc.constantFrom(...texts)),
      fc.array(step, { minLength: 1, maxLength: 12 }),
      fc.boolean(),
      async (first, steps, isKnown) => {
        const options = isKnown ? OPTIONS : {};
        const kept = keptFromBefore();
        const before: string[] = [first];
        for (const one of [undefined, ...steps]) {
          const text = one === undefined ? first : edited(before, one);
          before.push(text);
          const again = await validateWorkflow(text, "flows/a.flow.yaml", { ...options, kept });
          const whole = await validateWorkflow(text, "flows/a.flow.yaml", options);
          expect({ text, found: again.diagnostics }).toEqual({ text, found: whole.diagnostics });
          expect(again.workflow).toEqual(whole.workflow);
        }
      },
    ),
    { numRuns: runs },
  );
}, 60_000);

test.each([
  ["an input is called otherwise", "inputs: { id:", "inputs: { key:"],
  ["a secret is another", "secrets: [API_KEY]", "secrets: [OTHER]"],
  ["a Variable is called otherwise", "variableName: kept", "variableName: left"],
  ["an edge is gone", "  - second -> call\n", ""],
  ["a parent is a command", "id: first, type: text", "id: first, type: cli"],
  ["a parent's text is another", '"fixed"', '"/"'],
  ["a webhook brings the inputs", "curlew: 1", "curlew: 1\non: [{ webhook: {} }]"],
  ["calls in the clear are allowed", "curlew: 1", "curlew: 1\negress: any"],
  ["lines stand above", "nodes:", "# one\n# two\nnodes:"],
])("%s: what follows elsewhere is found", async (_what, old, next) => {
  const kept = keptFromBefore();
  const found = async (text: string, more: object) => (await validateWorkflow(text, "a.flow.yaml", more)).diagnostics;
  const before = await found(TIED, { kept });
  const text = TIED.replace(old, next);
  const after = await found(text, { kept });
  expect(after).toEqual(await found(text, {}));
  expect(after).not.toEqual(before);
});

test("every place in an item's lines is that of the whole text", () => {
  let pieces = 0;
  fc.assert(
    fc.property(fc.constantFrom(...texts), fc.array(step, { maxLength: 3 }), fc.nat(), (first, steps, cut) => {
      const text = steps.reduce((now, one) => edited([first, now], one), first);
      const read = readPlainYaml(text);
      if (read === undefined) return;
      pieces += read.pieces.size;
      const [quick, whole] = [readYaml("f.yaml", text).source, readWholeYaml("f.yaml", text).source];
      for (const [path, value] of paths(read.plain))
        for (const one of [path, [...path, "missing"], [...path, 9]]) {
          const places = (map: typeof quick) => [
            ...[map.range(one), map.range(one, "key")],
            ...(typeof value === "string" && value !== ""
              ? [map.rangeInside(one, value, cut % value.length, value.length)]
              : []),
          ];
          expect({ text, one, places: places(quick) }).toEqual({ text, one, places: places(whole) });
        }
    }),
    { numRuns: runs },
  );
  // Else nothing was compared.
  expect(pieces).toBeGreaterThan(runs / 4);
}, 60_000);

function edited(before: readonly string[], { kind, at, other, take, put }: Step): string {
  const text = before.at(-1)!;
  const place = Math.floor(at * (text.length + 1));
  const lines = text.split("\n");
  const [line, second] = [Math.floor(at * lines.length), Math.floor(other * lines.length)];
  switch (kind) {
    case "put":
      return text.slice(0, place) + put + text.slice(place + take);
    case "line":
      return [...lines.slice(0, second), lines[line]!, ...lines.slice(second)].join("\n");
    case "swap":
      return lines
        .map((one, index) => (index === line ? lines[second] : index === second ? lines[line] : one))
        .join("\n");
    case "drop":
      return lines.toSpliced(line, 1).join("\n");
    case "name": {
      // One name for another, everywhere: edges, templates and ids change what other nodes mean.
      const names = [
        ...new Set(text.match(/(?<=\$\{|id: |variableName: |inputs: \{ |secrets: \[)[A-Za-z_]\w*/g) ?? ["id"]),
      ];
      const [old, next] = [names[Math.floor(at * names.length)]!, names[Math.floor(other * names.length)]!];
      let nth = Math.floor(other * 7) % text.split(new RegExp(`\\b${old}\\b`)).length;
      return text.replaceAll(new RegExp(`\\b${old}\\b`, "g"), (word) => (nth-- === 0 ? next : word));
    }
    default:
      return before[Math.floor(at * before.length)]!;
  }
}

function paths(value: unknown, path: Path = []): [Path, unknown][] {
  const inner = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return [
    [path, value],
    ...inner.flatMap(([key, item]) => paths(item, [...path, Array.isArray(value) ? Number(key) : key])),
  ];
}

test("a line that hangs below a list's last item is as wrong the second time as the first", async () => {
  const text = `${TIED}      needsUserApproval: true\n`;
  const kept = keptFromBefore();
  for (const _ of ["first", "second", "third"]) {
    const { diagnostics } = await validateWorkflow(text, "a.flow.yaml", { kept });
    expect(diagnostics.map(({ code }) => code)).toEqual(["yaml-syntax"]);
  }
});

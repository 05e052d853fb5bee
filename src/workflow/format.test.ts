import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stringify, type ToStringOptions } from "yaml";
import { formatWorkflow } from "./format.ts";
import { parseWorkflow } from "./parse.ts";

const seed = Number(process.env.CHECK_SEED ?? Date.now() % 2 ** 31);
const given = { seed, numRuns: Number(process.env.RUNS ?? 200) };

function formatted(text: string, file = "a.flow.yaml"): string {
  const result = formatWorkflow(text, file);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

/** Formats twice: the second time must change nothing. */
function check(name: string, text: string, expected: string, file = "a.flow.yaml"): void {
  test(name, () => {
    expect(formatted(text, file)).toBe(expected);
    expect(formatted(expected, file)).toBe(expected);
  });
}

const NODE = "  - id: a\n    type: text\n    data:\n      title: A\n      content: x\n";

check(
  "fields come in their order, and comments go with them",
  `# top\n\n# the nodes\nnodes:\n${NODE}# the version\ncurlew: 1 # one\n# its name\nname: N\n`,
  `# top\n\n# the version\ncurlew: 1 # one\n# its name\nname: N\n# the nodes\nnodes:\n${NODE}`,
);
check(
  "a node says first who it is",
  "curlew: 1\nnodes:\n  - data: { content: x, title: A }\n    # why\n    type: text\n    id: a\n",
  "curlew: 1\nnodes:\n  - id: a\n    # why\n    type: text\n    data: { title: A, content: x }\n",
);
check(
  "a comment behind braces goes above the fields if these don't fit on one line",
  `curlew: 1\nnodes:\n  - id: a\n    type: cli\n    data: { title: A, content: ${"x".repeat(110)} } # why\n`,
  `curlew: 1\nnodes:\n  - id: a\n    type: cli\n    data:\n      # why\n      title: A\n      content: ${"x".repeat(110)}\n`,
);
check(
  "a folded command keeps its lines",
  'curlew: 1\nnodes:\n    - id: a\n      type: cli\n      data:\n          title: A\n          content:   >-\n              curl --fail\n              -H "A: b"\n\n              https://x.example\n',
  'curlew: 1\nnodes:\n  - id: a\n    type: cli\n    data:\n      title: A\n      content: >-\n        curl --fail\n        -H "A: b"\n\n        https://x.example\n',
);
check(
  "a text of several lines becomes a block",
  'curlew: 1\nnodes:\n  - id: a\n    type: text\n    data:\n      title: A\n      content: "one\\n  two\\n"\n',
  "curlew: 1\nnodes:\n  - id: a\n    type: text\n    data:\n      title: A\n      content: |\n        one\n          two\n",
);
check(
  "what a block cannot hold stays in quotes",
  'curlew: 1\nnodes:\n  - id: a\n    type: text\n    data:\n      title: A\n      content: "one \\ntwo\\r\\n"\n',
  'curlew: 1\nnodes:\n  - id: a\n    type: text\n    data:\n      title: A\n      content: "one\\ \\ntwo\\r\\n"\n',
);
check(
  "spacing is even",
  `curlew: 1\nsecrets: [ A,B ]\nnodes:\n${NODE}layout: {a: [ 1,2 ]}\n`,
  `curlew: 1\nsecrets: [A, B]\nnodes:\n${NODE}layout: { a: [1, 2] }\n`,
);
check("Windows line ends and a byte order mark go", `\ufeffcurlew: 1\r\nnodes: []\r\n`, "curlew: 1\nnodes: []\n");
check(
  "a map that does not fit on a line is opened",
  `curlew: 1\nnodes:\n  - { id: a, type: text, data: { title: A, content: ${"x".repeat(80)} } }\n`,
  `curlew: 1\nnodes:\n  - id: a\n    type: text\n    data: { title: A, content: ${"x".repeat(80)} }\n`,
);
check(
  "anchors stay before their aliases",
  "x-base: &base { timeout: 5s }\ncurlew: 1\nnodes:\n  - id: a\n    type: cli\n    data: { <<: *base, title: A, content: x }\n",
  "curlew: 1\nx-base: &base { timeout: 5s }\nnodes:\n  - id: a\n    type: cli\n    data: { title: A, <<: *base, content: x }\n",
);
check(
  "anchors that a new order would break keep the old one",
  "nodes:\n  - id: a\n    type: cli\n    data: { title: A, content: x, timeout: &t 5s }\ncurlew: 1\ntimeout: *t\n",
  "nodes:\n  - id: a\n    type: cli\n    data: { title: A, content: x, timeout: &t 5s }\ncurlew: 1\ntimeout: *t\n",
);
check(
  "JSON",
  '{"nodes":[{"type":"text","id":"a","data":{"title":"A","content":"x"}}],"x-mine":1,"curlew":1}',
  `${JSON.stringify({ curlew: 1, "x-mine": 1, nodes: [{ id: "a", type: "text", data: { title: "A", content: "x" } }] }, null, 2)}\n`,
  "a.flow.json",
);

test("a document with errors stays unchanged", () =>
  expect(formatWorkflow("curlew: 1\n", "a.flow.yaml").ok).toBe(false));

describe(`any document (CHECK_SEED=${seed})`, () => {
  const text = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 60 }),
    fc
      .array(
        fc.constantFrom(
          "a",
          " ",
          "\n",
          "  ",
          "\t",
          "#",
          ": ",
          "- ",
          "'",
          '"',
          "\\",
          "|",
          ">",
          "${1}",
          "\r",
          "é",
          "curl -s \\\n  x",
        ),
        { maxLength: 20 },
      )
      .map((pieces) => pieces.join("")),
  );
  const node = fc.record({ content: text, title: text.filter((title) => title !== ""), note: text });
  const style = fc.record({
    defaultStringType: fc.constantFrom("PLAIN", "QUOTE_DOUBLE", "QUOTE_SINGLE", "BLOCK_LITERAL", "BLOCK_FOLDED"),
    indent: fc.constantFrom(2, 4, 3),
    lineWidth: fc.constantFrom(0, 20, 80),
    collectionStyle: fc.constantFrom("any", "block", "flow"),
  });
  test("formatting keeps the model and is idempotent", () =>
    fc.assert(
      fc.property(fc.array(node, { maxLength: 4 }), style, (nodes, how) => {
        const document = {
          edges: nodes.slice(1).map((_, index) => `n${index} -> n${index + 1}`),
          nodes: nodes.map(({ content, title, note }, index) => ({
            data: { content, title, "x-note": note },
            id: `n${index}`,
            type: "text",
          })),
          description: nodes[0]?.note ?? "",
          curlew: 1,
        };
        const before = stringify(document, { ...how, defaultKeyType: "PLAIN" } as ToStringOptions);
        const model = parseWorkflow(before, "a.flow.yaml").workflow;
        fc.pre(model !== undefined);
        const after = formatted(before);
        expect(parseWorkflow(after, "a.flow.yaml").workflow).toEqual(model);
        expect(formatted(after)).toBe(after);
      }),
      given,
    ));
});

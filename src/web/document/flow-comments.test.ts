// Comments inside of `{ }` and `[ ]` stay where they are when something beside them is changed on the canvas (D1 of types.ts).

import fc from "fast-check";
import { expect, test } from "vitest";
import { isSame } from "./equal.ts";
import { type Edit, openDoc, perform, removeNodes, setDocumentField, setField } from "./index.ts";

const TEXT = `curlew: 1
nodes:
  - { id: a, type: cli, data: { # what it is
        title: A, # its name
        # how long
        timeout: 5s,
        env: { static: { X: "1", Y: '2' } }, # names
        content: echo # what it does
      } }
  - { id: b, type: text, data: { title: B, content: b } } # the other
finally: [
  a, # always
  # and this
  b,
]
`;

function after(edit: Edit, text = TEXT): string {
  const change = perform(openDoc(text, "a.flow.yaml"), edit);
  if (!change.ok) throw new Error(change.error);
  return change.value.doc.text;
}

test.each<[string, Edit, (text: string) => string]>([
  ["a value", setField("a", ["title"], "Other"), (text) => text.replace("title: A,", "title: Other,")],
  ["the last value", setField("a", ["content"], "ls"), (text) => text.replace("content: echo #", "content: ls #")],
  ["an inner value keeps its quotes", setField("a", ["env", "static", "Y"], "3"), (text) => text.replace("'2'", "'3'")],
  ["lines become a quoted text", setField("a", ["content"], "a\nb"), (text) => text.replace("echo #", '"a\\nb" #')],
  [
    "a new field on a line of its own",
    setField("a", ["cwd"], "/tmp"),
    (text) => text.replace("echo # what it does\n", "echo, # what it does\n        cwd: /tmp\n"),
  ],
  [
    "what goes takes its comments along",
    setField("a", ["timeout"], undefined),
    (text) => text.replace("        # how long\n        timeout: 5s,\n", ""),
  ],
  ["a list's item", setDocumentField(["finally"], ["b"]), (text) => text.replace("  a, # always\n", "")],
  [
    "a new item at the end",
    setDocumentField(["finally"], ["a", "b", "c"]),
    (text) => text.replace("  b,\n]", "  b,\n  c\n]"),
  ],
  [
    "a new item between",
    setDocumentField(["finally"], ["a", "c", "b"]),
    (text) => text.replace("  # and this\n", "  c,\n  # and this\n"),
  ],
])("%s", (_, edit, wanted) => {
  expect(wanted(TEXT)).not.toBe(TEXT);
  expect(after(edit)).toBe(wanted(TEXT));
});

test("a node that goes takes only its own comments", () => {
  const text = `curlew: 1
nodes: [
  # the first
  { id: a, type: start, data: { title: A } }, # one
  # the second
  { id: b, type: start, data: { title: B } }, # two
]
`;
  expect(after(removeNodes(["a"]), text)).toBe(`curlew: 1
nodes: [
  # the second
  { id: b, type: start, data: { title: B } }, # two
]
`);
});

test("the same on lines that hold several, and with Windows line ends", () => {
  const text = "curlew: 1\nfinally: [a, b, # two\n  c, d]\n";
  const listed = (list: string[], from = text) => after(setDocumentField(["finally"], list), from);
  expect(listed(["a", "c", "d"])).toBe("curlew: 1\nfinally: [a, # two\n  c, d]\n");
  expect(listed(["a", "b", "c"])).toBe("curlew: 1\nfinally: [a, b, # two\n  c]\n");
  expect(listed(["a", "b", "c", "d", "e"])).toBe("curlew: 1\nfinally: [a, b, # two\n  c, d, e]\n");
  expect(listed(["x"])).toContain("x");
  const windows = TEXT.replaceAll("\n", "\r\n");
  expect(after(setField("a", ["cwd"], "/tmp"), windows)).toBe(
    after(setField("a", ["cwd"], "/tmp")).replaceAll("\n", "\r\n"),
  );
});

test("any change of a commented map or list reads back as meant, and loses no comment of what stays", () => {
  const value = fc.oneof(fc.string({ maxLength: 6 }), fc.integer(), fc.boolean(), fc.constant("a, b # c"));
  const lay = fc.record({ comment: fc.boolean(), line: fc.boolean(), above: fc.boolean() });
  const items = fc.array(fc.tuple(value, lay), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(items, fc.array(value, { minLength: 1, maxLength: 6 }), fc.boolean(), (had, next, asMap) => {
      const name = (at: number): string => (asMap ? `k${at}: ` : "");
      const body = had
        .map(([item, { comment, line, above }], at) => {
          const lead = above ? `\n  # above ${at}\n  ` : line ? "\n  " : " ";
          return `${lead}${name(at)}${JSON.stringify(item)}, ${comment ? `# behind ${at}\n ` : ""}`;
        })
        .join("");
      const text = `curlew: 1\nx-a: ${asMap ? "{" : "["} # first\n${body}\n${asMap ? "}" : "]"}\nname: N\n`;
      const wanted = asMap ? Object.fromEntries(next.map((item, at) => [`k${at * 2}`, item])) : next;
      const change = perform(openDoc(text, "a.flow.yaml"), setDocumentField(["x-a"], wanted));
      if (!change.ok) throw new Error(`${change.error}\n${text}`);
      expect(isSame(change.value.doc.plain?.["x-a"], wanted)).toBe(true);
      expect(change.value.doc.text).toContain("# first");
      for (const [at, [item, { comment, above }]] of had.entries()) {
        if (asMap ? at % 2 !== 0 || at / 2 >= next.length : !isSame(next[at], item)) continue;
        if (asMap || had.length === next.length) {
          if (comment && asMap) expect(change.value.doc.text, text).toContain(`# behind ${at}`);
          if (above && asMap) expect(change.value.doc.text, text).toContain(`# above ${at}`);
        }
      }
    }),
    { numRuns: Number(process.env.PROPERTY_RUNS ?? 400) },
  );
});

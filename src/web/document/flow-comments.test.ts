// Comments inside `{ }` and `[ ]` stay in place when the canvas changes a value next to them (D1 of types.ts).

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

test("a commented map becomes a block when one of its values changes, and its comments stay", () => {
  const changed = after(setField("a", ["cwd"], "/tmp"));
  const block = `  - id: a
    type: cli
    data:
      # what it is
      title: A # its name
      # how long
      timeout: 5s
      env: { static: { X: "1", Y: '2' } } # names
      content: echo # what it does
      cwd: /tmp
`;
  const node = TEXT.slice(TEXT.indexOf("  - { id: a"), TEXT.indexOf("  - { id: b"));
  expect(changed).toBe(TEXT.replace(node, block));
  expect(after(setField("a", ["cwd"], undefined), changed)).toBe(changed.replace("      cwd: /tmp\n", ""));
  expect(after(setField("a", ["content"], "a\nb"))).toContain("content: |- # what it does\n        a\n        b\n");
  const windows = TEXT.replaceAll("\n", "\r\n");
  expect(after(setField("a", ["cwd"], "/tmp"), windows)).toBe(changed.replaceAll("\n", "\r\n"));
});

test("a commented list becomes a block, and items that stay keep their comments", () => {
  const listed = (list: string[]) => after(setDocumentField(["finally"], list));
  expect(listed(["a", "b", "c"])).toMatch(/finally:\n {2}- a # always\n {2}# and this\n {2}- b\n {2}- c\n$/);
  const text = `curlew: 1
nodes: [
  # the first
  { id: a, type: start, data: { title: A } }, # one
  # the second
  { id: b, type: start, data: { title: B } }, # two
]
`;
  const left = after(removeNodes(["a"]), text);
  expect(left).toContain("# the second\n");
  expect(left).toContain("# two");
  expect(left).not.toContain("# one");
});

test("a changed map or list has the intended value and keeps the comments of the other entries", () => {
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

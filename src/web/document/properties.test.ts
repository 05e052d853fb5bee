// Random edits of the examples: the file is still readable, has the intended values, keeps its comments, and undo
// restores every byte. fast-check prints the seed. PROPERTY_RUNS sets the number of runs.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatWorkflow } from "../../workflow/format.ts";
import {
  addNode,
  applyEdits,
  connect,
  type Doc,
  disconnect,
  duplicateNodes,
  type Edit,
  type History,
  linksOf,
  moveNodes,
  nodesOf,
  noHistory,
  openDoc,
  perform,
  record,
  redo,
  removeNodes,
  renameNode,
  setField,
  undo,
  wrapInLoop,
} from "./index.ts";

const folder = join(import.meta.dirname, "../../../examples");
/** Each example in both forms. */
const documents = readdirSync(folder)
  .filter((name) => name.endsWith(".flow.yaml"))
  .flatMap((name) =>
    (["short", "long"] as const).map((form) => {
      const text = formatWorkflow(readFileSync(join(folder, name), "utf8"), name, form);
      return { name: `${form} ${name}`, text: text.ok ? text.value : "" };
    }),
  );

const texts = fc.oneof(
  fc.constantFrom(
    "x",
    "echo hi",
    "two\nlines\n",
    "a: b # c",
    "${1} 'q' \"d\"",
    " lead",
    "trail ",
    "- dash",
    "{x}",
    "~",
    "3",
    "true",
    "",
  ),
  fc.string({ maxLength: 30 }),
);
const values = fc.oneof(
  texts,
  fc.integer(),
  fc.boolean(),
  fc.record({ a: texts }, { noNullPrototype: true }),
  fc.array(texts, { maxLength: 3 }),
);
const step = fc.record({
  kind: fc.constantFrom("field", "remove", "heal", "add", "rename", "connect", "cut", "move", "wrap", "copy", "unset"),
  pick: fc.nat(),
  other: fc.nat(),
  path: fc.constantFrom(
    ["title"],
    ["content"],
    ["timeout"],
    ["retry", "maxAttempts"],
    ["env", "static", "A"],
    ["x-a", "b", "c"],
  ),
  value: values,
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function editOf(doc: Doc, { kind, pick, other, path, value }: Step): Edit {
  const nodes = nodesOf(doc.plain ?? {});
  const a = nodes[pick % Math.max(1, nodes.length)]?.id ?? "none";
  const b = nodes[other % Math.max(1, nodes.length)]?.id ?? "none";
  const links = linksOf(doc.plain?.edges);
  const link = links[pick % Math.max(1, links.length)];
  switch (kind) {
    case "field":
      return setField(a, path, value);
    case "unset":
      return setField(a, path, undefined);
    case "remove":
      return removeNodes([a]);
    case "heal":
      return removeNodes([a, b], { heal: true });
    case "rename":
      return renameNode(a, `${a}_${other % 100}`.slice(0, 60));
    case "connect":
      return connect(a, b, other % 3 === 0 ? "true" : undefined);
    case "cut":
      return disconnect(link === undefined ? [] : [link]);
    case "move":
      return moveNodes({ [a]: [pick % 1000, other % 1000], [b]: [other % 1000, pick % 1000] });
    case "wrap":
      return wrapInLoop([a, b]);
    case "copy":
      return duplicateNodes(doc, [a, b]);
    default:
      return addNode({
        type: "text",
        data: { title: `T ${pick % 50}`, content: JSON.stringify(value) },
        after: { source: a },
        at: [pick % 900, 0],
      });
  }
}

/** Comments on their own lines that do not belong to a node. Only the source view can remove them. */
function fileComments(text: string): string[] {
  const head = text.slice(0, text.indexOf("nodes:"));
  return head.split("\n").filter((line) => /^\s*#/.test(line));
}

const numRuns = Number(process.env.PROPERTY_RUNS ?? 150);

describe("random edits", () => {
  it("hold what was meant, keep comments, and are undone to the byte", () => {
    let refusals = 0;
    let done = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...documents),
        fc.array(step, { minLength: 1, maxLength: 12 }),
        ({ name, text }, steps) => {
          let doc = openDoc(text, name);
          let history: History = noHistory;
          const seen = [text];
          for (const [at, one] of steps.entries()) {
            const edit = editOf(doc, one);
            const change = perform(doc, edit);
            if (!change.ok) {
              if (change.error.startsWith("This part")) refusals++;
              continue;
            }
            done++;
            const { edits, inverse } = change.value;
            expect(applyEdits(doc.text, edits)).toBe(change.value.doc.text);
            if (one.kind === "move" || one.kind === "connect" || one.kind === "field")
              expect(change.value.doc.text.split("#").length).toBeGreaterThanOrEqual(
                one.kind === "field" ? 0 : doc.text.split("#").length,
              );
            history = record(history, { label: edit.label, edits, inverse, at: at * 10_000 }, doc.text);
            doc = change.value.doc;
            seen.push(doc.text);
            expect(fileComments(doc.text)).toEqual(fileComments(text));
          }
          let now = doc.text;
          for (const before of seen.slice(0, -1).reverse()) {
            const undone = undo(now, history);
            if (undone === undefined || "conflict" in undone) throw new Error("cannot undo");
            now = undone.text;
            history = undone.history;
            expect(now).toBe(before);
          }
          for (const after of seen.slice(1)) {
            const again = redo(now, history);
            if (again === undefined || "conflict" in again) throw new Error("cannot redo");
            now = again.text;
            history = again.history;
            expect(now).toBe(after);
          }
        },
      ),
      { numRuns },
    );
    if (process.env.PROPERTY_RUNS) console.log({ done, refusals });
    // Rejecting an edit is the last resort: nearly all must succeed.
    expect(refusals / done).toBeLessThan(0.01);
  }, 60_000);
});

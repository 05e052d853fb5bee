// Connecting feeds a command that reads standard input. For other nodes it offers the value.

import { expect, test } from "vitest";
import { usesParent } from "../canvas/fed.ts";
import { openDoc, perform } from "../document/index.ts";
import { connectFed } from "./feeding.ts";
import { sketchOf } from "./read.ts";

const FILE = "a.flow.yaml";
const document = (target: string) =>
  openDoc(
    `curlew: 1\nname: a\nnodes:\n  - id: get_items\n    run: curl https://x.test\n  - id: next\n${target}\n`,
    FILE,
  );

/** The lines of the target after it was connected, the offer, and whether it uses the value. */
async function connected(target: string, press = false) {
  const before = document(target);
  const { edit, offer } = await connectFed(before, { source: "get_items", target: "next" });
  let changed = perform(before, edit);
  if (changed.ok && press && offer !== undefined) changed = perform(changed.value.doc, offer.edit);
  if (!changed.ok) throw new Error(changed.error);
  const { doc } = changed.value;
  const graph = sketchOf(doc.parsed, doc.plain);
  const used = usesParent(graph.nodes[graph.indexOf.get("next")!]!, 0);
  return { text: doc.text.split("- id: next\n")[1], offer: offer?.label, used };
}

test.each(["jq length", "curl --json @- https://x.test", "cat", "wc -l", "curl -d @- https://x.test", "sort | uniq"])(
  "%s is fed by the edge, in one step",
  async (run) => {
    expect(await connected(`    run: ${run}`)).toEqual({
      text: `    after: get_items\n    run: ${run}\n    stdin: get_items\n`,
      offer: undefined,
      used: true,
    });
  },
);

test.each([
  ["    run: python3 report.py", "Feed the output of Get items to it", "    stdin: get_items\n"],
  ["    run: curl https://y.test", "Insert ${get_items}", "    run: curl https://y.test ${get_items}\n"],
  ["    prompt: Summarise", "Insert ${get_items}", "    prompt: Summarise ${get_items}\n"],
])("%s is offered the value", async (target, label, line) => {
  const before = await connected(target);
  expect([before.offer, before.used]).toEqual([label, false]);
  const after = await connected(target, true);
  expect([after.text?.includes(line), after.used], after.text).toEqual([true, true]);
});

test.each([
  ["    run: echo ${1}", true],
  ["    run: jq length\n    stdin: { text: '[]' }", false],
  ["    if: exitCode == 0", true],
])("nothing else changes for %s", async (target, used) => {
  const { offer, text, ...rest } = await connected(target);
  expect(text).toBe(`    after: get_items\n${target}\n`);
  expect([rest.used, offer === undefined]).toEqual([used, used]);
});

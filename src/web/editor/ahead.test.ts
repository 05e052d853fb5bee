// What is told ahead of a field that is being typed in is what the whole check of the edited document tells of it (A1). The seed is printed
// by fast-check; PROPERTY_RUNS asks for more.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { keptFromBefore } from "../../workflow/kept.ts";
import { validateWorkflow } from "../../workflow/validate.ts";
import { findingsOf } from "../code/places.ts";
import { nodesOf, openDoc, perform } from "../document/index.ts";
import { setInNode } from "../inspector/edits.ts";
import { foundAhead } from "./ahead.ts";
import { badgesOf, nodeOfFinding } from "./read.ts";

const folder = join(import.meta.dirname, "../../../examples");
const documents = readdirSync(folder)
  .filter((name) => name.endsWith(".flow.yaml"))
  .map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
const words = fc.constantFrom(
  ..."${nobody}|${1}|${2.a}|${x|jsn}|curl|http://x.example|rm -rf /|$HOME|'|\"|#|: |{|}|eval| |\n|\n\n|${|exitCode == 0|- a|é😀|sk_live_4eC39HqLyjWDarjtT1zdp7dc".split(
    /\|(?!jsn)/,
  ),
);
const numRuns = Number(process.env.PROPERTY_RUNS ?? 80);

test("what is told ahead is what the whole check tells afterwards", async () => {
  const told = { ahead: 0, findings: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...documents),
      fc.nat(),
      fc.constantFrom(["content"], ["content"], ["title"], ["initialValue"], ["timeout"], ["stdin", "literal"]),
      fc.array(fc.array(words, { maxLength: 8 }), { minLength: 1, maxLength: 4 }),
      async ({ name, text }, pick, path, values) => {
        const kept = keptFromBefore();
        const nodes = nodesOf(openDoc(text, name).plain ?? {});
        const at = pick % nodes.length;
        const { id } = nodes[at]!;
        for (const value of values.map((parts) => parts.join(" "))) {
          const foreseen = await foundAhead(text, name, { id, path, value }, kept);
          const changed = perform(openDoc(text, name), setInNode(id, path, value));
          if (!changed.ok || foreseen === undefined) continue;
          const { findings, ids, list } = foreseen;
          const { doc } = changed.value;
          const { diagnostics } = await validateWorkflow(doc.text, name);
          const all = findingsOf(doc.text, diagnostics);
          const whole = all.under(["nodes", at, "data", ...path]);
          const plainly = (list: typeof whole) => list.map(({ path: _, ...one }) => one);
          expect({ text: doc.text, found: plainly(findings) }).toEqual({ text: doc.text, found: plainly(whole) });
          expect({ text: foreseen.text, list }).toEqual({ text: doc.text, list: diagnostics });
          const badges = badgesOf(all.all, (finding) => nodeOfFinding(doc, finding), new Map());
          expect(badgesOf(list, (_, of) => ids[of], new Map())).toEqual(badges);
          told.ahead += 1;
          told.findings += findings.length;
        }
      },
    ),
    { numRuns },
  );
  // Else nothing was compared.
  expect(told.ahead).toBeGreaterThan(numRuns);
  expect(told.findings).toBeGreaterThan(numRuns);
}, 60_000);

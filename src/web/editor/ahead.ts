// ahead: what the checks find in a field of a node that is being typed in, before the document holds it: reading it anew and drawing what
// follows waits for a pause (code/running.ts), underlining does not (spec ui.md 6.8).
//   A1. The findings are those of the whole check of the document that the edit makes; ahead.test.ts holds both against each other.
//   A2. Where that cannot be had from the lines of one node, nothing is said: the document's own check follows anyway.

import type { Kept } from "../../workflow/kept.ts";
import { validateWorkflow } from "../../workflow/validate.ts";
import { readPlainYaml } from "../../workflow/yaml-plain.ts";
import { type Finding, findingsOf } from "../code/places.ts";
import { openDoc, perform, rootOf } from "../document/index.ts";
import type { Typed } from "../inspector/context.ts";
import { setInNode } from "../inspector/edits.ts";

/** Offsets are of the value. Undefined: A2. */
export async function foundAhead(
  text: string,
  file: string,
  { id, path, value }: Typed,
  kept?: Kept,
): Promise<readonly Finding[] | undefined> {
  const read = /\.json$/i.test(file) ? undefined : readPlainYaml(text);
  const nodes: unknown[] = Array.isArray(read?.plain.nodes) ? read.plain.nodes : [];
  const [index, second] = nodes.flatMap((node, at) => ((node as { id?: unknown } | null)?.id === id ? [at] : []));
  const starts = read?.pieces.get("nodes");
  if (index === undefined || second !== undefined || starts === undefined) return undefined;
  const [from, to] = [starts[index]!, starts[index + 1]!];
  const changed = perform(openDoc(HEAD + text.slice(from, to), file), setInNode(id, path, value));
  if (!changed.ok) return undefined;
  const { doc } = changed.value;
  const next = text.slice(0, from) + doc.text.slice(HEAD.length) + text.slice(to);
  const { diagnostics } = await validateWorkflow(next, file, { ...(kept === undefined ? {} : { kept }) });

  const above = linesIn(text.slice(0, from)) - linesIn(HEAD);
  const last = above + linesIn(doc.text);
  const own = diagnostics
    .filter(({ range }) => range.start.line > above + linesIn(HEAD) && range.start.line <= last)
    .map((one) => ({
      ...one,
      range: {
        start: { ...one.range.start, line: one.range.start.line - above },
        end: { ...one.range.end, line: one.range.end.line - above },
      },
    }));
  return findingsOf(doc.text, own, rootOf(doc)).under(["nodes", 0, "data", ...path]);
}

/** With it the lines of one node are a document. */
const HEAD = "nodes:\n";

function linesIn(text: string): number {
  return text.split("\n").length - 1;
}

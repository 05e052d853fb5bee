// ahead: what the checks find while a field of a node is being typed in, before the document holds it: reading it anew and drawing what
// follows waits for a pause (code/running.ts), underlining and saying what is wrong does not (spec ui.md 6.8).
//   A1. The findings are those of the whole check of the document that the edit makes; ahead.test.ts holds both against each other.
//   A2. Where that cannot be had from the lines of one node, nothing is said: the document's own check follows anyway.

import type { Diagnostic } from "../../workflow/diagnostic.ts";
import type { Kept } from "../../workflow/kept.ts";
import { lineStartsOf } from "../../workflow/source-map.ts";
import { validateWorkflow } from "../../workflow/validate.ts";
import { readPlainYaml } from "../../workflow/yaml-plain.ts";
import { type Finding, findingsOf } from "../code/places.ts";
import { openDoc, perform, rootOf } from "../document/index.ts";
import type { Typed } from "../inspector/context.ts";
import { setInNode } from "../inspector/edits.ts";

export interface Foreseen {
  typed: Typed;
  /** In the field. Offsets are of its value. */
  findings: readonly Finding[];
  /** The document as it will be, and what is found in it, each with its node's id. */
  text: string;
  list: readonly Diagnostic[];
  ids: readonly (string | undefined)[];
}

/** Undefined: A2. */
export async function foundAhead(text: string, file: string, typed: Typed, kept?: Kept): Promise<Foreseen | undefined> {
  const { id, path, value } = typed;
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
  const begins = starts.map((start, at) => (at <= index ? start : start + next.length - text.length));
  return {
    typed,
    findings: findingsOf(doc.text, own, rootOf(doc)).under(["nodes", 0, "data", ...path]),
    text: next,
    list: diagnostics,
    ids: placesIn(begins, next, diagnostics).map((at) => (nodes[at] as { id?: string } | undefined)?.id),
  };
}

/** In the lines of which node each of them begins; that of none is not there. */
function placesIn(begins: readonly number[], text: string, list: readonly Diagnostic[]): number[] {
  const lines = lineStartsOf(text);
  return list.map(({ range }) => begins.findLastIndex((begin) => begin <= lines[range.start.line - 1]!));
}

/** With it the lines of one node are a document. */
const HEAD = "nodes:\n";

function linesIn(text: string): number {
  return text.split("\n").length - 1;
}

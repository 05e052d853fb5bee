// ahead: what the checks find while a field of a node is being typed in, before the document holds it: reading it anew and drawing what
// follows waits for a pause (code/running.ts), underlining and saying what is wrong does not (spec ui.md 6.8).
//   A1. The findings are those of the whole check of the document that the edit makes; ahead.test.ts holds both against each other.
//   A2. Where the text cannot be read line by line, nothing is said: the document's own check follows anyway.

import type { Diagnostic } from "../../workflow/diagnostic.ts";
import type { Kept } from "../../workflow/kept.ts";
import { parseWorkflow } from "../../workflow/parse.ts";
import { validateParsed } from "../../workflow/validate.ts";
import { type Finding, findingsOf } from "../code/places.ts";
import { type Doc, linesRead, nodesOf, openDoc, openNext, perform } from "../document/index.ts";
import type { Typed } from "../inspector/context.ts";
import { setInNode } from "../inspector/edits.ts";
import { nodeOfFinding } from "./read.ts";

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
  const doc = opened(text, file);
  if (/\.json$/i.test(file) || linesRead(doc) === undefined) return undefined;
  const changed = perform(doc, setInNode(id, path, value));
  if (!changed.ok) return undefined;
  const next = changed.value.doc;
  const lines = linesRead(next);
  const places = nodesOf(next.plain ?? {}).flatMap((node, at) => (node.id === id ? [at] : []));
  if (places.length !== 1) return undefined;

  kept?.turn();
  const parsed = parseWorkflow(next.text, file, lines === undefined ? undefined : { lines }, kept);
  const { diagnostics } = await validateParsed(parsed, kept === undefined ? {} : { kept });
  const found = findingsOf(next.text, diagnostics);
  return {
    typed,
    findings: found.under(["nodes", places[0]!, "data", ...path]),
    text: next.text,
    list: diagnostics,
    ids: found.all.map((finding) => nodeOfFinding(next, finding)),
  };
}

/** Who types on asks about the same text until the document holds what was typed. */
function opened(text: string, file: string): Doc {
  if (before?.text !== text || before.file !== file)
    before = before?.file === file ? openNext(before, text) : openDoc(text, file);
  return before;
}

let before: Doc | undefined;

// import/mark: the line that says that a document came from elsewhere, put into its text (spec 4.2, ADR 44).
//   M1. Nothing else of the document changes: what it means, but for the mark, is the same before and after, or it is refused.
//   M2. A mark that is there already is replaced: it is the word of whoever sent the file.
//   M3. The text stays as it was written wherever a line can be put in; else it is written anew.

import { isMap, parseDocument } from "yaml";
import { err, ok, type Result } from "../../base/result.ts";
import type { Workflow } from "../model.ts";
import { parseWorkflow } from "../parse.ts";

export type Mark = NonNullable<Workflow["imported"]>;

/** `text` has been parsed without an error as `file`, whose ending chooses YAML or JSON. */
export function marked(text: string, file: string, mark: Mark): Result<string, "changed"> {
  const before = meaning(text, file);
  const ways = /\.json$/i.test(file) ? [inJson] : [asLine, asField];
  for (const way of ways) {
    const written = way(text, mark);
    if (written === undefined) continue;
    const { workflow } = parseWorkflow(written, file);
    if (JSON.stringify(workflow?.imported) === JSON.stringify(mark) && meaning(written, file) === before)
      return ok(written);
  }
  return err("changed");
}

function meaning(text: string, file: string): string | undefined {
  const { workflow } = parseWorkflow(text, file);
  if (workflow === undefined) return undefined;
  const { imported: _, ...rest } = workflow;
  return JSON.stringify(rest);
}

/** In front of the line `curlew: 1`, when the document is written as a block from the first column. */
function asLine(text: string, mark: Mark): string | undefined {
  if (/^(?:imported|["']imported["']|\?)/m.test(text)) return undefined;
  const at = /^curlew[ \t]*:/m.exec(text)?.index;
  if (at === undefined) return undefined;
  const end = text.indexOf("\n", at);
  const line = `imported: ${flow(mark)}\n`;
  return end === -1 ? undefined : `${text.slice(0, end + 1)}${line}${text.slice(end + 1)}`;
}

/** JSON is YAML too, and what stands in it cannot be anything but text. */
function flow(mark: Mark): string {
  return `{ ${Object.entries(mark)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(", ")} }`;
}

function asField(text: string, mark: Mark): string | undefined {
  const document = parseDocument(text, { keepSourceTokens: true, prettyErrors: false, logLevel: "silent" });
  if (document.errors.length > 0 || !isMap(document.contents)) return undefined;
  document.set("imported", document.createNode(mark, { flow: true }));
  try {
    return document.toString({ lineWidth: 0 });
  } catch {
    return undefined;
  }
}

function inJson(text: string, mark: Mark): string {
  const { imported: _, ...plain } = JSON.parse(text.replace(/^\ufeff/, "")) as Record<string, unknown>;
  const { curlew, ...rest } = plain;
  return `${JSON.stringify({ curlew, imported: mark, ...rest }, null, 2)}\n`;
}

// import/mark: adds the `imported` field to the text of a workflow (spec 4.2, ADR 44).
//   M1. Nothing else changes: the rest of the workflow has the same meaning before and after, or the import is
//       rejected.
//   M2. An existing field is replaced, because it came from the sender of the file.
//   M3. The text stays as written if a line can be inserted; otherwise the file is written again.

import { isMap, parseDocument } from "yaml";
import { err, ok, type Result } from "../../base/result.ts";
import type { Workflow } from "../model.ts";
import { parseWorkflow } from "../parse.ts";

export type Mark = NonNullable<Workflow["imported"]>;

/** `text` must parse without errors as `file`, whose extension selects YAML or JSON. */
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

/** Inserts a line after `curlew: 1`, if the workflow is a block that starts in the first column. */
function asLine(text: string, mark: Mark): string | undefined {
  if (/^(?:imported|["']imported["']|\?)/m.test(text)) return undefined;
  const at = /^curlew[ \t]*:/m.exec(text)?.index;
  if (at === undefined) return undefined;
  const end = text.indexOf("\n", at);
  const line = `imported: ${flow(mark)}\n`;
  return end === -1 ? undefined : `${text.slice(0, end + 1)}${line}${text.slice(end + 1)}`;
}

/** JSON is valid YAML, and its strings can only be strings. */
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

// check-file: a document and the subflows it reaches, each parsed and validated once.

import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Diagnostic } from "../workflow/diagnostic.ts";
import type { Workflow } from "../workflow/model.ts";
import { parseWorkflow } from "../workflow/parse.ts";

export interface Checked {
  /** Given when no document has an error. */
  workflow?: Workflow;
  /** By the file's shown name, the outermost first. */
  diagnostics: [string, Diagnostic[]][];
  /** Texts by shown name, for excerpts. */
  texts: Map<string, string>;
  /** Texts of the subflows, by absolute path. */
  subflows: Record<string, string>;
}

export function checkFile(text: string, name: string, path: string): Checked {
  const parsed = parseWorkflow(text, name);
  const subflows: Record<string, string> = {};
  const queue = [{ workflow: parsed.workflow, path }];
  for (const { workflow, path: from } of queue)
    for (const node of workflow?.nodes ?? []) {
      if (node.type !== "subflow") continue;
      const file = resolve(dirname(from), node.data.workflow);
      if (file in subflows) continue;
      try {
        subflows[file] = readFileSync(file, "utf8");
        queue.push({ workflow: parseWorkflow(subflows[file], file).workflow, path: file });
      } catch {}
    }
  return {
    ...(parsed.workflow === undefined ? {} : { workflow: parsed.workflow }),
    diagnostics: [[name, parsed.diagnostics]],
    texts: new Map([[name, text]]),
    subflows,
  };
}

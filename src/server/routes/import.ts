// Converts a curl command or another tool's document to a workflow (spec 2.2, 2.4; docs/how-to/import.md).
//   I1. Nothing is executed, fetched, or written. The result is only returned.
//   I2. The result is valid, marked as blocked until approved, and contains none of the credentials that were found.

import type { ImportResult } from "../../api/shapes.ts";
import { sourceOfCurl, sourceOfText } from "../../app/import/source.ts";
import { limits } from "../../base/limits.ts";
import { sha256 } from "../../engine/trust-hash.ts";
import { type Mark, marked } from "../../workflow/import/mark.ts";
import { isCurl } from "../../workflow/import/pasted.ts";
import { type Handlers, json } from "../call.ts";
import { failureProblem, problem } from "../problem.ts";

export const importRoutes = {
  "POST /import": async ({ body }, { documents, clock }) => {
    const { source: given } = body;
    if (Buffer.byteLength(given) > limits.documentBytesMax) return problem("document-too-large");
    const source = isCurl(given)
      ? await sourceOfCurl(given)
      : await sourceOfText(given, { from: "a pasted document", name: "imported" });
    if (!source.ok) return failureProblem(source.error);
    const { text, from, json: isJson, asIs } = source.value;
    const path = isJson ? "imported.flow.json" : "imported.flow.yaml";
    const before = await documents.check(path, text);
    if (before.workflow === undefined) return problem("import-invalid", { diagnostics: before.diagnostics });
    const at = new Date(clock.nowMs()).toISOString();
    const mark: Mark = { from, at, ...(asIs ? { sha256: sha256(text) } : {}) };
    const written = marked(text, path, mark);
    if (!written.ok)
      return failureProblem({
        code: "import-unmarked",
        message: "Curlew can't mark this file as imported without changing its meaning.",
        hint: 'Write it in the usual form ("curlew fmt"), and import that.',
      });
    const { diagnostics, workflow } = await documents.check(path, written.value);
    return json({ text: written.value, secrets: workflow?.secrets ?? [], diagnostics } satisfies ImportResult);
  },
} satisfies Partial<Handlers>;

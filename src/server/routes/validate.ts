// Returns the diagnostics of a document, saved or not (spec 2.4). Nothing is executed or written.

import type { ValidateResult } from "../../api/shapes.ts";
import { segmentsOf } from "../../app/documents/path.ts";
import { limits } from "../../base/limits.ts";
import { type Handlers, json } from "../call.ts";
import { problem } from "../problem.ts";

/** The path assumed for a document without one. */
const NOWHERE = "document.flow.yaml";

export const validateRoutes = {
  "POST /validate": async ({ body: { text, path = NOWHERE } }, { documents }) => {
    if (Buffer.byteLength(text) > limits.documentBytesMax) return problem("document-too-large");
    const segments = segmentsOf(path);
    if (!segments.ok) return problem("bad-path", { detail: segments.error });
    const { diagnostics } = await documents.check(path, text);
    return json({ diagnostics } satisfies ValidateResult);
  },
} satisfies Partial<Handlers>;

// Shows what a document would run, with values filled in. Nothing is executed (spec 2.2 `--dry-run`, 2.3).
//   P1. The sent text is used as if it were at its path, so it need not be saved.
//   P2. Inputs may be missing. Their names are shown instead.

import type { PreviewStep } from "../../api/shapes.ts";
import { segmentsOf } from "../../app/documents/path.ts";
import { seenIn } from "../../app/documents/seen.ts";
import { previewSteps } from "../../app/preview/steps.ts";
import { limits } from "../../base/limits.ts";
import { inputSpecs } from "../../workflow/triggers/index.ts";
import { type Handlers, json } from "../call.ts";
import { failureProblem, problem } from "../problem.ts";

export const previewRoutes = {
  "POST /preview": async ({ body }, { documents, env, home, folder, store }) => {
    const { path, text, inputs = {}, node } = body;
    const segments = segmentsOf(path);
    if (!segments.ok) return problem("bad-path", { detail: segments.error });
    if (Buffer.byteLength(text) > limits.documentBytesMax) return problem("document-too-large");
    const checked = await documents.check(path, text);
    if (checked.workflow === undefined)
      return failureProblem({ code: "document-invalid", message: `${path} is not valid.` }, 422, {
        diagnostics: checked.diagnostics,
      });
    const { workflow, subflows } = checked;
    const known = Object.entries(inputSpecs(workflow)).map(([name, spec]) => [
      name,
      inputs[name] ?? spec.default ?? `‹${name}›`,
    ]);
    const document = { file: documents.fileOf(path), workflow, subflows, approvedInAdvance: [] };
    const steps = await previewSteps(
      { ...document, inputs: Object.fromEntries(known) },
      env,
      await seenIn(home, folder, store),
    );
    const wanted = node === undefined ? steps : steps.filter(({ id }) => id === node);
    if (node !== undefined && wanted.length === 0)
      return problem("not-found", { detail: `There is no node "${node}".` });
    return json({ items: wanted.map((step) => ({ ...step, command: step.command ?? "" }) satisfies PreviewStep) });
  },
} satisfies Partial<Handlers>;

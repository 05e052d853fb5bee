// Shows what a document would run, with values filled in. Nothing is executed (spec 2.2 `--dry-run`, 2.3).
//   P1. The sent text is used as if it were at its path, so it need not be saved.
//   P2. Inputs may be missing. Their names are shown instead.

import type { PreviewRequest, PreviewStep } from "../../api/shapes.ts";
import { segmentsOf } from "../../app/documents/path.ts";
import { seenIn } from "../../app/documents/seen.ts";
import { previewSteps } from "../../app/preview/steps.ts";
import { limits } from "../../base/limits.ts";
import { inputSpecs } from "../../workflow/triggers.ts";
import type { Handlers } from "../call.ts";
import { json } from "../call.ts";
import { failureProblem, problem } from "../problem.ts";
import { isMap } from "../start-body.ts";
import { hasOnly } from "./body-text.ts";

export const previewRoutes = {
  "POST /preview": async ({ body }, { documents, env, home, folder }) => {
    const asked = requestOf(body);
    if (typeof asked === "string") return problem("bad-body", { detail: asked });
    const { path, text, inputs = {}, node } = asked;
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
      await seenIn(home, folder),
    );
    const wanted = node === undefined ? steps : steps.filter(({ id }) => id === node);
    if (node !== undefined && wanted.length === 0)
      return problem("not-found", { detail: `No node is called "${node}".` });
    return json({ items: wanted.map((step) => ({ ...step, command: step.command ?? "" }) satisfies PreviewStep) });
  },
} satisfies Partial<Handlers>;

function requestOf(body: unknown): PreviewRequest | string {
  if (!isMap(body) || !hasOnly(body, ["path", "text", "inputs", "node"]))
    return 'It takes { "path", "text", "inputs"?, "node"? }.';
  const { path, text, inputs, node } = body;
  if (typeof path !== "string" || typeof text !== "string") return 'It takes "path" and "text".';
  if (!segmentsOf(path).ok) return '"path" is that of a workflow file in the folder.';
  if (Buffer.byteLength(text) > limits.documentBytesMax) return "The text is larger than a workflow may be.";
  if (inputs !== undefined && !isMap(inputs)) return '"inputs" is an object: a value for each name.';
  if (node !== undefined && typeof node !== "string") return '"node" is the id of a node.';
  return body as unknown as PreviewRequest;
}

// Turns a trigger's decision into a run (spec 2.5, 3.4).
//   R1. The run has the id chosen with the decision, so a repeated attempt does not start it twice.
//   R2. Event data is only data: the text of the input `event`, and members of a JSON body
//       that match inputs by name and type.
//   R3. The document is read when the run starts, so the newest version is used.

import type { Documents } from "../../app/documents/documents.ts";
import { relativePath } from "../../app/documents/relative-path.ts";
import type { Failure } from "../../base/failure.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { parseJson } from "../../base/tolerant.ts";
import type { RunHandle, RunRequest } from "../../engine/contract.ts";
import { patternsWithin } from "../../kinds/pattern.ts";
import type { Trigger } from "../../scheduler/event.ts";
import { checkInputs } from "../../workflow/inputs.ts";
import { bringsDelivery, bringsEvent, DELIVERY, EVENT, inputsFromBody } from "../../workflow/triggers/index.ts";
import { forbiddenKey } from "../security/body.ts";
import { readDocument } from "./active-trigger.ts";

export interface StartAsk {
  run: string;
  /** Absolute. */
  file: string;
  startedBy: Trigger;
  /** JSON text. */
  event?: string;
  /** How a webhook arrived, as JSON text. */
  delivery?: string;
}

export interface StartDeps {
  documents: Documents;
  start(request: RunRequest): Promise<Result<RunHandle, Failure>>;
}

/**
 * The handle of the run, or undefined if the run is already on record.
 * Failures: `trigger-workflow` (the document is missing, invalid, or not approved yet), `trigger-inputs`, the engine's.
 */
export async function startByTrigger(
  { run, file, startedBy, event, delivery }: StartAsk,
  deps: StartDeps,
): Promise<Result<RunHandle | undefined, Failure>> {
  const path = relativePath(deps.documents.folder.root, file);
  const document = path.startsWith("../") ? undefined : await readDocument(path, deps.documents);
  const workflow = document?.workflow;
  if (document === undefined || workflow === undefined)
    return err({
      code: "trigger-workflow",
      message: document?.problem ?? `There is no workflow ${path} in the served folder.`,
    });
  const given = event === undefined ? {} : inputsFromBody(workflow.inputs, parsed(event));
  const inputs = checkInputs(workflow.inputs, given, "json", patternsWithin());
  if (!inputs.ok)
    return err({
      code: "trigger-inputs",
      message: `${path} cannot start: ${inputs.error[0]?.message ?? "its inputs are not valid."}`,
      hint: "A trigger sets inputs from members with the same name in a JSON body. Give the others a default.",
    });
  const brought = {
    ...(event !== undefined && bringsEvent(workflow) ? { [EVENT]: event } : {}),
    ...(delivery !== undefined && bringsDelivery(workflow) ? { [DELIVERY]: delivery } : {}),
  };
  const begun = await deps.start({
    ...{ id: run, file, text: document.text, workflow, subflows: document.checked.subflows },
    ...{ inputs: { ...inputs.value, ...brought }, trigger: startedBy },
  });
  return !begun.ok && begun.error.code === "run-exists" ? ok(undefined) : begun;
}

/** The store is busy or away, or this machine has no lease in its cluster now: the start stays due. */
export function mayStartLater(code: string): boolean {
  return code.startsWith("store-") || code === "lease-lost";
}

function parsed(text: string): unknown {
  const value = parseJson(text);
  // As an input it would become an object. In `event` it stays text.
  return forbiddenKey(value) === undefined ? value : undefined;
}

// starting: a trigger's decision becomes a run (spec 2.5, 3.4).
//   R1. The run has the id that was chosen with the decision: asked twice, it starts once.
//   R2. What an event brings is data: text of the input `event`, and members of a JSON body that are inputs by name and type.
//   R3. The document is read when the run starts: the newest version counts.

import { relative, sep } from "node:path";
import type { Failure } from "../../base/failure.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { RunHandle, RunRequest } from "../../engine/contract.ts";
import { patternsWithin } from "../../nodes/pattern.ts";
import type { Trigger } from "../../scheduler/event.ts";
import { checkInputs } from "../../workflow/inputs.ts";
import { bringsDelivery, bringsEvent, DELIVERY, EVENT, inputsFromBody } from "../../workflow/triggers.ts";
import type { Documents } from "../document/documents.ts";
import { forbiddenKey } from "../security/body.ts";
import { readDocument } from "./armed.ts";

export interface StartAsk {
  run: string;
  /** Absolute. */
  file: string;
  startedBy: Trigger;
  /** JSON text. */
  event?: string;
  /** How a webhook came: JSON text. */
  delivery?: string;
}

export interface StartGround {
  documents: Documents;
  start(request: RunRequest): Promise<Result<RunHandle, Failure>>;
}

/**
 * The handle; nothing when the run is on record already. Failures: `trigger-workflow` (the document is gone, wrong, or not seen yet),
 * `trigger-inputs`, the engine's.
 */
export async function startByTrigger(
  { run, file, startedBy, event, delivery }: StartAsk,
  ground: StartGround,
): Promise<Result<RunHandle | undefined, Failure>> {
  const path = relative(ground.documents.folder.root, file).split(sep).join("/");
  const document = path.startsWith("../") ? undefined : await readDocument(path, ground.documents);
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
      message: `${path} cannot start: ${inputs.error[0]?.message ?? "its inputs do not fit."}`,
      hint: "A trigger fills an input from the member of the same name in a JSON body; give the others a default.",
    });
  const brought = {
    ...(event !== undefined && bringsEvent(workflow) ? { [EVENT]: event } : {}),
    ...(delivery !== undefined && bringsDelivery(workflow) ? { [DELIVERY]: delivery } : {}),
  };
  const begun = await ground.start({
    ...{ id: run, file, text: document.text, workflow, subflows: document.checked.subflows },
    ...{ inputs: { ...inputs.value, ...brought }, trigger: startedBy },
  });
  return !begun.ok && begun.error.code === "run-exists" ? ok(undefined) : begun;
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    // It stays in `event`, as text; as an input it would be an object.
    return forbiddenKey(value) === undefined ? value : undefined;
  } catch {
    return undefined;
  }
}

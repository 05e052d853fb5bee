// Starts a run of a stored workflow, for API callers and triggers (spec 2.4).
//   S1. Inputs are checked as on the command line, with the same codes. All problems are reported at once.
//   S2. The right to start runs does not include approving: a start with `approve` also needs the right to approve.
//       Secrets given here apply to this run only.
//   S3. A run that is based on an earlier one uses that run's inputs and asks for approval again.

import type { StartRun } from "../../api/shapes.ts";
import type { Failure } from "../../base/failure.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { PartialRunRequest, RunHandle, RunRequest } from "../../engine/contract.ts";
import { patternsWithin } from "../../kinds/pattern.ts";
import type { Trigger } from "../../scheduler/event.ts";
import type { Store } from "../../store/index.ts";
import { checkInputs } from "../../workflow/inputs.ts";
import type { Workflow } from "../../workflow/model.ts";
import { startInputs } from "../../workflow/triggers/index.ts";
import { approveMistake } from "../approvals/preapproval.ts";
import type { Documents } from "../documents/documents.ts";
import { type NotStored, type Stored, storedWorkflow } from "../documents/stored.ts";
import { unknownSecret } from "./declared-secrets.ts";
import { endedRun, inputsThen } from "./rerun-request.ts";

/** `problems`: all problems of the inputs. */
export type NotStarted = NotStored & { problems?: Failure[] };

/** For a start: the served documents, the recorded runs, and who starts them. */
export interface Starting {
  documents: Documents;
  store: Store;
  runs: { start(request: RunRequest): Promise<Result<RunHandle, Failure>> };
}

/** `path`: relative to the served folder. `id`: a run id chosen earlier (failure `run-exists` if that run exists). */
export async function startStored(
  path: string,
  given: StartRun,
  trigger: Trigger,
  context: Starting,
  id?: string,
): Promise<Result<RunHandle, NotStarted>> {
  const stored = await storedWorkflow(path, context);
  if (!stored.ok) return stored;
  const request = await requestOf(stored.value, given, trigger, context);
  if (!request.ok) return request;
  return context.runs.start({ ...request.value, id });
}

async function requestOf(
  stored: Stored,
  given: StartRun,
  trigger: Trigger,
  context: Starting,
): Promise<Result<RunRequest, NotStarted>> {
  const { workflow } = stored;
  const wrong = approveMistake(given.approve, stored);
  if (wrong !== undefined) return err(wrong);
  const secret = unknownSecret(Object.keys(given.secrets ?? {}), stored);
  if (secret !== undefined) return err(secret);
  const common = {
    ...stored,
    trigger,
    secrets: given.secrets,
    ...(given.approve?.length ? { approvedInAdvance: given.approve } : {}),
  };
  if (given.again !== undefined && given.only !== undefined)
    return err({ code: "from-and-only", message: "Name either a run to repeat or a single node, not both." });
  if (given.again !== undefined) return rerunOf(common, given, given.again, context);
  const only = await onlyOf(given.only, context);
  if (!only.ok) return only;
  const inputs = inputsOf(workflow, given.inputs ?? only.value?.inputs ?? {});
  return inputs.ok ? ok({ ...common, ...only.value, inputs: inputs.value }) : inputs;
}

/** A single node, with the values of a finished run. That run's inputs are used if none are given. */
async function onlyOf(
  only: StartRun["only"],
  { store }: Starting,
): Promise<Result<{ only: PartialRunRequest; inputs?: Record<string, unknown> } | undefined, NotStarted>> {
  if (only?.run === undefined) return ok(only && { only });
  const recorded = await endedRun(only.run, store);
  if (!recorded.ok) return recorded;
  const { row, started } = recorded.value;
  const inputs = started.sealed === undefined ? { inputs: started.inputs } : {};
  return ok({ only: { ...only, run: row.id }, ...inputs });
}

/** S1. */
function inputsOf(workflow: Workflow, given: Record<string, unknown>): Result<Record<string, unknown>, NotStarted> {
  const checked = checkInputs(startInputs(workflow), given, "json", patternsWithin());
  if (checked.ok) return checked;
  const problems = checked.error.map(({ code, message }) => ({ code, message }));
  return err({ ...problems[0]!, problems });
}

/** S3. */
async function rerunOf(
  common: Omit<RunRequest, "inputs">,
  given: StartRun,
  { run, from }: { run: string; from?: string },
  { store }: Starting,
): Promise<Result<RunRequest, NotStarted>> {
  const recorded = await endedRun(run, store);
  if (!recorded.ok) return recorded;
  const { id } = recorded.value.row;
  if (given.inputs !== undefined && Object.keys(given.inputs).length > 0)
    return err({
      code: "from-and-input",
      message: `This uses the inputs of run ${id}, so it can't have other inputs.`,
      hint: "Remove one of them.",
    });
  const inputs = inputsThen(recorded.value, common.workflow);
  if (!inputs.ok) return err({ ...inputs.error[0]!, problems: inputs.error });
  const again = { run: id, from, current: true as const };
  return ok({ ...common, inputs: inputs.value, again });
}

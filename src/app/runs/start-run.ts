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
import { didYouMean } from "../../workflow/nearest.ts";
import { parseWorkflow } from "../../workflow/parse.ts";
import { inputSpecs } from "../../workflow/triggers.ts";
import { inAdvanceMistake } from "../approvals/preapproval.ts";
import type { Documents } from "../documents/documents.ts";
import { type NotStored, type Stored, storedWorkflow } from "../documents/stored.ts";
import { inputsThen, notEnded, recordedRun } from "./rerun-request.ts";

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
  return context.runs.start({ ...request.value, ...(id === undefined ? {} : { id }) });
}

async function requestOf(
  stored: Stored,
  given: StartRun,
  trigger: Trigger,
  context: Starting,
): Promise<Result<RunRequest, NotStarted>> {
  const { workflow } = stored;
  for (const name of given.approve ?? []) {
    const wrong = name === "*" ? undefined : inAdvanceMistake(name, stored);
    if (wrong !== undefined) return err(wrong);
  }
  const secret = unknownSecret(given.secrets ?? {}, stored);
  if (secret !== undefined) return err(secret);
  const common = {
    ...stored,
    trigger,
    ...(given.secrets === undefined ? {} : { secrets: given.secrets }),
    ...(given.approve?.length ? { approvedInAdvance: given.approve } : {}),
  };
  if (given.again !== undefined && given.only !== undefined)
    return err({ code: "from-and-only", message: "A run goes by another one, or is of one node; not both." });
  if (given.again !== undefined) return goingBy(common, given, given.again, context);
  const only = onlyOf(given.only, context);
  if (!only.ok) return only;
  const inputs = inputsOf(workflow, given.inputs ?? only.value?.inputs ?? {});
  return inputs.ok ? ok({ ...common, ...only.value, inputs: inputs.value }) : inputs;
}

/** A single node, with the values of a finished run. That run's inputs are used if none are given. */
function onlyOf(
  only: StartRun["only"],
  { store }: Starting,
): Result<{ only: PartialRunRequest; inputs?: Record<string, unknown> } | undefined, NotStarted> {
  if (only?.run === undefined) return ok(only && { only });
  const row = store.journal.findRun(only.run);
  if (!row.ok) return row;
  const open = notEnded(row.value);
  if (open !== undefined) return err(open);
  const recorded = recordedRun(row.value, store);
  if (!recorded.ok) return recorded;
  const { started } = recorded.value;
  const inputs = started.sealed === undefined ? { inputs: started.inputs } : {};
  return ok({ only: { ...only, run: row.value.id }, ...inputs });
}

/** S1. */
export function inputsOf(
  workflow: Workflow,
  given: Record<string, unknown>,
): Result<Record<string, unknown>, NotStarted> {
  const checked = checkInputs(inputSpecs(workflow), given, "json", patternsWithin());
  if (checked.ok) return checked;
  const problems = checked.error.map(({ code, message }) => ({ code, message }));
  return err({ ...problems[0]!, problems });
}

/** S3. */
function goingBy(
  common: Omit<RunRequest, "inputs">,
  given: StartRun,
  { run, from }: { run: string; from?: string },
  { store }: Starting,
): Result<RunRequest, NotStarted> {
  const row = store.journal.findRun(run);
  if (!row.ok) return row;
  const open = notEnded(row.value);
  if (open !== undefined) return err(open);
  const recorded = recordedRun(row.value, store);
  if (!recorded.ok) return recorded;
  if (given.inputs !== undefined && Object.keys(given.inputs).length > 0)
    return err({
      code: "from-and-input",
      message: `This goes by run ${row.value.id} and its inputs; other inputs do not go with that.`,
      hint: "Leave one of them out.",
    });
  const inputs = inputsThen(recorded.value, common.workflow);
  if (!inputs.ok) return err({ ...inputs.error[0]!, problems: inputs.error });
  const again = { run: row.value.id, ...(from === undefined ? {} : { from }), current: true as const };
  return ok({ ...common, inputs: inputs.value, again });
}

/** The failure for a name that neither the workflow nor any of its subflows declares. */
function unknownSecret(secrets: Record<string, string>, { workflow, subflows }: Stored): Failure | undefined {
  const names = Object.keys(secrets);
  if (names.length === 0) return undefined;
  const inside = Object.entries(subflows).flatMap(([file, text]) => parseWorkflow(text, file).workflow?.secrets ?? []);
  const declared = [...new Set([...workflow.secrets, ...inside])];
  const unknown = names.find((name) => !declared.includes(name));
  if (unknown === undefined) return undefined;
  return {
    code: "unknown-secret",
    message: `The workflow declares no secret "${unknown}".${didYouMean(unknown, declared)}`,
    hint:
      declared.length === 0 ? 'Declare it in the workflow: "secrets: [NAME]".' : `Declared are ${declared.join(", ")}.`,
  };
}

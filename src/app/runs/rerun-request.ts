// Builds a run from an earlier one: `runs retry`, `run FILE --from`, and the same through the API (spec 2.2, 2.3).
//   R1. The earlier run is not changed. The result is a new run that refers to it.
//   R2. The recorded document is used, unless the current file is requested.
//   R3. Secrets are looked up again, and approvals are asked again: both belonged to the earlier run.
// Failures use the wording of the command line or the API. `hints` has what differs.

import type { Failure } from "../../base/failure.ts";
import { shortRunId } from "../../base/ids.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { RerunRequest } from "../../engine/index.ts";
import { outermostOf } from "../../engine/pending.ts";
import { mayBeAlive, nameOf } from "../../engine/recovery/owner.ts";
import { patternsWithin } from "../../kinds/pattern.ts";
import type { RunEvent } from "../../scheduler/event.ts";
import { MASK } from "../../secrets/masker.ts";
import type { RunRow, Store } from "../../store/index.ts";
import { checkInputs } from "../../workflow/inputs.ts";
import type { Workflow } from "../../workflow/model.ts";
import { parseWorkflow } from "../../workflow/parse.ts";
import { inputSpecs } from "../../workflow/triggers/index.ts";
import type { Stored } from "../documents/stored.ts";

export interface RecordedRun {
  row: RunRow;
  started: Extract<RunEvent, { type: "run.started" }>;
  workflow: Workflow;
}

/** Failures: `run-empty`, `record-damaged`, the store's. */
export async function recordedRun(row: RunRow, store: Store): Promise<Result<RecordedRun, Failure>> {
  const first = await store.journal.read(row.id, 1, 1);
  if (!first.ok) return first;
  const [started] = first.value;
  if (started === undefined)
    return err({
      code: "run-empty",
      message: `The record of run ${row.id} has no beginning: Curlew ended before it started anything.`,
      hint: `"curlew runs rm ${row.id}" removes it.`,
    });
  const workflow =
    started.type === "run.started" ? parseWorkflow(started.workflow.text, started.workflow.file).workflow : undefined;
  if (started.type !== "run.started" || workflow === undefined)
    return err({ code: "record-damaged", message: `Curlew can no longer read the workflow of run ${row.id}.` });
  return ok({ row, started, workflow });
}

/** Why the run cannot be reused yet. */
export function notEnded(row: RunRow): Failure | undefined {
  if (row.endedAt !== undefined) return undefined;
  const run = shortRunId(row.id);
  if (row.owner !== undefined && mayBeAlive(row.owner))
    return {
      code: "run-claimed",
      message: `${nameOf(row.owner)} is still working on run ${row.id}.`,
      hint: `"curlew runs cancel ${run}" ends it.`,
    };
  return {
    code: "run-not-ended",
    message: `Run ${row.id} has not ended: it ${row.status === "waiting" ? "is waiting" : "was interrupted"}.`,
    hint: `To continue it, run: curlew runs resume ${run}. To retry it, end it first: curlew runs cancel ${run}`,
  };
}

/** A run that has ended. Failures: those of `notEnded` and `recordedRun`, the store's. */
export async function endedRun(id: string, store: Store): Promise<Result<RecordedRun, Failure>> {
  const row = await store.journal.findRun(id);
  if (!row.ok) return row;
  const open = notEnded(row.value);
  return open === undefined ? recordedRun(row.value, store) : err(open);
}

/** R2: the recorded document. Failure: `document-not-kept`. */
export function documentThen({ row, started, workflow }: RecordedRun): Result<Stored, Failure> {
  const { file, text } = started.workflow;
  if (started.sealedDocument !== undefined)
    return err({
      code: "document-not-kept",
      message: `The workflow of run ${row.id} contains the value of a secret, so Curlew did not record its original text.`,
      hint: `To use the current file, add --current: ${file}`,
    });
  return ok({ file, text, workflow, subflows: started.subflows ?? {} });
}

/**
 * The inputs of the run, for a document that may declare other inputs now. Failures:
 * `inputs-not-kept`, and those of inputs.
 */
export function inputsThen(
  { row, started }: RecordedRun,
  workflow: Workflow,
): Result<Record<string, unknown>, Failure[]> {
  if (started.sealed !== undefined) {
    const hidden = Object.keys(started.inputs).filter((input) => JSON.stringify(started.inputs[input]).includes(MASK));
    return err([
      {
        code: "inputs-not-kept",
        message: `Run ${row.id} has a secret as input (${hidden.join(", ")}), and Curlew does not keep secrets.`,
        hint: "Run the workflow again with the inputs.",
      },
    ]);
  }
  const checked = checkInputs(inputSpecs(workflow), started.inputs, "json", patternsWithin());
  if (checked.ok) return checked;
  return err(
    checked.error.map(({ code, message }) => ({
      code,
      message: `The inputs of run ${shortRunId(row.id)} are not valid: ${message}`,
    })),
  );
}

export interface RetryChoice {
  from?: string;
  rerun?: readonly string[];
  /** Run everything, and keep no results. */
  all?: boolean;
  /** Use the current file. */
  current?: boolean;
}

/**
 * A subflow's run is retried as part of the run that contains it, and node names are resolved inside the subflow.
 * If the subflow failed but the outer run succeeded, the whole subflow runs again.
 */
export async function asWhole<Choice extends RetryChoice & { approve?: readonly string[] }>(
  row: RunRow,
  choice: Choice,
  store: Store,
): Promise<{ row: RunRow; choice: Choice }> {
  const whole = await outermostOf(row, store);
  if (whole === undefined || whole.prefix === "") return { row, choice };
  const { run, prefix } = whole;
  const inside = (name: string) => (name === "*" ? name : `${prefix}${name}`);
  const { all, rerun, approve } = choice;
  const isNamed = all === true || choice.from !== undefined || rerun !== undefined;
  const node = run.status === "succeeded" && row.status !== "succeeded" ? prefix.slice(0, -1) : undefined;
  const from = choice.from === undefined ? (isNamed ? undefined : node) : inside(choice.from);
  return {
    row: run,
    choice: {
      ...choice,
      from,
      rerun: rerun?.map(inside),
      approve: approve?.map(inside),
    },
  };
}

/** Which results are kept. Undefined: everything runs again. */
export function againOf(row: RunRow, { from, rerun, all, current }: RetryChoice): RerunRequest | undefined {
  const isWhole = from === undefined && rerun === undefined && row.status === "succeeded";
  if (all === true || isWhole) return undefined;
  return { run: row.id, from, rerun, current: current || undefined };
}

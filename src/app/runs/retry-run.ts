// Retries a run, as `POST /runs/{id}/retry` does and `curlew runs retry` in a served home (spec 2.2).

import type { Result } from "../../base/result.ts";
import type { RunHandle } from "../../engine/contract.ts";
import type { Trigger } from "../../scheduler/event.ts";
import type { RunRow } from "../../store/index.ts";
import { approveMistake } from "../approvals/preapproval.ts";
import { type Surroundings, workflowAt } from "../documents/stored.ts";
import {
  againOf,
  asWhole,
  documentThen,
  inputsThen,
  notEnded,
  type RetryChoice,
  recordedRun,
} from "./rerun-request.ts";
import type { NotStarted, Starting } from "./start-run.ts";

/** `approve`: the nodes approved in advance. The caller has the right to approve them. */
export type Choice = RetryChoice & { approve?: string[] };

export async function retryRun(
  named: RunRow,
  given: Choice,
  trigger: Trigger,
  context: Starting & Surroundings,
): Promise<Result<RunHandle, NotStarted>> {
  const { row, choice } = await asWhole(named, given, context.store);
  const open = notEnded(row);
  if (open !== undefined) return { ok: false, error: open };
  const found = await recordedRun(row, context.store);
  if (!found.ok) return found;
  const document = choice.current ? await workflowAt(row.file, context) : documentThen(found.value);
  if (!document.ok) return document;
  const inputs = inputsThen(found.value, document.value.workflow);
  if (!inputs.ok) return { ok: false, error: { ...inputs.error[0]!, problems: inputs.error } };
  const wrong = approveMistake(choice.approve, document.value);
  if (wrong !== undefined) return { ok: false, error: wrong };
  return context.runs.start({
    ...document.value,
    inputs: inputs.value,
    trigger: { ...trigger, by: `retry of ${row.id}` },
    approvedInAdvance: choice.approve?.length ? choice.approve : undefined,
    inert: found.value.started.inert,
    again: againOf(row, choice),
  });
}

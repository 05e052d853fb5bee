// Handles `POST /runs/{id}/retry`, which does the same as `curlew runs retry` (spec 2.2).

import type { Result } from "../base/result.ts";
import type { RunHandle } from "../engine/contract.ts";
import type { Trigger } from "../scheduler/event.ts";
import type { RunRow } from "../store/index.ts";
import type { Call } from "./call.ts";
import type { ServerContext } from "./context.ts";
import { againOf, asWhole, documentThen, inputsThen, notEnded, type RetryChoice, recordedRun } from "./going-by.ts";
import { inAdvanceMistake } from "./in-advance.ts";
import { problem } from "./problem.ts";
import { isMap, isNames } from "./start-body.ts";
import type { NotStarted } from "./start-run.ts";
import { workflowAt } from "./stored.ts";

type Choice = RetryChoice & { approve?: string[] };

/** A Response if the body has an invalid shape. */
export async function retryOf(
  named: RunRow,
  { body, caller }: Call,
  trigger: Trigger,
  context: ServerContext,
): Promise<Result<RunHandle, NotStarted> | Response> {
  const given = choiceOf(body);
  if (given instanceof Response) return given;
  const { row, choice } = asWhole(named, given, context.store);
  if (choice.approve?.length && !caller.rights.includes("approve"))
    return problem("right-missing", { detail: 'To approve in advance takes the right "approve".' });
  const open = notEnded(row);
  if (open !== undefined) return { ok: false, error: open };
  const found = recordedRun(row, context.store);
  if (!found.ok) return found;
  const document = choice.current
    ? await workflowAt(found.value.started.workflow.file, context)
    : documentThen(found.value);
  if (!document.ok) return document;
  const inputs = inputsThen(found.value, document.value.workflow);
  if (!inputs.ok) return { ok: false, error: { ...inputs.error[0]!, problems: inputs.error } };
  for (const name of choice.approve ?? []) {
    const wrong = name === "*" ? undefined : inAdvanceMistake(name, document.value);
    if (wrong !== undefined) return { ok: false, error: wrong };
  }
  const again = againOf(row, choice);
  const { inert } = found.value.started;
  return context.runs.start({
    ...document.value,
    inputs: inputs.value,
    trigger: { ...trigger, by: `retry of ${row.id}` },
    ...(choice.approve?.length ? { approvedInAdvance: choice.approve } : {}),
    ...(inert === undefined ? {} : { inert }),
    ...(again === undefined ? {} : { again }),
  });
}

function choiceOf(body: unknown): Choice | Response {
  const { from, rerun, all, current, approve, ...rest } = isMap(body) ? body : {};
  const texts = from === undefined || typeof from === "string";
  const names = [rerun, approve].every((each) => each === undefined || isNames(each));
  const flags = [all, current].every((each) => each === undefined || typeof each === "boolean");
  if ((body !== undefined && !isMap(body)) || !texts || !names || !flags || Object.keys(rest).length > 0)
    return problem("bad-body", { detail: 'It takes { "from"?, "rerun"?: [], "all"?, "current"?, "approve"?: [] }.' });
  if (all === true && (from !== undefined || rerun !== undefined))
    return problem("bad-body", { detail: '"all" keeps nothing; "from" and "rerun" say what is not kept.' });
  return (isMap(body) ? body : {}) as Choice;
}

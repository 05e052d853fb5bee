// triggers/run: starts a run when a run of another workflow has ended. A run of the same workflow starts nothing.

import * as z from "zod/mini";
import { badWatch, emptyWatch } from "../diagnostics/trigger.ts";
import { globProblem } from "../glob.ts";
import { filled, oneOf, opt } from "../schema/fields.ts";
import type { TriggerKind, TriggerOf } from "./kind.ts";

const data = z.object({
  workflow: filled("Workflow files to follow. Can contain * and **."),
  status: opt(z.array(oneOf(["succeeded", "failed", "cancelled", "timed-out"], "How the run has ended."))),
});

export type RunTrigger = TriggerOf<"run", typeof data, "status">;

export const run: TriggerKind<typeof data> = {
  name: "run",
  plural: "Runs",
  data,
  defaults: { status: ["failed", "timed-out"] },
  example: { workflow: "jobs/*.flow.yaml", status: ["failed"] },
  event: ["run", "workflow", "name", "status", "startedAt", "endedAt", "trigger", "failure"],
  identity: ({ workflow, status }) => [workflow, status],
  check({ workflow, status }, path, check) {
    const why = workflow === undefined ? undefined : globProblem(workflow);
    if (why !== undefined) check.report(badWatch(check.at([...path, "workflow"]), workflow!, why));
    if (status?.length === 0) check.report(emptyWatch(check.at([...path, "status"], "key"), "status"));
  },
};

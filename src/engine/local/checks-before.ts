// checks-before: checks that this machine has what a workflow needs, before its run is recorded (spec 1.2, 4.1).
//   K1. Anything missing is reported before the first node runs, with the node that needs it.

import type { Failure } from "../../base/failure.ts";
import { unknownAuth } from "../../nodes/curl.ts";
import { chooseInterpreter } from "../../nodes/program.ts";
import { missingSandbox } from "../../nodes/sandbox.ts";
import type { Workflow } from "../../workflow/model.ts";

export async function missingFor(
  workflow: Workflow,
  environment: Readonly<Record<string, string | undefined>>,
  home: string,
): Promise<Failure | undefined> {
  return (
    missingShell(workflow, environment) ??
    missingSandbox(workflow, environment.PATH) ??
    (await unknownAuth(workflow, home))
  );
}

/** Reports a shell that is not installed (1.2). */
function missingShell(
  workflow: Workflow,
  environment: Readonly<Record<string, string | undefined>>,
): Failure | undefined {
  for (const node of workflow.nodes) {
    if (node.type !== "cli") continue;
    const chosen = chooseInterpreter(node, environment);
    if (!chosen.ok && chosen.error.code === "shell-not-found")
      return { ...chosen.error, message: `Node "${node.id}": ${chosen.error.message}` };
  }
  return undefined;
}

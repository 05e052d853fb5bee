// preflight: checks that this machine has what a workflow needs, before its run is recorded (spec 1.2, 4.1).
//   K1. Anything missing is reported before the first node runs, with the node that needs it.

import { arch, hostname, platform } from "node:os";
import type { Failure } from "../../base/failure.ts";
import { findProgram } from "../../process/dialect.ts";
import { readLabels } from "../../secrets/config.ts";
import type { Workflow } from "../../workflow/model.ts";
import { unknownAuth } from "./curl.ts";
import { chooseInterpreter } from "./program.ts";
import { missingSandbox } from "./sandbox.ts";

export async function missingFor(
  workflow: Workflow,
  environment: Readonly<Record<string, string | undefined>>,
  home: string,
): Promise<Failure | undefined> {
  return (
    missingShell(workflow, environment) ??
    missingSandbox(workflow, environment.PATH) ??
    (await unknownAuth(workflow, home)) ??
    (await missingLabel(workflow, environment.PATH, home))
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

/** A label of `runsOn` that this machine does not have (1.3, 6.5): `no-machine`. */
async function missingLabel(workflow: Workflow, path: string | undefined, home: string): Promise<Failure | undefined> {
  const wanted = workflow.nodes.flatMap((node) =>
    (("runsOn" in node.data ? node.data.runsOn : undefined) ?? []).map((label) => ({ node: node.id, label })),
  );
  if (wanted.length === 0) return undefined;
  const own = await readLabels(home);
  if (!own.ok) return own.error;
  const labels = [`machine:${hostname()}`, `os:${platform()}`, `arch:${arch()}`, ...own.value];
  const missing = wanted.find(({ label }) => !labels.includes(label) && !isInstalledShell(label, path));
  if (missing === undefined) return undefined;
  return {
    code: "no-machine",
    message: `Node "${missing.node}" needs a machine with the label "${missing.label}", but this machine does not have it.`,
    hint: `This machine has ${labels.join(", ")}. Add labels with labels: [${missing.label}] in config.yaml.`,
  };
}

/** `shell:pwsh`: a shell on PATH. */
function isInstalledShell(label: string, path: string | undefined): boolean {
  const shell = /^shell:(.+)$/.exec(label)?.[1];
  return shell !== undefined && findProgram(shell, path) !== undefined;
}

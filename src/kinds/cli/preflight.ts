// preflight: checks that this machine has what a workflow needs, before its run is recorded (spec 1.2, 4.1).
//   K1. Anything missing is reported before the first node runs, with the node that needs it.

import { arch, hostname, platform } from "node:os";
import type { Failure } from "../../base/failure.ts";
import { findProgram } from "../../process/dialect.ts";
import { readSetting } from "../../secrets/config.ts";
import { labelsOfAll, labelsOfRun, type NeededLabel } from "../../workflow/labels.ts";
import type { Workflow } from "../../workflow/model.ts";
import { unknownAuth } from "./curl.ts";
import { chooseInterpreter } from "./program.ts";
import { missingSandbox } from "./sandbox.ts";

/** `subflows`: those that this machine must be able to run. */
export async function missingFor(
  { workflow, subflows }: { workflow: Workflow; subflows: Texts | undefined },
  environment: Readonly<Record<string, string | undefined>>,
  home: string,
): Promise<Failure | undefined> {
  return (
    missingShell(workflow, environment) ??
    missingSandbox(workflow, environment.PATH) ??
    (await unknownAuth(workflow, home)) ??
    (await missingLabel(workflow, subflows, environment.PATH, home))
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
async function missingLabel(
  workflow: Workflow,
  subflows: Texts | undefined,
  path: string | undefined,
  home: string,
): Promise<Failure | undefined> {
  const needed = subflows === undefined ? labelsOfRun(workflow) : labelsOfAll(workflow, subflows);
  if (needed.length === 0) return undefined;
  const own = await readSetting(home, "labels");
  if (!own.ok) return own.error;
  const labels = [...labelsHere(hostname(), own.value ?? []), FOLDER];
  const [missing] = missingLabels(needed, labels, path);
  if (missing === undefined) return undefined;
  const what = missing.node === undefined ? "The workflow" : `Node "${missing.node}"`;
  return {
    code: "no-machine",
    message: `${what} needs a machine with the label "${missing.label}", but this machine does not have it.`,
    hint: `This machine has ${labels.join(", ")}. Add labels with labels: [${missing.label}] in config.yaml.`,
  };
}

/** Texts of workflow files by path. */
type Texts = Readonly<Record<string, string>>;

/** The label of a machine that has the folder of the workflow file. */
export const FOLDER = "folder";

/** The labels of a machine, without those of its shells and of the run's folder. */
export function labelsHere(name: string, given: readonly string[]): string[] {
  return [`machine:${name}`, `os:${platform()}`, `arch:${arch()}`, ...given];
}

/** Those of the needed labels that are neither among these nor of an installed shell. */
export function missingLabels(
  needed: readonly NeededLabel[],
  labels: readonly string[],
  path: string | undefined,
): NeededLabel[] {
  return needed.filter(({ label }) => !labels.includes(label) && !isInstalledShell(label, path));
}

/** `shell:pwsh`: a shell on PATH. */
function isInstalledShell(label: string, path: string | undefined): boolean {
  const shell = /^shell:(.+)$/.exec(label)?.[1];
  return shell !== undefined && findProgram(shell, path) !== undefined;
}

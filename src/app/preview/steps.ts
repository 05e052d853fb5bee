// Lists what a run of a document would do and which approvals it needs, including in
// its subflows (spec 2.2 `--dry-run`).

import { dirname, resolve } from "node:path";
import { limits } from "../../base/limits.ts";
import { inAdvanceInside } from "../../engine/child-runs.ts";
import { analyze } from "../../workflow/graph.ts";
import { secretSources } from "../../workflow/graph-secrets.ts";
import type { Workflow } from "../../workflow/model.ts";
import { parseWorkflow } from "../../workflow/parse.ts";
import { inertCommands } from "../../workflow/unseen.ts";
import type { SeenDeps } from "../../workflow/unseen-findings.ts";
import { previewAsks } from "./asks.ts";
import { preview, type Step } from "./preview.ts";

export interface Previewed {
  /** Absolute. */
  file: string;
  workflow: Workflow;
  inputs: Readonly<Record<string, unknown>>;
  approvedInAdvance: readonly string[];
  /** Texts by absolute path. */
  subflows: Readonly<Record<string, string>>;
}

export async function previewSteps(
  document: Previewed,
  environment: Readonly<Record<string, string | undefined>>,
  seen: SeenDeps,
): Promise<Step[]> {
  const unseen = await unseenIn(document, seen);
  return stepsOf({ ...document, unseen }, { environment, subflows: document.subflows });
}

/** Ids of the commands that need approval because they have not been seen yet. */
async function unseenIn({ file, workflow }: Previewed, deps: SeenDeps): Promise<ReadonlySet<string>> {
  const { graph } = analyze(workflow);
  const { commands } = inertCommands({ file, workflow, graph }, new Map(), deps);
  const known = commands.length === 0 ? new Set<string>() : await deps.known(commands.map(({ hash }) => hash));
  return new Set(commands.filter(({ hash }) => !known.has(hash)).map(({ path }) => path));
}

interface Document extends Omit<Previewed, "subflows"> {
  /** Ids of the commands that need approval because they have not been seen yet. */
  unseen?: ReadonlySet<string>;
}

interface Around {
  environment: Readonly<Record<string, string | undefined>>;
  /** Texts by absolute path. */
  subflows: Readonly<Record<string, string>>;
}

async function stepsOf(document: Document, around: Around, depth = 0): Promise<Step[]> {
  const { file, workflow, inputs, approvedInAdvance, unseen = new Set() } = document;
  const { graph } = analyze(workflow);
  const { environment } = around;
  const known = { graph, secrets: secretSources(graph), folder: dirname(file), inputs, environment, approvedInAdvance };
  const steps = preview({ ...known, asks: await previewAsks(known), unseen });
  for (const step of steps)
    if (step.type === "subflow" && depth < limits.subflowDepthMax) {
      const inside = await insideOf(step, document, around, depth + 1);
      if (inside.length > 0) step.inside = inside;
    }
  return steps;
}

/** The approvals needed inside a subflow, as far as they are known before the run. */
async function insideOf(
  step: Step,
  { file, approvedInAdvance }: Document,
  around: Around,
  depth: number,
): Promise<NonNullable<Step["inside"]>> {
  const path = resolve(dirname(file), step.command ?? "");
  const text = around.subflows[path];
  const workflow = text === undefined ? undefined : parseWorkflow(text, path).workflow;
  if (workflow === undefined) return [];
  const unknown = Object.fromEntries(Object.keys(workflow.inputs).map((name) => [name, `‹${name}›`]));
  const defaults = Object.fromEntries(
    Object.entries(workflow.inputs).flatMap(([name, spec]) =>
      spec.default === undefined ? [] : [[name, spec.default]],
    ),
  );
  const inputs = { ...unknown, ...defaults, ...step.inputs };
  const inner = { file: path, workflow, inputs, approvedInAdvance: inAdvanceInside(approvedInAdvance, step.id) };
  const steps = await stepsOf(inner, around, depth);
  return steps.flatMap(({ id, title, command = "", approval, asks, inside = [] }) => [
    ...(approval === undefined ? [] : [{ path: `${step.id}/${id}`, title, command, approval, asks }]),
    ...inside.map((each) => ({ ...each, path: `${step.id}/${each.path}` })),
  ]);
}

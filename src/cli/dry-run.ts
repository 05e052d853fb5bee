// dry-run: prints what would run, and runs nothing (spec 2.2).

import { dirname, resolve } from "node:path";
import { limits } from "../base/limits.ts";
import type { RunRequest } from "../engine/index.ts";
import { inAdvanceInside } from "../engine/local/children.ts";
import { MASK } from "../secrets/masker.ts";
import { seenIn } from "../server/document/seen.ts";
import { analyze, type Graph } from "../workflow/graph.ts";
import { secretSources } from "../workflow/graph-secrets.ts";
import type { Workflow } from "../workflow/model.ts";
import { parseWorkflow } from "../workflow/parse.ts";
import { inertCommands } from "../workflow/unseen.ts";
import type { RunOptions } from "./commands/run.ts";
import { Exit } from "./exit.ts";
import { homeOf } from "./open.ts";
import { preview, type Step } from "./preview.ts";
import { previewAsks } from "./preview-asks.ts";
import type { Style } from "./style.ts";
import type { Terminal } from "./terminal.ts";
import { count, harmless, oneLine } from "./text.ts";

export async function dryRun(request: RunRequest, options: RunOptions, terminal: Terminal): Promise<Exit> {
  const { graph } = analyze(request.workflow);
  const secrets = secretSources(graph);
  const inputs = Object.fromEntries(
    Object.entries(request.inputs).map(([name, value]) => [name, secrets.inputs.has(name) ? MASK : value]),
  );
  const unseen = await unseenIn(request, graph, homeOf(options, terminal), terminal.cwd);
  const around = { environment: { ...terminal.env, ...request.envFile }, subflows: request.subflows };
  const steps = await stepsOf({ ...request, approvedInAdvance: request.approvedInAdvance ?? [], unseen }, around);
  if (options.json) terminal.json({ workflow: request.workflow.name, inputs, steps }, true);
  else terminal.out(planText(request.workflow.name, inputs, steps, terminal.outStyle));
  return Exit.OK;
}

/** Ids of the commands that will ask because nobody has seen them. */
async function unseenIn(
  { file, workflow }: RunRequest,
  graph: Graph,
  home: string,
  cwd: string,
): Promise<ReadonlySet<string>> {
  const ground = await seenIn(home, cwd);
  const { commands } = inertCommands({ file, workflow, graph }, new Map(), ground);
  const known = commands.length === 0 ? new Set<string>() : await ground.known(commands.map(({ hash }) => hash));
  return new Set(commands.filter(({ hash }) => !known.has(hash)).map(({ path }) => path));
}

interface Document {
  file: string;
  workflow: Workflow;
  inputs: Readonly<Record<string, unknown>>;
  approvedInAdvance: readonly string[];
  /** Ids of commands that will ask because nobody has seen them. */
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

/** What a person will be asked inside a subflow, as far as it is known before the run. */
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
    ...(approval === undefined
      ? []
      : [{ path: `${step.id}/${id}`, title, command, approval, ...(asks === undefined ? {} : { asks }) }]),
    ...inside.map((each) => ({ ...each, path: `${step.id}/${each.path}` })),
  ]);
}

export function planText(name: string, inputs: Record<string, unknown>, steps: readonly Step[], style: Style): string {
  const lines = [
    `${style("strong", oneLine(name))}  ${style("faint", `${count(steps.length, "node")}; a dry run, nothing is run`)}`,
  ];
  for (const [input, value] of Object.entries(inputs))
    lines.push(`  ${oneLine(`input ${input} = ${JSON.stringify(value)}`)}`);
  for (const [index, step] of steps.entries()) lines.push("", ...stepLines(index + 1, step, style));
  return `${lines.join("\n")}\n`;
}

function stepLines(number: number, step: Step, style: Style): string[] {
  const indent = "  ".repeat(step.loops.length);
  const place = step.finally
    ? "  always, at the end"
    : step.after.length === 0
      ? ""
      : `  after ${step.after.join(", ")}`;
  const head = `${indent}${number}. ${style("strong", step.id)}  ${style("faint", step.type)}  ${oneLine(step.title)}${style("faint", place)}`;
  const within = `${indent}   `;
  const facts: [string, string | undefined][] = [
    ["model", step.model === undefined ? undefined : oneLine(step.model)],
    ["system", step.system === undefined ? undefined : oneLine(step.system)],
    ["shell", step.shell],
    ["in", step.shell === undefined ? undefined : step.cwd],
    ["env", step.env?.length ? step.env.join(", ") : undefined],
    ["stdin", step.stdin === undefined ? undefined : oneLine(step.stdin)],
    ...Object.entries(step.inputs ?? {}).map(([name, value]): [string, string] => [
      "input",
      oneLine(`${name} = ${value}`),
    ]),
    ["timeout", step.timeout],
    ["sandbox", step.sandbox],
    ["egress", step.egress],
    ["auth", step.auth === undefined ? undefined : oneLine(step.auth)],
    ["approval", step.approval],
    ...(step.asks ?? []).map(({ message }): [string, string] => ["because", oneLine(message)]),
  ];
  for (const { path, approval, asks = [], command } of step.inside ?? []) {
    const why = asks.map(({ message }) => message).join(" ");
    facts.push(["inside", oneLine(`${path}: approval ${approval}${why === "" ? "" : `. ${why}`}`)]);
    facts.push(["", oneLine(command)]);
  }
  const told = facts
    .filter(([, text]) => text !== undefined)
    .map(([label, text]) => `${within}${style("faint", label.padEnd(8))} ${harmless(text!)}`);
  const command =
    step.command === undefined
      ? []
      : harmless(step.command)
          .trimEnd()
          .split("\n")
          .map((line) => `${within}| ${line}`);
  return [head, ...told, ...command];
}

// dry-run: prints what would run, and runs nothing (spec 2.2).

import { dirname } from "node:path";
import type { RunRequest } from "../engine/index.ts";
import { MASK } from "../secrets/masker.ts";
import { analyze, type Graph } from "../workflow/graph.ts";
import { secretSources } from "../workflow/graph-secrets.ts";
import { inertCommands } from "../workflow/unseen.ts";
import type { RunOptions } from "./commands/run.ts";
import { Exit } from "./exit.ts";
import { homeOf } from "./open.ts";
import { preview, type Step } from "./preview.ts";
import { previewAsks } from "./preview-asks.ts";
import { seenIn } from "./seen.ts";
import type { Style } from "./style.ts";
import type { Terminal } from "./terminal.ts";
import { count, harmless, oneLine } from "./text.ts";

export async function dryRun(request: RunRequest, options: RunOptions, terminal: Terminal): Promise<Exit> {
  const { graph } = analyze(request.workflow);
  const secrets = secretSources(graph);
  const inputs = Object.fromEntries(
    Object.entries(request.inputs).map(([name, value]) => [name, secrets.inputs.has(name) ? MASK : value]),
  );
  const known = {
    graph,
    secrets,
    folder: dirname(request.file),
    inputs: request.inputs,
    environment: { ...terminal.env, ...request.envFile },
    approvedInAdvance: request.approvedInAdvance ?? [],
  };
  const unseen = await unseenIn(request, graph, homeOf(options, terminal), terminal.cwd);
  const steps = preview({ ...known, asks: await previewAsks(known), unseen });
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
  const ground = seenIn(home, cwd);
  const { commands } = inertCommands({ file, workflow, graph }, new Map(), ground);
  const known = commands.length === 0 ? new Set<string>() : await ground.known(commands.map(({ hash }) => hash));
  return new Set(commands.filter(({ hash }) => !known.has(hash)).map(({ path }) => path));
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
    ["approval", step.approval],
    ...(step.asks ?? []).map(({ message }): [string, string] => ["because", oneLine(message)]),
  ];
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

// dry-run: prints what would run, and runs nothing (spec 2.2).

import type { Step } from "../app/preview/preview.ts";
import { previewSteps } from "../app/preview/steps.ts";
import { count, harmless, oneLine } from "../base/text.ts";
import { visible } from "../base/visible.ts";
import type { RunRequest } from "../engine/index.ts";
import { MASK } from "../secrets/masker.ts";
import { analyze } from "../workflow/graph.ts";
import { secretSources } from "../workflow/graph-secrets.ts";
import type { RunOptions } from "./commands/run.ts";
import { Exit } from "./exit.ts";
import { seenBy } from "./seen.ts";
import type { Style } from "./style.ts";
import type { Terminal } from "./terminal.ts";

export async function dryRun(request: RunRequest, options: RunOptions, terminal: Terminal): Promise<Exit> {
  const secrets = secretSources(analyze(request.workflow).graph);
  const inputs = Object.fromEntries(
    Object.entries(request.inputs).map(([name, value]) => [name, secrets.inputs.has(name) ? MASK : value]),
  );
  const deps = await seenBy(options, terminal);
  const environment = { ...terminal.env, ...request.envFile };
  const steps = await previewSteps(
    { ...request, approvedInAdvance: request.approvedInAdvance ?? [] },
    environment,
    deps,
  );
  if (options.json) terminal.json({ workflow: request.workflow.name, inputs, steps }, true);
  else terminal.out(planText(request.workflow.name, inputs, steps, terminal.outStyle));
  return Exit.OK;
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
    : step.onFailure
      ? "  after a failure"
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
      : visible(step.command)
          .trimEnd()
          .split("\n")
          .map((line) => `${within}| ${line}`);
  return [head, ...told, ...command];
}

// schema/node: the data of each kind of node (spec 1.2).

import * as z from "zod/mini";
import { limits } from "../../base/limits.ts";
import type * as model from "../model.ts";
import { about, duration, either, filled, flag, number, oneOf, opt, seen, text, whole, words } from "./kinds.ts";
import {
  approval,
  auth,
  cache,
  continueOnError,
  egress,
  needsUserApproval,
  onLost,
  retry,
  timeout,
  title,
} from "./shared.ts";

export const cliData = z.object({
  title,
  content: text("The command, or the script. Templates ${…} arrive as quoted shell parameters."),
  mode: opt(
    oneOf(
      ["command", "script"],
      "command: a command line. script: a program whose first line #! may name the interpreter. Default command.",
    ),
  ),
  shell: opt(
    oneOf(["bash", "sh", "zsh", "pwsh", "cmd"], "Default bash, otherwise sh. On Windows pwsh, otherwise cmd."),
  ),
  safetyLevel: opt(oneOf(["safe", "advanced"], "advanced never asks. Only for trusted endpoints. Default safe.")),
  needsUserApproval: opt(needsUserApproval),
  streamOutput: opt(flag("true shows output line by line, false when the node ends.")),
  stdin: opt(
    z
      .object({
        source: oneOf(["parent-index", "parents-all", "literal", "none"], "Source of stdin."),
        parentIndex: opt(whole("With parent-index: number of the parent, from 0.", 0)),
        literal: opt(text("With literal: the text. A template.")),
      })
      .register(seen, about("Standard input of the command. Default none.")),
  ),
  env: opt(
    z
      .object({
        static: opt(
          z
            .record(z.string(), z.string())
            .register(seen, about("Variables exported to the command. Values are templates.")),
        ),
        exposeParents: opt(flag("Export the parents' values as INPUT_1, INPUT_2, …")),
        names: opt(words("With exposeParents: names instead of INPUT_1, INPUT_2, …")),
        inherit: opt(
          either(
            [z.boolean(), words("Names.")],
            "true, false or a list of names",
            "Further variables of the process environment to pass on; true passes all.",
          ),
        ),
      })
      .register(seen, about("Environment of the command.")),
  ),
  flags: opt(
    z
      .object({
        executionPolicyBypass: opt(flag("With advanced only: pwsh -ExecutionPolicy Bypass.")),
        exitOnError: opt(flag("set -e.")),
        pipefail: opt(flag("set -o pipefail. Default true.")),
        unsetVars: opt(flag("set -u.")),
        noProfile: opt(flag("Read no rc or profile files. Default true.")),
      })
      .register(seen, about("Switches of the shell.")),
  ),
  cwd: opt(filled("Working directory. A template. Default: the folder of the workflow file.")),
  timeout: opt(timeout),
  idleTimeout: opt(duration("Time without any output.")),
  killGrace: opt(duration("Between SIGTERM and SIGKILL. Default 5s.")),
  retry: opt(retry),
  successExitCodes: opt(
    z
      .array(whole("An exit code.", 0, 255))
      .check(z.minLength(1))
      .register(seen, about("Exit codes that mean success. Default [0].")),
  ),
  continueOnError: opt(continueOnError),
  onLost: opt(onLost),
  output: opt(
    z
      .object({
        format: opt(
          oneOf(
            ["text", "json", "lines"],
            "json: invalid JSON fails the node. lines: one JSON value per line. Default text.",
          ),
        ),
        select: opt(filled("An expression applied to the output.")),
      })
      .register(seen, about("How the output becomes the node's value.")),
  ),
  cache: opt(cache),
  rateLimit: opt(
    z
      .object({
        key: filled("Nodes with the same key share the budget."),
        limit: whole("Starts in each period.", 1, limits.budgetMost),
        per: duration("The period."),
      })
      .register(seen, about("A budget shared by all runs of this data directory.")),
  ),
  concurrency: opt(
    z
      .object({
        key: filled("Nodes with the same key share the slots."),
        limit: whole("Nodes at a time.", 1, limits.budgetMost),
      })
      .register(seen, about("A limit shared by all runs of this data directory.")),
  ),
  approval: opt(approval),
  auth: opt(auth),
  httpErrors: opt(
    oneOf(["fail", "warn", "ignore"], "Effect of an HTTP 4xx or 5xx when the command exits 0. Default warn."),
  ),
  sandbox: opt(oneOf(["none", "no-network", "read-only", "strict"], "Restrictions of the command. Default none.")),
  egress: opt(egress),
  runsOn: opt(words("Labels of the machine it must run on. A label this machine lacks is an error before the run.")),
  emit: opt(oneOf(["lines"], "lines: each complete line starts the nodes after it once.")),
  maxConcurrency: opt(whole("With emit: lines processed at a time. Default 1.", 1)),
  onLineFailure: opt(
    oneOf(["continue", "fail"], "With emit: whether a failed node ends only its own line (default) or the run."),
  ),
});

export const llmData = z.object({
  title,
  content: text("The prompt. A template."),
  model: filled("provider/model, such as anthropic/claude-sonnet-4-5, openai/gpt-5 or ollama/llama3.2."),
  system: opt(text("The system prompt. A template.")),
  temperature: opt(number("Randomness of the reply.", 0)),
  maxOutputTokens: opt(whole("Longest reply, in tokens.", 1)),
  schema: opt(z.record(z.string(), z.unknown()).register(seen, about("JSON Schema that the reply must match."))),
  timeout: opt(timeout),
  idleTimeout: opt(duration("Time without any token.")),
  retry: opt(retry),
  cache: opt(cache),
  budget: opt(
    z
      .object({
        tokens: opt(whole("Tokens, in and out.", 1)),
        usd: opt(z.number().check(z.gt(0)).register(seen, about("US dollars."))),
      })
      .register(seen, about("Tokens or money the node may use.")),
  ),
  needsUserApproval: opt(needsUserApproval),
  approval: opt(approval),
  continueOnError: opt(continueOnError),
  onLost: opt(onLost),
});

const variableName = filled("The name under which the value is referenced: ${name}.");

export const variableData = z.object({
  title,
  variableName,
  initialValue: opt(text("The value when nothing feeds the node. A template.")),
  content: opt(text("The value. A template. Wins over the parent and initialValue.")),
  secret: opt(flag("The value is masked everywhere, and stored encrypted while the run lasts.")),
});

export const ifData = z.object({
  title,
  content: opt(text("An expression, or a comparison such as ${1} == done. Empty: whether the first parent succeeded.")),
});

const countOr = (description: string) => either([z.number(), z.string()], "a whole number or a template", description);

export const loopStartData = z.object({
  title,
  loopVariable: opt(filled("Name of the counter. Default i.")),
  iterations: opt(countOr("Number of iterations, or a template.")),
  start: opt(countOr("First value of the counter. Default 1.")),
  items: opt(filled("A list, or a template or expression that gives a JSON array or lines. One iteration per item.")),
  as: opt(filled("With items: name of the item. Default item.")),
  while: opt(filled("An expression, evaluated before each iteration.")),
  maxIterations: opt(whole("More iterations fail the node. Default 10000.", 1)),
  maxConcurrency: opt(whole("Iterations at a time. Default 1.", 1, 10_000)),
});

export const loopEndData = z.object({
  title,
  until: opt(filled("An expression, evaluated after each iteration. true ends the loop.")),
});

export const accumulatorData = z.object({
  title,
  variableName,
  initialValue: opt(text("First content of the collection. A template.")),
  content: opt(text("Value to add. A template. Empty: all parents.")),
  format: opt(oneOf(["lines", "json"], "lines: joined by newlines. json: an array. Default lines.")),
  flatten: opt(flag("With json: arrays are added element by element.")),
});

export const startData = z.object({ title });
export const textData = z.object({ title, content: text("The text. A template.") });

export const subflowData = z.object({
  title,
  workflow: filled("The workflow file, relative to the folder of this one."),
  inputs: opt(z.record(z.string(), z.string()).register(seen, about("Its inputs. Values are templates."))),
  timeout: opt(timeout),
  continueOnError: opt(continueOnError),
  onLost: opt(onLost),
});

export const dataOf = {
  cli: cliData,
  llm: llmData,
  variable: variableData,
  if: ifData,
  "loop-start": loopStartData,
  "loop-end": loopEndData,
  accumulator: accumulatorData,
  start: startData,
  text: textData,
  subflow: subflowData,
} as const satisfies Record<model.NodeType, z.ZodMiniType>;

export const NODE_ID = new RegExp(`^[A-Za-z_][A-Za-z0-9_-]{0,${limits.idCharsMax - 1}}$`);

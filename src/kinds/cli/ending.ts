// ending: builds the ending of a command's attempt: status, value, and measurements (spec 1.2, 3.2).
//   E1. Output that a secret Variable takes is sealed when the command has ended. Too much output is a failure.
//   E2. A shell continues after a program that was not found: a success with such a line on stderr gets a warning
//       (mission, section 7).

import type { Failure } from "../../base/failure.ts";
import { ok } from "../../base/result.ts";
import { EMPTY, type Value } from "../../base/value.ts";
import { programMissed } from "../../process/diagnose.ts";
import { explainEnd, withCall } from "../../process/failure-message.ts";
import { recorded } from "../../process/output.ts";
import type { KeptEnd } from "../../process/runner/orders.ts";
import type { CliNode } from "../../workflow/model.ts";
import type { NodeContext } from "../context.ts";
import type { AttemptEnding, Facts } from "../executor.ts";
import { printedSecret } from "../secret-values.ts";
import type { Tools } from "../tools.ts";
import { outputValue } from "../values.ts";
import { withRefusal } from "./egress.ts";
import { minded } from "./http-errors.ts";
import { checkOutput } from "./output.ts";
import { withoutScriptFile } from "./script-file.ts";
import { withUnrecorded } from "./unrecorded-calls.ts";

const LAST_LINE_CHARS = 1_000;

/** `stem` names the attempt's files. */
export async function endingOf(
  { ended, about, egress, http, unrecorded, secret }: KeptEnd,
  stem: string,
  node: CliNode,
  context: NodeContext,
  tools: Tools,
): Promise<AttemptEnding> {
  const { cause } = ended;
  const measured: Facts = {
    durationMs: ended.durationMs,
    ...(cause.type === "exited" ? { exitCode: cause.code } : {}),
    ...(cause.type === "signalled" ? { signal: cause.signal } : {}),
    stdout:
      secret === undefined ? recorded(ended.stdoutBytes, ended.stdoutSha256) : { bytes: secret.bytes, secret: true },
    stderr: recorded(ended.stderrBytes, ended.stderrSha256),
    ...(egress === undefined ? {} : { egress }),
    ...(http === undefined ? {} : { http }),
  };
  const facts = withUnrecorded(measured, node, unrecorded ?? []);
  // The command was killed because it printed too much for a secret. printedSecret reports that.
  if (cause.type === "cancelled" && secret?.tooMuch !== true) return { status: "cancelled", facts };
  const printed =
    secret === undefined
      ? ok(outputValue(`${stem}.out`, ended.stdoutBytes, context.files))
      : printedSecret(secret, context);
  if (!printed.ok) return { status: "failed", failure: printed.error, value: EMPTY, facts };
  const { value } = printed;
  const success = cause.type === "exited" && (node.data.successExitCodes ?? [0]).includes(cause.code);
  if (success) {
    // A listener's `output` applies to each line, not to the whole output (3.7).
    const output = node.data.emit === "lines" ? undefined : node.data.output;
    const checked = await checkOutput(output, value, context, tools.evaluator);
    if (checked.ok) {
      const said = withoutScriptFile(ended.stderrTail, about.interpreter, context);
      return minded({ status: "succeeded", value: checked.value, facts: withMissed(facts, said) }, node);
    }
    return {
      status: "failed",
      failure: { ...withCall(checked.error, facts.http ?? []), ...exitOf(facts) },
      value,
      facts,
    };
  }
  const said = withoutScriptFile(ended.stderrTail, about.interpreter, context);
  const why = explainEnd({
    cause,
    program: about.interpreter,
    content: node.data.content,
    stderrTail: said,
    stdoutLast: lastLine(value),
    calls: facts.http ?? [],
    httpsOnly: about.httpsOnly,
  });
  const explained = cause.type === "exited" ? withRefusal(why, egress) : why;
  const stderr = said === "" ? {} : { stderr: said };
  const failure: Failure = { ...explained, ...exitOf(facts), ...stderr };
  return { status: cause.type === "timed-out" ? "timed-out" : "failed", failure, value, facts };
}

/** E2. Warning `command-not-found-unnoticed`. */
function withMissed(facts: Facts, said: string): Facts {
  const missed = programMissed(said);
  if (missed === undefined) return facts;
  const message = `${missed.what} ("${missed.evidence[0]}") and the command exited 0. ${missed.hints.join(" ")}`;
  return { ...facts, warnings: [...(facts.warnings ?? []), { code: "command-not-found-unnoticed", message }] };
}

/** Empty for a value that is in a file, so that nothing is read for it. */
function lastLine(value: Value): string {
  return "text" in value ? value.text.trimEnd().slice(-LAST_LINE_CHARS).split("\n").at(-1)! : "";
}

function exitOf(facts: Facts): { exitCode?: number; signal?: string } {
  return {
    ...(facts.exitCode === undefined ? {} : { exitCode: facts.exitCode }),
    ...(facts.signal === undefined ? {} : { signal: facts.signal }),
  };
}

// ending: builds the ending of a command's attempt: status, value, and measurements (spec 1.2, 3.2).
//   E1. Output that a secret Variable takes is sealed when the command has ended. Too much output is a failure.
//   E2. A shell continues after a program that was not found: a success with such a line on stderr gets a warning
//       (mission, section 7).

import type { AttemptEnd } from "../../base/attempt.ts";
import type { Failure } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import { ok } from "../../base/result.ts";
import { EMPTY, type Value } from "../../base/value.ts";
import { missingProgramIn } from "../../process/diagnose.ts";
import { explainEnd, withCall } from "../../process/failure-message.ts";
import { printedLines } from "../../process/printed.ts";
import type { CommandEnd } from "../../process/runner/orders.ts";
import type { CliNode } from "../../workflow/model.ts";
import type { NodeContext } from "../context.ts";
import type { AttemptEnding } from "../executor.ts";
import { printedSecret } from "../secret-values.ts";
import { stateOf } from "../state.ts";
import type { Tools } from "../tools.ts";
import { outputValue, startOf } from "../values.ts";
import { withRefusal } from "./egress.ts";
import { checkHttpErrors } from "./http-errors.ts";
import { checkOutput } from "./output.ts";
import { withoutScriptFile } from "./script-file.ts";

const LAST_LINE_CHARS = 1_000;

/** `stem` names the attempt's files. */
export async function endingOf(
  { ended, about, egress, http, unrecorded, withheld, secret }: CommandEnd,
  stem: string,
  node: CliNode,
  context: NodeContext,
  tools: Tools,
): Promise<AttemptEnding> {
  const { cause } = ended;
  const exit = {
    exitCode: cause.type === "exited" ? cause.code : undefined,
    signal: cause.type === "signalled" ? cause.signal : undefined,
  };
  const measured: AttemptEnd = {
    durationMs: ended.durationMs,
    ...exit,
    stdout:
      secret === undefined
        ? { bytes: ended.stdoutBytes, sha256: ended.stdoutSha256 }
        : { bytes: secret.bytes, secret: true },
    stderr: { bytes: ended.stderrBytes, sha256: ended.stderrSha256 },
    egress,
    http,
  };
  const facts = withUnrecorded(measured, node, unrecorded ?? [], withheld ?? []);
  // The command was killed because it printed too much for a secret. printedSecret reports that.
  if (cause.type === "cancelled" && secret?.tooMuch !== true) return { status: "cancelled", facts };
  const printed =
    secret === undefined
      ? ok(outputValue(`${stem}.out`, ended.stdoutBytes, context.files))
      : printedSecret(secret, context);
  if (!printed.ok) return { status: "failed", failure: printed.error, value: EMPTY, facts };
  const { value } = printed;
  const success = cause.type === "exited" && (node.data.successExitCodes ?? [0]).includes(cause.code);
  const printedStart = (): string[] | undefined => {
    const lines = secret === undefined ? printedLines(startOf(value, context.files, limits.failureBodyBytes)) : [];
    return lines.length === 0 ? undefined : lines;
  };
  if (success) {
    // A listener's `output` applies to each line, not to the whole output (3.7).
    const output = node.data.emit === "lines" ? undefined : node.data.output;
    const checked = await checkOutput(output, value, context, tools.evaluator, facts.http?.at(-1));
    const outcome = checked.ok ? withState(checked.value, stem, context) : checked;
    if (outcome.ok) {
      const said = withoutScriptFile(ended.stderrTail, about.interpreter, context);
      return checkHttpErrors({ status: "succeeded", ...outcome.value, facts: withMissed(facts, said) }, node, value);
    }
    return {
      status: "failed",
      failure: { ...withCall(outcome.error, facts.http ?? []), ...exit, printed: printedStart() },
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
  const explained = withHeldBack(cause.type === "exited" ? withRefusal(why, egress) : why, facts);
  const failure: Failure = { ...explained, ...exit, stderr: said || undefined, printed: printedStart() };
  return { status: cause.type === "timed-out" ? "timed-out" : "failed", failure, value, facts };
}

/** Checking the key does not help against a 401 that a call without the credential got. */
function withHeldBack(failure: Failure, { http, warnings }: AttemptEnd): Failure {
  const heldBack = warnings?.find(({ code }) => code === "auth-held-back");
  const { status } = http?.at(-1) ?? {};
  return heldBack === undefined || (status !== 401 && status !== 403)
    ? failure
    : { ...failure, hints: [heldBack.message] };
}

function withState(value: Value, stem: string, context: NodeContext) {
  const stored = stateOf(stem, context);
  return stored.ok ? ok({ value, state: stored.value }) : stored;
}

/** E2. Warning `command-not-found-unnoticed`. */
function withMissed(facts: AttemptEnd, said: string): AttemptEnd {
  const missed = missingProgramIn(said);
  if (missed === undefined) return facts;
  const message = `${missed.what} ("${missed.evidence[0]}") and the command exited with 0. ${missed.hints.join(" ")}`;
  return { ...facts, warnings: [...(facts.warnings ?? []), { code: "command-not-found-unnoticed", message }] };
}

/** Empty for a value that is in a file, so that nothing is read for it. */
function lastLine(value: Value): string {
  return "text" in value ? value.text.trimEnd().slice(-LAST_LINE_CHARS).split("\n").at(-1)! : "";
}

/** At the start of a word: `/usr/bin/curl`, `./curl`, `~/bin/curl`, `$HOME/bin/curl`. */
const BY_PATH = /(?:^|[\s;|&(`'"=])((?:\.{0,2}|~|\$\{?\w+\}?)\/(?:[\w.@+-]+\/)*curl)(?=[\s"'`;|&)]|$)/m;
const OWN_ENVIRONMENT = /\b(sudo|doas|env\s+(?:-i|-|--ignore-environment))\s[^\n;|&]*\bcurl\s/;

/** Warnings: `curl-unseen`, and `auth-held-back` for calls without the credentials of the node. */
function withUnrecorded(
  facts: AttemptEnd,
  { data }: CliNode,
  reported: readonly string[],
  withheld: readonly string[],
): AttemptEnd {
  const reasons = [...reported, ...reasonsIn(data.content)];
  const warnings = [
    ...reasons.map((why) => ({ code: "curl-unseen", message: `HTTP calls not recorded: ${why}.` })),
    ...withheld.map((where) => ({
      code: "auth-held-back",
      message: `Curlew did not send the credential, because it is not for ${where}. If it is, add the host to "hosts" of the auth entry.`,
    })),
  ];
  return warnings.length === 0 ? facts : { ...facts, warnings: [...(facts.warnings ?? []), ...warnings] };
}

function reasonsIn(content: string): string[] {
  const path = BY_PATH.exec(content)?.[1];
  const taker = OWN_ENVIRONMENT.exec(content)?.[1];
  const reasons = path === undefined ? [] : [`the script calls curl by its path, ${path}`];
  return taker === undefined
    ? reasons
    : [...reasons, `${taker.split(/\s/)[0]} changes the PATH, which hides Curlew's curl`];
}

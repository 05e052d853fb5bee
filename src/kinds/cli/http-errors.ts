// http-errors: what an HTTP 4xx or 5xx means for a command that exits 0 (spec 1.2 `httpErrors`, 3.6).
//   H1. The last call with the same method and URL counts: a call that a script repeated until it succeeded has
//       succeeded.
//   H2. `fail` fails the node. `warn`, the default, adds a warning if the call's client exited 0 too. If the workflow
//       does not say `warn` itself, a command that reads the status gets no warning.
//   H3. A call without a response is not an HTTP error: the client's exit code reports it.
//   H4. A GraphQL server answers 200 with `errors`. The node gets a warning.

import type { Failure } from "../../base/failure.ts";
import type { HttpCall } from "../../base/http-call.ts";
import { parseJsonObject } from "../../base/tolerant.ts";
import type { Value } from "../../base/value.ts";
import { visible } from "../../base/visible.ts";
import { statusReason, wordsOf } from "../../process/reason-words.ts";
import type { CliNode } from "../../workflow/model.ts";
import type { AttemptEnding } from "../executor.ts";

const EVIDENCE_MAX = 5;
const SAID_CHARS_MAX = 200;

type Succeeded = Extract<AttemptEnding, { status: "succeeded" }>;

/** Failure: `http-error`. Warnings: `http-error-unnoticed`, `graphql-errors`. */
export function checkHttpErrors(ending: Succeeded, node: CliNode, printed: Value): AttemptEnding {
  const errors = lastOfEach(ending.facts.http ?? []).filter(({ status }) => status >= 400);
  const { httpErrors } = node.data;
  if (httpErrors === "ignore") return ending;
  if (errors.length === 0) return withErrorsInside(ending, printed);
  const { facts, value } = ending;
  if (httpErrors === "fail") return { status: "failed", failure: failureOf(errors, facts.exitCode), value, facts };
  const looksItself = httpErrors === undefined && /\b(?:http_code|response_code)\b/.test(node.data.content);
  const unnoticed = errors.filter(({ exitCode }) => exitCode === undefined || exitCode === 0);
  if (looksItself || unnoticed.length === 0) return ending;
  return withWarning(ending, "http-error-unnoticed", warningOf(unnoticed));
}

function withWarning(ending: Succeeded, code: string, message: string): Succeeded {
  const { facts } = ending;
  return { ...ending, facts: { ...facts, warnings: [...(facts.warnings ?? []), { code, message }] } };
}

/** H4. */
function withErrorsInside(ending: Succeeded, printed: Value): Succeeded {
  const mayHaveErrors = ending.facts.http?.length && "text" in printed && printed.text.includes('"errors"');
  const answer = mayHaveErrors ? parseJsonObject(printed.text) : undefined;
  if (answer === undefined || !Array.isArray(answer.errors) || typeof answer.errors[0]?.message !== "string")
    return ending;
  const said = visible(answer.errors[0].message).slice(0, SAID_CHARS_MAX);
  return withWarning(
    ending,
    "graphql-errors",
    `The server answered with errors: ${said}. To fail on them, call it with: curlew http --graphql`,
  );
}

function lastOfEach(calls: readonly HttpCall[]): HttpCall[] {
  return [...new Map(calls.map((call) => [`${call.method} ${call.url}`, call])).values()];
}

function failureOf(errors: readonly HttpCall[], exitCode: number | undefined): Failure {
  const first = errors[0]!;
  const reason = statusReason(first.status, first.headers);
  const { hints } = wordsOf(reason, first.client === "curl" ? "curl" : "other", { status: first.status });
  return {
    code: "http-error",
    message: `${describeCalls(errors)} and the command exited with 0. With "httpErrors: fail", this is a failure.`,
    reason,
    hint: hints.join(" "),
    hints,
    evidence: errors.slice(0, EVIDENCE_MAX).map(({ method, url, status }) => `${method} ${url}: ${status}`),
    exitCode,
  };
}

function warningOf(errors: readonly HttpCall[]): string {
  const remedy = errors.every(({ client }) => client === "curl") ? "; add --fail-with-body" : "";
  return `${describeCalls(errors)} and exited 0${remedy}.`;
}

/** Describes the first call, and how many more there are. */
function describeCalls([first, ...more]: readonly HttpCall[]): string {
  if (first === undefined) return "";
  const others = more.length === 0 ? "" : `, and ${more.length} more like it,`;
  return `${first.client ?? "A call"} got ${first.status} from ${first.method} ${first.url}${others}`;
}

// failures: the reasons why an expression gave no value, one function each. docs/reference/expressions.md lists the
// codes.

import type { Failure } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";

export const timeout = (expression: string, timeoutMs: number): Failure => ({
  code: "expression-timeout",
  message: `The expression ${shown(expression)} took longer than ${timeoutMs} ms and was stopped.`,
  hint: "Look for an endless recursion or a regular expression with nested repetitions. For heavy work, use a command such as jq.",
});

export const depth = (expression: string): Failure => ({
  code: "expression-depth",
  message: `The expression ${shown(expression)} calls itself more than ${limits.expressionDepthMax} levels deep.`,
  hint: "Write the recursion so that it ends, or in tail position.",
});

export const tooMuch = (expression: string, detail: string): Failure => ({
  code: "expression-limit",
  message: `The expression ${shown(expression)} was stopped: ${detail}`,
});

export const inputTooLarge = (bytes: number): Failure => ({
  code: "expression-input-too-large",
  message: `The values in the expression have ${bytes} characters of JSON. The limit is ${limits.expressionInputBytesMax}.`,
  hint: "Reduce them first, in a command such as jq or head.",
});

export const resultTooLarge = (expression: string, detail: string): Failure => ({
  code: "expression-result-too-large",
  message: `The result of ${shown(expression)} is too large: ${detail}. The limit is ${limits.expressionResultBytesMax}.`,
});

export const tooLong = (expression: string): Failure => ({
  code: "expression-too-long",
  message: `The expression has ${expression.length} characters. The limit is ${limits.expressionCharsMax}.`,
});

export const failed = (expression: string, message: string): Failure => ({
  code: "expression-failed",
  message: `The expression ${shown(expression)} failed: ${message.replace(/\.$/, "")}.`,
});

export const ended = (): Failure => ({
  code: "expression-memory",
  message: `The process that evaluates expressions ended early, usually because the expression needs more than ${limits.expressionMemoryMegabytesMax} MB.`,
});

export const notStarted = (): Failure => ({
  code: "expression-process",
  message: "Curlew could not start the process that evaluates expressions.",
});

export const closed = (): Failure => ({
  code: "expression-process",
  message: "Curlew is ending and evaluates no more expressions.",
});

export function ofJsonata(expression: string, failure: { code: string; message: string }): Failure {
  switch (failure.code) {
    case "D1011":
      return depth(expression);
    case "D1012":
      return timeout(expression, limits.expressionTimeoutMs);
    case "D2014":
    case "D2015":
      return tooMuch(expression, failure.message);
    case "too-large":
      return resultTooLarge(expression, failure.message);
    default:
      return failed(expression, failure.message);
  }
}

function shown(expression: string): string {
  const line = expression.trim().replaceAll(/\s+/g, " ");
  return `"${line.length > 80 ? `${line.slice(0, 79)}…` : line}"`;
}

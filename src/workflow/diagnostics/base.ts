// diagnostics/base: the parts of every finding. The files beside this one are the table of findings: each row has
// a code and its words, and makes the finding at a position.
//   F1. A code never changes its meaning. docs/reference/diagnostics.md lists all codes, checked by a test.
//   F2. A message says what was found and what to do.

import type { Diagnostic, Range, Severity } from "../diagnostic.ts";

export interface At {
  file: string;
  range: Range;
}

/** For a finding whose words alone are needed. */
export const NOWHERE: At = { file: "", range: { start: { line: 1, column: 1 }, end: { line: 1, column: 1 } } };

/** The message, and the remedy if the message does not say it. */
type Words = readonly [message: string, help?: string];

export function made(severity: Severity, code: string, at: At, [message, help]: Words): Diagnostic {
  return { code, severity, message, help, file: at.file, range: at.range };
}

const row =
  (severity: Severity) =>
  <Args extends unknown[]>(code: string, words: (...args: Args) => Words) =>
  (at: At, ...args: Args): Diagnostic =>
    made(severity, code, at, words(...args));

export const error = row("error");
export const warning = row("warning");
export const info = row("info");

/** A piece of the user's text for a message: on one line, short, without control characters. */
export function excerpt(value: unknown): string {
  const text =
    typeof value === "string" ? value : value === undefined ? "nothing" : (JSON.stringify(value) ?? String(value));
  const line = text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g, " ").trim();
  return line.length > 60 ? `${line.slice(0, 57)}…` : line;
}

// diagnostics/base: the parts of every finding. The files beside this one have one constructor function per finding.
//   F1. A code never changes its meaning. docs/reference/diagnostics.md lists all codes, checked by a test.
//   F2. A message says what was found and what to do.

import type { Diagnostic, Range } from "../diagnostic.ts";

export interface At {
  file: string;
  range: Range;
}

export function error(at: At, code: string, message: string, help?: string): Diagnostic {
  return { code, severity: "error", message, ...(help === undefined ? {} : { help }), file: at.file, range: at.range };
}

export function warning(at: At, code: string, message: string, help?: string): Diagnostic {
  return { ...error(at, code, message, help), severity: "warning" };
}

/** A piece of the user's text for a message: on one line, short, without control characters. */
export function said(value: unknown): string {
  const text =
    typeof value === "string" ? value : value === undefined ? "nothing" : (JSON.stringify(value) ?? String(value));
  const line = text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g, " ").trim();
  return line.length > 60 ? `${line.slice(0, 57)}…` : line;
}

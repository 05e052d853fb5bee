// diagnostic: one finding about a document: what, where, what was seen, what helps.

/** Line and column from 1; column counts UTF-16 units, as editors do. `end` is exclusive. */
export interface Position {
  line: number;
  column: number;
}
export interface Range {
  start: Position;
  end: Position;
}

export type Severity = "error" | "warning";

export interface Diagnostic {
  /** Stable, kebab-case; listed in docs/reference/diagnostics.md, which a test keeps true. */
  code: string;
  severity: Severity;
  message: string;
  /** What to do about it, one sentence, when the message does not say it already. */
  help?: string;
  /** As the user named it. */
  file: string;
  range: Range;
}

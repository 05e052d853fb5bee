// diagnostic: one problem in a workflow: its position, a message and a remedy.

/** Line and column count from 1, columns in UTF-16 units as in editors. `end` is exclusive. */
export interface Position {
  line: number;
  column: number;
}
export interface Range {
  start: Position;
  end: Position;
}

/** `info` says what Curlew does automatically: nothing needs to change. */
export type Severity = "error" | "warning" | "info";

export interface Diagnostic {
  /** Stable, kebab-case; listed in docs/reference/diagnostics.md, checked by a test. */
  code: string;
  severity: Severity;
  message: string;
  /** The remedy in one sentence, if the message does not say it. */
  help?: string;
  /** The path as the user gave it. */
  file: string;
  range: Range;
  /** The edge that the finding is about, or the one that its fix needs. */
  edge?: { source: string; target: string };
}

// failure: why an attempt or a node did not succeed, in words for a person and a code for a program.

export interface Failure {
  /** Stable, kebab-case; listed in docs/failures.md. */
  code: string;
  /** One sentence for a person: what happened. */
  message: string;
  /** One sentence: what helps. */
  hint?: string;
  exitCode?: number;
  signal?: string;
  /** Last lines of stderr. */
  stderr?: string;
}

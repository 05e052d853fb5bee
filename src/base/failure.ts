// failure: why an attempt or a node did not succeed, in words for a person and a code for a program.

export interface Failure {
  /** Stable, kebab-case; listed in docs/reference/failures.md. */
  code: string;
  /** One sentence for a person: what happened. */
  message: string;
  /** What helps; all of `hints`, where there are some. */
  hint?: string;
  hints?: string[];
  /** What lies behind it, in a word that is the same whichever program failed: `certificate-expired`, … (docs/reference/failures.md). */
  reason?: string;
  /** The lines of stderr, or the call that was seen, that say so. */
  evidence?: string[];
  exitCode?: number;
  signal?: string;
  /** Last lines of stderr. */
  stderr?: string;
}

// failure: why an attempt or a node failed, as a sentence for users and a code for programs.

export interface Failure {
  /** Stable, kebab-case; listed in docs/reference/failures.md. */
  code: string;
  /** One sentence for users: what happened. */
  message: string;
  /** The remedy. If `hints` is set, all of them in one string. */
  hint?: string;
  hints?: string[];
  /** The cause, as a code that is the same for every program: `certificate-expired`, … (docs/reference/failures.md). */
  reason?: string;
  /** The lines of stderr, or the HTTP call, that prove it. */
  evidence?: string[];
  exitCode?: number;
  signal?: string;
  /** Last lines of stderr. */
  stderr?: string;
}

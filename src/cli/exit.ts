// exit: the exit codes of every command (spec 2.2). A script may rely on them; they never change their meaning.

export const Exit = {
  /** Done; a run succeeded. */
  OK: 0,
  /** A node failed; `fmt --check` would change something; the audit log is damaged. */
  FAILED: 1,
  /** The command line or the document is wrong; nothing ran. */
  USAGE: 2,
  /** The run is kept, waiting for an approval that nobody can give here. */
  WAITING: 3,
  /** Cancelled or timed out. */
  CANCELLED: 4,
  /** Our own fault. */
  FAULT: 5,
  /** After Ctrl-C. */
  INTERRUPTED: 130,
} as const;
export type Exit = (typeof Exit)[keyof typeof Exit];

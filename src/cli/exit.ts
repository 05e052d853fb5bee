// exit: the exit codes of every command (spec 2.2). Scripts rely on them, so their meanings never change.

export const Exit = {
  /** The command or run succeeded. */
  OK: 0,
  /** A node failed, `fmt --check` found changes, or the audit log is damaged. */
  FAILED: 1,
  /** The command line or the workflow file is invalid. Nothing ran. */
  USAGE: 2,
  /** The run waits for an approval that cannot be given here. */
  WAITING: 3,
  /** Cancelled or timed out. */
  CANCELLED: 4,
  /** An error in Curlew or the system. */
  FAULT: 5,
  /** After Ctrl-C. */
  INTERRUPTED: 130,
} as const;
export type Exit = (typeof Exit)[keyof typeof Exit];

// limits-start: the limits that are needed before the program is loaded; the others are not loaded for them. All are in limits.ts.

export const startLimits = {
  /** So many commands of a kind add to what is kept of their compiled code: a digit. Then it is left alone. */
  compiledRounds: 4,
  /** What lives longer may have thrown compiled code away, and adds nothing. */
  compiledWithinMs: 10_000,
} as const;

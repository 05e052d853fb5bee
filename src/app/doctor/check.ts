// The result of one of doctor's checks.

export interface Check {
  /** The thing checked: `store`, `home`, `bash`, … */
  what: string;
  status: "ok" | "note" | "wrong";
  message: string;
  /** Set if the check is not ok. */
  code?: string;
  help?: string;
  run?: string;
}

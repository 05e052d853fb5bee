// check: one thing that doctor looked at.

export interface Check {
  /** What was looked at: `store`, `home`, `bash`, … */
  what: string;
  status: "ok" | "note" | "wrong";
  message: string;
  /** Of what is not ok. */
  code?: string;
  help?: string;
  run?: string;
}

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

export const passed = (what: string, message: string): Check => ({ what, status: "ok", message });

/** `texts`: the message and what helps. */
export function finding(status: "note" | "wrong", what: string, code: string, texts: readonly [string, string]): Check {
  return { what, status, code, message: texts[0], help: texts[1] };
}

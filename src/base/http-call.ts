// http-call: one HTTP call of an attempt, as it is recorded and shown (spec 2.7, 3.6).

/** Of the headers of a service that refuses those that say when to come again, and which request this was. */
export const SERVICE_HEADERS =
  /^(?:retry-after(?:-ms)?|date|content-type|x-request-id|request-id|(?:x-)?rate-?limit.*)$/;

export interface HttpCall {
  /** In capitals. */
  method: string;
  /** As it was called, without user, password, and values that are secrets (`***`). */
  url: string;
  /** Of the last answer; 0: none came. */
  status: number;
  /** From its begin to the end of the answer, with redirects, without retries; 0 when nobody saw its end. */
  durationMs: number;
  /** Of the last answer; names in lower case, values of one name joined by ", "; no cookies. */
  headers: Record<string, string>;
  /** Bytes of bodies. */
  sentBytes?: number;
  receivedBytes?: number;
  /** Times since its begin, as far as that far was reached. */
  timings?: { dnsMs?: number; connectMs?: number; tlsMs?: number; firstByteMs?: number };
  /** How often the client itself tried again; null: it may have, and that is not counted. */
  retries?: number | null;
  /** Redirects that were followed, and where they ended. */
  redirects?: number;
  finalUrl?: string;
  /** What the client said of a call that failed. `exitCode` is what it would mean alone. */
  exitCode?: number;
  error?: string;
  /** `curl`, `curlew http`. */
  client?: string;
}

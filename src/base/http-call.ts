// http-call: one HTTP call of an attempt, as it is recorded and shown (spec 2.7, 3.6).

/** Headers to keep when a service rejects a call: when to retry, and the request id. */
export const SERVICE_HEADERS =
  /^(?:retry-after(?:-ms)?|date|content-type|x-request-id|request-id|(?:x-)?rate-?limit.*)$/;

export interface HttpCall {
  /** In uppercase. */
  method: string;
  /** The URL as called, without user and password, and with secret values hidden (`***`). */
  url: string;
  /** Status of the last response; 0 without a response. */
  status: number;
  /** From the start to the end of the response, with redirects, without retries; 0 if the end was not seen. */
  durationMs: number;
  /** Headers of the last response: lowercase names, values of one name joined by ", ", no cookies. */
  headers: Record<string, string>;
  /** Sizes of the bodies. */
  sentBytes?: number;
  receivedBytes?: number;
  /** Times since the start of the call, for the phases that were reached. */
  timings?: { dnsMs?: number; connectMs?: number; tlsMs?: number; firstByteMs?: number };
  /** Retries by the client itself; null: unknown. */
  retries?: number | null;
  /** Number of redirects followed, and the final URL. */
  redirects?: number;
  finalUrl?: string;
  /** The client's error for a failed call. `exitCode` is the code that this call alone would give. */
  exitCode?: number;
  error?: string;
  /** `curl` or `curlew http`. */
  client?: string;
}

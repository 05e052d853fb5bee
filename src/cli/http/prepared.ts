// prepared: a call of `curlew http` before its first byte is sent, and what its status means, alike for one answer and for many pages.

import { isRateLimited } from "../../base/retry-after.ts";
import type { Call, CallSettings } from "./call.ts";
import type { GraphqlRequest } from "./graphql.ts";
import type { Network, Response } from "./network.ts";
import type { HttpOptions } from "./options.ts";
import type { Sink } from "./output.ts";
import { HttpExit, HttpProblem } from "./problem.ts";

/** What is known before the first byte is sent. */
export interface Prepared {
  options: HttpOptions;
  network: Network;
  call: Call;
  graphql: GraphqlRequest | undefined;
  settings: CallSettings;
  sink: Sink;
}

/** R2 of run.ts. */
export function failOnStatus(response: Response, options: HttpOptions): void {
  if (response.status < 400 || options.noFail) return;
  const answered = { status: response.status, headers: Object.fromEntries(response.headers) };
  throw new HttpProblem(
    HttpExit.STATUS,
    "http-error",
    `The requested URL returned error: ${response.status}`,
    STATUS_HELP[isRateLimited(answered) ? 429 : response.status] ??
      (response.status >= 500
        ? "The server failed: try again later; --retry 3 does that by itself."
        : "Its body says what the server says about it; --no-fail makes it no failure."),
  );
}

const STATUS_HELP: Readonly<Record<number, string>> = {
  401: "Authentication failed: check the key or token, whether it has expired, and --auth.",
  403: "Access was denied: check the rights of the key or token.",
  404: "Check the path and the ids in the URL.",
  405: "Check the method against the API's documentation.",
  415: "Send --json, or -H 'Content-Type: …' with what the API wants.",
  429: "The rate limit is exceeded: --retry 3 waits as long as the server says.",
};
